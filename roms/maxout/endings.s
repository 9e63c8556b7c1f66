; What follows a finished game: an ending if it was earned, a name if the score stays.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.export b_type_success, ending, high_score, play_ending, render_ending, sleep
.import end_frame, ending_a, ending_b, fly, insert_score, name_entry, parade, render_b_total, request_song

SUCCESS_PLACE   = playfield + $46
SUCCESS_TRACK   = 2
SUCCESS_DRAW    = 20            ; frames for the sign to get to the PPU
SUCCESS_PAUSE   = 128

.segment "SCREENS"

; A name for the score, if it stays.
.proc high_score
        jsr insert_score
        bcc done
        jmp name_entry
done:
        rts
.endproc

; A B-type game at its goal: the sign over the playfield, then the ending.
.proc b_type_success
        lda #SUCCESS_TRACK
        jsr request_song
        ldx #success_end - success - 1
copy:
        lda success, x
        sta SUCCESS_PLACE, x
        dex
        bpl copy
        lda #0
        sta PLAYER_1 + vram_row
        lda #SUCCESS_DRAW
        jsr sleep
        lda #RENDER_STILL
        sta render_mode
        lda #SUCCESS_PAUSE
        jsr sleep
.endproc                                ; falls through

; The ending of the game type; returns when it was left by Start, pressed alone.
.proc ending
        lda #RENDER_ENDING
        sta render_mode
        lda game_type
        beq a_type
        jmp ending_b
a_type:
        jmp ending_a
.endproc

; The frame's tiles stand at SUCCESS_FRAME in the game's CHR bank too.
SUCCESS_FRAME   = $38
success:
        .byte SUCCESS_FRAME, $39, $39, $39, $39, $39, $39, $39, $39, $3a
        .byte $3b, "SUCCESS!", $3c
        .byte $3d, $3e, $3e, $3e, $3e, $3e, $3e, $3e, $3e, $3f
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

; The same while the ending goes on. In: A = how many.
.proc play_ending
        sta sleep_counter
frame:
        jsr animate
        jsr end_frame
        lda sleep_counter
        bne frame
        rts
animate:
        lda game_type
        beq a_type
        jmp parade
a_type:
        jmp fly
.endproc

; Render mode 4, in vblank.
.proc render_ending
        lda game_type
        beq done
        jmp render_b_total
done:
        rts
.endproc
