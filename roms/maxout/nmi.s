; The vertical-blank interrupt: picture first, buttons last. What it counts is the game's only clock.

.include "hardware.inc"
.include "ram.inc"

audio_pause     := music_state + $0d

.import lfsr_step, poll_pads, render
.export nmi, nmi_rti

.segment "NMI"
; Sprites come up one frame late: the page sent to OAM is the one staged by the main thread before this vblank.
.proc nmi
        pha
        txa
        pha
        tya
        pha
        lda #0
        sta oam_length
        jsr render
        lda sleep_counter
        beq awake
        dec sleep_counter
awake:  jsr copy_oam
        inc frame_counter
        bne counted
        inc frame_counter+1
counted:
        ldx #lfsr
        ldy #2
        jsr lfsr_step
        jsr set_scroll
        lda #1
        sta vblank_done
        jsr poll_pads
        jmp nmi_return
.endproc
.assert nmi = $8005, lderror, "nmi has to stand at $8005"

.segment "NMI_RETURN"
; The buttons of the frame are final here. The RTI is the IRQ's handler too; nothing raises one.
nmi_return:
        pla
        tay
        pla
        tax
        pla
nmi_rti:
        rti
.assert nmi_rti = $804a, lderror, "rti has to stand at $804a"

.segment "RENDER"
; Sends the staged sprites to OAM.
.proc copy_oam
        lda #0
        sta OAMADDR
        lda #>oam_staging
        sta OAMDMA
        rts
.endproc

; Scroll, PPUCTRL and PPUMASK as their copies have it; writes to PPUADDR have moved the scroll.
.proc set_scroll
        lda scroll_x
        sta PPUSCROLL
        lda scroll_y
        sta PPUSCROLL
        lda ppuctrl_copy
        sta PPUCTRL
        lda ppumask_copy
        ldx audio_pause
        beq lit
        and #<~PPUMASK_BG               ; a pause hides the playfield
lit:    sta PPUMASK
        rts
.endproc
