; "In the Hall of the Mountain King" from Edvard Grieg's music to Peer Gynt, 1875. Arrangement ours: each pass of the
; theme adds a voice or an octave, as the original's orchestra does.

.proc mountain_king
        .addr tune, answers, basses, drums

; 44 bars: the theme twice, in F sharp twice; all an octave higher, with the theme twice again; the blows that end it.
tune:
        voice PLUCK
        play theme
        play theme
        play theme_sharp
        play theme_sharp
        transpose 12
        voice SOFT
        play theme
        play theme
        voice LEAD
        play theme_sharp
        play theme_sharp
        play theme
        play theme
        transpose 0
        play blows
        jump tune

theme:
        eighth B3, Cs4, D4, E4, Fs4, D4
        quarter Fs4
        eighth F4, Cs4
        quarter F4
        eighth E4, C4
        quarter E4
        eighth B3, Cs4, D4, E4, Fs4, D4, Fs4, B4
        eighth A4, Fs4, D4, Fs4
        half A4
        end_phrase

theme_sharp:
        eighth Fs4, Gs4, As4, B4, Cs5, As4
        quarter Cs5
        eighth D5, As4
        quarter D5
        eighth Cs5, As4
        quarter Cs5
        eighth Fs4, Gs4, As4, B4, Cs5, As4
        quarter Cs5
        eighth D5, As4
        quarter D5
        half Cs5
        end_phrase

blows:
        quarter B5, rest, rest, rest
        quarter B5, rest, rest, rest
        eighth B4, Cs5, D5, E5, Fs5, D5, Fs5, B5
        quarter Fs5, rest, B4, rest
        end_phrase

; Silent for the first pass, then the chords between the beats.
answers:
        repeat 16
          whole rest
        end_repeat
        voice STAB
        play minor_chords
        play minor_chords
        play sharp_chords
        play sharp_chords
        play minor_chords
        play minor_chords
        voice SECOND
        quarter Fs5, rest, rest, rest
        quarter Fs5, rest, rest, rest
        eighth D4, E4, Fs4, G4, A4, Fs4, A4, D5
        quarter As4, rest, D4, rest
        jump answers

minor_chords:
        eighth rest, Fs4, rest, D4, rest, Fs4, rest, D4
        eighth rest, Gs4, rest, F4, rest, G4, rest, E4
        eighth rest, Fs4, rest, D4, rest, Fs4, rest, D4
        eighth rest, A4, rest, Fs4, rest, A4, rest, Fs4
        end_phrase

sharp_chords:
        eighth rest, As4, rest, Cs5, rest, As4, rest, Cs5
        eighth rest, As4, rest, D5, rest, As4, rest, Cs5
        eighth rest, As4, rest, Cs5, rest, As4, rest, Cs5
        eighth rest, As4, rest, D5, rest, As4, rest, Cs5
        end_phrase

basses:
        voice BASS_SHORT
        play minor_bass
        play minor_bass
        play sharp_bass
        play sharp_bass
        play minor_bass
        play minor_bass
        play sharp_bass
        play sharp_bass
        play minor_bass
        play minor_bass
        quarter B1, rest, rest, rest
        quarter B1, rest, rest, rest
        quarter B2, Fs2, B2, Fs2
        quarter Fs2, rest, B1, rest
        jump basses

minor_bass:
        quarter B2, Fs2, B2, Fs2
        quarter Cs3, Gs2, C3, G2
        quarter B2, Fs2, B2, Fs2
        quarter D3, A2, D3, A2
        end_phrase

sharp_bass:
        quarter Fs2, Cs3, Fs2, Cs3
        quarter D3, Fs2, Cs3, Fs2
        quarter Fs2, Cs3, Fs2, Cs3
        quarter D3, Fs2, Cs3, Fs2
        end_phrase

drums:
        repeat 16
          whole rest
        end_repeat
        repeat 16
          eighth HAT, rest, HAT, HAT, HAT, rest, HAT, HAT
        end_repeat
        repeat 8
          eighth KICK, HAT, SNARE, HAT, KICK, KICK, SNARE, HAT
        end_repeat
        quarter CYMBAL, rest, rest, rest
        quarter CYMBAL, rest, rest, rest
        eighth KICK, KICK, SNARE, KICK, KICK, KICK, SNARE, SNARE
        quarter CYMBAL, rest, KICK, rest
        jump drums
.endproc
