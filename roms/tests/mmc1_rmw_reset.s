; A read-modify-write instruction writes twice, in consecutive cycles, first the value that it read. The MMC1's serial
; port takes no bit from the second write; but a reset, bit 7, is never ignored (NESdev: MMC1, "Consecutive-cycle
; writes"). Seen in the CHR bank at $1000 and in the mirroring.
; 1 five writes set the register   2 INC of $ff: reset, then $00 ignored   3 INC of $7f: a bit, then reset
; 4 INC of $00: only the 0 counts  5 DEC of $01: only the 1 counts  6 INC abs,X as 4
; 7 a reset leaves the mirroring   8 the address of the fifth write alone chooses the register

.include "testrom.inc"
.include "view.inc"

KIB_A_BANK      = 4

; Puts one bit into the serial port, at an address that would choose another register if it were the fifth.
.macro put_bit bit
        lda #bit
        sta MMC1_CHR_LOW
.endmacro

.segment "CODE"
title:          .byte "MMC1 RMW RESET", 0
; Operands in ROM, which a write does not change. They lie in the range of MMC1_CONTROL.
byte_ff:        .byte $ff
byte_7f:        .byte $7f
byte_00:        .byte $00
byte_01:        .byte $01

.proc test
        lda #2
        jsr set_bank
        jsr view_bank
        check 2 * KIB_A_BANK

        put_bit 1
        put_bit 1
        inc byte_ff
        lda #1
        jsr set_bank
        jsr view_bank
        check 1 * KIB_A_BANK

        put_bit 1
        put_bit 1
        inc byte_7f
        lda #2
        jsr set_bank
        jsr view_bank
        check 2 * KIB_A_BANK

        inc byte_00
        jsr put_three_zeros
        lda #0
        sta MMC1_CHR_HIGH
        jsr view_bank
        check 0

        lda #2
        jsr set_bank
        dec byte_01
        jsr put_three_zeros
        lda #0
        sta MMC1_CHR_HIGH
        jsr view_bank
        check 1 * KIB_A_BANK

        ldx #1
        inc byte_00 - 1,x
        jsr put_three_zeros
        lda #0
        sta MMC1_CHR_HIGH
        jsr view_bank
        check 0

        jsr mark_nametables
        put_bit 1
        inc byte_ff
        jsr view_nametables
        check %0101

        put_bit 0
        put_bit 1
        put_bit 0
        put_bit 0
        lda #0
        sta MMC1_CHR_HIGH
        jsr view_bank
        check 2 * KIB_A_BANK
        rts
.endproc

; In: A, the bank at $1000.
.proc set_bank
        mmc1_set MMC1_CHR_HIGH
        rts
.endproc

; Out: A, number of the KiB of CHR at $1000. Empties the serial port, whatever the check has left there.
.proc view_bank
        lda #$80
        sta MMC1_CONTROL
        ldx #>$1000
        jmp view_chr_page
.endproc

.proc put_three_zeros
        put_bit 0
        put_bit 0
        put_bit 0
        rts
.endproc
