; Pause: the background goes dark and the word stands in sprites until Start comes again, alone; of two players either
; may press it.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export pause_screen
.import end_frame, stage_sprite

PAUSE_LEFT      = 108
PAUSE_TOP       = 119
AUDIO_PAUSED    = 5             ; in audio_pause
audio_pause     := music_state + $0d

.segment "SCREENS"

; Play state 7 comes here when Start was newly pressed. On return the playfield is copied to the PPU again from its
; first row: until that is done nothing can lock, so a pause shifts a game in time.
.proc pause_screen
        lda #AUDIO_PAUSED
        sta audio_pause
        lda #RENDER_STILL
        sta render_mode
        lda #PPUMASK_ALL & <~PPUMASK_BG ; and so the NMI sets it while audio_pause stands
        sta PPUMASK
        lda #$ff
        ldx #0
clear:
        sta oam_staging, x
        inx
        bne clear
        stx oam_length
frame:
        jsr stage_word
        jsr end_frame
        lda pad_pressed
        cmp #BUTTON_START
        beq resume
        lda player_count
        cmp #TWO_PLAYERS
        bne frame
        lda pad_pressed + 1
        cmp #BUTTON_START
        bne frame
resume:
        lda #PPUMASK_ALL
        sta PPUMASK
        lda #0
        sta audio_pause
        sta PLAYER_1 + vram_row
        lda #RENDER_PLAY
        sta render_mode
        rts
.endproc

.proc stage_word
        lda #PAUSE_TOP
        sta stage_y
        lda #PAUSE_LEFT
        sta stage_x
        lda #0
        sta sprite_count
letter:
        ldx sprite_count
        lda word, x
        ldx #0
        jsr stage_sprite
        lda stage_x
        clc
        adc #8
        sta stage_x
        inc sprite_count
        lda sprite_count
        cmp #word_end - word
        bne letter
        rts
.endproc

word:
        .byte "PAUSE"
word_end:
