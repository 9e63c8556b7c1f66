; Voices and drums. An envelope is a volume for each frame of a note; the byte with bit 7 set is the last and stays.
; For the triangle any volume but 0 is full.

.include "song.inc"

.export envelopes, voice_controls, voice_envelopes, drum_periods, drum_envelopes

HOLD            = %10000000
DUTY_EIGHTH     = %00110000     ; with constant volume and the length counter halted
DUTY_QUARTER    = %01110000
DUTY_HALF       = %10110000
TRIANGLE_ON     = %10000000
ON              = 15

.segment "SONGS"

; Register 0 without its volume, in the order of the voices.
voice_controls:
        .byte DUTY_HALF         ; LEAD
        .byte DUTY_QUARTER      ; SECOND
        .byte DUTY_EIGHTH       ; STAB
        .byte DUTY_HALF         ; BELL
        .byte DUTY_QUARTER      ; PLUCK
        .byte DUTY_QUARTER      ; SOFT
        .byte TRIANGLE_ON       ; BASS
        .byte TRIANGLE_ON       ; BASS_SHORT

voice_envelopes:
        .byte lead - envelopes, second - envelopes, stab - envelopes, bell - envelopes, pluck - envelopes
        .byte soft - envelopes, bass - envelopes, bass_short - envelopes

; Register 2 of the noise channel: KICK, SNARE, HAT, CYMBAL.
drum_periods:
        .byte $0d, $08, $03, $05
drum_envelopes:
        .byte kick - envelopes, snare - envelopes, hat - envelopes, cymbal - envelopes

envelopes:
        .byte HOLD + 0          ; SILENCE
lead:
        .byte 7, 9, 9, 8, 8, 8, 7, 7, 7, 7, 6, 6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 5, 5, HOLD + 4
second:
        .byte 5, 7, 7, 6, 6, 6, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, HOLD + 3
stab:
        .byte 8, 7, 6, 5, 4, 3, 2, 1, HOLD + 0
bell:
        .byte 10, 9, 8, 8, 7, 7, 6, 6, 6, 6, 6, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1
        .byte 1, 1, HOLD + 0
pluck:
        .byte 10, 9, 7, 5, 4, 3, 2, 2, 1, 1, HOLD + 0
soft:
        .byte 6, 8, 8, 7, 7, 6, 6, 6, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, HOLD + 3
bass:
        .byte HOLD + ON
bass_short:
        .byte ON, ON, ON, ON, ON, ON, ON, ON, ON, ON, HOLD + 0
kick:
        .byte 12, 9, 6, 3, 1, HOLD + 0
snare:
        .byte 9, 7, 5, 4, 3, 2, 1, 1, HOLD + 0
hat:
        .byte 4, 2, 1, HOLD + 0
cymbal:
        .byte 9, 8, 7, 6, 6, 5, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, HOLD + 0
.assert * - envelopes <= 256, error, "envelopes must fit one index"
