; Rotation: a quarter turn either way, without any kick.

.include "constants.inc"
.include "ram.inc"

.import collision
.export rotate, rotations

.segment "PLAY"
; A turns clockwise, B the other way; A wins. A turn that does not fit does not happen.
; In/out: orientation. Uses: A, X, Y, temp, saved.
.proc rotate
        lda orientation
        sta saved
        asl a
        tax
        lda pressed
        bmi clockwise                   ; A is bit 7, B bit 6
        asl a
        bpl done
        bmi turn
clockwise:
        inx
turn:   lda rotations,x
        sta orientation
        jsr collision
        bne blocked
        lda #EFFECT_ROTATE
        sta effect_pulse
        rts
blocked:
        lda saved
        sta orientation
done:   rts
.endproc

.segment "ROTATIONS"
; By orientation: what it becomes counterclockwise, clockwise.
rotations:
        .byte $03, $01,  $00, $02,  $01, $03,  $02, $00         ; T
        .byte $07, $05,  $04, $06,  $05, $07,  $06, $04         ; J
        .byte $09, $09,  $08, $08                               ; Z
        .byte $0a, $0a                                          ; O
        .byte $0c, $0c,  $0b, $0b                               ; S
        .byte $10, $0e,  $0d, $0f,  $0e, $10,  $0f, $0d         ; L
        .byte $12, $12,  $11, $11                               ; I
.assert rotations = $88ee, lderror, "rotations has to stand at $88ee"
