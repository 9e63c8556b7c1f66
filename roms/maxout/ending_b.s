; The B-type ending: a concert. The bonus for level and height is counted onto the score, and as many musicians play as
; the height was worth; at level 9 there are fireworks.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export ending_b, parade, render_b_total
.import draw_screen, show_screen, end_frame, level_glyphs, play_ending, point_ppu, put_bcd, request_song, stage_picture
.import march, march_off

LAST_LEVEL      = 9
OVERTURE        = 128           ; frames of music before the counting
BONUS_PAUSE     = 64            ; frames before and after a bonus, and of a step of it
STEP_PAUSE      = 2
ENDING_TRACK    = $0a
TILE_MUSICIAN   = $80           ; two tiles wide, three high, one after the other
TILE_LEAP       = $30           ; on to the other posture
TILE_BURST      = $8c
BURST_PALETTE   = 3
BURSTS          = 8
LEVEL_DIGITS    = NAMETABLE + 6 * 32 + 19
HEIGHT_DIGITS   = NAMETABLE + 8 * 32 + 19
TOTAL_DIGITS    = NAMETABLE + 10 * 32 + 17

musician_in_hand := screen_y
bonus           := screen_timer + 1     ; which is counted

.segment "SCREENS"

; Show the ending and add the bonus to the score; returns when all is counted and Start was pressed, alone. The level in
; the working copy is the last digit of what is shown as the level, which decides what passes.
.proc ending_b
        jsr set_bonus
        draw concert_screen
        jsr march_off
        lda #BANK_ENDING_B
        jsr show_screen
        lda #RENDER_ENDING
        sta render_mode
        lda #ENDING_TRACK
        jsr request_song
        lda #OVERTURE
        jsr play_ending
        jsr take_score
        lda #BONUS_PAUSE
        jsr play_ending
        ldx #level_bonus - level_bonus
        lda level_bonus
        beq height
        jsr count
        lda #BONUS_PAUSE
        jsr play_ending
height:
        ldx #height_bonus - level_bonus
        lda height_bonus
        beq frame
        jsr count
        lda #EFFECT_SELECT
        sta effect_pulse
        lda #BONUS_PAUSE
        jsr play_ending
frame:
        jsr parade
        jsr end_frame
        lda pad_pressed
        cmp #BUTTON_START
        bne frame
        lda PLAYER_1 + level
        sta level
        ldx #2
copy:
        lda b_total, x
        sta score, x
        dex
        bpl copy
        rts
.endproc

; A thousand for each level, as its last digit shows it, and for each step of height: in BCD hundreds.
.proc set_bonus
        ldx PLAYER_1 + level
        lda level_glyphs, x
        and #$0f
        sta level
        .repeat 4
        asl a
        .endrepeat
        sta level_bonus
        lda PLAYER_1 + start_height
        .repeat 4
        asl a
        .endrepeat
        sta height_bonus
        lda #0
        ldx #2
clear:
        sta b_total, x
        dex
        bpl clear
        rts
.endproc

; The score becomes the total.
.proc take_score
        lda #EFFECT_SELECT
        sta effect_pulse
        ldx #2
take:
        lda PLAYER_1 + score, x
        sta b_total, x
        lda #0
        sta PLAYER_1 + score, x
        dex
        bpl take
        rts
.endproc

; A bonus, which is not 0, goes over to the total by hundreds. In: X = which.
.proc count
        stx bonus
step:
        ldx bonus
        dec level_bonus, x
        lda level_bonus, x
        and #$0f
        cmp #$0f
        bne no_borrow
        lda level_bonus, x              ; BCD: 10 goes to 09
        and #$f0
        ora #$09
        sta level_bonus, x
no_borrow:
        jsr add_hundred
        lda #EFFECT_CURSOR
        sta effect_pulse
        lda #STEP_PAUSE
        jsr play_ending
        ldx bonus
        lda level_bonus, x
        bne step
        rts
.endproc

.proc add_hundred
        inc b_total + 1
        lda b_total + 1
        and #$0f
        cmp #$0a
        bcc thousands
        lda b_total + 1
        adc #6 - 1                      ; carry is set
        sta b_total + 1
thousands:
        lda b_total + 1
        cmp #$a0
        bcc ten_thousands
        adc #$60 - 1
        sta b_total + 1
        inc b_total + 2
ten_thousands:
        lda b_total + 2
        and #$0f
        cmp #$0a
        bcc done
        lda b_total + 2
        adc #6 - 1
        sta b_total + 2
done:
        rts
.endproc

; A frame: the musicians, the fireworks, and those that march past, who are not seen here.
.proc parade
        jsr stage_musicians
        jsr stage_bursts
        jmp march
.endproc

; One musician for height 0, six for height 5; they take turns at leaping.
.proc stage_musicians
        lda #2
        sta width
        lda #0
        sta musician_in_hand
musician:
        lda #3
        sta height
        ldx musician_in_hand
        lda musician_x, x
        sta stage_x
        lda musician_y, x
        sta stage_y
        lda frame_counter
        .repeat 4
        lsr a
        .endrepeat
        eor musician_in_hand
        and #1
        beq standing
        lda #TILE_LEAP
standing:
        sta tile
        lda musician_in_hand
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
        cmp musician_in_hand
        beq done
        inc musician_in_hand
        bne musician
done:
        rts
.endproc

; The front row from the middle out, then the one behind.
musician_x:     .byte 120, 72, 168, 96, 144, 48
musician_y:     .byte 151, 151, 151, 127, 127, 127

; Fireworks over the stage: each of eight places in turn, small then large.
.proc stage_bursts
        lda level
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
