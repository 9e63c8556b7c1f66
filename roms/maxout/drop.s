; Drop: the hang of the first piece, soft drop, gravity.

.include "constants.inc"
.include "ram.inc"

.import collision, update_playfield
.export drop, drop_speeds

TABLE_LEVELS    = 29            ; from this level on, a row a frame
SOFT_DROP_EVERY = 2             ; frames

.segment "DROP"
; down_repeat counts what Down does. Negative: the first piece of a game hangs, one frame a step, until 0 is reached or
; Down is pressed. 0: idle; soft drop begins with a press of Down alone. 1 and 2: soft drop, for as long as Down alone
; is held; every second frame is a row.
; In/out: piece_y, down_repeat, soft_drop_rows, fall_timer, play_state. Uses: A, X, Y, temp, saved, drop_speed.
.proc drop
        ldx down_repeat
        beq idle
        bpl repeating
        lda pressed
        and #BUTTON_DOWN
        beq hang
        ldx #0
        stx down_repeat
idle:   lda held
        and #BUTTON_LEFT | BUTTON_RIGHT
        bne fall
        lda pressed
        jsr down_alone
        bne fall
        beq advance                     ; X = 0
repeating:
        lda held
        jsr down_alone
        beq advance
        lda #0
        sta soft_drop_rows
        tax
        beq store
advance:
        inx
        cpx #SOFT_DROP_EVERY + 1
        bcc store
        ldx #1
        stx down_repeat
        inc soft_drop_rows
        bne lower                       ; never 0: a field has 20 rows
hang:   inc down_repeat
        rts
store:  stx down_repeat
fall:   lda #1
        ldx level
        cpx #TABLE_LEVELS
        bcs compare
        lda drop_speeds,x
compare:
        sta drop_speed
        lda fall_timer
        cmp drop_speed                  ; signed: the timer of a long hang is no problem, one beyond 127 would be
        bpl lower
        rts
.endproc

; One row down; a piece that cannot go there stays and locks.
.proc lower
        lda #0
        sta fall_timer
        lda piece_y
        sta saved
        inc piece_y
        jsr collision
        beq done
        lda saved
        sta piece_y
        lda #PLAY_LOCK
        sta play_state
        jmp update_playfield
done:   rts
.endproc

; In: A = buttons. Out: Z set if of the directions it is Down and nothing else.
.proc down_alone
        and #BUTTONS_DPAD
        cmp #BUTTON_DOWN
        rts
.endproc

.segment "DROP_SPEEDS"
; Frames per row, by level.
drop_speeds:
.ifdef PAL
        .byte 36, 32, 29, 25, 22, 18, 15, 11, 7, 5
        .byte 4, 4, 4, 3, 3, 3, 2, 2, 2, 1
        .byte 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
.else
        .byte 48, 43, 38, 33, 28, 23, 18, 13, 8, 6
        .byte 5, 5, 5, 4, 4, 4, 3, 3, 3, 2
        .byte 2, 2, 2, 2, 2, 2, 2, 2, 2, 1
.endif
.assert drop_speeds = $898e, lderror, "drop_speeds has to stand at $898e"
