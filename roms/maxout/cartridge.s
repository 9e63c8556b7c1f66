; The NES 2.0 header: an SEROM board, 32 KiB of PRG-ROM, 16 KiB of CHR-ROM, no RAM at $6000; and the pictures. A
; loader that knows only iNES reads the same but for the board and the RAM, of which iNES cannot tell.

.segment "HEADER"
        .byte "NES", $1a
        .byte 2, 2                      ; units of 16 KiB PRG, 8 KiB CHR
        .byte $10, $08                  ; mapper 1, NES 2.0
        .byte $50                       ; submapper 5: PRG A14 comes from the CPU
.ifdef PAL
        .byte 0, 0, 0, 1                ; PAL timing
.endif

.segment "CHR"
        .incbin "title.chr"
        .incbin "ending_b.chr"
        .incbin "ending_a.chr"
        .incbin "game.chr"
