; The first menu: A-type or B-type, and which of three tunes, or silence.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export type_menu_mode, render_menu
.import draw_screen, show_screen, end_frame, stage_sprite, start_music

TYPE_A_LEFT     = 48            ; pixels of the pointers
TYPE_B_LEFT     = 144
TYPE_TOP        = 71
MUSIC_LEFT      = 72
MUSIC_TOP       = 135
MUSIC_PITCH     = 16
MUSIC_CHOICES   = 4
POINTER_PALETTE = 1

.segment "SCREENS"

; Game mode 2. Leaves in mode 3 on Start, pressed alone, in mode 1 on B, which sends a second player away. Out: A.
.proc type_menu_mode
        lda #RENDER_MENU
        sta render_mode
        draw type_menu_screen
        lda player_count
        cmp #TWO_PLAYERS
        bne alone
        draw versus_part
alone:
        lda #BANK_TITLE
        jsr show_screen
        jsr start_music
frame:
        lda pad_pressed
        cmp #BUTTON_START
        beq start
        cmp #BUTTON_B
        beq back
        jsr choose_type
        jsr choose_music
        jsr stage_pointers
        jsr end_frame
        jmp frame
start:
        inc game_mode
        lda #EFFECT_SELECT
        sta effect_pulse
        rts                             ; after a demo the number is mode_state's, and a frame ends
back:
        lda #EFFECT_SELECT
        sta effect_pulse
        dec game_mode
        lda #1
        sta player_count
        lda #0                          ; mode_state's number but after a game: a frame ends
        sta frame_counter + 1
        rts
.endproc

; Left is A-type, Right is B-type. In: A = buttons newly pressed.
.proc choose_type
        ldx #TYPE_A
        cmp #BUTTON_LEFT
        beq chosen
        ldx #TYPE_B
        cmp #BUTTON_RIGHT
        beq chosen
        rts
chosen:
        stx game_type
        lda #EFFECT_CURSOR
        sta effect_pulse
        rts
.endproc

; Up and Down walk the four lines and stop at the ends; the tune changes at once.
.proc choose_music
        ldx music_type
        lda pad_pressed
        cmp #BUTTON_UP
        bne not_up
        dex
        bpl chosen
        rts
not_up:
        cmp #BUTTON_DOWN
        bne done
        inx
        cpx #MUSIC_CHOICES
        beq done
chosen:
        stx music_type
        lda #EFFECT_CURSOR
        sta effect_pulse
        jmp start_music
done:
        rts
.endproc

; A pointer at the type and one at the tune.
.proc stage_pointers
        lda #TYPE_A_LEFT
        ldx game_type
        beq at_type
        lda #TYPE_B_LEFT
at_type:
        sta stage_x
        lda #TYPE_TOP
        sta stage_y
        lda #TILE_POINTER
        ldx #POINTER_PALETTE
        jsr stage_sprite
        lda music_type
        .repeat 4
        asl a
        .endrepeat
        clc
        adc #MUSIC_TOP
        sta stage_y
        lda #MUSIC_LEFT
        sta stage_x
        lda #TILE_POINTER
        jmp stage_sprite
.endproc

; Render mode 1: the menus are sprites over a still picture.
.proc render_menu
        rts
.endproc

.segment "SCREEN_DATA"

type_menu_screen:
        wall 0, 0, 32, 30
        panel 3, 4, 26, 8
        text 11, 6, "GAME  TYPE"
        text 8, 9, "A-TYPE"
        text 20, 9, "B-TYPE"
        panel 6, 13, 20, 13
        text 13, 15, "MUSIC"
        text 11, 17, "KOROBEINIKI"
        text 11, 19, "MOUNTAIN KING"
        text 11, 21, "MINUET IN G"
        text 11, 23, "OFF"
        attributes 0, 0, 8, 8, %11111111
        palettes
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $16,  $0f, $30, $29, $1a,  $0f, $30, $02, $21
        .byte $0f, $30, $21, $12,  $0f, $27, $27, $17,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        end_screen

; What a second player adds.
versus_part:
        text 10, 6, "TWO  PLAYERS"
        end_screen
