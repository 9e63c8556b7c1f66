; Complete rows: found and taken out one a frame.

.include "constants.inc"
.include "ram.inc"

.import cell_of_row, garbage_lines, top_of_piece
.export row_check_state

ROWS_OF_PIECE   = 4

first_cell      := temp + 1
row             := temp + 2

.segment "ROW_CHECK"
; Looks at the next of the four rows from two above the pivot. A row counts as complete when no cell is TILE_EMPTY.
; The rows above come down one; row 0 coming down takes the whole page along: the index wraps past the top and all
; 256 bytes move, so that the row appears again below itself, and the next check finds it again.
.proc row_check_state
        lda vram_row
        cmp #ROWS_DONE
        bmi wait
        jsr top_of_piece
        clc
        adc row_check
        sta row
        jsr cell_of_row
        sta first_cell
        tay
        ldx #COLUMNS
cell:   lda (field_pointer),y
        cmp #TILE_EMPTY
        beq incomplete
        iny
        dex
        bne cell
        lda #EFFECT_LINE
        sta effect_pulse
        inc lines_completed
        jsr take_row_out
        lda #ORIENTATION_HIDDEN
        sta orientation
        lda row
        bne note
incomplete:
        lda #0                          ; row 0 notes itself as none
note:   ldx row_check
        sta cleared_rows,x
        inc row_check
        cpx #ROWS_OF_PIECE - 1
        bcs all_checked
wait:   rts

all_checked:
        ldy lines_completed
        lda garbage_lines,y
        clc
        adc garbage_other
        sta garbage_other               ; where one plays alone, nobody gets it
        lda #0
        sta vram_row
        sta clear_step
        inc play_state                  ; to the animation
        lda lines_completed
        beq none
        cmp #ROWS_OF_PIECE
        bne done
        lda #EFFECT_TETRIS
        bne play
none:   inc play_state                  ; or past it
        lda #EFFECT_LOCK
play:   sta effect_pulse
done:   rts
.endproc
.assert row_check_state = $9a6b, lderror, "row_check_state has to stand at $9a6b"

; Moves everything above the row down by one row and empties row 0.
; In: first_cell = index of the row's first cell. Uses: A, Y.
.proc take_row_out
        ldy first_cell
        dey
move:   lda (field_pointer),y
        ldx #COLUMNS
        stx field_pointer
        sta (field_pointer),y
        ldx #0
        stx field_pointer
        dey
        cpy #$ff
        bne move
        ldy #COLUMNS - 1
        lda #TILE_EMPTY
clear:  sta (field_pointer),y
        dey
        bpl clear
        rts
.endproc
