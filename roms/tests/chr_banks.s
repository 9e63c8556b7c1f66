; 16 KiB of CHR-ROM behind the MMC1: four banks of 4 KiB, or two of 8 KiB (NESdev: MMC1, "CHR bank 0").
; 1-4 banks n and 3 - n in 4 KiB mode   5 numbers beyond the ROM repeat it   6 8 KiB mode, bank 0: the other register
; has no say   7 bank 2   8 the low bit has no say   9 back to 4 KiB: both registers have kept their values
; 10 a bank switch between two reads: the buffer holds the old bank's byte   11 KiB out of order in all of these

.include "testrom.inc"
.include "view.inc"

; Checks that view_chr sees these two banks of 4 KiB.
.macro check_chr low, high
        jsr view_chr
        check (high) * 4 << 4 | (low) * 4
.endmacro

.macro set_banks low, high
        lda #low
        mmc1_set MMC1_CHR_LOW
        lda #high
        mmc1_set MMC1_CHR_HIGH
.endmacro

.macro set_control control
        lda #control
        mmc1_set MMC1_CONTROL
.endmacro

.segment "CODE"
title:  .byte "CHR BANKS", 0

.proc test
.repeat 4, bank
        set_banks bank, 3 - bank
        check_chr bank, 3 - bank
.endrepeat
        set_banks 4 + 1, 28 + 2
        check_chr 1, 2

        set_banks 0, 3
        set_control MMC1_VERTICAL
        check_chr 0, 1
        set_banks 2, 0
        check_chr 2, 3
        set_banks 3, 0
        check_chr 2, 3
        set_control MMC1_VERTICAL | MMC1_CHR_4K
        check_chr 3, 0

        ppu_point $1000
        bit PPUDATA                     ; the buffer takes the first byte of bank 0
        lda #1
        mmc1_set MMC1_CHR_HIGH
        lda PPUDATA
        asl a
        asl a
        asl a
        asl a
        ora PPUDATA                     ; the second byte of bank 1
        check $04

        lda out_of_order
        check 0
        rts
.endproc
