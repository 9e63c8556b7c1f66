; SEROM ignores PRG banking: A14 of its 32 KiB of PRG-ROM comes from the CPU, not from the MMC1
; (NESdev: SxROM, "SEROM, SHROM, SH1ROM"). In every PRG mode and with every bank number $8000 stays where it was.
; 1-4 bank numbers that move a half of the ROM, modes 0-3 (modes 0 and 1 could move nothing on any board)
; 5 the halves after a reset of the port, which makes it mode 3

.include "testrom.inc"

BANKS           = 32
HALVES_IN_PLACE = %10           ; 0 at $8000-$bfff, 1 at $c000-$ffff

.segment "ZEROPAGE"
prg_mode:       .res 1          ; as in MMC1_CONTROL
prg_bank:       .res 1
misplaced:      .res 1          ; bank numbers with which the halves were not in place

; Tells the two halves of the ROM apart.
.segment "LOW_HALF"
low_mark:       .byte 0
.segment "UPPER_HALF"
upper_mark:     .byte 1

.import __RAMCODE_LOAD__, __RAMCODE_RUN__, __RAMCODE_SIZE__

.segment "RAMCODE"
; In: A, PRG mode as in MMC1_CONTROL. Out: A, how many bank numbers moved the ROM. In RAM, because on another board
; it would pull the ROM from under itself.
.proc count_misplaced
        sta prg_mode
        lda #0
        sta misplaced
        sta prg_bank
next:   lda prg_mode
        ora #MMC1_CHR_4K | MMC1_VERTICAL
        mmc1_set MMC1_CONTROL
        lda prg_bank
        mmc1_set MMC1_PRG
        jsr halves
        cmp #HALVES_IN_PLACE
        beq in_place
        inc misplaced
in_place:
        inc prg_bank
        lda prg_bank
        cmp #BANKS
        bne next
        jsr restore
        lda misplaced
        rts
.endproc

; Out: A, which halves are where, after bank 1 was chosen and the port reset, which puts the chip into mode 3.
.proc halves_after_reset
        lda #1
        mmc1_set MMC1_PRG
        lda #$80
        sta MMC1_CONTROL
        jsr halves
        pha
        jsr restore
        pla
        rts
.endproc

.proc restore
        lda #MMC1_CHR_4K | MMC1_VERTICAL
        mmc1_set MMC1_CONTROL
        lda #0
        mmc1_set MMC1_PRG
        rts
.endproc

.proc halves
        lda upper_mark
        asl a
        ora low_mark
        rts
.endproc

.segment "CODE"
title:  .byte "SEROM PRG FIXED", 0

.proc test
        ldx #<__RAMCODE_SIZE__
copy:   lda __RAMCODE_LOAD__ - 1,x
        sta __RAMCODE_RUN__ - 1,x
        dex
        bne copy
.repeat 4, mode
        lda #mode << 2
        jsr count_misplaced
        check 0
.endrepeat
        jsr halves_after_reset
        check HALVES_IN_PLACE
        rts
.endproc
.assert __RAMCODE_SIZE__ < $100, lderror, "the copy loop counts to 255"
