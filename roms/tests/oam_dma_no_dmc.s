; OAM DMA while the DMC is off. It halts the CPU for 513 cycles, or 514 when the write to $4014 falls on a put cycle,
; and leaves it on a get cycle; it copies 256 bytes from OAMADDR on, which ends where it was (NESdev: DMA).
;
; The APU's frame counter is the clock: its interrupt flag rises a fixed number of CPU cycles after a write to $4017.
; A probe writes $4017, does what is measured, waits, and looks at the flag; the shortest wait that finds it is the
; outcome. What takes longer by a cycle leaves a wait shorter by a cycle. Each probe starts right behind a DMA, so that
; all write $4017 on the same kind of cycle.
; 1 the clock is in range   2 low byte of 514   3 low byte of 513   4 bytes that did not arrive   5 OAMADDR afterwards

.include "testrom.inc"

SOURCE          = $0400
DUMMY           = $0300         ; written where a DMA would be started
OAM_START       = $40
COARSE          = 198           ; brings the reference's wait near the middle of those tried
NEVER           = $ff           ; no wait found the flag
ATTRIBUTE_BITS  = %11100011     ; the others of a sprite's third byte do not exist
DMA_SHORT       = 513
WAITS           = 64            ; those that are tried

.segment "ZEROPAGE"
wait_length:    .res 1
slide_at:       .res 2
reference:      .res 1          ; wait behind DMA_SHORT cycles without DMA
lost:           .res 1
oam_at:         .res 1

.segment "RODATA"
; Code whose timing counts, from the start of a page so that no branch crosses one.
; Takes WAITS + 1 cycles from its start, one less for each byte skipped: $c9 is CMP #, $c5 CMP zp, $ea NOP.
slide:  .res WAITS - 2, $c9
        .byte $c5, $ea
        lda APU_STATUS                  ; which clears the flag
        and #APU_FRAME_IRQ
        rts

; In: wait_length. Waits for most of a frame, then so long. Out: A, Z, the flag of the frame counter.
.proc wait_and_look
        lda #<slide + WAITS - 1
        sec
        sbc wait_length
        sta slide_at
        lda #>slide
        sta slide_at+1
        ldy #23
        ldx #COARSE
loop:   dex
        bne loop
        dey
        bne loop
        jmp (slide_at)
.endproc

; Starts the clock right behind a DMA, so on a get cycle. Out: A, page of SOURCE.
.macro start_clock
        lda #>SOURCE
        sta OAMDMA
        bit APU_STATUS
        lda #0
        sta APU_FRAME
        lda #>SOURCE
.endmacro

; DMA_SHORT cycles without a DMA.
.macro pass_dma_short
        ldx #102
        dex
        bne *-1
        nop
.endmacro

.proc probe_reference
        start_clock
        sta DUMMY
        pass_dma_short
        jmp wait_and_look
.endproc

.proc probe_dma
        start_clock
        sta OAMDMA
        jmp wait_and_look
.endproc

; The same, the STA a cycle later.
.proc probe_dma_shifted
        start_clock
        bit lost
        sta OAMDMA
        jmp wait_and_look
.endproc
SHIFT           = 3             ; cycles of the BIT, an odd number


; Finds the shortest wait with which a probe sees the flag. Out: A, that wait, or NEVER.
.macro find_wait probe
        .local next, done
        lda #0
        sta wait_length
next:   jsr probe
        bne done
        inc wait_length
        lda wait_length
        cmp #WAITS
        bne next
        lda #NEVER
        sta wait_length
done:   lda wait_length
.endmacro

.segment "CODE"
title:  .byte "OAM DMA NO DMC", 0

.proc test
        find_wait probe_reference
        sta reference
        cmp #WAITS
        lda #0
        rol a                           ; 1 if it is NEVER
        check 0
        find_wait probe_dma
        jsr duration
        check <514
        find_wait probe_dma_shifted
        clc
        adc #SHIFT
        jsr duration
        check <513

        lda #APU_FRAME_QUIET
        sta APU_FRAME
        jsr fill_source
        jsr wait_for_vblank
        lda #OAM_START
        sta OAMADDR
        lda #>SOURCE
        sta OAMDMA
        lda OAMDATA
        sta oam_at                      ; the byte where the copy began and, 256 bytes on, ended
        jsr count_lost
        check 0
        lda oam_at
        check FIRST_BYTE
        rts
.endproc

; In: A, a probe's wait. Out: A, low byte of the cycles its DMA took.
.proc duration
        sta wait_length
        lda reference
        sec
        sbc wait_length
        clc
        adc #<DMA_SHORT
        rts
.endproc

; A page in which neighbours differ in many bits: the index times 5, complemented.
FIRST_BYTE      = $ff
.proc fill_source
        ldx #0
        lda #FIRST_BYTE
next:   sta SOURCE,x
        sec
        sbc #5
        inx
        bne next
        rts
.endproc

; Out: A, how many bytes of OAM are not those of SOURCE, the first of which is at OAM_START; 255 for more.
.proc count_lost
        lda #0
        sta lost
        ldx #0                          ; in SOURCE
        ldy #OAM_START                  ; in OAM
next:   sty OAMADDR
        tya
        and #3
        cmp #2                          ; a sprite's third byte
        beq attributes
        lda SOURCE,x
        jmp compare_byte
attributes:
        lda SOURCE,x
        and #ATTRIBUTE_BITS
compare_byte:
        cmp OAMDATA
        beq same
        inc lost
        bne same
        dec lost
same:   iny
        inx
        bne next
        lda lost
        rts
.endproc
