; Games read both pads twice and take only the buttons that both reads had, because a DMC read in between can shift a
; bit out (NESdev: Controller reading). What the program has read is left for the tester:
;   $f4, $f5 pads 1 and 2 at the first reading   $f6, $f7 at the second   $f8, $f9 both
; 1, 2 upper bits at $4016, $4017: open bus   3 reads 9-16 of pad 1 are ones   4 of pad 2   5 a strobe held shows A
; on each read   6 as 5, pad 2   7 no strobe, no new buttons

.include "testrom.inc"

OPEN_BUS        = $40           ; the high byte of the address was the last on the bus
UPPER_BITS      = %11111110

first_reading   := notes
second_reading  := notes + 2
both_readings   := notes + 4

.segment "ZEROPAGE"
reading:        .res 2          ; pads 1 and 2, A in bit 7, right in bit 0

.segment "CODE"
title:  .byte "PADS READ TWICE", 0

.proc test
        jsr strobe
        jsr read_pads
        ldx #1
keep_first:
        lda reading,x
        sta first_reading,x
        dex
        bpl keep_first

        jsr strobe
        jsr read_pads
        ldx #1
keep_second:
        lda reading,x
        sta second_reading,x
        and first_reading,x
        sta both_readings,x
        dex
        bpl keep_second

        lda JOY1
        and #UPPER_BITS
        check OPEN_BUS
        lda JOY2
        and #UPPER_BITS
        check OPEN_BUS

        jsr strobe
        jsr read_pads
        jsr read_pads
        lda reading
        check $ff
        lda reading+1
        check $ff

        lda #1
        sta JOY1
        jsr read_pads
        lda reading
        jsr changes
        check 0
        lda reading+1
        jsr changes
        check 0
        jsr strobe
        jsr read_pads
        lda #0                          ; not the 1 that makes a strobe
        sta JOY1
        jsr read_pads
        lda reading
        and reading+1
        check $ff
        rts
.endproc

; Latches the buttons of both pads.
.proc strobe
        lda #1
        sta JOY1
        lsr a
        sta JOY1
        rts
.endproc

; Reads eight bits of both pads. Out: reading.
.proc read_pads
        ldx #8
next:   lda JOY1
        lsr a
        rol reading
        lda JOY2
        lsr a
        rol reading+1
        dex
        bne next
        rts
.endproc

; In: A, eight reads. Out: A, 0 if they are all the same.
.proc changes
        cmp #$ff
        bne done
        lda #0
done:   rts
.endproc
