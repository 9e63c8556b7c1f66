; The player of songs. A song is four parts, one a channel, of notes whose lengths are counted in ticks, twelve to the
; quarter. Its tempo says how many ticks fall into 256 frames: one at most falls into a frame. Pulse 2 and the triangle
; take it a frame later than pulse 1 and the noise: nobody hears that, and the frame in which all four parts begin a
; bar costs half as many cycles.

.include "ram.inc"
.include "audio.inc"
.include "song.inc"

.import song_lo, song_hi, song_tempo
.import envelopes, voice_controls, voice_envelopes, drum_periods, drum_envelopes
.import period_lo, period_hi
.export update_music, restore_channel, write_pitch, write_drum

ENVELOPE_VOLUME = %00001111

.segment "AUDIO"

; A frame of the song, or the change to another, whose first notes come with the next frame. In: music_request.
; Clobbers A, X, Y.
.proc update_music
        ldy music_request
        bne change_song
        lda music_playing
        beq silent
        lda tick_fraction
        clc
        adc tempo
        sta tick_fraction
        ror ticked
        ldx #NOISE
channel:
        lda remaining,x
        beq next
        lda ticked
        and tick_bit,x
        beq envelope
        dec remaining,x
        bne envelope
        jsr next_note
        lda music_playing
        beq silent
envelope:
        ldy envelope_at,x
        lda envelopes,y
        bmi held
        inc envelope_at,x
held:
        ldy taken,x
        bne next
        and #ENVELOPE_VOLUME
        ora voice_control,x
        sta APU,x
next:
        dex
        dex
        dex
        dex
        bpl channel
silent:
        rts
.endproc

; Song Y begins, or the song goes on at another tempo when song Y is the other variant of the one under way. A number
; that no song has ends the music. In: Y = music_request. Clobbers A, X, Y.
.proc change_song
        lda #0
        sta music_request
        cpy #SONGS + 1
        bcs stop_music
        lda song_tempo - 1,y
        sta tempo
        ldx music_playing
        sty music_playing
        beq begin_song
        sty new_song
        cpx new_song
        beq begin_song
        lda song_lo - 1,x
        cmp song_lo - 1,y
        bne begin_song
        lda song_hi - 1,x
        cmp song_hi - 1,y
        bne begin_song
        rts
.endproc

; In: Y = song. Its four parts begin with the next tick, which falls into the next frame. Clobbers A, X, Y.
.proc begin_song
        lda song_lo - 1,y
        sta stream
        lda song_hi - 1,y
        sta stream + 1
        ldx #PULSE_1
        ldy #0
part:
        jsr rest_channel
        sta transposition,x
        lda (stream),y
        sta part_lo,x
        iny
        lda (stream),y
        sta part_hi,x
        iny
        cmp #1                  ; carry: there is a part
        lda #0
        rol
        sta remaining,x
        inx
        inx
        inx
        inx
        cpx #NOISE + CHANNEL_BYTES
        bne part
        lda #$ff
        sta tick_fraction
        lda #0
        sta ticked
        rts
.endproc

; Ends the song. Clobbers A, X.
.proc stop_music
        ldx #NOISE
channel:
        jsr rest_channel
        sta remaining,x
        dex
        dex
        dex
        dex
        bpl channel
        sta music_playing
        rts
.endproc

; In: X = channel. The song is silent there. Out: A = 0.
.proc rest_channel
        lda taken,x
        bne effect_goes_on
        lda voice_control,x
        sta APU,x
effect_goes_on:
        lda #SILENCE
        sta pitch,x
        sta envelope_at,x
        rts
.endproc

; Reads the part of channel X up to its next note and begins that. Clobbers A, Y.
.proc next_note
        lda part_lo,x
        sta stream
        lda part_hi,x
        sta stream + 1
        ldy #0
        beq read_part
.endproc

; In: A = number of a voice plus VOICE, Y = position in the stream.
.proc set_voice
        and #<~VOICE
        sty stream_position
        tay
        lda voice_controls,y
        sta voice_control,x
        lda voice_envelopes,y
        sta voice_envelope,x
        ldy stream_position
        bne read_part           ; always: the voice's byte has been read
