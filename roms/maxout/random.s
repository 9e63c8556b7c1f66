; The random numbers: a 16-bit LFSR that the NMI steps once a frame. From $8988 its cycle is 32,767 long.

.include "ram.inc"

.export lfsr_step

.segment "LFSR"
; Shifts a register one bit to the right; the new top bit is bit 1 of its first byte xor bit 1 of its second.
; In: X = zero-page address, high byte first; Y = bytes. Uses: A, X, Y.
.proc lfsr_step
        lda 0,x
        eor 1,x
        and #%10
        cmp #%10                        ; carry = the new top bit
shift:  ror 0,x
        inx
        dey
        bne shift
        rts
.endproc
.assert lfsr_step = $ab47, lderror, "lfsr_step has to stand at $ab47"
