; The picture of a game, drawn by the NMI: four rows of the playfield a frame, or a step of the line-clear animation, and
; those numbers that have changed.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "slow.inc"
.include "screen.inc"

.import dispatch, level_glyphs, level_palette, row_addresses, cell_of_each_row
.import render_ending, render_high_scores, render_menu, render_versus
.export put_digits, render, set_flash

ROWS_A_FRAME    = 4
CLEARED_ROWS    = 4
PLAYFIELD_COLUMN = 6            ; from the addresses of row_addresses
LINES_AT        = $2073
SCORE_AT        = $2118
LEVEL_AT        = $22ba
STATISTICS_AT   = $2186
STATISTICS_PITCH = $40
FLASH_COLOUR    = PALETTE + $0e
COLOUR_WHITE    = $30
COLOUR_NORMAL   = $00
CLEAR_STEPS     = 5
CLEAR_FRAMES    = %11           ; an animation step when these bits of the clock are 0

statistics_wait := screen_timer      ; not 0: to be drawn when the rows are done

.macro ppu_address address
        lda #>(address)
        sta PPUADDR
        lda #<(address)
        sta PPUADDR
.endmacro

.segment "RENDER"
; What the NMI draws depends on render_mode. Uses: A, X, Y, scratch, temp.
.proc render
        lda render_mode
        jsr dispatch
        .addr still, render_menu, render_high_scores, render_play, render_ending
.endproc

still:  rts

.segment "RENDER_PLAY"
; The block at $60 is what is drawn; the working copy hears of what the drawing changes. All of it at once would not fit
; into vblank: at the start of a game the statistics wait for the rows, though their bit in dirty is taken at once.
.proc render_play
        lda player_count
        cmp #TWO_PLAYERS
        bne alone
        jmp render_versus
alone:  lda #>playfield
        sta field_pointer+1
        lda play_state + PLAYER_1
        cmp #PLAY_CLEAR
        bne rows
        lda #0
        sta vram_row + PLAYER_1
        jsr step_clear
        ldx #CLEARED_ROWS - 1
cleared:
        lda cleared_rows + PLAYER_1,x
        sta cleared_rows,x
        dex
        bpl cleared
        lda clear_step + PLAYER_1
        sta clear_step
        lda play_state + PLAYER_1
        sta play_state
        jmp numbers
    .ifdef SLOW                         ; temp counts the points' turns, in a frame that this interrupts
rows:   delay_pairs 8
        .repeat ::ROWS_A_FRAME
        jsr copy_row
        delay 9
        .endrepeat
    .else
rows:   ldx #ROWS_A_FRAME
        stx temp
row:    jsr copy_row
        dec temp
        bne row
    .endif
        lda vram_row + PLAYER_1
        sta vram_row
numbers:
        lsr dirty                       ; lines
        bcc level_number
        jsr put_lines
        spoil_turns lines + PLAYER_1
level_number:
        lsr dirty
        bcc points
        jsr put_level
        spoil_turns #$20
points: lsr dirty
        bcc statistics
        ppu_address SCORE_AT
        lda score + 2 + PLAYER_1
        jsr put_digits
        lda score + 1 + PLAYER_1
        jsr put_digits
        lda score + PLAYER_1
        jsr put_digits
        spoil_turns score + PLAYER_1
statistics:
        lda dirty                       ; three bits have gone
        and #DIRTY_STATS >> 3
        ora statistics_wait
        sta statistics_wait
        lda #0
        sta dirty
        lda statistics_wait
        beq flash
        lda vram_row + PLAYER_1
        cmp #ROWS_DONE
        bne flash
        jsr put_statistics
        spoil_turns piece_counts + 12
        lda #0
        sta statistics_wait
.endproc                                ; falls through

; The background shines white on every fourth frame of a tetris.
.proc flash
        lda lines_completed
.endproc                                ; falls through

; In: A = rows completed.
.proc set_flash
        ldx #COLOUR_NORMAL
        cmp #4
        bne set
        lda frame_counter
        and #%11
        bne set
        ldx #COLOUR_WHITE
        lda frame_counter
        and #%111
        bne set
        lda #EFFECT_CLEARING
        sta effect_pulse
set:    ppu_address FLASH_COLOUR
        stx PPUDATA
        rts
.endproc

; Hundreds in one tile: from 1,000 lines on, a letter.
.proc put_lines
        ppu_address LINES_AT
        lda lines_hundreds + PLAYER_1
        sta PPUDATA
        lda lines + PLAYER_1
        jmp put_digits
.endproc

