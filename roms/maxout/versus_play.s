; The states of one of two players: garbage sent and received, and pieces from a common row.

.include "constants.inc"
.include "ram.inc"

.import active_piece, cell_of_each_row, curtain_state, dispatch, goal_state, lines_state, lock_state, next_play_state, nothing
.import pick_piece, row_check_state, spawn
.export garbage_lines, play_side

SHARED_FRAMES   = 28            ; from the choice of the next piece to the spawn of the one before it
MOST_ROWS       = ROWS - 1      ; that come in at once

source          := copy_pointer ; 2 bytes: the field, that many rows down

.segment "GAME"
.proc play_side
        lda play_state
        jsr dispatch
        .addr nothing, active_piece, lock_state, row_check_state, nothing, lines_state, goal_state, receive_garbage
        .addr spawn_shared, nothing, curtain, next_play_state
.endproc

; Pending garbage lifts the field, once the PPU has it as it was. What is lifted beyond row 0 is gone.
; In/out: garbage_own, vram_row. Uses: A, X, Y, source.
.proc receive_garbage
        ldy garbage_own
        beq next
        lda vram_row
        cmp #ROWS_DONE
        bne wait
        cpy #MOST_ROWS
        bcc lift
        ldy #MOST_ROWS
lift:   lda field_pointer+1
        sta source+1
        lda cell_of_each_row,y
        sta source
        eor #$ff
        sec
        adc #CELLS                      ; cells that stay
        sta temp
        ldy #0
move:   lda (source),y
        sta (field_pointer),y
        iny
        cpy temp
        bne move
        ldx #0
cell:   lda #TILE_WHITE
        cpx garbage_hole
        bne put
        lda #TILE_EMPTY
put:    sta (field_pointer),y
        inx
        cpx #COLUMNS
        bne column
        ldx #0
column: iny
        cpy #CELLS
        bne cell
        lda #0
        sta garbage_own
        sta vram_row
next:   jmp next_play_state
wait:   rts
.endproc

; The next piece is the next of whoever comes first: he chooses the one after it, waits, and has it. The other waits until
; he has, and then his own time.
.proc spawn_shared
        lda vram_row
        cmp #ROWS_DONE
        bne wait
        lda shared_delay
        bne chosen
        inc shared_delay
        lda active_player
        sta shared_player
        jsr pick_piece
        sta shared_piece
wait:   rts
chosen: lda shared_player
        cmp active_player
        bne wait
        lda shared_delay
        cmp #SHARED_FRAMES
        bcc wait
        jmp spawn
.endproc

; A closed curtain waits for its own player's Start whatever the score: there is no ending for two.
.proc curtain
        lda curtain_row
        cmp #ROWS
        bne falling
        lda pressed
        cmp #BUTTON_START
        bne done
        lda #PLAY_ENDED
        sta play_state
done:   rts
falling:
        jmp curtain_state
.endproc

.segment "GARBAGE_LINES"
; By rows completed.
garbage_lines:
        .byte 0, 0, 1, 2, 4
.assert garbage_lines = $9b53, lderror, "garbage_lines has to stand at $9b53"
