; The control pads.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"

.import demo_input
.export poll_pads

.segment "PADS"
; Both pads are read twice and the readings ANDed: a DMC fetch during a read can swallow one bit of one of them.
; Out: pad_pressed, pad_held of both players. Uses: A, X, Y, scratch.
.proc poll_pads
        jsr read_pads
        lda pad_pressed
        pha
        lda pad_pressed+1
        pha
        jsr read_pads
        pla
        and pad_pressed+1
        sta pad_pressed+1
        pla
        and pad_pressed
        sta pad_pressed
        ldx #1
player: lda pad_pressed,x               ; held now; pressed are those not held before
        tay
        eor pad_held,x
        and pad_pressed,x
        sta pad_pressed,x
        sty pad_held,x
        dex
        bpl player
        lda game_mode
        cmp #MODE_DEMO
        bne done
        jmp demo_input
done:   rts
.endproc
.assert poll_pads = $9d51, lderror, "poll_pads has to stand at $9d51"

; Reads eight buttons of each pad; the lines D0 (pad) and D1 (expansion port) count alike.
; Out: pad_pressed = held buttons of both players. Uses: A, X, Y, scratch.
.proc read_pads
        ldx strobe_offset
        lda #1
        sta JOY1,x
        lda #0
        sta JOY1,x
        ldx #8
button: lda JOY1
        lsr a
        rol pad_pressed
        lsr a
        rol scratch
        lda JOY2
        lsr a
        rol pad_pressed+1
        lsr a
        rol scratch+1
        dex
        bne button
        lda scratch
        ora pad_pressed
        sta pad_pressed
        lda scratch+1
        ora pad_pressed+1
        sta pad_pressed+1
        rts
.endproc
