; The score: three bytes of BCD, low first.

.include "constants.inc"
.include "ram.inc"
.include "slow.inc"

.export add_drop_points, point_values

turns_left      := temp

.segment "LINES"
    .ifdef SLOW                         ; the first branch stays in its page, and takes no cycle more
        .res 15
    .endif
; Points for the soft drop: its rows less one, from two rows on. They are added in binary and mended to BCD, badly: a sum
; beyond 15 of the low digit loses 6 points, and one that rolls over 100 leaves a low digit of 0.
; Then the points for lines. In: soft_drop_rows, level, lines_completed. Uses: A, X, Y, temp.
.proc add_drop_points
        lda soft_drop_rows
        cmp #2
        bmi none
        clc
        sbc #0                          ; one less
        clc
        adc score
    .ifdef SLOW                         ; a cycle more
        sta a:score
    .else
        sta score
    .endif
        and #$0f
        cmp #$0a
        bcc tens
        lda score
        delay 2
        adc #6 - 1                      ; carry is set
        sta score
tens:   lda score
        and #$f0
        cmp #$a0
        bcc drawn
        delay 2
        adc #$60 - 1                    ; carry is set
        sta score
        inc score+1
drawn:  lda dirty
        ora #DIRTY_SCORE
        sta dirty
none:   lda #0
        sta soft_drop_rows
        ldx level
        inx
        stx turns_left
        jmp add_line_points
.endproc
    .ifdef SLOW
        .assert >(add_drop_points + 6) = >add_drop_points::none, lderror, "a branch of add_drop_points leaves its page"
    .endif

.segment "POINTS"
; The value of the clear, level + 1 times over; at level 255, 256 times. Runs for no lines as well: it is what brings the
; digits back into BCD after drop points.
; A turn takes 59 cycles and some more for its carries: 256 of them leave a frame the 10,000 that all else needs at most.
; In the slow build it takes 83, and 11, 9, 14, 9 and 10 more for what is carried, from the lowest digits to the limit.
; A vblank in here spoils turns_left, which the NMI writes as well.
; In: turns_left, lines_completed. Out: lines_completed = 0, next play state. Uses: A, X.
.proc add_line_points
        lda lines_completed
        asl a
        tax
        lda score
        clc
        adc point_values,x
        sta score
        cmp #$a0
        bcc hundreds
        delay 2
        adc #$60 - 1                    ; carry is set
        sta score
        inc score+1
hundreds:
        delay 2
        lda score+1
        clc
        adc point_values+1,x
        sta score+1
        and #$0f
        cmp #$0a
        bcc thousands
        lda score+1
        delay 2
        adc #6 - 1                      ; carry is set
        sta score+1
thousands:
        delay 2
        lda score+1
        cmp #$a0
    .ifdef SLOW
        bcc third                       ; the top digits are looked at in every turn
    .else
        bcc again
    .endif
        delay 5
        adc #$60 - 1
        sta score+1
        inc score+2
third:  lda score+2
        and #$0f
        cmp #$0a
        bcc top
        lda score+2
        delay 2
        adc #6 - 1
        sta score+2
top:    delay 2
        lda score+2
        cmp #$a0
        bcc again
        lda #$99
        sta score
        sta score+1
        sta score+2
    .ifndef SLOW
        lda #1                          ; more turns would come back here, but for 5 rows and more
        sta turns_left
    .endif
again:  dec turns_left
        bne add_line_points
        lda dirty
        ora #DIRTY_SCORE
        sta dirty
        lda #0
        sta lines_completed
        inc play_state
        rts
.endproc
.assert add_line_points = $9c37, lderror, "add_line_points has to stand at $9c37"

.segment "POINT_VALUES"
; BCD, low byte first, by rows cleared.
point_values:
        .word $0000, $0040, $0100, $0300, $1200
.assert point_values = $9ca5, lderror, "point_values has to stand at $9ca5"
