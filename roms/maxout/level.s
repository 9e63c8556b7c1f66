; The level as it is shown: its number and its colours.

.include "hardware.inc"
.include "ram.inc"

.export level_glyphs, level_palette

PALETTE_LEVEL_BG = PALETTE + $08        ; background and sprite palette 2
PALETTE_LEVEL_SPRITES = PALETTE + $18

.segment "LEVEL_GLYPHS"
; Two tiles a byte. Only thirty levels were thought of: 30 and beyond read the tables that follow.
level_glyphs:
        .byte $00, $01, $02, $03, $04, $05, $06, $07, $08, $09
        .byte $10, $11, $12, $13, $14, $15, $16, $17, $18, $19
        .byte $20, $21, $22, $23, $24, $25, $26, $27, $28, $29
.assert level_glyphs = $96b8, lderror, "level_glyphs has to stand at $96b8"

.segment "LEVEL_PALETTE"
; Writes the colours of the level to the palettes of the playfield and of the pieces. Called in vblank.
; The last digit is found by taking away ten while the rest is positive as a signed number: from 138 on the first look
; ends it, and the colours are whatever stands behind the table.
; Uses: A, X, Y.
.proc level_palette
        lda level + PLAYER_1
        sec
modulo: sbc #10
        bpl modulo
        clc
        adc #10
        asl a
        asl a
        tax
        ldy #<PALETTE_LEVEL_BG
        jsr colours
        ldy #<PALETTE_LEVEL_SPRITES
colours:
        lda #>PALETTE
        sta PPUADDR
        sty PPUADDR
        lda level_colours,x
        sta PPUDATA
        lda level_colours+1,x
        sta PPUDATA
        lda level_colours+2,x
        sta PPUDATA
        lda level_colours+3,x
        sta PPUDATA
        rts
.endproc
.assert level_palette = $9808, lderror, "level_palette has to stand at $9808"

.segment "LEVEL_COLOURS"
; Backdrop, white, first and second colour, by the level's last digit.
level_colours:
        .byte $0f, $30, $21, $12
        .byte $0f, $30, $29, $1a
        .byte $0f, $30, $24, $14
        .byte $0f, $30, $2a, $12
        .byte $0f, $30, $2b, $15
        .byte $0f, $30, $22, $2b
        .byte $0f, $30, $00, $16
        .byte $0f, $30, $05, $13
        .byte $0f, $30, $16, $12
        .byte $0f, $30, $27, $16
.assert level_colours = $984c, lderror, "level_colours has to stand at $984c"
