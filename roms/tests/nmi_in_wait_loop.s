; A game waits for the NMI in a loop that reads RAM. The handler sets what the loop waits for; it runs once a frame,
; wherever the loop stands. A frame takes 29,780 2/3 CPU cycles with rendering off (NESdev: Cycle reference chart).
; 1 an NMI that is switched on inside vblank comes at once   2 another one when it is switched off and on again
; 3 none when the flag was read before that   4, 5 high and low byte of the loop's rounds in 32 frames
; 6 none once switched off

.include "testrom.inc"

FRAMES          = 32
; 32 frames less 32 handlers of 23 cycles (NMI 7, JMP () 5, INC 5, RTI 6) are 952,245 cycles. A round takes 16 and
; every 256th 4 more: 59,457 rounds, $e841. Where the first and the last round are cut depends on the alignment of CPU
; and PPU, so the count starts at 3 to lie in the middle of the eight that pass.
ROUNDS_HIGH     = $e8
ROUNDS_LOW      = $40
ROUNDS_MASK     = %11111000
FIRST_ROUND     = 3

.segment "ZEROPAGE"
frames:         .res 1
rounds:         .res 2

.segment "CODE"
title:  .byte "NMI IN WAIT LOOP", 0

.proc count_frame
        inc frames
        rti
.endproc

.proc test
        lda #<count_frame
        sta nmi_handler
        lda #>count_frame
        sta nmi_handler+1
        lda #0
        sta frames

        jsr wait_for_vblank             ; which lowers the flag; a frame and 1,000 cycles on it is up again, unread
        ldx #0
        ldy #24
delay:  dex
        bne delay
        dey
        bne delay
        jsr nmi_off_and_on
        check 1
        jsr nmi_off_and_on
        check 2
        bit PPUSTATUS
        jsr nmi_off_and_on
        check 2

        lda frames
first:  cmp frames
        beq first
        lda #0
        sta frames
        sta rounds+1
        lda #FIRST_ROUND
        sta rounds
        jsr wait_for_frames
        lda rounds+1
        check ROUNDS_HIGH
        lda rounds
        and #ROUNDS_MASK
        check ROUNDS_LOW

        lda #0
        sta PPUCTRL
        jsr wait_for_vblank
        jsr wait_for_vblank
        lda frames
        check FRAMES
        rts
.endproc

; Out: A, NMIs so far, the one that this may have caused included.
.proc nmi_off_and_on
        lda #0
        sta PPUCTRL
        lda #PPUCTRL_NMI
        sta PPUCTRL
        nop                             ; the NMI may come one instruction late
        lda frames
        rts
.endproc

; Where no branch crosses a page.
.segment "RODATA"
; Counts rounds until the handler has counted FRAMES.
.proc wait_for_frames
round:  inc rounds
        bne wait
        inc rounds+1
wait:   lda frames
        cmp #FRAMES
        bne round
        rts
.endproc
