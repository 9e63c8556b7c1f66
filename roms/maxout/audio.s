; The audio engine's two entries. Songs play on four channels; an effect takes a channel away from the song, which
; counts on in silence and gets its channel back when the effect is over.

.include "hardware.inc"
.include "ram.inc"
.include "audio.inc"

.import advance_effects, take_second_voices, update_music, update_effects, restore_channel, start_effect, wait_for_vblank
.export audio_update, audio_init, end_frame, silence_channel

; Five-step sequence, no frame interrupt. Each write clocks envelopes and lengths at once and starts the sequence
; again: written once a frame, it makes four envelope clocks and two sweep clocks a frame.
FRAME_FIVE_STEP = %11000000
ENABLE_TONES    = %00001111     ; all but the DMC, whose fetches would disturb the pads' reading
; Register 0 of a silent channel. Pulse and noise: length counter halted, constant volume 0. Triangle: the linear
; counter is reloaded with 0 at the next quarter frame.
PULSE_SILENT    = %00110000
TRIANGLE_SILENT = %10000000
AUDIO_RAM_BYTES = $80

.segment "AUDIO"

; Once a frame, by the main loop. In: effect_request, music_request, audio_pause. Clobbers A, X, Y.
audio_update:
        jmp update
; At reset: silence, no song, no effect. Clobbers A, X, Y.
audio_init:
        jmp init
.assert audio_update = $e000, lderror, "audio_update must be at $e000"
.assert audio_init = $e003, lderror, "audio_init must be at $e003"

; The end of a frame that does not come back to the main loop: screens with a loop of their own, the pause. Music and
; effects, then the wait for the NMI. Clobbers A, X, Y.
.proc end_frame
        jsr audio_update
        jmp wait_for_vblank
.endproc

.proc update
        lda #FRAME_FIVE_STEP
        sta APU_FRAME
        lda audio_pause
        bne hold_music
        lda pause_begun
        beq playing
        jsr resume
playing:
        jsr update_effects
        jmp update_music
.endproc

; A frame of a pause. The first silences everything and starts the chime; the song stands still, and what was asked for
; waits.
.proc hold_music
        lda pause_begun
        bne chime
        inc pause_begun
        jsr silence_all
        sta pause_length
        ldy #1
        lda #EFFECT_PAUSE
        jsr start_effect
        jsr take_second_voices
        jmp advance_effects
chime:
        lda pause_length
        cmp #CHIME_FRAMES
        beq over
        and #%11
        cmp #%11
        bne count
        inc pause_chimes
count:
        inc pause_length
over:
        jmp advance_effects
.endproc

; The song goes on where it stood.
.proc resume
        jsr silence_all
        sta pause_begun
        sta pause_chimes
        ldx #NOISE
channel:
        jsr restore_channel
        dex
        dex
        dex
        dex
        bpl channel
        rts
.endproc

.proc init
        ldx #AUDIO_RAM_BYTES - 1
        lda #0
clear:
        sta music_state,x
        dex
        bpl clear
        lda #ENABLE_TONES
        sta APU_ENABLE
        lda #PULSE_SILENT
        sta voice_control + PULSE_1
        sta voice_control + PULSE_2
        sta voice_control + NOISE
        lda #TRIANGLE_SILENT
        sta voice_control + TRIANGLE
        lda #TICK_NOW
        sta tick_bit + PULSE_1
        sta tick_bit + NOISE
        lda #TICK_FRAME_LATER
        sta tick_bit + PULSE_2
        sta tick_bit + TRIANGLE
        jmp silence_all
.endproc

; Ends the effects and turns every channel's volume to 0. Out: A = 0. Clobbers X, Y.
.proc silence_all
        ldx #NOISE
channel:
        lda #0
        sta taken,x
        jsr silence_channel
        dex
        dex
        dex
        dex
        bpl channel
        ldx #EFFECT_SLOTS - 1
        lda #0
slot:
        sta effect_playing,x
        dex
        bpl slot
        rts
.endproc

; In: X = channel. Volume 0, sweep off. Clobbers A.
.proc silence_channel
        lda voice_control,x
        sta APU,x
        lda #SWEEP_OFF
        sta APU + 1,x
        rts
.endproc
