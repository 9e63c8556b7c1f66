; The A-type endings: a rocket leaves by night, larger the more points sent it up; the largest passes a palace.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export ending_a, fly
.import draw_screen, show_screen, end_frame, play_ending, request_song, stage_picture

PAD_X           = 128           ; the rockets' middle
IGNITION        = $f0           ; frames of the engine's burning before the rocket rises
STEADY          = $b0           ; scanlines above which it rises every frame, and above which by two
FAST            = $80
LIFT            = 60            ; frames of ignition from which the flame is seen
FLAME_PALETTE   = 1
ROCKET_PALETTE  = 0
FLAME_FLICKER   = %00000100     ; of the frame counter
ENDING_TRACK    = $0a
UNSKIPPABLE     = 128           ; frames in which nothing ends it
RANKS           = 5

rocket_rank     := ending_id
rocket_y        := ending_vars          ; scanline of the rocket's foot; 0 = gone
burnt           := ending_vars + 1      ; frames of ignition

.segment "SCREENS"

; Show the ending of PLAYER_1 + score; returns when the rocket is gone and Start was pressed, alone.
.proc ending_a
        draw launch_screen
        jsr find_rank
        lda title_low, x
        pha
        lda title_high, x
        tax
        pla
        jsr draw_screen
        jsr prepare_rocket
        lda #BANK_ENDING_A
        jsr show_screen
        lda #RENDER_ENDING
        sta render_mode
        lda #ENDING_TRACK
        jsr request_song
        lda #UNSKIPPABLE
        jsr play_ending
frame:
        jsr fly
        jsr end_frame
        lda rocket_y
        bne frame
        lda pad_pressed
        cmp #BUTTON_START
        bne frame
        rts
.endproc

; Out: X = 0-4 by the ten thousands of the score.
.proc find_rank
        ldx #RANKS - 1
try:
        lda PLAYER_1 + score + 2
        cmp rank_scores, x
        bcs found
        dex
        bne try
found:
        rts
.endproc

; It stands on its pad.
.proc prepare_rocket
        jsr find_rank
        stx rocket_rank
        lda rocket_stands, x
        sta rocket_y
        lda #0
        sta burnt
        rts
.endproc

rank_scores:    .byte $03, $05, $07, $10, $12
rocket_stands:  .byte $bf, $bf, $bf, $bf, $c7

; A frame: what there is to see, then the engine burns, or the rocket rises.
.proc fly
        jsr stage_rocket
        lda rocket_y
        beq done
        lda burnt
        cmp #IGNITION
        bne burn
        lda rocket_y
        cmp #STEADY
        bcc rise
        lda frame_counter
        and #1
        bne done
rise:
        lda #EFFECT_ROCKET
        sta effect_noise
        dec rocket_y
        lda rocket_y
        cmp #FAST
        bcs done
        dec rocket_y
done:
        rts
burn:
        inc burnt
        rts
.endproc

; Stage the rocket above its foot and, once lit, the flame below.
.proc stage_rocket
        lda rocket_y
        beq done
        ldx rocket_rank
        lda rocket_width, x
        sta width
        asl a
        asl a
        sta stage_x
        lda #PAD_X
        sec
        sbc stage_x
        sta stage_x
        lda rocket_height, x
        sta height
        asl a
        asl a
        asl a
        sta stage_y
        lda rocket_y
        sec
        sbc stage_y
        sta stage_y
        lda rocket_tile, x
        ldx #ROCKET_PALETTE
        jsr stage_picture
        lda burnt
        cmp #LIFT
        bcc done
        ldx rocket_rank
        lda flame_size, x
        sta width
        sta height
        asl a
        asl a
        sta stage_x
        lda #PAD_X
        sec
        sbc stage_x
        sta stage_x
        lda rocket_y
        sta stage_y
        lda frame_counter
        and #FLAME_FLICKER
        beq short
        lda flame_size, x
short:
        clc
        adc flame_tile, x               ; the long flame stands beside the short one
        ldx #FLAME_PALETTE
        jmp stage_picture
done:
        rts
.endproc

