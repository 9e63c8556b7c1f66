; High scores: three each of A-type and B-type in page 7, where a warm reset leaves them.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export default_high_scores, put_score_table, insert_score, symbol_tiles
.import put_bcd, point_ppu

ENTRIES         = 3             ; of each type; a fourth is there and not used
NAME_LETTERS    = 6
TABLE_TOP       = NAMETABLE + 21 * 32 + 7
TABLE_PITCH     = 64            ; bytes of the nametable from entry to entry
B_TYPE_ROW      = 4
LISTED_LEVELS   = 50            ; higher ones are shown as the last

.segment "SCREENS"

; Index of the first entry of the current type. Out: X = 0 or 4.
.proc first_row
        ldx #0
        lda game_type
        beq known
        ldx #B_TYPE_ROW
known:
        rts
.endproc

; Draw the three entries of the current type into the level menu's panel; the picture is dark.
.proc put_score_table
        jsr first_row
        lda #<TABLE_TOP
        sta dest
        lda #>TABLE_TOP
        sta dest + 1
        lda #ENTRIES
        sta rows_left
entry:
        lda dest
        stx screen_step
        ldx dest + 1
        jsr point_ppu
        ldx screen_step
        ldy name_offsets, x
        lda #NAME_LETTERS
        sta width
letter:
        ldx names, y
        lda symbol_tiles, x
        sta PPUDATA
        iny
        dec width
        bne letter
        lda #TILE_BLANK
        sta PPUDATA
        sta PPUDATA
        ldx screen_step
        ldy score_offsets, x
        lda scores, y
        jsr put_bcd
        lda scores + 1, y
        jsr put_bcd
        lda scores + 2, y
        jsr put_bcd
        lda #TILE_BLANK
        sta PPUDATA
        lda levels, x
        jsr put_level
        inx
        lda dest
        clc
        adc #TABLE_PITCH
        sta dest
        bcc same_page
        inc dest + 1
same_page:
        dec rows_left
        bne entry
        rts
.endproc

name_offsets:   .byte 0, 6, 12, 18, 24, 30, 36, 42
score_offsets:  .byte 0, 3, 6, 9, 12, 15, 18, 21

; A level in decimal, 49 at most. In: A = level. X kept.
.proc put_level
        cmp #LISTED_LEVELS
        bcc listed
        lda #LISTED_LEVELS - 1
listed:
        ldy #0
tens:
        cmp #10
        bcc ones
        sbc #10
        iny
        bne tens
ones:
        sty PPUDATA
        sta PPUDATA
        rts
.endproc

; Give the finished game its place, if it has one: entries below move down, the last is lost, and the name starts as six blanks.
; In: PLAYER_1 + score and level. Out: carry set if it got in; name_row = its row.
.proc insert_score
        jsr first_row
        ldy #ENTRIES
try:
        sty rows_left
        ldy score_offsets, x
        lda scores, y
        cmp PLAYER_1 + score + 2
        bne decided
        lda scores + 1, y
        cmp PLAYER_1 + score + 1
        bne decided
        lda scores + 2, y
        cmp PLAYER_1 + score
decided:
        bcc found
        beq found                       ; an equal score gives way to the new one
        inx
        ldy rows_left
        dey
        bne try
        stx name_row                    ; the row behind the last shown
        clc
        rts
found:
        stx name_row
        jsr make_room
        ldx name_row
        ldy score_offsets, x
        lda PLAYER_1 + score + 2
        sta scores, y
        lda PLAYER_1 + score + 1
        sta scores + 1, y
        lda PLAYER_1 + score
        sta scores + 2, y
        lda PLAYER_1 + level
        sta levels, x
        ldy name_offsets, x
        ldx #NAME_LETTERS
        lda #0
blank:
        sta names, y
        iny
        dex
        bne blank
        sec
        rts
.endproc

; Move the entries from name_row on one down; the last is lost.
.proc make_room
        jsr first_row
        txa
        clc
        adc #ENTRIES - 1
        sta screen_step                 ; the last, onto which the one before goes
move:
        dec screen_step
        bmi done
        lda screen_step
        cmp name_row
        bcc done
        ldx screen_step
        ldy score_offsets, x
        lda #3
        sta width
copy_score:
        lda scores, y
        sta scores + 3, y
        iny
        dec width
        bne copy_score
        lda levels, x
        sta levels + 1, x
        ldy name_offsets, x
        lda #NAME_LETTERS
        sta width
copy_letter:
        lda names, y
        sta names + NAME_LETTERS, y
        iny
        dec width
        bne copy_letter
        beq move
done:
        rts
.endproc

; The 44 symbols of a name, in the order Up and Down walk them.
symbol_tiles:
        .byte " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-,'.!?*"
.assert * - symbol_tiles = NAME_SYMBOLS, error, "one tile for each symbol"

; Names are written in symbols, not in tiles: see symbol_tiles.
.repeat 26, i
        .charmap $41 + i, 1 + i
.endrepeat
        .charmap $20, 0

.segment "HIGH_SCORES"
; Page 7 from $0700 as it is after a cold reset: names, scores, levels of four A-type and four B-type entries.
default_high_scores:
        .byte "MARINA", "PIOTR ", "ANNA  ", "      "
        .byte "TOVE  ", "EMIL  ", "KAI   ", "      "
        .byte $01, $00, $00,  $00, $75, $00,  $00, $50, $00,  $00, $00, $00
        .byte $00, $20, $00,  $00, $10, $00,  $00, $05, $00,  $00, $00, $00
        .byte 9, 5, 0, 0,  9, 5, 0, 0
.assert default_high_scores = $bd6d, lderror, "default_high_scores has to stand at $bd6d"
