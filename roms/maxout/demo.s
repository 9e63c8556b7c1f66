; The demo: a recorded player at the pad and a recorded row of pieces.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"

.export start_demo_mode, demo_input
.import demo_buttons, demo_pieces

.segment "SCREENS"

; Game mode 6: wind the recording back and begin an A-type game at level 0. Leaves in mode 5.
.proc start_demo_mode
        lda #<demo_buttons
        sta demo_pointer
        lda #>demo_buttons
        sta demo_pointer + 1
        lda #0
        sta demo_held
        sta demo_repeats
        sta demo_piece
        sta game_type
        sta PLAYER_1 + start_level
        sta mode_state                  ; STATE_SCREEN
        lda #1
        sta player_count
        lda #MODE_DEMO
        sta game_mode
        rts
.endproc

; In the NMI, after both pads were read: the recording takes the place of pad 1. The real pad's Start, or the
; recording's end, leads back to the title. With demo_recording set the real pad plays the demo's pieces: that is how a
; demo is recorded, by an emulator that writes down what was held from the first frame of STATE_COUNTERS on.
.proc demo_input
        lda pad_pressed
        cmp #BUTTON_START
        beq stop
        bit demo_recording
        bmi playing
        lda demo_pointer + 1
        cmp #>demo_pieces
        beq idle
        lda mode_state
        cmp #STATE_COUNTERS
        bcc idle                        ; the recording begins with the game, not with its screen
        lda demo_repeats
        bne replay
        ldy #0
        lda (demo_pointer), y
        tax
        iny
        lda (demo_pointer), y
        beq stop
        sta demo_repeats
        txa
        eor demo_held
        sta pad_pressed
        stx demo_held
        txa
        and pad_pressed
        sta pad_pressed
        lda demo_pointer
        clc
        adc #2
        sta demo_pointer
        bcc same_page
        inc demo_pointer + 1
same_page:
        dec demo_repeats
        stx pad_held
        rts
replay:
        dec demo_repeats
        lda #0
        sta pad_pressed
        lda demo_held
        sta pad_held
        rts
stop:
        lda #>demo_pieces               ; the main loop takes this for the end
        sta demo_pointer + 1
idle:
        lda #0
        sta pad_pressed
        sta pad_held
playing:
        rts
.endproc