rocket_tile:    .byte $8b, $89, $87, $84, $80
rocket_width:   .byte 1, 2, 2, 3, 4
rocket_height:  .byte 2, 3, 4, 5, 6
flame_tile:     .byte $ac, $8c, $8c, $8c, $8c
flame_size:     .byte 1, 2, 2, 2, 2

.define RANK_TITLES spark_title, dart_title, courier_title, liner_title, palace_title
title_low:      .lobytes RANK_TITLES
title_high:     .hibytes RANK_TITLES

.segment "SCREEN_DATA"

TILE_LATTICE    = $60
TILE_ARM        = $61
TILE_TURF       = $62
TILE_SOIL       = $63
TILE_PAD        = $64
TILE_MOON       = $c7
TILE_TOWN       = $cb

launch_screen:
        tiles 0, 0, 32, 16
        .byte "                                "
        .byte "                                "
        .byte "   ~        ^          ~        "
        .byte "       ^           ~          ^ "
        .byte "  ^         ~                   "
        .byte "        ~        ^      ~       "
        .byte "    ~               ~         ^ "
        .byte " ^        ^                     "
        .byte "      ~         ~        ^    ~ "
        .byte "   ^        ~         ~         "
        .byte "        ^          ^        ~   "
        .byte " ~    ~       ~           ^     "
        .byte "    ^      ^       ~   ~        "
        .byte "  ~      ~      ^         ~   ^ "
        .byte "       ^     ~       ^          "
        .byte " ^  ~      ^      ~      ~   ~  "
        fill 0, 16, 32, 8, TILE_BLANK
        picture 25, 4, 4, 3, TILE_MOON
        picture 0, 21, 4, 3, TILE_TOWN
        picture 4, 21, 4, 3, TILE_TOWN
        picture 24, 21, 4, 3, TILE_TOWN
        picture 28, 21, 4, 3, TILE_TOWN
        fill 20, 17, 1, 7, TILE_LATTICE
        fill 18, 18, 2, 1, TILE_ARM
        fill 18, 21, 2, 1, TILE_ARM
        fill 0, 24, 32, 1, TILE_TURF
        fill 11, 24, 10, 1, TILE_PAD
        fill 0, 25, 32, 5, TILE_SOIL
        panel 3, 25, 26, 3
        attributes 0, 0, 8, 8, %00000000
        attributes 0, 5, 2, 1, %01010101
        attributes 6, 5, 2, 1, %01010101
        attributes 4, 4, 2, 2, %11111111
        attributes 0, 6, 8, 2, %10101010
        palettes
        .byte $0f, $30, $10, $00,  $0f, $28, $11, $02,  $0f, $30, $29, $0a,  $0f, $30, $16, $06
        .byte $0f, $30, $16, $10,  $0f, $30, $28, $16,  $0f, $30, $29, $1a,  $0f, $30, $24, $14
        end_screen

spark_title:
        text 7, 26, "A SPARK FOR 30 000"
        end_screen
dart_title:
        text 7, 26, "A DART FOR 50 000"
        end_screen
courier_title:
        text 6, 26, "A COURIER FOR 70 000"
        end_screen
liner_title:
        text 6, 26, "A LINER FOR 100 000"
        end_screen
palace_title:
        text 5, 26, "A FLAGSHIP FOR 120 000"
        tiles 1, 15, 9, 9
        .byte $ff, $ff, $ff, $ff, $68, $ff, $ff, $ff, $ff
        .byte $ff, $ff, $ff, $ff, $65, $ff, $ff, $ff, $ff
        .byte $ff, $68, $ff, $ff, $66, $ff, $ff, $68, $ff
        .byte $ff, $65, $ff, $68, $66, $68, $ff, $65, $ff
        .byte $68, $66, $ff, $65, $66, $65, $ff, $66, $68
        .byte $65, $66, $ff, $66, $66, $66, $ff, $66, $65
        .byte $66, $66, $66, $66, $66, $66, $66, $66, $66
        .byte $66, $66, $66, $66, $66, $66, $66, $66, $66
        .byte $66, $66, $66, $66, $67, $66, $66, $66, $66
        attributes 0, 3, 3, 3, %11111111
        end_screen
