; The MMC1: CHR banks and mirroring.

.include "hardware.inc"

.export set_chr_banks, set_mirroring

.segment "MAPPER"
.macro mmc1_write register
    .repeat 4
        sta register
        lsr a
    .endrepeat
        sta register
.endmacro

; Both pattern tables from the 4 KiB bank A. Uses: A, X.
.proc set_chr_banks
        tax
        mmc1_write MMC1_CHR_LOW
        txa
        mmc1_write MMC1_CHR_HIGH
        rts
.endproc

; A = MMC1_SINGLE_LOW, MMC1_VERTICAL or MMC1_HORIZONTAL. Uses: A.
.proc set_mirroring
        mmc1_write MMC1_CONTROL
        rts
.endproc
