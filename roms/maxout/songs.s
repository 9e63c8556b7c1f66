; The songs by number in music_request, with their tempi. 3 to 5 are the music of the game by music type, 6 to 8 the
; same songs while the stack is high.

.include "song.inc"

.export song_lo, song_hi, song_tempo

.segment "SONGS"

.define SONG_LIST title, b_success, korobeiniki, mountain_king, minuet, korobeiniki, mountain_king, minuet, high_score, ending

song_lo:
        .lobytes SONG_LIST
song_hi:
        .hibytes SONG_LIST
song_tempo:
        .byte QUARTERS_PER_MINUTE(138)  ; 1 title
        .byte QUARTERS_PER_MINUTE(160)  ; 2 B-type success
        .byte QUARTERS_PER_MINUTE(144)  ; 3 Korobeiniki
        .byte QUARTERS_PER_MINUTE(138)  ; 4 In the Hall of the Mountain King
        .byte QUARTERS_PER_MINUTE(132)  ; 5 Minuet
        .byte QUARTERS_PER_MINUTE(200)  ; 6
        .byte QUARTERS_PER_MINUTE(196)  ; 7
        .byte QUARTERS_PER_MINUTE(188)  ; 8
        .byte QUARTERS_PER_MINUTE(112)  ; 9 high score
        .byte QUARTERS_PER_MINUTE(126)  ; 10 ending
.assert * - song_tempo = SONGS, error, "every song has a tempo"

; Each file is a scope named after its song: parts and phrases may be called the same in all of them.
.include "songs/title.s"
.include "songs/b_success.s"
.include "songs/korobeiniki.s"
.include "songs/mountain_king.s"
.include "songs/minuet.s"
.include "songs/high_score.s"
.include "songs/ending.s"
