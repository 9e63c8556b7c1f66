; Locking: the piece becomes part of the playfield, or the game is over.

.include "constants.inc"
.include "ram.inc"

.import collision, orientations, point_at_cell, point_at_pivot, update_music_speed, update_playfield
.export lock_state

CURTAIN_START   = <-16
cells_left      := temp + 2

.segment "LOCK"
; A piece that overlaps something has just spawned there: the curtain falls. Otherwise the cells are written once the
; PPU has the playfield as it was.
.proc lock_state
        jsr collision
        beq allowed
        lda #EFFECT_CURTAIN
        sta effect_noise
        lda #PLAY_CURTAIN
        sta play_state
        lda #CURTAIN_START
        sta curtain_row
        rts
allowed:
        lda vram_row
        cmp #ROWS_DONE
        bmi wait
        jsr place_piece
        lda #0
        sta row_check
        jsr update_playfield
        jsr update_music_speed
        inc play_state
wait:   rts
.endproc
.assert lock_state = $99a2, lderror, "lock_state has to stand at $99a2"

; Writes the four tiles of the piece into the playfield. Uses: A, X, Y, temp.
.proc place_piece
        jsr point_at_pivot
        lda #4
        sta cells_left
cell:   jsr point_at_cell
        lda orientations+1,x
        sta (field_pointer),y
        inx
        inx
        inx
        dec cells_left
        bne cell
        rts
.endproc
