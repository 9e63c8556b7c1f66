; Collision: does the piece fit where it is?

.include "constants.inc"
.include "ram.inc"

.import orientations
.export collision, cell_of_row, point_at_orientation

BYTES_OF_CELL   = 3
BYTES_OF_PIECE  = 4 * BYTES_OF_CELL

column          := temp + 1
cells_left      := temp + 2
row             := cursor

.segment "COLLISION"
; Tests the four cells against the walls, the floor and the playfield. Two rows above the playfield are legal; what a
; cell there is compared with are the last bytes of the playfield's page, as the index wraps in eight bits.
; In: piece_x, piece_y, orientation. Out: temp and A = 0 and Z set if it fits, else $ff. Uses: X, Y, temp+1, temp+2, cursor.
.proc collision
        jsr point_at_orientation
        lda #4
        sta cells_left
cell:   lda orientations,x
        clc
        adc piece_y
        sta row
        clc
        adc #HIDDEN_ROWS
        cmp #ROWS + HIDDEN_ROWS
        bcs solid
        lda orientations+2,x
        clc
        adc piece_x
        sta column
        cmp #COLUMNS
        bcs solid
        lda row
        jsr cell_of_row
        clc
        adc column
        tay
        lda (field_pointer),y
        cmp #TILE_EMPTY
        bcc solid
        inx
        inx
        inx
        dec cells_left
        bne cell
        lda #0
        sta temp
        rts
solid:  lda #$ff
        sta temp
        rts
.endproc
.assert collision = $948b, lderror, "collision has to stand at $948b"

; Out: X = offset of the orientation's entry in orientations, A too. Uses: A, X, temp.
.proc point_at_orientation
        lda orientation
        asl a
        adc orientation                 ; three times: 57 at most
        asl a
        asl a
        tax
        rts
.endproc

; In: A = row. Out: A = 10 * row, in eight bits. Uses: A, temp+3.
.proc cell_of_row
        asl a
        sta temp+3
        asl a
        asl a
        clc
        adc temp+3
        rts
.endproc
