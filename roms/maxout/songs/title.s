; Title: a march of our own, in D minor.

.proc title
        .addr tune, chords, basses, drums

tune:
        voice LEAD
        play march
        play march
        voice SOFT
        play trio
        jump tune

march:
        dotted_quarter D5
        eighth A4
        quarter F5, E5
        eighth D5, E5, F5, D5
        half A4
        dotted_quarter Bb4
        eighth D5
        quarter G5, F5
        eighth E5, D5, Cs5, D5
        half E5
        dotted_quarter F5
        eighth C5
        quarter A5, G5
        eighth F5, G5, A5, F5
        half C5
        eighth Bb4, D5, F5, Bb5
        quarter A5, G5
        quarter E5
        eighth F5, E5
        half D5
        end_phrase

trio:
        eighth A5, F5, D5, F5, A5, F5, D5, F5
        eighth G5, E5, C5, E5, G5, E5, C5, E5
        eighth F5, D5, Bb4, D5, F5, D5, Bb4, D5
        eighth E5, Cs5, A4, Cs5, E5, G5, F5, E5
        end_phrase

chords:
        voice STAB
        play march_chords
        play march_chords
        voice SECOND
        half D4, A4, C4, G4, Bb3, F4, A3, Cs4
        jump chords

march_chords:
        eighth rest, A4, F4, A4, rest, A4, F4, A4
        eighth rest, A4, F4, A4, rest, F4, D4, F4
        eighth rest, G4, D4, G4, rest, Bb4, G4, Bb4
        eighth rest, A4, E4, A4, rest, A4, Cs4, E4
        eighth rest, A4, F4, A4, rest, C5, A4, C5
        eighth rest, C5, A4, C5, rest, A4, F4, A4
        eighth rest, Bb4, F4, Bb4, rest, Bb4, G4, Bb4
        eighth rest, Cs5, A4, G4, rest, F4, D4, F4
        end_phrase

basses:
        voice BASS_SHORT
        play march_bass
        play march_bass
        voice BASS
        half D2, A2, C2, G2, Bb1, F2, A1, A2
        jump basses

march_bass:
        quarter D3, A2, D3, A2
        quarter D3, A2, F2, A2
        quarter G2, D3, Bb2, D3
        quarter A2, E3, A2, Cs3
        quarter F2, C3, F2, C3
        quarter F2, C3, A2, C3
        quarter Bb2, F2, G2, D3
        quarter A2, Cs3, D3, D2
        end_phrase

drums:
        repeat 15
          eighth KICK, HAT, SNARE, HAT, KICK
          sixteenth HAT, HAT
          eighth SNARE, HAT
        end_repeat
        eighth KICK, HAT, SNARE, HAT
        sixteenth SNARE, SNARE, SNARE, SNARE, SNARE, SNARE, SNARE, SNARE
        repeat 4
          quarter CYMBAL, HAT, KICK, HAT
        end_repeat
        jump drums
.endproc
