; Frames as games spend them, for measuring (`cargo xtask bench --rom roms/tests/typical_frames.nes`): pages and parts of
; pages are cleared and copied by loops of several shapes, a table is walked, half of the sprites show, and the NMI sends
; them and a few tiles. The checks see that each loop has done its work in every frame.
; 1 NMIs   2, 3 a part that was copied and what lies behind it   4 a page that was copied backwards
; 5 the sum of the table   6, 7 a sprite that shows and one that was cleared   8 a page cleared by a pointer

.include "testrom.inc"

FRAMES          = 250
SPRITES         = 32            ; that show: eight in each of four rows
HIDDEN          = $f8
OAM_STAGING     := $0200
PARTS           := $0300        ; cleared from 1 byte on
SOURCE          := $0400
BACKWARDS       := $0500
FORWARDS        := $0600
CLEARED         := $0700
COPIED          = 200
TABLE_SUM       = $e0           ; 0 + 1 + … + 63
PPUMASK_ALL     = %00011110

.segment "ZEROPAGE"
frames:         .res 1
done:           .res 1          ; frames whose work is done
sum:            .res 1
pointer:        .res 2
block:          .res 32
copy_of_block:  .res 32

.segment "CODE"
title:  .byte "TYPICAL FRAMES", 0

.proc frame
        pha
        txa
        pha
        lda #0
        sta OAMADDR
        lda #>OAM_STAGING
        sta OAMDMA
        ppu_point $2148
        ldx #0
tile:   lda SOURCE+$40,x
        sta PPUDATA
        inx
        cpx #20
        bne tile
        lda #0
        sta PPUSCROLL
        sta PPUSCROLL
        lda #PPUCTRL_NMI
        sta PPUCTRL
        lda #PPUMASK_ALL
        sta PPUMASK
        inc frames
        pla
        tax
        pla
        rti
.endproc

.proc test
        lda #<frame
        sta nmi_handler
        lda #>frame
        sta nmi_handler+1
        ldx #0
        stx frames
        stx done
fill:   txa
        sta SOURCE,x
        lda #$ff
        sta CLEARED,x
        inx
        bne fill
        jsr wait_for_vblank
        lda #PPUCTRL_NMI
        sta PPUCTRL
round:  lda done
wait:   cmp frames
        beq wait
        inc done
        jsr work
        lda done
        cmp #FRAMES
        bne round
        lda #0
        sta PPUCTRL
        sta PPUMASK

        lda frames
        check FRAMES
        lda FORWARDS+COPIED-1
        check COPIED-1
        lda FORWARDS+COPIED
        check 0
        lda BACKWARDS+$80
        check $80
        lda sum
        check TABLE_SUM
        lda OAM_STAGING+4*(SPRITES-1)
        check 20+3*50
        lda OAM_STAGING+4*SPRITES
        check HIDDEN
        lda CLEARED+$ff
        check 0
        rts
.endproc

; Where no branch crosses a page.
.segment "RODATA"
.align 256
table:
.repeat 64, number
        .byte number
.endrepeat

; What a frame has to do.
.proc work
        lda #HIDDEN
        ldx #0
page:   sta OAM_STAGING,x
        inx
        bne page

        lda #0
        sta PARTS
        ldx #1
two:    sta PARTS+$10,x
        dex
        bpl two
        ldx #15
some:   sta PARTS+$20,x
        dex
        bpl some
        ldx #99
many:   sta PARTS+$40,x
        dex
        bne many
        ldx #0
zero:   sta block,x
        inx
        cpx #32
        bne zero
        sta pointer
        lda #>CLEARED
        sta pointer+1
        lda #0
        ldy #0
by_pointer:
        sta (pointer),y
        iny
        bne by_pointer

        ldx #0
forwards:
        lda SOURCE,x
        sta FORWARDS,x
        inx
        cpx #COPIED
        bne forwards
        ldx #0
backwards:
        dex
        lda SOURCE,x
        sta BACKWARDS,x
        cpx #0
        bne backwards
        ldx #31
short:  lda block,x
        sta copy_of_block,x
        dex
        bpl short

        ldx #0
        stx sum
walk:   lda table,x
        clc
        adc sum
        sta sum
        inx
        cpx #64
        bne walk
        jmp show_sprites
.endproc

; Stages four rows of eight sprites, 50 lines apart.
.proc show_sprites
        ldx #0
        ldy #0
sprite: tya
        lsr a
        lsr a
        lsr a
        tay
        lda rows,y
        sta OAM_STAGING,x
        lda #'*'
        sta OAM_STAGING+1,x
        lda #0
        sta OAM_STAGING+2,x
        txa
        asl a
        asl a
        asl a
        sta OAM_STAGING+3,x
        inx
        inx
        inx
        inx
        txa
        lsr a
        lsr a
        tay
        cpx #4*SPRITES
        bne sprite
        rts
rows:   .byte 20, 70, 120, 170
.endproc
