; Sound effects. An effect is a list of steps; a step lasts some frames and sets its channel's registers once, the APU's
; own envelopes and sweeps do the rest. Slot 0 plays on the noise, slot 1 on pulse 1, slot 2 on pulse 2, slot 3 on the
; triangle; an effect of slot 1 may have a second voice in slot 2 and a third in slot 3, under the same number.

.include "constants.inc"
.include "ram.inc"
.include "audio.inc"
.include "song.inc"

.import write_pitch, write_drum, restore_channel, silence_channel
.export advance_effects, start_effect, take_second_voices, update_effects

.segment "AUDIO"

; A frame of all effects. In: effect_request. Clobbers A, X, Y.
.proc update_effects
        lda #0
        sta effect_request + EFFECT_SLOTS
        tay
slot:
        lda effect_request,y
        beq no_request
        jsr take_request
no_request:
        jsr advance
        iny
        cpy #EFFECT_SLOTS
        bne slot
        rts
.endproc

; The same, but what is asked for waits. Clobbers A, X, Y.
.proc advance_effects
        ldy #0
slot:
        jsr advance
        iny
        cpy #EFFECT_SLOTS
        bne slot
        rts
.endproc

; A frame of the effect of slot Y. Clobbers A, X.
.proc advance
        lda effect_playing,y
        beq done
        tya
        tax
        dec effect_frames,x
        bne done
        jmp next_step
done:
        rts
.endproc

; The other voices of the effect just started in slot 1. Clobbers A, X, Y.
.proc take_second_voices
        ldy #2
        lda effect_request,y
        jsr take_request
        iny
        lda effect_request,y
        jmp take_request
.endproc

; In: A = effect wanted, Y = slot. A number that the slot does not have is dropped; in slot 1 so is a lesser effect
; while a greater one plays: the next piece's shifts do not cut a tetris short. Clobbers A, X.
.proc take_request
        tax
        lda #0
        sta effect_request,y
        txa
        cmp slot_ends,y
        bcs dropped
        sta new_effect
        cpy #1
        bne start_effect
        lda priorities,x
        ldx effect_playing + 1
        cmp priorities,x
        lda new_effect
        bcs start_effect
dropped:
        rts
.endproc

; In: A = effect, Y = slot. Its first step is due in this frame. Clobbers A, X.
.proc start_effect
        sta new_effect
        clc
        adc slot_firsts,y
        tax
        lda effects_hi - 1,x
        beq no_voice
        sta effect_hi,y
        lda effects_lo - 1,x
        sta effect_lo,y
        lda #1
        sta effect_frames,y
        lda new_effect
        sta effect_playing,y
        cpy #1
        bne no_voice
        sta effect_request + 2
        sta effect_request + 3
no_voice:
        rts
.endproc

; In: Y = slot. Sets the registers of its channel for the effect's next step, or gives the channel back. Clobbers A, X.
.proc next_step
        sty effect_slot
        ldx slot_channels,y
        lda effect_lo,y
        sta effect_step
        clc
        adc #STEP_BYTES
        sta effect_lo,y
        lda effect_hi,y
        sta effect_step + 1
        adc #0
        sta effect_hi,y
        ldy #0
        lda (effect_step),y
        beq over
        sta taken,x
        ldy effect_slot
        sta effect_frames,y
        ldy #1
        lda (effect_step),y
        sta APU,x
        iny
        lda (effect_step),y
        sta APU + 1,x
        iny
        lda (effect_step),y
        beq sounds_on
        cpx #NOISE
        beq noise
        tay
        jsr write_pitch
sounds_on:
        ldy effect_slot
        rts
noise:
        jsr write_drum
        ldy effect_slot
        rts
over:
        sta taken,x
        ldy effect_slot
        sta effect_playing,y
        jsr silence_channel
        jsr restore_channel
        ldy effect_slot
        rts
.endproc

.segment "SONGS"

slot_channels:
        .byte NOISE, PULSE_1, PULSE_2, TRIANGLE
