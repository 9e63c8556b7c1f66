; Power-on and the reset button: console and MMC1 into a known state, RAM cleared, then the main loop.

.include "hardware.inc"
.include "constants.inc"
.include "ram.inc"
.include "screen.inc"

.import draw_screen, show_screen
.import audio_init, default_high_scores, fill_pages, main_loop, nmi, nmi_rti, set_chr_banks, set_mirroring
.export reset, mmc1_reset

HIGH_SCORE_BYTES = warm_magic - names
MAGIC_BYTES      = 5

.segment "MMC1_RESET"
; An increment of this byte resets the MMC1's shift register: the read-modify-write puts the old value, with bit 7 set,
; on the bus first. The second of the two back-to-back writes is ignored by the chip.
mmc1_reset:
        .byte $80

.segment "RESET"
; The vector leads here. The byte at $ff00 has bit 7 set, as mmc1_reset has.
.proc reset
        cld
        sei
        ldx #0
        stx PPUCTRL
        stx PPUMASK
        dex
        txs
        ldx #2                          ; the PPU takes two vblanks to warm up
warm_up:
        bit PPUSTATUS
        bpl warm_up
        dex
        bne warm_up
        inc mmc1_reset
        lda #MMC1_SINGLE_LOW
        jsr set_mirroring
        lda #BANK_TITLE
        jsr set_chr_banks
        ldx #0                          ; pages $00-$06
        txa
clear:  sta $0000,x
        sta $0100,x
        sta $0200,x
        sta $0300,x
        sta $0400,x
        sta $0500,x
        sta $0600,x
        inx
        bne clear
        jsr keep_high_scores
        lda #$89                        ; the seed at every reset
        sta lfsr
        lda #$88
        sta lfsr+1
        jsr audio_init
        lda #PPUCTRL_NMI | PPUCTRL_BG_1000
        sta ppuctrl_copy
        sta PPUCTRL
        draw blank_screen
        lda #TILE_EMPTY
        ldx #>playfield
        ldy #>playfield_2
        jsr fill_pages
        lda #BANK_TITLE
        jsr show_screen
        lda #0
        sta mode_state
        sta game_mode
        sta frame_counter+1
        lda #1
        sta player_count
        jmp main_loop
.endproc

; Keeps the high scores of page $07 after a warm reset, or puts the default table there. Known by the magic bytes.
.proc keep_high_scores
        ldx #MAGIC_BYTES - 1
compare:
        lda magic,x
        cmp warm_magic,x
        bne cold
        dex
        bpl compare
        rts
cold:   ldx #HIGH_SCORE_BYTES
copy:   lda default_high_scores-1,x
        sta names-1,x
        dex
        bne copy
        ldx #MAGIC_BYTES
mark:   lda magic-1,x
        sta warm_magic-1,x
        dex
        bne mark
        rts
magic:  .byte $12, $34, $56, $78, $9a
.endproc

.segment "SCREEN_DATA"

blank_screen:
        fill 0, 0, 32, 30, TILE_BLANK
        end_screen

.segment "VECTORS"
        .addr nmi, reset, nmi_rti
