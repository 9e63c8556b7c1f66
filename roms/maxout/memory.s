; Jump tables and blocks of memory.

.include "ram.inc"

.export dispatch, fill_pages

.segment "MEMORY"
; Goes on at entry A of the table of addresses behind the jsr; never comes back there.
; In: A = index. Uses: A, Y, scratch. The target stands in $00/$01 and the NMI comes through here as well, so an NMI that
; lands in these instructions, in a frame that runs late, sends the main thread astray.
.proc dispatch
    .ifdef SLOW                         ; 45 cycles: 19, then 6 of the last 11, in which an NMI does it; X too is used
        sec
        rol a
        tay                             ; jsr leaves the address of its own last byte
        pla
        sta scratch
        pla
        sta scratch+1
        lda (scratch),y
        tax
        iny
        lda (scratch),y
        sta scratch+1
        stx scratch
        jmp (scratch)
    .else
        asl a
        tay
        pla
        sta scratch
        pla
        sta scratch+1
        iny                             ; jsr leaves the address of its own last byte
        lda (scratch),y
        sta scratch+2
        iny
        lda (scratch),y
        sta scratch+1
        lda scratch+2
        sta scratch
        jmp (scratch)
    .endif
.endproc

; Fills the pages X to Y with A. Uses: X, Y, scratch.
.proc fill_pages
        stx scratch+1
        sty scratch+2
        ldy #0
        sty scratch
next:   sta (scratch),y
        iny
        bne next
        inc scratch+1
        ldx scratch+1
        dex
        cpx scratch+2
        bne next
        rts
.endproc
