; Screens: the interpreter of stroke lists (screen.inc), and the lighting of what they drew.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export draw_screen, show_screen, put_bcd, point_ppu
.import disable_rendering, enable_rendering, set_chr_banks

.segment "SCREENS"

; Draw a list of strokes with the picture and the NMI off; both stay off until show_screen.
; In: A, X = address of the list, low and high.
.proc draw_screen
        sta patch_pointer
        stx patch_pointer + 1
        jsr disable_rendering
next_stroke:
        jsr next_byte
        tax
        beq done
        lda source_low - 1, x
        sta tile_source
        lda source_high - 1, x
        sta tile_source + 1
        jsr next_byte
        sta dest + 1
        jsr next_byte
        sta dest
        jsr next_byte
        sta width
        jsr next_byte
        sta height
        sta rows_left
        cpx #STROKE_PANEL               ; kinds below take their tile from the list, all but a tile map at once
        bcs row
        cpx #STROKE_TILES
        beq row
        jsr next_byte
        sta tile
row:
        lda dest + 1
        sta PPUADDR
        lda dest
        sta PPUADDR
        ldx width
column:
        jsr next_tile
        sta PPUDATA
        dex
        bne column
        jsr next_row
        dec rows_left
        bne row
        beq next_stroke
done:
        rts
.endproc

; The tile for this column from whichever source the stroke has. In: X = columns left. Out: A; X kept.
next_tile:
        jmp (tile_source)

.define SOURCES next_byte, same_tile, sheet_tile, panel_tile, wall_tile
source_low:     .lobytes SOURCES
source_high:    .hibytes SOURCES

; The next byte of the list. Out: A; X kept.
.proc next_byte
        ldy #0
        lda (patch_pointer), y
        inc patch_pointer
        bne same_page
        inc patch_pointer + 1
same_page:
        rts
.endproc

.proc same_tile
        lda tile
        rts
.endproc

.proc sheet_tile
        lda tile
        inc tile
        rts
.endproc

; One of nine: corner, edge or inside, by the distance to the ends of row and panel.
.proc panel_tile
        ldy #0
        lda rows_left
        cmp height
        beq row_known
        ldy #6
        cmp #1
        beq row_known
        ldy #3
row_known:
        cpx width
        beq column_known
        iny
        cpx #1
        bne column_known
        iny
column_known:
        lda panel_tiles, y
        rts
.endproc

panel_tiles:
        .byte TILE_FRAME,     TILE_FRAME + 1, TILE_FRAME + 2
        .byte TILE_FRAME + 3, TILE_BLANK,     TILE_FRAME + 4
        .byte TILE_FRAME + 5, TILE_FRAME + 6, TILE_FRAME + 7

; The wall repeats every eight tiles both ways; the three row bits it needs are the high bits of the address.
.proc wall_tile
        lda dest
        and #$e0
        lsr a
        lsr a
        sta row_bits
        txa
        eor #$ff
        sec
        adc width
        clc
        adc dest
        and #7
        ora row_bits
        tay
        lda wall_tiles, y
        rts
.endproc

; Sixteen pieces packed on a torus of 8 x 8: each tile draws the edges where one piece ends.
wall_tiles:
        .byte $5b, $59, $53, $59, $57, $5b, $59, $57
        .byte $52, $5c, $56, $5a, $59, $56, $5a, $5d
        .byte $5e, $5d, $53, $5e, $5e, $5b, $5e, $5b
        .byte $57, $5b, $5a, $59, $53, $5c, $53, $58
        .byte $5b, $5a, $5e, $5c, $56, $5b, $5e, $5e
        .byte $5a, $5a, $5d, $55, $53, $5a, $5d, $53
        .byte $5a, $5e, $59, $57, $5e, $5c, $57, $5a
        .byte $5e, $5d, $56, $5d, $55, $55, $57, $5e

; Go to the start of the next row: 32 bytes on in the nametable, 8 in the attribute table; a row of the CHR sheet is 16.
.proc next_row
        lda tile_source
        cmp #<sheet_tile
        bne address
        lda tile
        sec
        sbc width
        clc
        adc #16
        sta tile
address:
        ldy #32
        lda dest + 1
        cmp #>ATTRIBUTES
        bne add
        lda dest
        cmp #<ATTRIBUTES
        bcc add
        ldy #8
add:
        tya
        clc
        adc dest
        sta dest
        bcc same_page
        inc dest + 1
same_page:
        rts
.endproc

; Light the screen just drawn. In: A = CHR bank of both halves.
.proc show_screen
        jsr set_chr_banks
        lda #0
        sta scroll_x
        sta scroll_y
        jmp enable_rendering
.endproc

; Two digits to the PPU. In: A = BCD byte. X, Y kept.
.proc put_bcd
        pha
        lsr a
        lsr a
        lsr a
        lsr a
        sta PPUDATA
        pla
        and #$0f
        sta PPUDATA
        rts
.endproc

; Point the PPU at a place of a nametable. In: A = low byte, X = high byte.
.proc point_ppu
        stx PPUADDR
        sta PPUADDR
        rts
.endproc
