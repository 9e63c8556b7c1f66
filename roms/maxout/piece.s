; The pieces: shapes, kinds, and the state of play that lets the player move one.

.include "constants.inc"
.include "ram.inc"

.import drop, rotate, shift
.export orientations, orientation_types, spawn_table, spawn_orientation
.export active_piece

.segment "ACTIVE"
; The piece in play, once a frame. Shift, rotation and drop in this order each see what the one before did.
.proc active_piece
        jsr shift
        jsr rotate
        jmp drop
.endproc
.assert active_piece = $81cf, lderror, "active_piece has to stand at $81cf"

.segment "ORIENTATIONS"
.macro cells tile, y0, x0, y1, x1, y2, x2, y3, x3
        .lobytes y0, tile, x0, y1, tile, x1, y2, tile, x2, y3, tile, x3
.endmacro

; Four cells an orientation: row, tile, column from the pivot. The spawn orientations are marked by a star.
orientations:
        cells TILE_WHITE,   0, -1,   0,  0,   0,  1,  -1,  0    ; 00 T up
        cells TILE_WHITE,  -1,  0,   0,  0,   0,  1,   1,  0    ; 01 T right
        cells TILE_WHITE,   0, -1,   0,  0,   0,  1,   1,  0    ; 02 T down *
        cells TILE_WHITE,  -1,  0,   0, -1,   0,  0,   1,  0    ; 03 T left
        cells TILE_FIRST,  -1,  0,   0,  0,   1, -1,   1,  0    ; 04 J left
        cells TILE_FIRST,  -1, -1,   0, -1,   0,  0,   0,  1    ; 05 J up
        cells TILE_FIRST,  -1,  0,  -1,  1,   0,  0,   1,  0    ; 06 J right
        cells TILE_FIRST,   0, -1,   0,  0,   0,  1,   1,  1    ; 07 J down *
        cells TILE_SECOND,  0, -1,   0,  0,   1,  0,   1,  1    ; 08 Z flat *
        cells TILE_SECOND, -1,  1,   0,  0,   0,  1,   1,  0    ; 09 Z upright
        cells TILE_WHITE,   0, -1,   0,  0,   1, -1,   1,  0    ; 0a O *
        cells TILE_FIRST,   0,  0,   0,  1,   1, -1,   1,  0    ; 0b S flat *
        cells TILE_FIRST,  -1,  0,   0,  0,   0,  1,   1,  1    ; 0c S upright
        cells TILE_SECOND, -1,  0,   0,  0,   1,  0,   1,  1    ; 0d L right
        cells TILE_SECOND,  0, -1,   0,  0,   0,  1,   1, -1    ; 0e L down *
        cells TILE_SECOND, -1, -1,  -1,  0,   0,  0,   1,  0    ; 0f L left
        cells TILE_SECOND, -1,  1,   0, -1,   0,  0,   0,  1    ; 10 L up
        cells TILE_WHITE,  -2,  0,  -1,  0,   0,  0,   1,  0    ; 11 I upright
        cells TILE_WHITE,   0, -2,   0, -1,   0,  0,   0,  1    ; 12 I flat *
        cells TILE_BLANK,   0,  0,   0,  0,   0,  0,   0,  0    ; 13 hidden
.assert orientations = $8a9c, lderror, "orientations has to stand at $8a9c"

.segment "PIECE_TYPES"
; T J Z O S L I = 0-6, by orientation.
orientation_types:
        .byte 0, 0, 0, 0,  1, 1, 1, 1,  2, 2,  3,  4, 4,  5, 5, 5, 5,  6, 6
.assert orientation_types = $993b, lderror, "orientation_types has to stand at $993b"

.segment "SPAWN_TABLE"
; The orientation in which a type appears.
spawn_table:
        .byte $02, $07, $08, $0a, $0b, $0e, $12
.assert spawn_table = $994e, lderror, "spawn_table has to stand at $994e"

.segment "SPAWN_ORIENTATION"
; The orientation in which the piece of any orientation appears.
spawn_orientation:
        .byte $02, $02, $02, $02,  $07, $07, $07, $07,  $08, $08,  $0a,  $0b, $0b,  $0e, $0e, $0e, $0e,  $12, $12
.assert spawn_orientation = $9956, lderror, "spawn_orientation has to stand at $9956"
