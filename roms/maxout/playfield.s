; The playfield as the PPU is to get it, and the music that follows its height.

.include "constants.inc"
.include "ram.inc"
.include "slow.inc"

.export cell_of_each_row, request_song, row_addresses, start_music, top_of_piece, update_music_speed, update_playfield

DANGER_ROW      = 5             ; music is fast while any cell of this row is taken
FAST_SONGS      = 4             ; offset in songs

.segment "ROW_OFFSETS"
; Ten times the row.
cell_of_each_row:
    .repeat ROWS, row
        .byte COLUMNS * row
    .endrepeat
.assert cell_of_each_row = $96d6, lderror, "the row offsets have to stand at $96d6"

.segment "ROW_ADDRESSES"
; Nametable address of column 6 of each playfield row; the playfield begins six columns further.
row_addresses:
    .repeat ROWS, row
        .word $20c6 + $20 * row
    .endrepeat
.assert row_addresses = $96ea, lderror, "row_addresses has to stand at $96ea"

.segment "PLAYFIELD"
; Has the NMI copy the playfield to the PPU from the piece's first row on, or from where it is, whichever is higher up.
; In: piece_y. In/out: vram_row. Uses: A.
.proc update_playfield
        jsr top_of_piece
        cmp vram_row
        bpl done
        sta vram_row
done:   rts
.endproc
.assert update_playfield = $9caf, lderror, "update_playfield has to stand at $9caf"

; Out: A = first row that the piece in play can reach, two above its pivot.
.proc top_of_piece
        lda piece_y
        sec
        sbc #2
        bpl done
        lda #0
done:   rts
.endproc

; The fast song while the stack is high. Uses: A, X, Y.
.proc update_music_speed
        lda player_count
        cmp #1
        bne done
        ldy #COLUMNS * DANGER_ROW
        ldx #COLUMNS
cell:   lda (field_pointer),y
        cmp #TILE_EMPTY
        bne danger
        iny
        dex
        bne cell
        lda fast_music
        beq done
        delay 6
        lda #0
        sta fast_music
        beq start_music
danger: lda fast_music
        bne done
        delay 9
        lda #$ff
        sta fast_music
        lda #FAST_SONGS
        bne request_type
done:   rts
.endproc

; Requests the song of music_type. Uses: A, X.
start_music:
        lda #0
; In: A = 0, or FAST_SONGS for the same at the fast speed.
request_type:
        clc
        adc music_type
        tax
        lda songs,x
; In: A = song. The demo is silent.
request_song:
        sta music_request
        lda game_mode
        cmp #MODE_DEMO
        bne requested
        lda #MUSIC_OFF
        sta music_request
requested:
        rts

songs:  .byte 3, 4, 5, MUSIC_OFF, 6, 7, 8, MUSIC_OFF
