; The second menu: the level to start at, the height of the B-type's garbage, and the best three of this type.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export level_menu_mode
.import draw_screen, show_screen, end_frame, stage_cursor, put_score_table, lfsr_step

LEVELS          = 10
HEIGHTS         = 6
LEVEL_COLUMNS   = 5             ; levels in two rows of five, heights in two of three
HEIGHT_COLUMNS  = 3
LEVEL_LEFT      = 40            ; pixels of the 0 of either
HEIGHT_LEFT     = 176
GRID_TOP        = 72
GRID_PITCH      = 16
STEADY_PALETTE  = 0
ACTIVE_PALETTE  = 1
CURSOR_BLINK    = %00001000     ; of the frame counter
LEVELS_ON_A     = 10            ; A held with Start

.segment "SCREENS"

; Game mode 3. Leaves in mode 4 on Start, pressed alone; A held with it, and nothing else, adds ten levels. B goes back.
; The menu walks on the working copy, and saved keeps which grid is in hand. Out: A.
.proc level_menu_mode
        lda #RENDER_MENU
        sta render_mode
        draw level_menu_screen
        lda game_type
        beq no_heights
        draw height_menu_part
no_heights:
        jsr put_score_table
        lda #BANK_TITLE
        jsr show_screen
        lda #0
        sta saved
        sta drop_speed
        jsr drop_tens
frame:
        jsr walk
        lda pad_pressed
        cmp #BUTTON_START
        beq start
        cmp #BUTTON_B
        beq back
        jsr choose_holes
        jsr end_frame
        jmp frame
start:
        lda pad_held
        cmp #BUTTON_A | BUTTON_START
        bne level_known
        lda PLAYER_1 + start_level
        clc
        adc #LEVELS_ON_A
        sta PLAYER_1 + start_level
level_known:
        lda #STATE_SCREEN
        sta mode_state
        inc game_mode
        bne select
back:
        dec game_mode
select:
        lda #EFFECT_SELECT
        sta effect_pulse
        rts
.endproc

; What A added at the last start is taken off again.
.proc drop_tens
        lda PLAYER_1 + start_level
reduce:
        cmp #LEVELS
        bcc reduced
        sbc #LEVELS
        jmp reduce
reduced:
        sta PLAYER_1 + start_level
        rts
.endproc

; A frame of the grids.
.proc walk
        lda #0
        sta active_player
        lda PLAYER_1 + start_level
        sta start_level
        lda PLAYER_1 + start_height
        sta start_height
        lda saved
        sta cursor
        lda pad_pressed
        sta pressed
        jsr move_cursor
        jsr switch_grid
        jsr stage_cursors
        lda start_level
        sta PLAYER_1 + start_level
        lda start_height
        sta PLAYER_1 + start_height
        lda cursor
        sta saved
        rts
.endproc

; In B-type, A goes from level to height and back.
.proc switch_grid
        lda game_type
        beq done
        lda pressed
        cmp #BUTTON_A
        bne done
        lda cursor
        eor #1
        sta cursor
        lda #EFFECT_CURSOR
        sta effect_pulse
done:
        rts
.endproc

; Walk the grid in hand: one on Left and Right, a row on Up and Down, never past an end.
.proc move_cursor
        ldx cursor                      ; 0 level, 1 height
        ldy player_offset, x
        lda pressed
        cmp #BUTTON_RIGHT
        beq right
        cmp #BUTTON_LEFT
        beq left
        cmp #BUTTON_DOWN
        beq down
        cmp #BUTTON_UP
        beq up
        rts
right:
        lda #1
        bne forward
down:
        lda grid_columns, x
forward:
        clc
        adc a:player, y
        cmp grid_cells, x
        bcc moved
        rts
left:
        lda #1
        bne backward
up:
        lda grid_columns, x
backward:
        sta screen_step
        lda a:player, y
        sec
        sbc screen_step
        bcs moved
        rts
moved:
        sta a:player, y
        lda #EFFECT_CURSOR
        sta effect_pulse
        rts
.endproc

player_offset:  .byte start_level - player, start_height - player
grid_columns:   .byte LEVEL_COLUMNS, HEIGHT_COLUMNS
grid_cells:     .byte LEVELS, HEIGHTS
grid_left:      .byte LEVEL_LEFT, HEIGHT_LEFT

; A cursor around the level and, in B-type, around the height; the one in hand blinks.
.proc stage_cursors
        ldx #0
        jsr stage_grid_cursor
        lda game_type
        beq done
        ldx #1
        jmp stage_grid_cursor
done:
        rts
.endproc

; In: X = 0 level, 1 height.
.proc stage_grid_cursor
        cpx cursor
        bne shown
        lda frame_counter
        and #CURSOR_BLINK
        bne done
shown:
        ldy player_offset, x
        lda a:player, y
        ldy #GRID_TOP
        cmp grid_columns, x
        bcc row_known
        sbc grid_columns, x
        ldy #GRID_TOP + GRID_PITCH
row_known:
        sty stage_y
        .repeat 4
        asl a
        .endrepeat
        adc grid_left, x
        sta stage_x
        cpx cursor
        beq active
        ldx #STEADY_PALETTE
        jmp stage_cursor
active:
        ldx #ACTIVE_PALETTE
        jmp stage_cursor
done:
        rts
.endproc

; The column of the hole in garbage sent to either player: drawn anew every frame, each by LFSR steps until one is below
; ten. These steps are part of every game's seed.
.proc choose_holes
player_1:
        jsr step_lfsr
        cmp #COLUMNS
        bcs player_1
        sta PLAYER_1 + garbage_hole
player_2:
        jsr step_lfsr
        cmp #COLUMNS
        bcs player_2
        sta PLAYER_2 + garbage_hole
        rts
.endproc

; Out: A = low four bits of the register's high byte after a step.
.proc step_lfsr
        ldx #lfsr
        ldy #2
        jsr lfsr_step
        lda lfsr
        and #$0f
        rts
.endproc

.segment "SCREEN_DATA"

level_menu_screen:
        wall 0, 0, 32, 30
        panel 11, 2, 10, 3
        text 13, 3, "A-TYPE"
        panel 3, 5, 13, 9
        text 7, 7, "LEVEL"
        text 5, 9, "0 1 2 3 4"
        text 5, 11, "5 6 7 8 9"
        panel 3, 15, 26, 12
        text 11, 17, "BEST THREE"
        text 7, 19, "NAME    SCORE  LV"
        fill 5, 20, 22, 1, $3e
        attributes 0, 0, 8, 8, %11111111
        palettes
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $16,  $0f, $30, $29, $1a,  $0f, $30, $02, $21
        .byte $0f, $21, $21, $12,  $0f, $27, $27, $17,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        end_screen

; What B-type adds.
height_menu_part:
        text 13, 3, "B-TYPE"
        panel 19, 5, 10, 9
        text 21, 7, "HEIGHT"
        text 22, 9, "0 1 2"
        text 22, 11, "3 4 5"
        end_screen
