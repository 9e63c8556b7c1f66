; The title screen: the logo over a town of stacked pieces, one more piece coming down on either side.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export title_mode
.import draw_screen, show_screen, end_frame, stage_orientation

DEMO_TIMEOUT    = 5             ; high byte of the frame counter: 1025 to 1280 frames
TITLE_TRACK     = 1
FALL_TOP        = 48            ; scanlines between which the title's pieces fall
FALL_BOTTOM     = 150

.segment "SCREENS"

; Game mode 1. Leaves in mode 2 on Start, pressed alone, or in mode 6 when nobody came. Start on the second pad makes it
; a game for two. Out: A.
.proc title_mode
        lda #RENDER_STILL
        sta render_mode
        sta demo_recording
        sta hide_next
        draw title_screen
        lda #BANK_TITLE
        jsr show_screen
        lda #TITLE_TRACK
        sta music_request
        lda #0
        sta frame_counter + 1
        sta screen_step
        lda #FALL_TOP
        sta screen_y
frame:
        jsr stage_falling
        jsr end_frame
        lda pad_pressed
        cmp #BUTTON_START
        beq start
        lda pad_pressed + 1
        cmp #BUTTON_START
        beq start_versus
        lda frame_counter + 1
        cmp #DEMO_TIMEOUT
        bne frame
        lda #EFFECT_SELECT
        sta effect_pulse
        lda #MODE_START_DEMO
        sta game_mode
        rts                             ; after A, B, Select and Start the number is mode_state's: a frame more
start_versus:
        lda #TWO_PLAYERS
        sta player_count
start:
        inc game_mode
        lda #EFFECT_SELECT
        sta effect_pulse
        rts                             ; after a demo the number is mode_state's, and a frame ends
.endproc

; Stage the two pieces that fall beside the logo and move them on. screen_y = scanline, screen_step = orientation id.
.proc stage_falling
        lda screen_y
        sta stage_y
        lda #20
        sta stage_x
        lda screen_step
        jsr stage_orientation
        lda #232
        sta stage_x
        lda #ORIENTATION_HIDDEN - 1
        sec
        sbc screen_step
        jsr stage_orientation
        inc screen_y
        lda screen_y
        cmp #FALL_BOTTOM
        bne done
        lda #FALL_TOP
        sta screen_y
        lda screen_step
        clc
        adc #5                          ; 5 and 19 have no common factor: every orientation gets its turn
        cmp #ORIENTATION_HIDDEN
        bcc known
        sbc #ORIENTATION_HIDDEN
known:
        sta screen_step
done:
        rts
.endproc

.segment "SCREEN_DATA"

title_screen:
        fill 0, 0, 32, 30, TILE_BLANK
        picture 8, 6, 16, 6, $80
        text 6, 13, "STACK LOW. SCORE HIGH."
        text 10, 16, "PRESS  START"
        tiles 0, 3, 32, 2
        .byte "  ^    ~     ^       ~    ^     "
        .byte "     ~    ^     ~  ^     ~    ^ "
        tiles 0, 18, 32, 10
        .byte "   ~       ^        #    ~      "
        .byte "      ^         ~   #       ^   "
        .byte "  ^        %        #           "
        .byte "          %%&       #  ~  &     "
        .byte "    &     %&&    %% #     &&    "
        .byte "   &&  ## #&  && %##&     %& ## "
        .byte " % &#  ## ##%&&  &##&  ## %% ## "
        .byte "%% ##%%%& #%%%##&&&%% &##&&%&&&%"
        .byte "%#&#&&%##&&&%##&##%%#&&&%##%#&%%"
        .byte "##&&&###&%%%##%&&#%###%%%##%%%&#"
        fill 0, 28, 32, 2, $7d
        attributes 0, 0, 8, 8, %00000000
        attributes 0, 4, 8, 1, %01010000
        attributes 0, 5, 2, 2, %01010101
        attributes 2, 5, 2, 2, %10101010
        attributes 4, 5, 2, 2, %11111111
        attributes 6, 5, 2, 2, %01010101
        attributes 0, 7, 8, 1, %00000000
        palettes
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $16,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $17,  $0f, $30, $21, $12,  $0f, $30, $24, $14
        end_screen
