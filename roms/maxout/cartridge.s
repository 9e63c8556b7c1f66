; The iNES header: mapper 1, 32 KiB of PRG-ROM, 16 KiB of CHR-ROM, no RAM at $6000; and the pictures.

.segment "HEADER"
        .byte "NES", $1a
        .byte 2, 2                      ; units of 16 KiB PRG, 8 KiB CHR
        .byte $10, $00                  ; mapper 1

.segment "CHR"
        .incbin "title.chr"
        .incbin "ending_b.chr"
        .incbin "ending_a.chr"
        .incbin "game.chr"
