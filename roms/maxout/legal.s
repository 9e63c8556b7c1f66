; The legal screen: who made this and what it is. It stays 255 frames, then up to 255 more until Start.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export legal_mode
.import draw_screen, show_screen, end_frame, sleep

LEGAL_FRAMES    = 255

.segment "SCREENS"

; Game mode 0. Leaves in mode 1. Out: A.
.proc legal_mode
        lda #RENDER_STILL
        sta render_mode
        draw legal_screen
        lda #BANK_TITLE
        jsr show_screen
        lda #LEGAL_FRAMES
        jsr sleep
        lda #LEGAL_FRAMES
        sta temp
skippable:
        lda pad_pressed
        cmp #BUTTON_START
        beq done
        jsr end_frame
        dec temp
        bne skippable
        lda #FRAME_GOES_ON
done:
        inc game_mode                   ; to the title; neither START nor FRAME_GOES_ON ends a frame
        rts
.endproc

.segment "SCREEN_DATA"

legal_screen:
        fill 0, 0, 32, 30, TILE_BLANK
        text 13, 5, "MAXOUT"
        text 6, 7, "A FALLING-BLOCK GAME"
        fill 6, 9, 20, 1, $3e
        text 7, 11, "CODE, PICTURES AND"
        text 5, 13, "ARRANGEMENTS BELONG TO"
        text 5, 15, "THE MAXOUT PROJECT AND"
        text 4, 17, "ARE FREE: MIT / APACHE-2"
        fill 6, 19, 20, 1, $3e
        text 5, 21, "TUNES FROM THE PUBLIC"
        text 12, 23, "DOMAIN *"
        text 4, 26, "NOT A PRODUCT OF NINTENDO"
        attributes 0, 0, 8, 8, %00000000
        attributes 0, 1, 8, 1, %01010101
        palettes
        .byte $0f, $30, $21, $12,  $0f, $21, $21, $12,  $0f, $30, $27, $17,  $0f, $30, $29, $1a
        .byte $0f, $30, $21, $12,  $0f, $30, $27, $17,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        end_screen
