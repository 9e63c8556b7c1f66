; The B-type ending: a concert. The bonus for level and height is counted onto the score, and as many musicians play as
; the height was worth; at level 9 there are fireworks.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export ending_b, render_b_total
.import draw_screen, show_screen, end_frame, stage_picture, put_bcd, point_ppu

LAST_LEVEL      = 9
OVERTURE        = 60            ; frames of music before the counting
COUNT_PACE      = %00000001     ; of the frame counter: a step of a hundred every second frame
ENDING_TRACK    = $0a
TILE_MUSICIAN   = $80           ; two tiles wide, three high, one after the other
TILE_LEAP       = $30           ; on to the other posture
TILE_BURST      = $8c
BURST_PALETTE   = 3
BURSTS          = 8
LEVEL_DIGITS    = NAMETABLE + 6 * 32 + 19
HEIGHT_DIGITS   = NAMETABLE + 8 * 32 + 19
TOTAL_DIGITS    = NAMETABLE + 10 * 32 + 17

.segment "SCREENS"

; Show the ending and add the bonus to PLAYER_1 + score; returns when all is counted and Start was pressed, alone.
.proc ending_b
        lda #RENDER_STILL
        sta render_mode
        jsr set_bonus
        draw concert_screen
        lda #BANK_ENDING_B
        jsr show_screen
        lda #RENDER_ENDING
        sta render_mode
        lda #ENDING_TRACK
        sta music_request
        lda #OVERTURE
        sta ending_delay
frame:
        jsr stage_musicians
        jsr stage_bursts
        jsr count
        jsr end_frame
        lda level_bonus
        ora height_bonus
        bne frame
        lda pad_pressed
        cmp #BUTTON_START
        bne frame
        ldx #2
copy:
        lda b_total, x
        sta score, x
        sta PLAYER_1 + score, x
        dex
        bpl copy
        rts
.endproc

; A thousand for each level, as its last digit shows it, and for each step of height: in BCD hundreds.
.proc set_bonus
        lda PLAYER_1 + level
tens:
        cmp #10
        bcc ones
        sbc #10
        bcs tens
ones:
        .repeat 4
        asl a
        .endrepeat
        sta level_bonus
        lda PLAYER_1 + start_height
        .repeat 4
        asl a
        .endrepeat
        sta height_bonus
        ldx #2
copy:
        lda PLAYER_1 + score, x
        sta b_total, x
        dex
        bpl copy
        rts
.endproc

; Move a hundred from a bonus to the total: the level's first, then the height's.
.proc count
        lda ending_delay
        beq begun
        dec ending_delay
        rts
begun:
        lda frame_counter
        and #COUNT_PACE
        bne done
        ldx #level_bonus - level_bonus
        lda level_bonus
        bne take
        ldx #height_bonus - level_bonus
        lda height_bonus
        beq done
take:
        and #$0f
        bne no_borrow
        lda level_bonus, x              ; BCD: 10 goes to 09
        sec
        sbc #7
        bne taken
no_borrow:
        lda level_bonus, x
        sec
        sbc #1
taken:
        sta level_bonus, x
        ldx #1
carry:
        lda b_total, x
        clc
        adc #1
        sta b_total, x
        and #$0f
        cmp #10
        bne counted
        lda b_total, x
        clc
        adc #6
        sta b_total, x
        cmp #$a0
        bne counted
        lda #0
        sta b_total, x
        inx
        cpx #3
        bne carry
counted:
        lda #EFFECT_CHIRP
        sta effect_pulse
done:
        rts
.endproc

; One musician for height 0, six for height 5; they take turns at leaping.
.proc stage_musicians
        lda #2
        sta width
        lda #0
        sta ending_sprite
musician:
        lda #3
        sta height
        ldx ending_sprite
        lda musician_x, x
        sta stage_x
        lda musician_y, x
        sta stage_y
        lda frame_counter
        .repeat 4
        lsr a
        .endrepeat
        eor ending_sprite
        and #1
        beq standing
        lda #TILE_LEAP
