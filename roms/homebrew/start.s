; Power-on, the interrupt, and what cc65 calls behind C: the stack of C lies at `sp` in the zero page.

PPUCTRL   = $2000
PPUMASK   = $2001
PPUSTATUS = $2002
OAMADDR   = $2003
PPUSCROLL = $2005
PPUADDR   = $2006
PPUDATA   = $2007
OAMDMA    = $4014

SPRITES   = $0200
STACK_TOP = $0700

        .import _main, _ball_x, _ball_y
        .import __DATA_LOAD__, __DATA_RUN__, __DATA_SIZE__
        .export __STARTUP__ : absolute = 1
        .export _frames, _wait_for_frame, _use_bank
        .export pusha, pushax, decsp1, incsp1, incsp2, incsp3, incsp5
        .export ldaxysp, addeqysp, tosaddax, tossubax, tosultax, boolult
        .exportzp sp, tmp1, tmp2

        .segment "HEADER"
        .byte "NES", $1A, 4, 0, $21, 0

        .segment "ZEROPAGE"
sp:     .res 2
tmp1:   .res 1
tmp2:   .res 1

        .segment "BSS"
_frames:
        .res 1

        .segment "STARTUP"

.proc reset
        sei
        cld
        ldx #$FF
        txs
        inx
        stx PPUCTRL
        stx PPUMASK
        bit PPUSTATUS
first:  bit PPUSTATUS
        bpl first
        txa
clear:  sta $00,x
        sta SPRITES,x
        sta $0300,x
        sta $0400,x
        sta $0500,x
        sta $0600,x
        inx
        bne clear
        lda #<STACK_TOP
        sta sp
        lda #>STACK_TOP
        sta sp + 1
        ldx #0
copy:   cpx #<__DATA_SIZE__
        beq second
        lda __DATA_LOAD__,x
        sta __DATA_RUN__,x
        inx
        bne copy
second: bit PPUSTATUS
        bpl second
        jsr draw_tile
        lda #$80
        sta PPUCTRL
        jmp _main
.endproc

; A ball for tile 1, and its colours.
.proc draw_tile
        lda #$00
        sta PPUADDR
        lda #$10
        sta PPUADDR
        ldx #0
tile:   lda ball,x
        sta PPUDATA
        inx
        cpx #8
        bne tile
        lda #$3F
        sta PPUADDR
        lda #$00
        sta PPUADDR
        ldx #0
colour: lda colours,x
        sta PPUDATA
        inx
        cpx #32
        bne colour
        rts
ball:   .byte $3C, $7E, $FF, $FF, $FF, $FF, $7E, $3C
colours:
        .repeat 8
        .byte $0F, $30, $10, $00
        .endrepeat
.endproc

.proc nmi
        pha
        inc _frames
        lda _ball_y
        sta SPRITES
        lda #1
        sta SPRITES + 1
        lda _ball_x
        sta SPRITES + 3
        lda #0
        sta OAMADDR
        lda #>SPRITES
        sta OAMDMA
        lda #0
        sta PPUSCROLL
        sta PPUSCROLL
        lda #$1E
        sta PPUMASK
        pla
.endproc

.proc irq
        rti
.endproc

        .segment "CODE"

; void wait_for_frame(void)
.proc _wait_for_frame
        lda _frames
again:  cmp _frames
        beq again
        rts
.endproc

; void __fastcall__ use_bank(unsigned char bank): the byte that is written over is the same.
.proc _use_bank
        tax
        sta banks,x
        rts
banks:  .byte 0, 1, 2, 3
.endproc

; A on the stack of C.
.proc pusha
        ldy sp
        bne low
        dec sp + 1
low:    dec sp
        ldy #0
        sta (sp),y
        rts
.endproc

; A and X on the stack of C.
.proc pushax
        pha
        lda sp
        sec
        sbc #2
        sta sp
        bcs high
        dec sp + 1
high:   ldy #1
        txa
        sta (sp),y
        pla
        dey
        sta (sp),y
        rts
.endproc

.proc decsp1
        ldy sp
        bne low
        dec sp + 1
low:    dec sp
        rts
.endproc

; These leave A and X alone: they hold what a function returns.
incsp1: ldy #1
        bne incsp
incsp2: ldy #2
        bne incsp
incsp3: ldy #3
        bne incsp
incsp5: ldy #5
.proc incsp
        pha
        clc
        tya
        adc sp
        sta sp
        bcc done
        inc sp + 1
done:   pla
        rts
.endproc

; The word on the stack whose high byte is at Y.
.proc ldaxysp
        lda (sp),y
        tax
        dey
        lda (sp),y
        rts
.endproc

; Adds A and X to the word at Y.
.proc addeqysp
        clc
        adc (sp),y
        sta (sp),y
        pha
        iny
        txa
        adc (sp),y
        sta (sp),y
        tax
        pla
        rts
.endproc

; The word on top of the stack, plus A and X; it is taken off.
.proc tosaddax
        clc
        ldy #0
        adc (sp),y
        sta tmp1
        iny
        txa
        adc (sp),y
        tax
        lda tmp1
        jmp incsp2
.endproc

; The word on top of the stack, minus A and X; it is taken off.
.proc tossubax
        eor #$FF
        sec
        ldy #0
        adc (sp),y
        sta tmp1
        iny
        txa
        eor #$FF
        adc (sp),y
        tax
        lda tmp1
        jmp incsp2
.endproc

; Is the word on top of the stack below A and X? It is taken off.
.proc tosultax
        sta tmp1
        stx tmp2
        ldy #1
        lda (sp),y
        cmp tmp2
        bne known
        dey
        lda (sp),y
        cmp tmp1
known:  php
        jsr incsp2
        plp
        ; falls through
.endproc

; 1 if carry is clear, else 0.
.proc boolult
        lda #0
        ldx #0
        rol
        eor #1
        rts
.endproc

        .segment "VECTORS"
        .word nmi, reset, irq
