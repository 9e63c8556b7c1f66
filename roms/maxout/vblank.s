; Waiting for vblank, and the picture on and off.

.include "hardware.inc"
.include "ram.inc"

.import end_frame
.export clear_oam_staging, disable_rendering, enable_rendering, wait_for_vblank

.segment "VBLANK"
; Idles until the NMI is through. Sprites have to be staged anew afterwards.
.proc wait_for_vblank
        lda #0
        sta vblank_done
idle:   lda vblank_done
        beq idle
.endproc                                ; falls through
.assert wait_for_vblank::idle = $aa37, lderror, "the idle loop has to stand at $aa37"

; Moves every staged sprite below the picture.
.proc clear_oam_staging
        lda #$ff
        ldx #0
next:   sta oam_staging,x
        inx
        bne next
        rts
.endproc

; Picture and NMI off, from vblank on, so that VRAM can be written at leisure.
.proc disable_rendering
        bit ppuctrl_copy
        bpl silent                      ; no NMI to wait for
        jsr end_frame
silent: lda ppumask_copy
        and #<~PPUMASK_ALL
        sta ppumask_copy
        sta PPUMASK
        lda ppuctrl_copy
        and #<~PPUCTRL_NMI
        sta ppuctrl_copy
        sta PPUCTRL
        rts
.endproc

; NMI on, then the picture; three frames.
.proc enable_rendering
        lda ppuctrl_copy
        ora #PPUCTRL_NMI
        sta ppuctrl_copy
        bit PPUSTATUS                   ; an old vblank flag would raise an NMI at once
        sta PPUCTRL
        jsr end_frame
        jsr end_frame
        lda ppumask_copy
        ora #PPUMASK_ALL                ; for the next NMI: now the picture may be under way
        sta ppumask_copy
        jmp end_frame
.endproc
