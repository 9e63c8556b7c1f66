; A game for two, side by side: its states, its beginning, and one frame of each player. What a player does alone is what
; the one-player game does; here is what they do to each other.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"

.import again_state, counters_state, dispatch, fill_pages, next_state, pause_screen, play_side, reset_state, screen_state, start_game
.import next_shift_x, next_shift_y, stage_orientation
.export versus_mode

FIELD_LEFT_1    = 32            ; pixel of cell (0, 0)
FIELD_LEFT_2    = 144
NEXT_LEFT       = 124           ; pixel of the pivot of the next piece
NEXT_TOP        = 15
SPRITE_BYTES    = 4
PIECE_SPRITES   = 4

.segment "GAME"
; What play_mode is to one player. In: A = mode_state. Out: A.
.proc versus_mode
        jsr dispatch
        .addr screen_state, start_versus, counters_state, over_state, side_1_state, side_2_state, reset_state
        .addr pause_state, again_state
.endproc

; Both begin as one alone does, with the same piece. The holes of the garbage are those that the level menu has drawn.
.proc start_versus
        lda #TILE_EMPTY
        ldx #>playfield_2
        ldy #>playfield_2
        jsr fill_pages
        lda start_height + PLAYER_1
        sta start_height + PLAYER_2
        jsr start_game
        ldx #garbage_hole - player - 1
copy:   lda player + PLAYER_1,x
        sta player + PLAYER_2,x
        dex
        bpl copy
        lda #FRAME_GOES_ON
        rts
.endproc

; Over when either has ended: the one whose curtain has fallen pressed Start, or a B-type was won.
.proc over_state
        lda play_state + PLAYER_1
        beq over
        lda play_state + PLAYER_2
        beq over
        jmp next_state
over:   lda #STATE_SCREEN
        sta mode_state
        lda #MODE_LEVEL_MENU
        sta game_mode
        lda #FRAME_GOES_ON
        rts
.endproc

; One frame of either player: into the working copy, played, staged, and back.
.macro side number, block
        ldx #PLAYER_BYTES - 1
:       lda player + block,x
        sta player,x
        dex
        bpl :-
        ldx #number - 1
        jsr one_side
        ldx #PLAYER_BYTES - 1
:       lda player,x
        sta player + block,x
        dex
        bpl :-
.endmacro

.proc side_1_state
        side 1, PLAYER_1
        jmp next_state
.endproc

.proc side_2_state
        side 2, PLAYER_2
        jsr stage_shared
        jmp next_state
.endproc

; garbage_own and garbage_other change places with the player in hand.
; In: X = player, less one.
.proc one_side
        lda sides,x
        sta field_pointer+1
        lda pad_pressed,x
        sta pressed
        lda pad_held,x
        sta held
        inx
        stx active_player
        jsr play_side
        ldx active_player
        lda piece_x
        asl a
        asl a
        asl a
        adc lefts-1,x
        sta stage_x
        lda piece_y
        asl a
        asl a
        asl a
        adc #FIELD_TOP - 1              ; a sprite appears a scanline below its Y
        sta stage_y
        lda orientation
        jsr stage_orientation
        ldx garbage_own
        lda garbage_other
        sta garbage_own
        stx garbage_other
        rts
sides:  .byte >playfield, >playfield_2
lefts:  .byte FIELD_LEFT_1, FIELD_LEFT_2
.endproc

; Stages the next piece above the fields. It is staged lower down and raised: what would be above a field's first row is
; left out of a piece.
.proc stage_shared
        lda hide_next
        bne done
        ldx next_piece
        lda #NEXT_LEFT
        clc
        adc next_shift_x,x
        sta stage_x
        lda #FIELD_TOP + NEXT_TOP
        clc
        adc next_shift_y,x
        sta stage_y
        txa
        jsr stage_orientation
        ldy #PIECE_SPRITES
        ldx oam_length
raise:
    .repeat ::SPRITE_BYTES
        dex
    .endrepeat
        lda oam_staging,x
        sec
        sbc #FIELD_TOP
        sta oam_staging,x
        dey
        bne raise
done:   rts
.endproc

; Start of either pauses, but not of one under the curtain.
.proc pause_state
        lda pad_pressed
        and #BUTTON_START
        beq second
        lda play_state + PLAYER_1
        jsr may_pause
        bne pause
second: lda pad_pressed+1
        and #BUTTON_START
        beq play_on
        lda play_state + PLAYER_2
        jsr may_pause
        beq play_on
pause:  jsr pause_screen
        lda #0
        sta vram_row + PLAYER_2
play_on:
        jmp next_state
.endproc

; In: A = a player's state. Out: Z set if his Start is no pause.
.proc may_pause
        cmp #PLAY_ENDED
        beq done
        cmp #PLAY_CURTAIN
done:   rts
.endproc