.endproc

; In: A = ticks plus DURATION.
.proc set_duration
        and #<~DURATION
        sta duration,x
.endproc

; In: stream and Y = position in it, X = channel.
.proc read_part
        lda (stream),y
        iny
        cmp #DURATION
        bcc note
        cmp #VOICE
        bcc set_duration
        cmp #COMMAND
        bcc set_voice
        and #<~COMMAND
        sty stream_position
        tay
        lda commands + 1,y
        pha
        lda commands,y
        pha
        ldy stream_position
        rts
note:
        sta pitch,x
        tya
        clc
        adc stream
        sta part_lo,x
        lda stream + 1
        adc #0
        sta part_hi,x
        lda duration,x
        sta remaining,x
        lda pitch,x
        bne sounds
        sta envelope_at,x       ; SILENCE
        rts
sounds:
        cpx #NOISE
        beq drum
        clc
        adc transposition,x
        sta pitch,x
        tay
        lda voice_envelope,x
        sta envelope_at,x
        lda taken,x
        beq write_pitch
        rts
drum:
        tay
        lda drum_envelopes - 1,y
        sta envelope_at,x
        lda drum_periods - 1,y
        sta pitch,x
        ldy taken,x
        beq write_drum
        rts
.endproc

; In: X = channel, not the noise; Y = pitch. The triangle's timer runs an octave below a pulse's (NESdev: APU
; triangle). Clobbers A, Y.
.proc write_pitch
        cpx #TRIANGLE
        beq octave_up
        lda period_lo - LOWEST,y
        sta APU + 2,x
        lda period_hi - LOWEST,y
        ora #LENGTH_LONG
        sta APU + 3,x
        rts
octave_up:
        lda period_lo + OCTAVE - LOWEST,y
        sta APU + 2,x
        lda period_hi + OCTAVE - LOWEST,y
        ora #LENGTH_LONG
        sta APU + 3,x
        rts
.endproc

; In: A = register 2 of the noise channel. Clobbers A.
.proc write_drum
        sta APU + NOISE + 2
        lda #LENGTH_LONG
        sta APU + NOISE + 3
        rts
.endproc

; Gives channel X back to the song: the pitch that the song is at sounds again, at the volume that its envelope has
; reached. Clobbers A, Y.
.proc restore_channel
        ldy pitch,x
        beq resting
        tya
        cpx #NOISE
        beq write_drum
        bne write_pitch
resting:
        rts
.endproc

; In the order of the commands' numbers; less one, since rts adds it.
commands:
        .word go_on_at - 1, begin_phrase - 1, return_from_phrase - 1, begin_repeat - 1, repeat_again - 1
        .word set_transposition - 1, stop_music - 1

; The part goes on at the address that follows.
.proc go_on_at
        lda (stream),y
        pha
        iny
        lda (stream),y
        sta stream + 1
        pla
        sta stream
        ldy #0
        jmp read_part
.endproc

; A phrase, at the address that follows; afterwards the part goes on here.
.proc begin_phrase
        tya
        clc
        adc #2
        adc stream
        sta return_lo,x
        lda stream + 1
        adc #0
        sta return_hi,x
        jmp go_on_at
.endproc

.proc return_from_phrase
        lda return_lo,x
        sta stream
        lda return_hi,x
        sta stream + 1
        ldy #0
        jmp read_part
.endproc

; The passage that begins here is played as often as the byte that follows says.
.proc begin_repeat
        lda (stream),y
        iny
        sta repeats,x
        tya
        clc
        adc stream
        sta repeat_lo,x
        lda stream + 1
        adc #0
        sta repeat_hi,x
        jmp read_part
.endproc

.proc repeat_again
        dec repeats,x
        beq passed
        lda repeat_lo,x
        sta stream
        lda repeat_hi,x
        sta stream + 1
        ldy #0
passed:
        jmp read_part
.endproc

; The byte that follows is added to every pitch from here on.
.proc set_transposition
        lda (stream),y
        iny
        sta transposition,x
        jmp read_part
.endproc