; First number that the slot does not have.
slot_ends:
        .byte EFFECT_ROCKET + 1, EFFECT_PAUSE + 1, EFFECT_PAUSE + 1, EFFECT_PAUSE + 1
; Where the slot begins in effects_lo and effects_hi.
slot_firsts:
        .byte noise_effects - effects_lo
        .byte pulse_1_effects - effects_lo
        .byte pulse_2_effects - effects_lo
        .byte triangle_effects - effects_lo

; By number of the effect in slot 1, from 0 = none.
priorities:
        .byte 0
        .byte 1                 ; EFFECT_CURSOR
        .byte 1                 ; EFFECT_SELECT
        .byte 1                 ; EFFECT_SHIFT
        .byte 4                 ; EFFECT_TETRIS
        .byte 1                 ; EFFECT_ROTATE
        .byte 4                 ; EFFECT_LEVEL_UP
        .byte 1                 ; EFFECT_LOCK
        .byte 1                 ; EFFECT_CHIRP
        .byte 2                 ; EFFECT_CLEARING
        .byte 3                 ; EFFECT_LINE
        .byte 5                 ; EFFECT_PAUSE

; ---- the language of effects --------------------------------------------------------------------------------------
; A step: frames, registers 0 and 1, then a pitch, or what a drum writes to register 2. Frames 0 end the effect.
STEP_BYTES      = 4
EIGHTH_WAVE     = %00000000     ; duties
QUARTER_WAVE    = %01000000
HALF_WAVE       = %10000000
STEADY          = %00010000     ; + volume: constant; otherwise + rate 0 (fast) to 15: the APU's envelope dies down
TRIANGLE_ON     = %10001111
SWEEP           = %10000000     ; sweep on; the period changes by a 2^shift-th every `every` half frames

.macro tone frames, control, note
        .byte frames, control, SWEEP_OFF, note
.endmacro
.macro rising frames, control, note, every, shift
        .byte frames, control, SWEEP + ((every) - 1) * 16 + %1000 + shift, note
.endmacro
.macro falling frames, control, note, every, shift
        .byte frames, control, SWEEP + ((every) - 1) * 16 + shift, note
.endmacro
; Period 0 (bright) to 15 (dull). Bit 4 is not there in the APU; it tells period 0 from no note.
.macro hiss frames, control, period
        .byte frames, control, 0, %10000 + period
.endmacro
.macro end_effect
        .byte 0
.endmacro

; By number from 1; 0 = no such effect, no such voice.
.define IN_NOISE 0, curtain, rocket
.define IN_PULSE_1 cursor_moves, selects, shifts, tetris, rotates, level_up, locks, chirp, clearing, line, pauses
.define IN_PULSE_2 0, 0, 0, tetris_second, 0, level_up_second, 0, 0, 0, line_second, pauses_second
.define IN_TRIANGLE 0, 0, 0, 0, 0, 0, locks_thud, 0, 0, 0, 0

effects_lo:
noise_effects:
        .lobytes IN_NOISE
pulse_1_effects:
        .lobytes IN_PULSE_1
pulse_2_effects:
        .lobytes IN_PULSE_2
triangle_effects:
        .lobytes IN_TRIANGLE
effects_hi:
        .hibytes IN_NOISE
        .hibytes IN_PULSE_1
        .hibytes IN_PULSE_2
        .hibytes IN_TRIANGLE

; ---- slot 0 -------------------------------------------------------------------------------------------------------
; The curtain's 36 steps take 144 frames; this dies a little before the end.
curtain:
        hiss 6, STEADY + 12, 2
        hiss 6, STEADY + 12, 4
        hiss 8, STEADY + 11, 6
        hiss 8, STEADY + 11, 8
        hiss 10, STEADY + 10, 9
        hiss 12, STEADY + 9, 10
        hiss 14, STEADY + 8, 11
        hiss 16, STEADY + 7, 12
        hiss 60, 15, 13
        end_effect

