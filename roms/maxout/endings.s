; What follows a finished game: an ending if it was earned, a name if the score stays, then the level menu.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export ending_and_high_scores, b_type_success, render_ending, sleep
.import end_frame, ending_a, ending_b, render_b_total, insert_score, name_entry

ENDING_SCORE    = $03           ; ten thousands of the score that earns an A-type ending
ENDING_PAUSE    = 128           ; frames between the curtain and the ending
SUCCESS_PLACE   = playfield + $46
SUCCESS_TRACK   = 2
SUCCESS_DRAW    = 20            ; frames for the sign to get to the PPU
SUCCESS_PAUSE   = 128

.segment "SCREENS"

; After the curtain of a lost game.
.proc ending_and_high_scores
        lda game_type
        bne high_score                  ; B-type has its ending from its goal
        lda PLAYER_1 + score + 2
        cmp #ENDING_SCORE
        bcc high_score
        lda #ENDING_PAUSE
        jsr sleep
        jsr ending_a
high_score:
        jsr insert_score
        bcc to_menu
        jsr name_entry
to_menu:
        lda #STATE_SCREEN
        sta mode_state
        lda #MODE_LEVEL_MENU
        sta game_mode
        rts
.endproc

; A B-type game at its goal: the sign over the playfield, the ending, then as after any game.
.proc b_type_success
        ldx #success_end - success - 1
copy:
        lda success, x
        sta SUCCESS_PLACE, x
        dex
        bpl copy
        lda #SUCCESS_TRACK
        sta music_request
        lda #0
        sta vram_row
        sta PLAYER_1 + vram_row
        lda #SUCCESS_DRAW
        jsr sleep
        lda #SUCCESS_PAUSE
        jsr sleep
        jsr ending_b
        jmp ending_and_high_scores
.endproc

success:
        .byte $30, $31, $31, $31, $31, $31, $31, $31, $31, $32
        .byte $33, "SUCCESS!",                             $34
        .byte $35, $36, $36, $36, $36, $36, $36, $36, $36, $37
success_end:

; Let frames pass. In: A = how many.
.proc sleep
        sta sleep_counter
frame:
        jsr end_frame
        lda sleep_counter
        bne frame
        rts
.endproc

; Render mode 4, in vblank.
.proc render_ending
        lda game_type
        beq done
        jmp render_b_total
done:
        rts
.endproc
