; A game: its states, its beginning, and one frame of its player.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "slow.inc"

.import active_piece, curtain_state, dispatch, fill_garbage, fill_pages, goal_state, lines_state, lock_state, row_check_state
.import spawn_state
.import count_piece, demo_buttons, lfsr_step, pick_piece, set_chr_banks, start_music
.import end_frame, high_score, pause_screen, show_game_screen, stage_next, stage_piece, versus_mode
.export again_state, counters_state, next_play_state, next_state, nothing, play_mode, reset_state, screen_state, start_game

FIRST_PIECE_HANG = <-96
B_TYPE_LINES     = $25
STATISTICS_BYTES = 7 * 2
LINE_COUNTS      = 4

.segment "PLAY"
; One state of the game. A frame is a pass through the states 2 to 8; the last returns the state it leads to, which is
; how the main loop knows that the frame is over. Out: A.
.proc play_mode
    .ifdef SLOW                         ; the main loop has looked for the second player
        delay 6
        lda mode_state
    .else
        lda mode_state
        ldx player_count
        cpx #TWO_PLAYERS
        beq versus
    .endif
        jsr dispatch
        .addr screen_state, start_game, counters_state, game_over_state, player_1_state, player_2_state, reset_state
        .addr pause_state, again_state
    .ifndef SLOW
versus: jmp versus_mode
    .endif
.endproc

.proc screen_state
        jsr show_game_screen
        lda #PLAY_ACTIVE
        sta play_state + PLAYER_1
        sta play_state + PLAYER_2
        lda start_level + PLAYER_1
        sta level + PLAYER_1
        lda start_level + PLAYER_2
        sta level + PLAYER_2
        inc mode_state
        lda #FRAME_GOES_ON
        rts
.endproc

; A new game. spawn_count and the clock go on, and what is not named here stays as the last game left it: the shift
; counter, the soft drop's rows, the rows completed. The level menu has set start_level and start_height.
.proc start_game
        lda #TILE_EMPTY
        ldx #>playfield
        ldy #>playfield
        jsr fill_pages
        jsr clear_counts
        jsr clear_players
        jsr pick_piece
        sta orientation + PLAYER_1
        sta orientation + PLAYER_2
        jsr count_piece
        ldx #lfsr
        ldy #2
        jsr lfsr_step
        jsr pick_piece
        sta next_piece
        sta shared_piece
        lda #DIRTY_LINES | DIRTY_LEVEL | DIRTY_SCORE | DIRTY_STATS
        sta dirty
        jsr end_frame
        lda game_type
        beq a_type
        jsr fill_garbage
a_type: jsr start_music
        inc mode_state
        lda #FRAME_GOES_ON
        rts
.endproc

; Statistics, demo, garbage. Uses: A, X.
.proc clear_counts
        lda #0
        ldx #STATISTICS_BYTES - 1
counts: sta piece_counts,x
        dex
        bpl counts
        ldx #LINE_COUNTS - 1
totals: sta line_counts,x
        dex
        bpl totals
        sta last_piece
        sta shared_delay
        sta garbage_own
        sta garbage_other
        sta fast_music
        sta demo_piece
        sta demo_held
        sta demo_repeats
        lda #<demo_buttons
        sta demo_pointer
        lda #>demo_buttons
        sta demo_pointer+1
        lda #RENDER_PLAY
        sta render_mode
        rts
.endproc

; Both players where they begin. Uses: A, X.
.proc clear_players
        ldx #PLAYER_2 - PLAYER_1
block:  lda #SPAWN_X
        sta piece_x + PLAYER_1,x
        lda #FIRST_PIECE_HANG
        sta down_repeat + PLAYER_1,x
        lda #0
        sta piece_y + PLAYER_1,x
        sta vram_row + PLAYER_1,x
        sta fall_timer + PLAYER_1,x
        sta score + PLAYER_1,x
        sta score + 1 + PLAYER_1,x
        sta score + 2 + PLAYER_1,x
        sta lines_hundreds + PLAYER_1,x
        ldy game_type
        beq lines_known
        lda #B_TYPE_LINES
