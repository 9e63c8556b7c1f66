; The screen of a game: playfield, lines, scores, level, the next box and the statistics.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export show_game_screen
.import draw_screen, show_screen, put_bcd, point_ppu, show_versus_screen

TOP_SCORE       = $20b8         ; where the best score of this type stands
HEIGHT_DIGIT    = NAMETABLE + 5 * 32 + 8
TILE_MINI       = $80           ; the small pieces, three tiles by two each, five to a row of the CHR sheet

.segment "SCREENS"

; Draw and light the screen of the game about to begin. In: game_type, PLAYER_1 + start_height.
.proc show_game_screen
        lda player_count
        cmp #TWO_PLAYERS
        bne alone
        jmp show_versus_screen
alone:
        draw game_screen
        lda game_type
        beq top_score
        draw b_type_part
        ldx #>HEIGHT_DIGIT
        lda #<HEIGHT_DIGIT
        jsr point_ppu
        lda PLAYER_1 + start_height
        sta PPUDATA
top_score:
        ldx #>TOP_SCORE
        lda #<TOP_SCORE
        jsr point_ppu
        lda game_type
        beq best
        lda #12                         ; four scores of three bytes before the B-type's first
best:
        tax
        ldy #3
digits:
        lda scores, x
        jsr put_bcd
        inx
        dey
        bne digits
        lda #BANK_GAME
        jmp show_screen
.endproc

.segment "SCREEN_DATA"

game_screen:
        wall 0, 0, 32, 30
        panel 11, 2, 12, 3
        text 13, 3, "LINES-000"
        panel 11, 5, 12, 22
        fill 12, 6, 10, 20, TILE_EMPTY
        panel 23, 3, 8, 7
        text 24, 4, "TOP"
        text 24, 7, "SCORE"
        text 24, 8, "000000"
        panel 23, 12, 6, 7
        text 24, 13, "NEXT"
        panel 23, 19, 7, 4
        text 24, 20, "LEVEL"
        text 26, 21, "00"
        panel 1, 2, 10, 3
        text 3, 3, "A-TYPE"
        panel 1, 9, 10, 18
        text 3, 10, "PIECES"
        picture 3, 12, 3, 2, TILE_MINI
        picture 3, 14, 3, 2, TILE_MINI + 3
        picture 3, 16, 3, 2, TILE_MINI + 6
        picture 3, 18, 3, 2, TILE_MINI + 9
        picture 3, 20, 3, 2, TILE_MINI + 12
        picture 3, 22, 3, 2, TILE_MINI + 32
        picture 3, 24, 3, 2, TILE_MINI + 35
        tiles 6, 12, 3, 1
        .byte "000"
        tiles 6, 14, 3, 1
        .byte "000"
        tiles 6, 16, 3, 1
        .byte "000"
        tiles 6, 18, 3, 1
        .byte "000"
        tiles 6, 20, 3, 1
        .byte "000"
        tiles 6, 22, 3, 1
        .byte "000"
        tiles 6, 24, 3, 1
        .byte "000"
        attributes 0, 0, 8, 8, %11111111
        attributes 3, 1, 2, 1, %10101111        ; the playfield wears palette 2, which follows the level
        attributes 5, 1, 1, 1, %11101111
        attributes 3, 2, 2, 4, %10101010
        attributes 5, 2, 1, 4, %11101110
        attributes 3, 6, 2, 1, %11111010
        attributes 5, 6, 1, 1, %11111110
        attributes 0, 3, 1, 3, %10111011        ; and so do the small pieces
        attributes 1, 3, 1, 3, %11101110
        attributes 0, 6, 1, 1, %11111011
        attributes 1, 6, 1, 1, %11111110
        palettes                                ; colour 2 of palette 3 is the wall: it flashes on four lines
        .byte $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $00, $1c
        .byte $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12,  $0f, $30, $21, $12
        end_screen

; What B-type adds: its name and the height of its garbage.
b_type_part:
        panel 1, 2, 10, 5
        text 3, 3, "B-TYPE"
        text 3, 5, "HIGH"
        end_screen
