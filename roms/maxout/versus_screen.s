; The screen of a game for two: both fields, the next box between their numbers.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"
.include "versus.inc"

.export show_versus_screen
.import draw_screen, show_screen

FIELD_1         = 4             ; column of cell (0, 0)
FIELD_2         = 18
NUMBERS_1       = 3             ; columns of the panels above
NUMBERS_2       = 21
NEXT            = 12

.segment "SCREENS"

; Draw and light the screen of the game about to begin.
.proc show_versus_screen
        draw versus_screen
        lda #BANK_GAME
        jmp show_screen
.endproc

.segment "SCREEN_DATA"

.macro field column
        panel (column) - 1, 5, 12, 22
        fill column, 6, 10, 20, TILE_EMPTY
.endmacro

.macro numbers column
        panel column, 1, 8, 4
        text (column) + 1, 2, "LN 000"
        text (column) + 1, 3, "LV  00"
.endmacro

versus_screen:
        wall 0, 0, 32, 30
        field FIELD_1
        field FIELD_2
        numbers NUMBERS_1
        numbers NUMBERS_2
        panel NEXT, 1, 8, 4
        attributes 0, 0, 8, 8, %11111111
        attributes 1, 1, 2, 1, %10101111        ; the fields wear palette 2, which follows the level
        attributes 3, 1, 1, 1, %11101111
        attributes 4, 1, 1, 1, %10111111
        attributes 5, 1, 2, 1, %10101111
        attributes 1, 2, 2, 4, %10101010
        attributes 3, 2, 1, 4, %11101110
        attributes 4, 2, 1, 4, %10111011
        attributes 5, 2, 2, 4, %10101010
        attributes 1, 6, 2, 1, %11111010
        attributes 3, 6, 1, 1, %11111110
        attributes 4, 6, 1, 1, %11111011
        attributes 5, 6, 2, 1, %11111010
        palettes                                ; colour 2 of palette 3 is the wall: it flashes on four lines
        .byte $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $00, $1c
        .byte $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12
        end_screen

.assert NAMETABLE + 2 * 32 + NUMBERS_1 + 4 = VERSUS_LINES_1, error
.assert NAMETABLE + 2 * 32 + NUMBERS_2 + 4 = VERSUS_LINES_2, error
.assert NAMETABLE + 3 * 32 + NUMBERS_1 + 5 = VERSUS_LEVEL_1, error
.assert NAMETABLE + 3 * 32 + NUMBERS_2 + 5 = VERSUS_LEVEL_2, error
