; The name of a high score: Left and Right, or B and A, choose the letter, Up and Down change it, Start is the end.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export name_entry, render_high_scores
.import draw_screen, show_screen, end_frame, put_score_table, request_song, stage_cursor, point_ppu, symbol_tiles

NAME_LETTERS    = 6
NAMES_LEFT      = 7             ; tile of the first letter of the first name, as in the level menu's table
NAMES_TOP       = 21
NAMES_PITCH     = 2
ENTRY_ROW       = %00000011     ; of name_row: 0-2 in either type
REPEAT          = %00000111     ; of the frame counter: held Up and Down act every eighth frame
CURSOR_BLINK    = %00001000
NAME_TRACK      = 9

.segment "SCREENS"

; In: name_row of the entry just made. Returns a frame after Start was pressed.
.proc name_entry
        lda #NAME_TRACK
        jsr request_song
        lda #RENDER_SCORES
        sta render_mode
        draw name_entry_screen
        lda game_type
        beq type_known
        draw name_entry_b_part
type_known:
        jsr put_score_table
        lda #BANK_TITLE
        jsr show_screen
        lda name_row
        asl a
        adc name_row
        asl a
        sta name_offset
        lda #0
        sta name_letter
frame:
        lda pad_pressed
        and #BUTTON_START
        bne done
        jsr choose_letter
        jsr choose_symbol
        jsr letter_place
        lda names, y
        sta name_symbol
        lda #DIRTY_LETTER
        sta dirty
        jsr stage_name_cursor
        jsr end_frame
        jmp frame
done:
        lda #EFFECT_SELECT
        sta effect_pulse
        jmp end_frame
.endproc

; Right and A go on, Left and B back, round and round.
.proc choose_letter
        ldx name_letter
        lda pad_pressed
        and #BUTTON_RIGHT | BUTTON_A
        beq no_next
        inx
        cpx #NAME_LETTERS
        bne next
        ldx #0
next:
        lda #EFFECT_CURSOR
        sta effect_pulse
no_next:
        lda pad_pressed
        and #BUTTON_LEFT | BUTTON_B
        beq done
        dex
        bpl back
        ldx #NAME_LETTERS - 1
back:
        lda #EFFECT_CURSOR
        sta effect_pulse
done:
        stx name_letter
        rts
.endproc

; Out: Y = place of the letter in hand in names.
.proc letter_place
        lda name_offset
        clc
        adc name_letter
        tay
        rts
.endproc

; Up and Down walk the 44 symbols while they are held; both go nowhere.
.proc choose_symbol
        lda frame_counter
        and #REPEAT
        bne done
        jsr letter_place
        ldx names, y
        lda pad_held
        and #BUTTON_DOWN
        beq no_back
        dex
        bpl back
        ldx #NAME_SYMBOLS - 1
back:
        lda #EFFECT_CURSOR
        sta effect_pulse
no_back:
        lda pad_held
        and #BUTTON_UP
        beq put
        inx
        cpx #NAME_SYMBOLS
        bne next
        ldx #0
next:
        lda #EFFECT_CURSOR
        sta effect_pulse
put:
        txa
        sta names, y
done:
        rts
.endproc

.proc stage_name_cursor
        lda frame_counter
        and #CURSOR_BLINK
        bne done
        lda name_letter
        clc
        adc #NAMES_LEFT
        asl a
        asl a
        asl a
        sta stage_x
        lda name_row
        and #ENTRY_ROW
        .repeat 4
        asl a
        .endrepeat
        adc #NAMES_TOP * 8
        sta stage_y
        ldx #1
        jmp stage_cursor
done:
        rts
.endproc

; Render mode 2, in vblank: the letter in hand.
.proc render_high_scores
        lda dirty
        and #DIRTY_LETTER
        beq done
        lda name_row
        and #ENTRY_ROW
        tay
        lda name_addresses_low, y
        clc
        adc name_letter
        ldx name_addresses_high, y
        jsr point_ppu
        ldx name_symbol
        lda symbol_tiles, x
        sta PPUDATA
        lda #0
        sta dirty
done:
        rts
.endproc

FIRST_NAME      = NAMETABLE + NAMES_TOP * 32 + NAMES_LEFT
.define NAME_ADDRESSES FIRST_NAME, FIRST_NAME + NAMES_PITCH * 32, FIRST_NAME + 2 * NAMES_PITCH * 32
name_addresses_low:     .lobytes NAME_ADDRESSES
name_addresses_high:    .hibytes NAME_ADDRESSES

.segment "SCREEN_DATA"

name_entry_screen:
        wall 0, 0, 32, 30
        panel 4, 3, 24, 9
        text 8, 5, "ONE OF THE BEST!"
        text 6, 7, "PLEASE ENTER A NAME"
        text 8, 9, "AND PRESS  START"
        panel 11, 12, 10, 3
        text 13, 13, "A-TYPE"
        panel 3, 15, 26, 12
        text 11, 17, "BEST THREE"
        text 7, 19, "NAME    SCORE  LV"
        fill 5, 20, 22, 1, $3e
        attributes 0, 0, 8, 8, %11111111
        palettes
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $16,  $0f, $30, $29, $1a,  $0f, $30, $0a, $29
        .byte $0f, $21, $21, $12,  $0f, $27, $27, $17,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        end_screen

name_entry_b_part:
        text 13, 13, "B-TYPE"
        end_screen
