; Collision: does the piece fit where it is?

.include "constants.inc"
.include "ram.inc"

.import orientations
.export collision, cell_of_row, point_at_cell, point_at_pivot

pivot_cell      := temp
cells_left      := temp + 2
first_column    := cursor       ; of the row that is looked at

.segment "COLLISION"
; Tests the four cells against floor, playfield and walls, in this order. Two rows above the playfield are legal; what a
; cell there is compared with are the last bytes of the playfield's page, as the index wraps in eight bits.
; In: piece_x, piece_y, orientation. Out: temp and A = 0 and Z set if it fits, else $ff. Uses: X, Y, temp, cursor.
.proc collision
        jsr point_at_pivot
        lda #4
        sta cells_left
cell:   lda orientations,x
        clc
        adc piece_y
        adc #HIDDEN_ROWS                ; the row's carry comes too: a row above the pivot counts as the one below it
        cmp #ROWS + HIDDEN_ROWS
        bcs solid
        jsr point_at_cell
        lda (field_pointer),y
        cmp #TILE_EMPTY
        bcc solid
        lda orientations+2,x
        clc
        adc piece_x
        cmp #COLUMNS
        bcs solid
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

; Out: X = offset of the orientation's entry, pivot_cell. Uses: A, temp.
.proc point_at_pivot
        lda piece_y
        jsr cell_of_row
        clc
        adc piece_x
        sta pivot_cell
        jmp point_at_orientation
.endproc

; In: X = entry of a cell, pivot_cell. Out: Y = its index in the playfield; first_column. Uses: A, temp.
.proc point_at_cell
        lda orientations,x
        jsr cell_of_row
        clc
        adc pivot_cell
        sta first_column
        clc
        adc orientations+2,x
        tay
        rts
.endproc

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