; Ignition, thrust, and away.
rocket:
        hiss 10, STEADY + 5, 15
        hiss 10, STEADY + 8, 14
        hiss 12, STEADY + 11, 13
        hiss 40, STEADY + 14, 12
        hiss 40, STEADY + 13, 11
        hiss 30, STEADY + 11, 10
        hiss 30, STEADY + 8, 9
        hiss 30, STEADY + 5, 8
        hiss 60, 15, 7
        end_effect

; ---- slot 1 -------------------------------------------------------------------------------------------------------
cursor_moves:
        tone 5, QUARTER_WAVE + 0, A5
        end_effect

selects:
        tone 4, HALF_WAVE + STEADY + 9, E5
        tone 14, HALF_WAVE + 2, A5
        end_effect

shifts:
        tone 1, QUARTER_WAVE + STEADY + 9, E4
        tone 2, QUARTER_WAVE + STEADY + 4, E4
        end_effect

tetris:
        tone 4, HALF_WAVE + STEADY + 12, C5
        tone 4, HALF_WAVE + STEADY + 12, E5
        tone 4, HALF_WAVE + STEADY + 12, G5
        tone 4, HALF_WAVE + STEADY + 12, C6
        tone 4, HALF_WAVE + STEADY + 11, G5
        tone 4, HALF_WAVE + STEADY + 11, C6
        tone 24, HALF_WAVE + 5, E6
        end_effect

rotates:
        tone 2, HALF_WAVE + STEADY + 8, G4
        tone 5, HALF_WAVE + 0, D5
        end_effect

level_up:
        tone 6, HALF_WAVE + STEADY + 11, D5
        tone 3, HALF_WAVE + STEADY + 0, 0
        tone 3, HALF_WAVE + STEADY + 11, D5
        tone 6, HALF_WAVE + STEADY + 11, G5
        tone 6, HALF_WAVE + STEADY + 11, B5
        tone 30, HALF_WAVE + 6, D6
        end_effect

locks:
        falling 4, EIGHTH_WAVE + 1, A3, 1, 3
        end_effect

chirp:
        rising 6, HALF_WAVE + STEADY + 8, C6, 1, 4
        end_effect

clearing:
        rising 7, QUARTER_WAVE + STEADY + 8, A4, 1, 3
        end_effect

line:
        tone 3, HALF_WAVE + STEADY + 11, E5
        tone 3, HALF_WAVE + STEADY + 11, A5
        tone 14, HALF_WAVE + 2, Cs6
        end_effect

pauses:
        tone 5, HALF_WAVE + STEADY + 9, B5
        tone 5, HALF_WAVE + STEADY + 9, Fs5
        tone 5, HALF_WAVE + STEADY + 9, B5
        tone 20, HALF_WAVE + 3, Fs5
        end_effect

; ---- slot 2: second voices ----------------------------------------------------------------------------------------
tetris_second:
        tone 8, HALF_WAVE + STEADY + 7, C4
        tone 8, HALF_WAVE + STEADY + 7, E4
        tone 8, HALF_WAVE + STEADY + 7, G4
        tone 24, HALF_WAVE + 5, G5
        end_effect

level_up_second:
        tone 9, QUARTER_WAVE + STEADY + 7, B4
        tone 3, QUARTER_WAVE + STEADY + 7, B4
        tone 6, QUARTER_WAVE + STEADY + 7, D5
        tone 6, QUARTER_WAVE + STEADY + 7, G5
        tone 30, QUARTER_WAVE + 6, B5
        end_effect

line_second:
        tone 6, QUARTER_WAVE + STEADY + 6, A4
        tone 14, QUARTER_WAVE + 2, E5
        end_effect

pauses_second:
        tone 10, QUARTER_WAVE + STEADY + 5, B4
        tone 20, QUARTER_WAVE + 3, B4
        end_effect

; ---- slot 3: the weight of a piece --------------------------------------------------------------------------------
locks_thud:
        tone 1, TRIANGLE_ON, A3
        tone 1, TRIANGLE_ON, D3
        tone 2, TRIANGLE_ON, A2
        end_effect
