; Statistics: how often each kind of piece has come.

.include "constants.inc"
.include "ram.inc"

.import orientation_types
.export count_piece

.segment "GAME"
; Counts the piece in play: BCD tens and ones, then hundreds in binary.
; In: A = orientation. Uses: A, X.
.proc count_piece
        tax
        lda orientation_types,x
        asl a
        tax
        inc piece_counts,x
        lda piece_counts,x
        and #$0f
        cmp #$0a
        bcc done
        lda piece_counts,x
        adc #6 - 1                      ; carry is set
        sta piece_counts,x
        cmp #$a0
        bcc done
        lda #0
        sta piece_counts,x
        inc piece_counts+1,x
done:   lda dirty
        ora #DIRTY_STATS
        sta dirty
        rts
.endproc
