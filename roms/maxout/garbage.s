; The B-type's garbage: twelve rows of chance, cut down to the height that was chosen.

.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.import audio_update, lfsr_step, wait_for_vblank
.export fill_garbage

FIRST_ROW       = 8
row             := screen_x
column          := screen_y

.segment "PLAY"
; In: start_height of both players: the second's field is made of the same rows. Takes a frame a row.
; Uses: A, X, Y, screen_x, screen_y.
.proc fill_garbage
        lda #FIRST_ROW * COLUMNS
        sta row
next_row:
        lda #0
        sta vram_row + PLAYER_1
        sta vram_row + PLAYER_2
        lda #COLUMNS
        sta column
cell:   jsr random
        and #%111
        tax
        lda garbage_tiles,x
        pha
        dec column
        lda row
        clc
        adc column
        tay
        pla
        sta playfield,y
        lda column
        bne cell
hole:   jsr random
        and #$0f
        cmp #COLUMNS
        bcs hole
        adc row                         ; carry is clear
        tay
        lda #TILE_EMPTY
        sta playfield,y
        jsr audio_update
        jsr wait_for_vblank
        lda row
        clc
        adc #COLUMNS
        sta row
        cmp #CELLS
        bne next_row
        ldx #CELLS
copy:   lda playfield,x
        sta playfield_2,x
        dex
        bne copy
        ldx PLAYER_1 + start_height     ; one cell too many: the first of the top row goes as well
        ldy cells_above,x
        lda #TILE_EMPTY
blank:  sta playfield,y
        dey
        cpy #$ff
        bne blank
        ldx PLAYER_2 + start_height
        ldy cells_above,x
        lda #TILE_EMPTY
blank_2:
        sta playfield_2,y
        dey
        cpy #$ff
        bne blank_2
        rts
.endproc

; One step of the LFSR. Out: A = its high byte. Uses: X, Y.
.proc random
        ldx #lfsr
        ldy #2
        jsr lfsr_step
        lda lfsr
        rts
.endproc

garbage_tiles:
        .byte TILE_EMPTY, TILE_WHITE, TILE_EMPTY, TILE_SECOND, TILE_FIRST, TILE_FIRST, TILE_EMPTY, TILE_EMPTY
; By height: 0, 3, 5, 8, 10 and 12 rows stay.
cells_above:
        .byte 200, 170, 150, 120, 100, 80
