; Who passes while a B-type ending is counted: their columns and their time, which are facts of the game. On level 9 it is
; the domes of a palace that take off.

.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export march, march_off

CONCERT_LEVEL   = 9
MOST_MARCHERS   = 6
LAST_HEIGHT     = 5             ; the one of the concert at whose leaps the domes start
LEAPS           = 80            ; frames of the leaps
DOMES           = 4
FAST            = $a0           ; scanline above which a dome rises by two

posture_frames  := ending_id
posture         := ending_vars          ; which of two; in the concert leaps
columns         := ending_vars + 1
dome_lines      := ending_vars + 3      ; scanlines; 0 = gone
marcher         := ending_sprite
delay           := ending_delay
dome            := ending_sprite

.segment "SCREENS"

; All stand where they begin. In: level = its last digit. Uses: A, X.
.proc march_off
        lda #0
        sta posture_frames
        sta posture
        sta delay
        ldx level
        cpx #CONCERT_LEVEL
        beq concert
        lda absent, x
        ldx #MOST_MARCHERS - 2
column:
        sta columns + 1, x
        dex
        bpl column
        ldx level
        lda starts, x
        sta columns
        rts
concert:
        sta ending_vars + 2
        ldx #DOMES - 1
stand:
        lda dome_stands, x
        sta dome_lines, x
        dex
        bpl stand
        rts
.endproc

; A frame. Uses: A, X, Y.
.proc march
        ldx level
        cpx #CONCERT_LEVEL
        bne walk
        jmp concert
walk:
        inc posture_frames
        lda posture_times, x
        cmp posture_frames
        bne same_posture
        lda posture
        eor #1
        sta posture
        lda #0
        sta posture_frames
same_posture:
        inc delay
        lda #0
        sta marcher
next:
        jsr step
        lda marcher
        cmp start_height
        beq all
        inc marcher
        jmp next
all:
        ldx level
        lda delays, x
        cmp delay
        bne done
        lda #0
        sta delay
done:
        rts
.endproc

; One of them, if he is there: a step when it is time. In the column of his turn the one behind comes in; behind the
; sixth there is only the number of the marcher in hand, which is why the indices are those of a zero page that wraps.
.proc step
        ldy level
        ldx marcher
        lda columns, x
        cmp absent, y
        beq done
        lda delays, y
        cmp delay
        bne done
        lda columns, x
        clc
        adc steps, y
        sta columns, x
        pha
        tya                             ; six turns a level
        asl a
        sta screen_step
        asl a
        adc screen_step
        adc marcher
        tay
        pla
        cmp turns, y
        bne done
        ldy level
        lda starts, y
        sta columns + 1, x
done:
        rts
.endproc

; The leaps, at the greatest height, count the domes' starts: starting counts as one.
.proc concert
        lda PLAYER_1 + start_height
        cmp #LAST_HEIGHT
        bcc no_leaps
        lda posture_frames
        cmp #LEAPS
        bcc leaping
        lda #0
        sta posture_frames
        inc posture
leaping:
        inc posture_frames
no_leaps:
        ldx #0
start:
        lda dome_starts, x
        cmp posture
        bne waiting
        lda dome_lines, x
        beq waiting
        dec dome_lines, x
        inc posture
waiting:
        inx
        cpx #DOMES
        bne start
        ldx #0
rise:
        lda dome_lines, x
        beq next
        cmp dome_stands, x
        beq next
        lda #EFFECT_ROCKET
        sta effect_noise
        dec dome_lines, x
        lda dome_lines, x
        cmp #FAST
        bcs next
        dec dome_lines, x
next:
        inx
        cpx #DOMES
        bne rise
        stx dome
        rts
.endproc

dome_stands:    .byte $bc, $b8, $bc, $b3
dome_starts:    .byte 5, 7, 9, 11

; By level's last digit. A level beyond 30 may be shown by a digit beyond 9, for which the next table is read: their order
; is a fact too.
posture_times:  .byte 2, 4, 6, 3, 16, 3, 5, 6, 2, 5
delays:         .byte 3, 1, 1, 1, 2, 5, 1, 2, 1, 1
starts:         .byte 2, 2, <-2, <-2, 2, <-2, 2, 2, <-2, 2
absent:         .byte 0, 0, 0, 2, 240, 16, 240, 240, 32, 240
steps:          .byte 1, 1, <-1, <-4, 1, <-1, 2, 2, <-2, 2
; Columns in which the next one comes in.
turns:          .byte $3a, $24, $0a, $4a, $3a, $ff
                .byte $22, $44, $12, $32, $4a, $ff
                .byte $ae, $6e, $8e, $6e, $1e, $02
                .byte $42, $42, $42, $42, $42, $02
                .byte $22, $0a, $1a, $04, $0a, $ff
                .byte $ee, $de, $fc, $fc, $f6, $02
                .byte $80, $80, $80, $80, $80, $ff
                .byte $e8, $e8, $e8, $e8, $48, $ff
                .byte $80, $ae, $9e, $90, $80, $02
                .byte $80, $80, $80, $80, $80, $ff
; And for the digits beyond 9.
                .byte $98, $a8, $c0, $a8, $90, $b0
                .byte $b0, $b8, $a0, $b8, $a8, $a0
                .byte $c8, $c8, $c8, $c8, $c8, $c8
                .byte $30, $20, $40, $28, $a0, $80
                .byte $a8, $88, $68, $a8, $48, $78
                .byte $58, $68, $18, $48, $78, $38
