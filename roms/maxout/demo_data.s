; The demo's recording: pairs of buttons held and frames they stay; a count of 0 is the end. Then its pieces: in bits
; 4-6 an index into the spawn table, T J Z O S L I.

.include "constants.inc"

.export demo_buttons, demo_pieces

.segment "DEMO_BUTTONS"

demo_buttons:
        .byte 0, 120,  BUTTON_LEFT, 24,  0, 20,  BUTTON_DOWN, 60,  0, 40
        .byte BUTTON_RIGHT, 28,  BUTTON_A, 4,  0, 16,  BUTTON_DOWN, 60,  0, 40
        .byte BUTTON_B, 4,  BUTTON_LEFT, 4,  0, 30,  BUTTON_DOWN, 60,  0, 200
        .byte 0, 0

.segment "DEMO_PIECES"

demo_pieces:
        .repeat 32, i
        .byte $10 * ((i * 3) .mod 7), $10 * ((i * 3 + 5) .mod 7), $10 * ((i * 3 + 2) .mod 7), $10 * ((i * 3 + 6) .mod 7)
        .byte $10 * ((i * 3 + 1) .mod 7), $10 * ((i * 3 + 4) .mod 7), $10 * ((i * 3 + 3) .mod 7), $10 * (i .mod 7)
        .endrepeat
