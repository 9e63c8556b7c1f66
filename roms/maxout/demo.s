; The demo: a recorded player at the pad and a recorded row of pieces.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"

.export start_demo_mode, demo_input
.import demo_buttons, demo_pieces, play_mode

RECORDING       = $ff           ; in demo_recording

.segment "SCREENS"

; Game mode 6: an A-type game at level 0 begins. Leaves in mode 5. Out: A.
.proc start_demo_mode
        lda #0
        sta game_type
        sta PLAYER_1 + start_level
        sta PLAYER_1 + play_state
        sta mode_state                  ; STATE_SCREEN
        lda #1
        sta player_count
        lda #MODE_DEMO
        sta game_mode
        jmp play_mode
.endproc

; In the NMI, after both pads were read: the recording takes the place of pad 1. The real pad's Start leads back to the
; title. With demo_recording set the real pad plays the demo's pieces: that is how a demo is recorded, by an emulator that
; writes down what was held from the first frame of STATE_COUNTERS on.
;
; A pair is what is held and for how many frames more after its first. The recording runs from the first NMI of the mode on
; and is wound back when the game is set up.
.proc demo_input
        lda demo_recording
        cmp #RECORDING
        beq done
        lda pad_pressed
        cmp #BUTTON_START
        beq stop
        lda demo_repeats
        bne replay
        jsr next_byte
        pha
        eor demo_held
        sta pad_pressed
        pla
        sta demo_held
        and pad_pressed
        sta pad_pressed
        jsr next_byte
        sta demo_repeats
        lda demo_pointer + 1
        cmp #>demo_pieces               ; the main loop takes this for the end
        beq done
        bne hold
replay:
        dec demo_repeats
        lda #0
        sta pad_pressed
hold:
        lda demo_held
        sta pad_held
done:
        rts
stop:
        lda #>demo_buttons
        sta demo_pointer + 1
        lda #0
        sta frame_counter + 1
        lda #MODE_TITLE
        sta game_mode
        rts
.endproc

; Out: A. Before the first game since reset there is nothing to go on from.
.proc next_byte
        ldy #0
        lda demo_pointer + 1
        beq unset
        lda (demo_pointer), y
unset:
        inc demo_pointer
        bne done
        inc demo_pointer + 1
done:
        rts
.endproc
