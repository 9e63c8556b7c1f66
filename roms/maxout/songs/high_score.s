; High score: a music box of our own, for as long as it takes to enter a name.

.proc high_score
        .addr tune, chords, basses, 0

tune:
        voice BELL
        quarter G4, C5, E5, G5
        half F5
        quarter E5, D5
        quarter E5, C5, A4, C5
        half D5, G4
        quarter G4, C5, E5, G5
        half A5
        quarter G5, F5
        quarter E5, G5, D5, B4
        dotted_half C5
        quarter rest
        jump tune

chords:
        voice PLUCK
        eighth C4, E4, G4, E4, C4, E4, G4, E4
        eighth D4, F4, A4, F4, D4, F4, A4, F4
        eighth A3, C4, E4, C4, A3, C4, E4, C4
        eighth B3, D4, G4, D4, B3, D4, F4, D4
        eighth C4, E4, G4, E4, C4, E4, Bb4, E4
        eighth C4, F4, A4, F4, C4, F4, A4, F4
        eighth C4, E4, G4, E4, B3, D4, F4, D4
        eighth C4, G4, E4, G4, C4, rest, rest, rest
        jump chords

basses:
        voice BASS
        whole C3, D3, A2, G2, C3, F2
        half C3, G2
        dotted_half C2
        quarter rest
        jump basses
.endproc
