; Spawning: the next piece comes in, another one is picked.

.include "constants.inc"
.include "ram.inc"

.import count_piece, demo_pieces, lfsr_step, spawn_orientation, spawn_table
.export pick_piece, spawn, spawn_state

KINDS           = 7

.segment "SPAWN_WAIT"
; Waits until the PPU has the whole playfield: never the frame of the lock, hence the entry delay.
.proc spawn_state
        lda vram_row
        cmp #ROWS_DONE
        bmi wait
        jmp spawn
wait:   rts
.endproc

; The piece that the recording of the demo has, in bits 4-6 of its byte. Out: A = orientation id.
.proc recorded_piece
        ldx demo_piece
        inc demo_piece
        lda demo_pieces,x
        lsr a
        lsr a
        lsr a
        lsr a
        and #%111
        tax
        lda spawn_table,x
        rts
.endproc

.segment "SPAWN"
; Down has to be pressed anew for this piece; the shift counter carries over from the last one.
.proc spawn
        lda #0
        sta shared_delay
        sta fall_timer
        sta down_repeat
        sta piece_y
        lda #SPAWN_X
        sta piece_x
        lda #PLAY_ACTIVE
        sta play_state
        ldx next_piece
        lda spawn_orientation,x
        sta orientation
        jsr count_piece
        lda player_count
        cmp #TWO_PLAYERS
        beq shared
        jsr pick_piece
        sta next_piece
        rts
shared: lda shared_piece
        sta next_piece
        rts
.endproc
.assert spawn = $98ba, lderror, "spawn has to stand at $98ba"

; Out: A = orientation id of a piece to come. Uses: A, X, Y.
.proc pick_piece
        lda game_mode
        cmp #MODE_DEMO
        beq recorded
        jmp random_piece
recorded:
        jmp recorded_piece
.endproc

.segment "PICKER"
; The first throw has eight sides, one of them empty; a throw that shows it or the last piece is thrown again.
; The second throw adds the last piece's orientation id, not its kind, to 0-7 and takes that modulo 7: repeats
; are rarer than one in seven, and not equally so.
; Out: A = orientation id, kept as last_piece. Uses: A, X, Y.
.proc random_piece
        inc spawn_count
        lda spawn_count
        clc
        adc lfsr
        and #%111
        tax
        cpx #KINDS
        beq again
        lda spawn_table,x
        cmp last_piece
        bne new_piece
again:  ldx #lfsr
        ldy #2
        jsr lfsr_step
        lda lfsr
        and #%111
        clc
        adc last_piece
modulo: cmp #KINDS
        bcc below
        sbc #KINDS
        bcs modulo
below:  tax
        lda spawn_table,x
        bne new_piece                   ; no orientation of the table is 0
.endproc
.assert random_piece = $9907, lderror, "random_piece has to stand at $9907"

; A = the orientation id about to be used: whoever wants another sequence of pieces changes it here.
new_piece:
        sta last_piece
        rts
.assert new_piece = $9938, lderror, "new_piece has to stand at $9938"
