; Locking: the piece becomes part of the playfield, or the game is over.

.include "constants.inc"
.include "ram.inc"

.import cell_of_row, collision, orientations, point_at_orientation, update_music_speed, update_playfield
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
        lda #MUSIC_OFF
        sta music_request
        lda #PLAY_CURTAIN
        sta play_state
        lda #CURTAIN_START
        sta curtain_row
        rts
allowed:
        lda vram_row
        cmp #ROWS_DONE
        bne wait
        jsr place_piece
        lda #0
        sta row_check
        sta lines_completed
        jsr update_playfield
        jsr update_music_speed
        inc play_state
wait:   rts
.endproc
.assert lock_state = $99a2, lderror, "lock_state has to stand at $99a2"

; Writes the four tiles of the piece into the playfield. Uses: A, X, Y, temp.
.proc place_piece
        lda #4
        sta cells_left
        jsr point_at_orientation
cell:   lda orientations,x
        clc
        adc piece_y
        jsr cell_of_row
        clc
        adc orientations+2,x
        clc
        adc piece_x
        tay
        lda orientations+1,x
        sta (field_pointer),y
        inx
        inx
        inx
        dec cells_left
        bne cell
        rts
.endproc