.proc put_level
        ppu_address LEVEL_AT
        ldx level + PLAYER_1
        lda level_glyphs,x
        jsr put_digits
        jmp level_palette
.endproc

; Three digits for each of the seven kinds.
.proc put_statistics
        ldx #0
kind:   lda statistics_high,x
        sta PPUADDR
        lda statistics_low,x
        sta PPUADDR
        stx stat_index
        txa
        asl a
        tax
        lda piece_counts+1,x
        sta PPUDATA
        lda piece_counts,x
        jsr put_digits
        ldx stat_index
        inx
        cpx #7
        bne kind
        rts
.endproc

.define STATISTICS_ROWS STATISTICS_AT, STATISTICS_AT + STATISTICS_PITCH, STATISTICS_AT + 2 * STATISTICS_PITCH, STATISTICS_AT + 3 * STATISTICS_PITCH, STATISTICS_AT + 4 * STATISTICS_PITCH, STATISTICS_AT + 5 * STATISTICS_PITCH, STATISTICS_AT + 6 * STATISTICS_PITCH
statistics_high: .hibytes STATISTICS_ROWS
statistics_low:  .lobytes STATISTICS_ROWS

; Two tiles at PPUADDR. In: A = BCD byte. Uses: A, Y.
.proc put_digits
        tay
        lsr a
        lsr a
        lsr a
        lsr a
        sta PPUDATA
        tya
        and #$0f
        sta PPUDATA
        rts
.endproc

; One step of the animation when the clock says so: the next column to either side goes dark in each completed row. The
; playfield in RAM has lost these rows long before. After the last step the player's state moves on.
.proc step_clear
        lda frame_counter
        and #CLEAR_FRAMES
        bne wait
        ldx #3
row:    stx temp
    .ifdef SLOW                         ; 95 cycles a row, and one more for each look beyond the table's page
        lda cleared_rows + PLAYER_1,x
        beq next
        jmp darken_both
    .else
        ldy cleared_rows + PLAYER_1,x
        beq next                        ; row 0 cannot be told from none
        lda #4                          ; columns 5, 4 ... of ten, and 6, 7 ...
        sec
        sbc clear_step + PLAYER_1
        jsr darken
        ldx temp
        ldy cleared_rows + PLAYER_1,x
        lda #5
        clc
        adc clear_step + PLAYER_1
        jsr darken
    .endif
next:   ldx temp
        dex
        bpl row
        inc clear_step + PLAYER_1
        lda clear_step + PLAYER_1
        cmp #CLEAR_STEPS
        bmi wait
        inc play_state + PLAYER_1
wait:   rts

    .ifdef SLOW
.segment "GAME"
darken_both:
        delay 24
        asl a
        tay
        lda row_addresses+1,y
        sta temp + 1
        sta PPUADDR
        lda row_addresses,y
        clc
        adc #PLAYFIELD_COLUMN + 4
        sta temp + 2
        sec
        sbc clear_step + PLAYER_1
        sta PPUADDR
        lda #TILE_BLANK
        sta PPUDATA
        lda temp + 1
        sta PPUADDR
        lda temp + 2
        sec
        adc clear_step + PLAYER_1       ; and one more
        sta PPUADDR
        lda #TILE_BLANK
        sta PPUDATA
        jmp next
.segment "RENDER_PLAY"
    .endif
.endproc

; In: A = column, Y = row. Uses: A, X, Y.
.proc darken
        tax
        tya
        asl a
        tay
        lda row_addresses+1,y
        sta PPUADDR
        txa
        clc
        adc #PLAYFIELD_COLUMN
        adc row_addresses,y             ; no carry: a row's bytes share their page
        sta PPUADDR
        lda #TILE_BLANK
        sta PPUDATA
        rts
.endproc

.segment "ROW_COPY"
; Copies the next playfield row to the PPU, if any is left. Uses: A, X.
.proc copy_row
        lda vram_row + PLAYER_1
        cmp #ROWS
        bcs done
        delay_pairs 10
        asl a
        tax
        lda row_addresses+1,x
        sta PPUADDR
        lda row_addresses,x
        clc
        adc #PLAYFIELD_COLUMN
        sta PPUADDR
        ldx vram_row + PLAYER_1
        lda cell_of_each_row,x
        tax
    .repeat ::COLUMNS, cell
        lda playfield + cell,x
        sta PPUDATA
    .endrepeat
        inc vram_row + PLAYER_1
        lda vram_row + PLAYER_1
        cmp #ROWS
        bcc done
        lda #ROWS_DONE
        sta vram_row + PLAYER_1
done:   rts
.endproc