standing:
        sta tile
        lda ending_sprite
        asl a
        adc tile
        adc #TILE_MUSICIAN
        pha
        txa
        and #%00000011
        tax
        pla
        jsr stage_picture
        lda PLAYER_1 + start_height
        cmp ending_sprite
        beq done
        inc ending_sprite
        bne musician
done:
        rts
.endproc

; The front row from the middle out, then the one behind.
musician_x:     .byte 120, 72, 168, 96, 144, 48
musician_y:     .byte 151, 151, 151, 127, 127, 127

; Fireworks over the stage: each of eight places in turn, small then large.
.proc stage_bursts
        lda PLAYER_1 + level
        cmp #LAST_LEVEL
        bcc done
        lda #2
        sta height
        lda frame_counter
        .repeat 4
        lsr a
        .endrepeat
        and #BURSTS - 1
        tax
        lda burst_x, x
        sta stage_x
        lda burst_y, x
        sta stage_y
        ldx #BURST_PALETTE
        lda frame_counter
        and #%00001000
        beq small
        lda #TILE_BURST + 2
        jmp stage_picture
small:
        lda #TILE_BURST
        jmp stage_picture
done:
        rts
.endproc

burst_x:        .byte 24, 208, 48, 184, 16, 224, 40, 200
burst_y:        .byte 48, 72, 88, 40, 72, 104, 56, 88

; In vblank: both bonuses and the total.
.proc render_b_total
        ldx #>LEVEL_DIGITS
        lda #<LEVEL_DIGITS
        jsr point_ppu
        lda level_bonus
        jsr put_bcd
        ldx #>HEIGHT_DIGITS
        lda #<HEIGHT_DIGITS
        jsr point_ppu
        lda height_bonus
        jsr put_bcd
        ldx #>TOTAL_DIGITS
        lda #<TOTAL_DIGITS
        jsr point_ppu
        ldx #2
digits:
        lda b_total, x
        jsr put_bcd
        dex
        bpl digits
        rts
.endproc

.segment "SCREEN_DATA"

TILE_DRAPE      = $60
TILE_FRINGE     = $61
TILE_BOARDS     = $63
TILE_FRONT      = $64
TILE_HEAD       = $65
TILE_LAMP       = $66
TILE_SPEAKER    = $ac

concert_screen:
        fill 0, 0, 32, 30, TILE_BLANK
        fill 0, 0, 32, 2, TILE_DRAPE
        fill 0, 2, 32, 1, TILE_FRINGE
        fill 0, 3, 2, 15, TILE_DRAPE
        fill 30, 3, 2, 15, TILE_DRAPE
        tiles 4, 3, 24, 1
        .byte $66, $ff, $ff, $66, $ff, $ff, $66, $ff, $ff, $66, $ff, $ff
        .byte $ff, $ff, $66, $ff, $ff, $66, $ff, $ff, $66, $ff, $ff, $66
        panel 7, 4, 18, 9
        text 9, 6, "LEVEL     0000"
        text 9, 8, "HEIGHT    0000"
        text 9, 10, "TOTAL   000000"
        picture 2, 15, 2, 3, TILE_SPEAKER
        picture 28, 15, 2, 3, TILE_SPEAKER
        fill 0, 18, 32, 6, TILE_BOARDS
        fill 0, 24, 32, 1, TILE_FRONT
        fill 0, 26, 32, 1, TILE_HEAD
        fill 0, 28, 32, 1, TILE_HEAD
        attributes 0, 0, 8, 8, %00000000
        attributes 1, 1, 6, 3, %01010101
        attributes 0, 4, 8, 2, %10101010
        attributes 0, 3, 1, 1, %01000000
        attributes 7, 3, 1, 1, %00010000
        attributes 0, 4, 8, 1, %10100101
        attributes 0, 4, 1, 1, %10100100
        attributes 7, 4, 1, 1, %10100001
        attributes 0, 6, 8, 2, %11111111
        palettes
        .byte $0f, $27, $16, $06,  $0f, $30, $21, $12,  $0f, $27, $17, $07,  $0f, $11, $01, $0c
        .byte $0f, $30, $21, $16,  $0f, $30, $27, $1a,  $0f, $30, $24, $11,  $0f, $30, $28, $16
        end_screen
