; The picture of a game for two, drawn by the NMI: four rows of either field a frame, or a step of its line-clear
; animation. Numbers wait until both fields are drawn: all at once would not fit into vblank.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "versus.inc"

.import cell_of_each_row, level_glyphs, level_palette, put_digits, row_addresses, set_flash
.export render_versus

ROWS_A_FRAME    = 4
COLUMN_1        = <-2           ; from the addresses of row_addresses
COLUMN_2        = 12
CLEAR_STEPS     = 5
CLEAR_FRAMES    = %11           ; an animation step when these bits of the clock are 0

.macro ppu_address address
        lda #>(address)
        sta PPUADDR
        lda #<(address)
        sta PPUADDR
.endmacro

.segment "GAME"
.proc render_versus
        lda vram_row + PLAYER_1
        and vram_row + PLAYER_2
        cmp #ROWS_DONE
        beq numbers
        jsr render_side_1
        jsr render_side_2
        jmp flash
numbers:
        lsr dirty                       ; lines
        bcc levels_shown
        jsr put_lines
levels_shown:
        lsr dirty
        bcc clean
        jsr put_levels
clean:  lda #0
        sta dirty
flash:  lda lines_completed + PLAYER_1
        ora lines_completed + PLAYER_2  ; 4 has a bit of its own, but 4 with others is more
        cmp #4
        bcc set
        lda #4
set:    jmp set_flash
.endproc

.proc put_lines
        ppu_address VERSUS_LINES_1
        lda lines_hundreds + PLAYER_1
        sta PPUDATA
        lda lines + PLAYER_1
        jsr put_digits
        ppu_address VERSUS_LINES_2
        lda lines_hundreds + PLAYER_2
        sta PPUDATA
        lda lines + PLAYER_2
        jmp put_digits
.endproc

; The colours of both fields follow the first player's level.
.proc put_levels
        ppu_address VERSUS_LEVEL_1
        ldx level + PLAYER_1
        lda level_glyphs,x
        jsr put_digits
        ppu_address VERSUS_LEVEL_2
        ldx level + PLAYER_2
        lda level_glyphs,x
        jsr put_digits
        jmp level_palette
.endproc

; Defines render_side, in which copy_row and darken are as in the game for one.
.macro render_side name, block, field, left
.proc name
        lda play_state + block
        cmp #PLAY_CLEAR
        beq clear
        lda #ROWS_A_FRAME
        sta temp
row:    jsr copy_row
        dec temp
        bne row
        rts

clear:  lda #0
        sta vram_row + block
        lda frame_counter
        and #CLEAR_FRAMES
        bne wait
        ldx #3
next:   stx temp
        ldy cleared_rows + block,x
        beq none
        lda #4
        sec
        sbc clear_step + block
        jsr darken
        ldx temp
        ldy cleared_rows + block,x
        lda #5
        clc
        adc clear_step + block
        jsr darken
none:   ldx temp
        dex
        bpl next
        inc clear_step + block
        lda clear_step + block
        cmp #CLEAR_STEPS
        bmi wait
        inc play_state + block
wait:   rts

darken: tax
        tya
        asl a
        tay
        lda row_addresses+1,y
        sta PPUADDR
        txa
        clc
        adc #left
        clc
        adc row_addresses,y
        sta PPUADDR
        lda #TILE_BLANK
        sta PPUDATA
        rts

copy_row:
        lda vram_row + block
        cmp #ROWS
        bcs done
        asl a
        tax
        lda row_addresses+1,x
        sta PPUADDR
        lda row_addresses,x
        clc
        adc #left
        sta PPUADDR
        ldx vram_row + block
        lda cell_of_each_row,x
        tax
    .repeat ::COLUMNS, cell
        lda field + cell,x
        sta PPUDATA
    .endrepeat
        inc vram_row + block
        lda vram_row + block
        cmp #ROWS
        bcc done
        lda #ROWS_DONE
        sta vram_row + block
done:   rts
.endproc
.endmacro

render_side render_side_1, PLAYER_1, playfield, COLUMN_1
render_side render_side_2, PLAYER_2, playfield_2, COLUMN_2
