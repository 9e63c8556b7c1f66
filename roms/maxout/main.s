; The main loop: one pass runs one state of one game mode. A frame ends when a mode returns its own state in A.

.include "constants.inc"
.include "ram.inc"
.include "slow.inc"

.import audio_update, demo_buttons, demo_pieces, dispatch, wait_for_vblank
.import versus_mode
.import legal_mode, level_menu_mode, play_mode, start_demo_mode, title_mode, type_menu_mode
.export main_loop

.segment "MAIN"
.proc main_loop
        jsr run_mode
compare:
        cmp mode_state
        bne unfinished
        jsr audio_update
        jsr wait_for_vblank
unfinished:
        lda game_mode
        cmp #MODE_DEMO
        bne main_loop
        lda demo_pointer+1              ; the recording has run into the table of pieces
        cmp #>demo_pieces
        bne main_loop
        lda #>demo_buttons
        sta demo_pointer+1
        lda #0
        sta frame_counter+1
        lda #MODE_TITLE
        sta game_mode
        bne main_loop
.endproc
.assert main_loop = $8138, lderror, "main_loop has to stand at $8138"
.assert main_loop::compare = $813b, lderror, "the main loop's compare has to stand at $813b"

; One pass of the game mode. Out: A = mode_state when the frame is over.
.proc run_mode
    .ifdef SLOW                         ; play_mode's question, asked here: the jump tables' ways are as far apart as they are to be
        ldx player_count
        cpx #TWO_PLAYERS
        beq versus
        delay 2
    .endif
one:    lda game_mode
        jsr dispatch
        .addr legal_mode, title_mode, type_menu_mode, level_menu_mode, play_mode, play_mode, start_demo_mode
    .ifdef SLOW
versus: lda game_mode
        and #<~1
        cmp #MODE_PLAY
        bne one
        lda mode_state
        jmp versus_mode
    .endif
.endproc
