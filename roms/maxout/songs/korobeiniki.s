; Korobeiniki ("The peddlers"), Russian folk song to Nekrasov's poem of 1861. Arrangement ours: the tune over a
; stride bass; then in the second voice's thirds; then a fourth higher with running eighths.

.proc korobeiniki
        .addr tune, chords, basses, drums

tune:
        voice LEAD
        play verse
        play verse
        transpose 5
        play variation
        transpose 0
        play verse
        jump tune

verse:
        quarter E5
        eighth B4, C5
        quarter D5
        eighth C5, B4
        quarter A4
        eighth A4, C5
        quarter E5
        eighth D5, C5
        dotted_quarter B4
        eighth C5
        quarter D5, E5
        quarter C5, A4
        half A4
        eighth rest
        quarter D5
        eighth F5
        quarter A5
        eighth G5, F5
        dotted_quarter E5
        eighth C5
        quarter E5
        eighth D5, C5
        quarter B4
        eighth B4, C5
        quarter D5, E5
        quarter C5, A4, A4, rest
        end_phrase

variation:
        eighth E5, E4, B4, C5, D5, E5, C5, B4
        eighth A4, E4, A4, C5, E5, A4, D5, C5
        eighth B4, Gs4, B4, C5, D5, B4, E5, D5
        eighth C5, A4, Gs4, B4, A4, E4, A4, rest
        eighth F5, E5, D5, F5, A5, F5, G5, F5
        eighth E5, G4, C5, D5, E5, C5, D5, C5
        eighth B4, Gs4, B4, C5, D5, B4, E5, Gs4
        quarter C5, A4, A4, rest
        end_phrase

chords:
        voice STAB
        play off_beats
        voice SECOND
        play thirds
        transpose 5
        voice STAB
        play off_beats
        transpose 0
        voice SECOND
        play thirds
        jump chords

off_beats:
        eighth rest, E4, rest, D4, rest, E4, rest, Gs4
        eighth rest, E4, rest, C4, rest, E4, rest, A4
        eighth rest, E4, rest, D4, rest, E4, rest, Gs4
        eighth rest, E4, rest, C4, rest, E4, rest, C4
        eighth rest, F4, rest, D4, rest, F4, rest, A4
        eighth rest, E4, rest, G4, rest, E4, rest, C4
        eighth rest, E4, rest, D4, rest, E4, rest, Gs4
        eighth rest, E4, rest, C4, rest, A3, rest, rest
        end_phrase

thirds:
        quarter B4
        eighth Gs4, A4
        quarter B4
        eighth A4, Gs4
        quarter E4
        eighth E4, A4
        quarter C5
        eighth B4, A4
        dotted_quarter Gs4
        eighth A4
        quarter B4, Gs4
        quarter A4, E4
        half E4
        eighth rest
        quarter F4
        eighth A4
        quarter D5
        eighth B4, A4
        dotted_quarter G4
        eighth E4
        quarter G4
        eighth F4, E4
        quarter Gs4
        eighth Gs4, A4
        quarter B4, Gs4
        quarter A4, E4, E4, rest
        end_phrase

basses:
        voice BASS_SHORT
        play stride
        play stride
        transpose 5
        play stride
        transpose 0
        play stride
        jump basses

stride:
        quarter E2, B2, Gs2, B2
        quarter A2, E3, C3, E3
        quarter B2, E3, Gs2, E3
        quarter A2, E3, A2, C3
        quarter D3, A2, F2, A2
        quarter C3, G2, E2, G2
        quarter B2, E3, Gs2, E2
        quarter A2, E2, A2, rest
        end_phrase

drums:
        repeat 7
          eighth KICK, HAT, SNARE, HAT, KICK, HAT, SNARE, HAT
        end_repeat
        eighth KICK, HAT, SNARE, HAT, KICK, SNARE
        sixteenth SNARE, SNARE, SNARE, SNARE
        jump drums
.endproc
