; Shift: one column left or right, with delayed auto shift (DAS).

.include "constants.inc"
.include "ram.inc"

.import collision
.export shift

.ifdef PAL
DAS_FULL        = 12            ; frames from the press to the first repeat
DAS_AGAIN       = 8             ; where the counter goes on from: 4 frames to the next
.else
DAS_FULL        = 16            ; frames from the press to the first repeat
DAS_AGAIN       = 10            ; where the counter goes on from: 6 frames to the next
.endif

.segment "SHIFT"
; A new press shifts at once and empties the counter; a held direction fills it and shifts at 16, 22, 28 ...
; (PAL: 12, 16, 20 ...). A shift that is blocked leaves the counter full (wall charge), and so ready for the next piece:
; nothing else touches it, neither spawning nor releasing. Down stops all of this.
; In/out: piece_x, das_counter. Uses: A, X, Y, temp, saved.
.proc shift
        lda piece_x
        sta saved
        lda held
        and #BUTTON_DOWN
        bne done
        lda pressed
        and #BUTTON_LEFT | BUTTON_RIGHT
        beq repeat
        lda #0
        beq move
repeat: lda held
        and #BUTTON_LEFT | BUTTON_RIGHT
        beq done
        ldx das_counter
        inx
        stx das_counter
        cpx #DAS_FULL
        bmi done
        lda #DAS_AGAIN
move:   sta das_counter
        lda held                        ; right wins if both are held
        lsr a
        bcs right
        lsr a
        bcc done
        dec piece_x
        bcs try
right:  inc piece_x
try:    jsr collision
        bne blocked
        lda #EFFECT_SHIFT
        sta effect_pulse
        rts
blocked:
        lda saved
        sta piece_x
        lda #DAS_FULL
        sta das_counter
done:   rts
.endproc
