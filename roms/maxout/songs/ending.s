; Endings: the theme of joy from Ludwig van Beethoven's Ninth Symphony, 1824. Arrangement ours.

.proc ending
        .addr tune, chords, basses, drums

tune:
        voice SOFT
        play joy
        voice LEAD
        play joy
        jump tune

joy:
        quarter Fs5, Fs5, G5, A5, A5, G5, Fs5, E5
        quarter D5, D5, E5, Fs5
        dotted_quarter Fs5
        eighth E5
        half E5
        quarter Fs5, Fs5, G5, A5, A5, G5, Fs5, E5
        quarter D5, D5, E5, Fs5
        dotted_quarter E5
        eighth D5
        half D5
        quarter E5, E5, Fs5, D5, E5
        eighth Fs5, G5
        quarter Fs5, D5, E5
        eighth Fs5, G5
        quarter Fs5, E5, D5, E5
        quarter A4
        half Fs5                ; a beat early: the theme's syncopation
        quarter Fs5, G5, A5, A5, G5, Fs5, E5
        quarter D5, D5, E5, Fs5
        dotted_quarter E5
        eighth D5
        half D5
        end_phrase
chords:
        voice PLUCK
        play joy_chords
        voice SECOND
        play joy_chords
        jump chords

joy_chords:
        repeat 2
          eighth D4, Fs4, A4, Fs4, D4, Fs4, A4, Fs4
          eighth Cs4, E4, A4, E4, Cs4, E4, G4, E4
          eighth D4, Fs4, A4, Fs4, D4, Fs4, A4, Fs4
          eighth D4, A4, Fs4, A4, Cs4, A4, G4, E4
        end_repeat
        eighth Cs4, A4, G4, A4, D4, A4, Fs4, A4
        eighth Cs4, A4, G4, A4, D4, A4, Fs4, A4
        eighth Cs4, A4, G4, A4, As3, E4, Fs4, E4
        eighth B3, D4, Gs3, D4, A3, Cs4, D4, Fs4
        eighth D4, Fs4, A4, Fs4, D4, Fs4, A4, Fs4
        eighth Cs4, E4, A4, E4, Cs4, E4, G4, E4
        eighth D4, Fs4, A4, Fs4, D4, Fs4, A4, Fs4
        eighth Cs4, A4, G4, E4, D4, Fs4, D4, rest
        end_phrase

basses:
        voice BASS
        play joy_bass
        play joy_bass
        jump basses

joy_bass:
        repeat 2
          half D3, A2, A2, Cs3, D3, B2, A2, A2
        end_repeat
        half A2, D3, A2, D3, A2, Fs2
        quarter B2, E2, A2, D2
        half D3, A2, A2, Cs3, D3, B2, A2, D2
        end_phrase

drums:
        repeat 16
          whole rest
        end_repeat
        repeat 16
          eighth KICK, HAT, SNARE, HAT, KICK, HAT
          sixteenth SNARE, SNARE
          eighth HAT
        end_repeat
        jump drums
.endproc
