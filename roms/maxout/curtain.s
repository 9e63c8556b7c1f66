; The curtain that falls when the game is over.

.include "constants.inc"
.include "ram.inc"

.import cell_of_each_row
.export curtain_state

ENDING_SCORE    = $03           ; high byte: 30,000 points

.segment "PLAY"
; A row every fourth frame, after sixteen steps of nothing. Then a game worth an ending is over at once, any other when
; Start is pressed alone.
.proc curtain_state
        lda #ORIENTATION_HIDDEN
        sta orientation
        ldx curtain_row
        cpx #ROWS
        beq down
        lda frame_counter
        and #%11
        bne done
        txa
        bmi lower                       ; not in the picture yet
        ldy cell_of_each_row,x
        ldx #COLUMNS
        lda #TILE_CURTAIN
cell:   sta (field_pointer),y
        iny
        dex
        bne cell
        lda curtain_row
        sta vram_row
lower:  inc curtain_row
done:   rts

down:   lda game_type
        bne wait
        lda score+2
        cmp #ENDING_SCORE
        bcs over
wait:   lda pressed
        cmp #BUTTON_START
        bne done
over:   lda #PLAY_ENDED
        sta play_state
        sta pad_pressed                 ; this Start must not pause
        rts
.endproc
