; Minuet in G from the notebook for Anna Magdalena Bach, 1725: by Christian Petzold, long thought to be Bach's.
; Arrangement ours: both hands, a third voice between them, no drums but a light beat in the second half.

.proc minuet
        .addr right_hand, middle, left_hand, beat

right_hand:
        voice LEAD
        play first_half
        play first_half
        play second_half
        play second_half
        jump right_hand

first_half:
        quarter D5
        eighth G4, A4, B4, C5
        quarter D5, G4, G4
        quarter E5
        eighth C5, D5, E5, Fs5
        quarter G5, G4, G4
        quarter C5
        eighth D5, C5, B4, A4
        quarter B4
        eighth C5, B4, A4, G4
        quarter Fs4
        eighth G4, A4, B4, G4
        dotted_half A4
        quarter D5
        eighth G4, A4, B4, C5
        quarter D5, G4, G4
        quarter E5
        eighth C5, D5, E5, Fs5
        quarter G5, G4, G4
        quarter C5
        eighth D5, C5, B4, A4
        quarter B4
        eighth C5, B4, A4, G4
        quarter A4
        eighth B4, A4, G4, Fs4
        dotted_half G4
        end_phrase

second_half:
        quarter B5
        eighth G5, A5, B5, G5
        quarter A5
        eighth D5, E5, Fs5, D5
        quarter G5
        eighth E5, Fs5, G5, D5
        quarter Cs5
        eighth B4, Cs5
        quarter A4
        eighth A4, B4, Cs5, D5, E5, Fs5
        quarter G5, Fs5, E5
        quarter Fs5, A4, Cs5
        dotted_half D5
        quarter D5
        eighth G4, Fs4
        quarter G4
        quarter E5
        eighth G4, Fs4
        quarter G4
        quarter D5, C5, B4
        eighth A4, G4, Fs4, G4
        quarter A4
        eighth D4, E4, Fs4, G4, A4, B4
        quarter C5, B4, A4
        eighth B4, D5
        quarter G4, Fs4
        dotted_half G4
        end_phrase

middle:
        voice PLUCK
        play first_middle
        play first_middle
        play second_middle
        play second_middle
        jump middle

first_middle:
        repeat 2
          quarter rest, B3, C4
          quarter rest, D4, D4
          quarter rest, G4, G4
          quarter rest, D4, D4
          quarter rest, E4, E4
          quarter rest, D4, D4
          quarter rest, D4, B3
          quarter rest, Fs4, Fs4
        end_repeat
        end_phrase

second_middle:
        quarter rest, D5, D5
        quarter rest, A4, A4
        quarter rest, B4, B4
        quarter rest, E4, E4
        quarter rest, Cs4, E4
        quarter rest, B4, G4
        quarter rest, Fs4, E4
        quarter rest, Fs4, D4
        quarter rest, B3, D4
        quarter rest, C4, E4
        quarter rest, E4, D4
        quarter rest, A3, C4
        quarter rest, A3, C4
        quarter rest, D4, C4
        quarter rest, D4, C4
        quarter rest, D4, B3
        end_phrase

left_hand:
        voice BASS
        play first_bass
        play first_bass
        play second_bass
        play second_bass
        jump left_hand

first_bass:
        half G2
        quarter A2
        dotted_half B2, C3, B2, A2, G2
        quarter D3, B2, G2, D3
        eighth D2, C3, B2, A2
        half B2
        quarter A2, G2, B2, G2
        dotted_half C3
        quarter B2
        eighth C3, B2, A2, G2
        half A2
        quarter Fs2
        half G2
        quarter B2, C3, D3, D2
        half G2
        quarter G1
        end_phrase

second_bass:
        dotted_half G2, Fs2
        quarter E2, G2, E2
        half A2
        quarter A1
        dotted_half A2
        quarter B2, D3, Cs3, D3, Fs2, A2, D3, D2, C3
        dotted_half B2, C3
        quarter B2, A2, G2
        half D3
        quarter rest
        half D2
        quarter Fs2, E2, G2, Fs2, G2, B1, D2, G2, D2, G1
        end_phrase

beat:
        repeat 32
          dotted_half rest
        end_repeat
        repeat 32
          quarter KICK, HAT, HAT
        end_repeat
        jump beat
.endproc