lines_known:
        sta lines + PLAYER_1,x
        txa
        sec
        sbc #PLAYER_2 - PLAYER_1
        tax
        bpl block
        rts
.endproc

; What happens once a frame whatever the player does: the fall timer, and Select for the next box. The CHR banks are
; written anew every frame.
.proc counters_state
        lda #BANK_GAME
        jsr set_chr_banks
        inc fall_timer + PLAYER_1
        inc fall_timer + PLAYER_2
        lda shared_delay
        beq idle
        inc shared_delay
idle:   lda pad_pressed
        and #BUTTON_SELECT
    .ifdef SLOW
        beq same
    .else
        beq next_state
    .endif
        lda hide_next
        eor #1
        sta hide_next
same:   jmp next_state
.endproc

; After the curtain, or after the B-type's ending: a name if the score stays, then an empty field and the level menu.
; Out: A.
.proc game_over_state
        lda play_state + PLAYER_1
        bne next_state
        lda #RENDER_PLAY
        sta render_mode
        jsr high_score
        lda #PLAY_ACTIVE
        sta play_state + PLAYER_1
        sta play_state + PLAYER_2
        lda #TILE_EMPTY
        ldx #>playfield
        ldy #>playfield_2
        jsr fill_pages
        lda #0
        sta vram_row + PLAYER_1
        sta vram_row + PLAYER_2
        jsr end_frame
        lda #MODE_LEVEL_MENU
        sta game_mode
        rts                             ; the number is mode_state's too: a frame ends
.endproc

; One frame of the player: into the working copy, played, staged, and back.
.proc player_1_state
        ldx #PLAYER_BYTES - 1
copy:   lda player + PLAYER_1,x
        sta player,x
        dex
        bpl copy
        lda #1
        sta active_player
        lda #>playfield
        sta field_pointer+1
        lda pad_pressed
        sta pressed
        lda pad_held
        sta held
        delay_turns SLOW_BEFORE
        delay 6
        jsr play
        jsr stage_piece
        jsr put_player
        jsr stage_next
.endproc                                ; falls through

next_state:
        inc mode_state
        lda #FRAME_GOES_ON
        rts

    .ifdef SLOW
player_2_state:
        delay 3
        jmp next_state
    .else
player_2_state = next_state             ; plays in versus_mode alone
    .endif

; The working copy becomes what holds. Uses: A, X.
.proc put_player
        ldx #PLAYER_BYTES - 1
copy:   lda player,x
        sta player + PLAYER_1,x
        delay 2
        dex
        bpl copy
        rts
.endproc

.proc play
        lda play_state
        jsr dispatch
        .addr nothing, active_piece, lock_state, row_check_state, nothing, lines_state, goal_state, next_play_state
        .addr spawn_state, nothing, curtain_state, next_play_state
.endproc

; Where two play, PLAY_GARBAGE is another routine.
next_play_state:
        inc play_state
nothing:
        rts

; A, B, Select and Start, alone, leave the game for the first screen; RAM stays as it is.
; Out: A = the held buttons. With Left, Right and Down held they are 7, the number of the state that comes next: the main
; loop takes that for the end of the frame, and the game runs at half its speed.
.proc reset_state
        lda pad_held
        cmp #BUTTONS_RESET
        beq leave
        inc mode_state
        rts
leave:  lda #MUSIC_OFF
        sta music_request
        lda #MODE_LEGAL                 ; mode_state stays: the title and its demo will meet its number again
        sta game_mode
        rts
.endproc

; Start pauses, whatever else is pressed with it, but neither under the curtain nor in the demo.
.proc pause_state
        delay 8
        lda game_mode
        cmp #MODE_DEMO
        beq next_state
        lda pad_pressed
        and #BUTTON_START
        beq next_state
        lda render_mode
        cmp #RENDER_PLAY
        bne next_state
        lda play_state + PLAYER_1
        cmp #PLAY_CURTAIN
        beq next_state
        jsr pause_screen
        jmp next_state
.endproc

.proc again_state
        lda #STATE_COUNTERS
        sta mode_state
        rts
.endproc
