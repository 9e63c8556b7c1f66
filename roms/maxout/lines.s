; Lines: counted, and levels won by them.

.include "constants.inc"
.include "ram.inc"
.include "slow.inc"

.import add_drop_points, b_type_success, update_music_speed
.export goal_state, lines_state

level_reached   := temp

.segment "LINES"
; Takes the rows completed by this lock into the counts, then goes on to the points (add_drop_points).
; The A-type counts up, the B-type down to 0.
.proc lines_state
        jsr update_music_speed
        ldy lines_completed
        beq counted
        jsr count_clear
        lda dirty
        ora #DIRTY_LINES
        sta dirty
line:   lda game_type
        bne down
    .ifdef SLOW                         ; line_up, without the way there: 28 cycles a line
        delay 3
        inc lines
        lda lines
        and #$0f
        cmp #$0a
        bcc next
        jsr line_ten
    .else
        jsr line_up
    .endif
        jmp next
down:   jsr lines_down                  ; all of them
        jmp counted
next:   dey
        bne line
counted:
        jmp add_drop_points
.endproc
.assert lines_state = $9b58, lderror, "lines_state has to stand at $9b58"

; Counts a single, double, triple or tetris, in BCD without hundreds. In: Y = rows. Uses: A, X.
.proc count_clear
        ldx line_counts-1,y             ; (zero page,Y)
        inx
        txa
        and #$0f
        cmp #$0a
        txa
        bcc store
        delay 10
        adc #6 - 1                      ; carry is set
store:  sta line_counts-1,y
        rts
.endproc

; One line more, and at every tenth the level is looked at. Uses: A, X.
.proc line_up
        inc lines
        lda lines
        and #$0f
        cmp #$0a
        bcc done
ten:    lda lines
        delay 3
        adc #6 - 1                      ; carry is set
        sta lines
        cmp #$a0
        bcc tens
        delay 3
        and #$0f
        sta lines
        inc lines_hundreds
tens:   jmp check_level
done:   rts
.endproc
line_ten := line_up::ten

; The level that the lines are worth is their tens and hundreds, but those are BCD and taken for binary: a start level
; of 10 or more waits for the digits to get there, and one of 16 is reached by 160 lines at the earliest. Signed.
; Uses: A, X.
.proc check_level
        lda lines
        sta level_reached
        lda lines_hundreds
    .ifdef SLOW
        .repeat 4
        lsr a
        ror level_reached
        .endrepeat
    .else
        ldx #4
shift:  lsr a
        ror level_reached
        dex
        bne shift
    .endif
        lda level
        cmp level_reached
        bpl done
        inc level
        lda #EFFECT_LEVEL_UP
        sta effect_pulse
        lda dirty
        ora #DIRTY_LEVEL
        sta dirty
done:   rts
.endproc

; The rest stands where there is room.
.segment "GAME"
; As many lines less as were completed, 0 at the least. Uses: A.
.proc lines_down
        lda lines
        sec
        sbc lines_completed
        bpl known
        lda #0
known:  sta lines
        and #$0f
        cmp #$0a
        bcc done
        lda lines
        sbc #6                          ; carry is set
        sta lines
done:   rts
.endproc

; The B-type is won when no line is left. Of two players that ends the game; one alone gets the sign and the ending first,
; in this very frame of his, which is the state's last: it is counted on.
.proc goal_state
        lda game_type
        beq play_on
        lda lines
        bne play_on
        lda player_count
        cmp #TWO_PLAYERS
        beq won
        jsr b_type_success
        inc mode_state
won:    lda #PLAY_ENDED
        sta play_state
        rts
play_on:
        inc play_state
        rts
.endproc
