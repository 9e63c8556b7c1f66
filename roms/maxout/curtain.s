; The curtain that falls when the game is over.

.include "constants.inc"
.include "ram.inc"

.import cell_of_each_row, ending, sleep
.export curtain_state

ENDING_SCORE    = $03           ; high byte: 30,000 points
ENDING_PAUSE    = 128           ; frames between the curtain and the ending

.segment "PLAY"
; A row every fourth frame, after sixteen steps of nothing. Then a game worth an ending has it at once, within this frame of
; its player; any other is over when Start is pressed alone.
.proc curtain_state
        ldx curtain_row
        cpx #ROWS
        beq down
        lda frame_counter
        and #%11
        bne done
        txa
        bmi lower                       ; not in the picture yet
        ldy cell_of_each_row,x
        ldx #COLUMNS
        lda #TILE_CURTAIN
cell:   sta (field_pointer),y
        iny
        dex
        bne cell
        lda curtain_row
        sta vram_row
        lda #ORIENTATION_HIDDEN
        sta orientation
lower:  inc curtain_row
done:   rts

down:   lda score+2 + PLAYER_1
        cmp #ENDING_SCORE
        bcc wait
        lda #ENDING_PAUSE
        jsr sleep
        jsr ending
        jmp over
wait:   lda pad_pressed
        cmp #BUTTON_START
        bne done
over:   lda #PLAY_ENDED
        sta play_state
        sta pad_pressed                 ; this Start must not pause
        rts
.endproc
