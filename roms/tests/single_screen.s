; The MMC1 chooses which half of CIRAM each of the four nametables is (NESdev: MMC1, "Control"): both single screens,
; vertical, horizontal; the choice holds for writes, reads and the mirror at $3000, and changes no byte.
; 1-4 reads, lower, upper, vertical, horizontal   5 a write through the upper single screen   6 one through the lower
; 7 the mirror at $3000   8 reads as 3 again

.include "testrom.inc"
.include "view.inc"

.macro check_mirroring control, nametables
        lda #MMC1_CHR_4K | control
        mmc1_set MMC1_CONTROL
        jsr view_nametables
        check nametables
.endmacro

.segment "CODE"
title:  .byte "SINGLE SCREEN", 0

.proc test
        jsr mark_nametables
        check_mirroring MMC1_LOWER, %0000
        check_mirroring MMC1_UPPER, %1111
        check_mirroring MMC1_VERTICAL, %0101
        check_mirroring MMC1_HORIZONTAL, %0011

        lda #MMC1_CHR_4K | MMC1_UPPER   ; $2000 is the upper half: its mark goes
        mmc1_set MMC1_CONTROL
        ppu_point $2000
        lda #0
        sta PPUDATA
        check_mirroring MMC1_VERTICAL, %0000

        lda #MMC1_CHR_4K | MMC1_LOWER   ; $2c00 is the lower half
        mmc1_set MMC1_CONTROL
        ppu_point $2c00
        lda #1
        sta PPUDATA
        check_mirroring MMC1_HORIZONTAL, %1100

        lda #MMC1_CHR_4K | MMC1_UPPER
        mmc1_set MMC1_CONTROL
        ppu_point $3800
        lda #$5a
        sta PPUDATA
        ppu_point $2000
        bit PPUDATA
        lda PPUDATA
        check $5a

        jsr mark_nametables
        jsr view_nametables
        check %0101
        rts
.endproc
