; Sprites: staging of pieces, cursors and text in the OAM page that the next NMI sends.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"
.include "slow.inc"

.export next_shift_x, next_shift_y, stage_piece, stage_next, stage_orientation, stage_sprite, stage_cursor, stage_picture
.import orientations

FIELD_LEFT      = 96            ; pixel of cell (0, 0)
NEXT_LEFT       = $cc           ; pixel of the pivot of the next piece
NEXT_TOP        = $77
LEVEL_COLOURS   = 2             ; the sprite palette that follows the level
PICTURE_BOTTOM  = 200
BYTES_OF_CELL   = 3
FLIP_X          = %01000000
FLIP_Y          = %10000000

.ifdef SLOW                              ; one page, so that no branch takes a cycle more
.segment "SLOW"
.else
.segment "SCREENS"
.endif

; Stage the piece in play. In: piece_x, piece_y, orientation. Out: saved = scanline of its last cell.
.proc stage_piece
        lda piece_x
        asl a
        asl a
        asl a
        adc #FIELD_LEFT
        sta stage_x
        lda piece_y
        asl a
        asl a
        asl a
        adc #FIELD_TOP - 1              ; a sprite appears a scanline below its Y
        sta stage_y
        lda orientation
        jsr stage_orientation
    .ifdef SLOW                         ; in one page: as long for every piece
        ldy orientation
        lda last_rows,y
    .else
        lda orientations - BYTES_OF_CELL,x      ; X is behind the last cell
    .endif
        asl a
        asl a
        asl a
        clc
        adc stage_y
        sta saved
        rts
.endproc

; Stage the piece of the next box, unless Select has hidden it. In: next_piece, hide_next.
.proc stage_next
        lda hide_next
        bne done
        ldx next_piece
    .ifdef SLOW                         ; as long for every piece: an entry of orientations beyond its page takes a cycle more
        cpx #8
        bcc before
        beq across
aligned:
    .endif
        lda #NEXT_LEFT
        clc
        adc next_shift_x, x
        sta stage_x
        lda #NEXT_TOP
        clc
        adc next_shift_y, x
        sta stage_y
        txa
        delay 3
        jmp stage_orientation
done:
        rts
    .ifdef SLOW
before: delay 10
across: jmp aligned
    .endif
.endproc

; What centres a piece in its box: O and I are an even number of cells wide, I is one cell high. By orientation id.
next_shift_x:
        .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0
next_shift_y:
        .byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0

; Stage the four cells of an orientation; cells above the playfield's first row are left out.
; In: A = orientation id, stage_x, stage_y = pixel of its pivot.
.proc stage_orientation
    .ifdef SLOW
        tay
        ldx orientation_offsets,y
    .else
        asl a
        asl a
        sta sprite_count
        asl a
        adc sprite_count                ; 12 bytes each: four times row, tile, column
        tax
    .endif
        ldy oam_length
        lda #4
        sta sprite_count
cell:
        lda orientations, x
        asl a
        asl a
        asl a
        clc
        adc stage_y
        cmp #FIELD_TOP - 1
        bcc next
        sta oam_staging, y
        lda orientations + 1, x
        sta oam_staging + 1, y
        lda #LEVEL_COLOURS
        sta oam_staging + 2, y
        lda orientations + 2, x
        asl a
        asl a
        asl a
        clc
        adc stage_x
        sta oam_staging + 3, y
        iny
        iny
        iny
        iny
next:
        inx
        inx
        inx
        dec sprite_count
        bne cell
        sty oam_length
        rts
.endproc

.ifdef SLOW
orientation_offsets:
    .repeat 20, id
        .byte 12 * id
    .endrepeat
; The row of the last cell, by orientation.
last_rows:
        .byte <-1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0
.endif

.segment "SCREENS"

; Stage one sprite. In: A = tile, X = attributes, stage_x, stage_y. X kept.
.proc stage_sprite
        ldy oam_length
        sta oam_staging + 1, y
        txa
        sta oam_staging + 2, y
        lda stage_y
        sta oam_staging, y
        lda stage_x
        sta oam_staging + 3, y
        iny
        iny
        iny
        iny
        sty oam_length
        rts
.endproc

; Stage a picture of several sprites cut from the CHR sheet. In: A = first tile, X = attributes, stage_x, stage_y =
; left and top, width, height in tiles. stage_x is kept, stage_y ends below the picture. Rows from PICTURE_BOTTOM on
; are left out: they are the part above the screen of something that leaves it upwards.
.proc stage_picture
        sta tile
        stx sprite_flags
        lda stage_x
        sta screen_x
        lda height
        sta rows_left
row:
        ldx width
column:
        stx sprite_count
        lda stage_y
        cmp #PICTURE_BOTTOM
        bcs hidden
        lda tile
        ldx sprite_flags
        jsr stage_sprite
hidden:
        inc tile
        lda stage_x
        clc
        adc #8
        sta stage_x
        ldx sprite_count
        dex
        bne column
        lda screen_x
        sta stage_x
        lda tile
        sec
        sbc width
        clc
        adc #16
        sta tile
        lda stage_y
        clc
        adc #8
        sta stage_y
        dec rows_left
        bne row
        rts
.endproc

; Stage four corners around a character. In: stage_x, stage_y = its pixel, X = palette.
.proc stage_cursor
        lda stage_x
        sec
        sbc #4
        sta stage_x
        lda stage_y
        sec
        sbc #5
        sta stage_y
        lda #TILE_CORNER
        jsr stage_sprite
        lda stage_x
        clc
        adc #8
        sta stage_x
        txa
        ora #FLIP_X
        tax
        lda #TILE_CORNER
        jsr stage_sprite
        lda stage_y
        clc
        adc #8
        sta stage_y
        txa
        ora #FLIP_Y
        tax
        lda #TILE_CORNER
        jsr stage_sprite
        lda stage_x
        sec
        sbc #8
        sta stage_x
        txa
        and #<~FLIP_X
        tax
        lda #TILE_CORNER
        jmp stage_sprite
.endproc
