; B-type success: a fanfare of our own, three bars.

.proc b_success
        .addr tune, second_trumpet, basses, drums

tune:
        voice LEAD
        triplet G4, G4, G4
        quarter C5, E5, G5
        eighth F5, A5
        quarter C6
        eighth B5, A5
        quarter B5
        whole C6
        stop

second_trumpet:
        voice SECOND
        triplet E4, E4, E4
        quarter G4, C5, E5
        half F5, D5
        whole E5
        jump second_trumpet

basses:
        voice BASS_SHORT
        quarter C3, C3, G2, C3
        quarter F2, A2, G2, G2
        voice BASS
        whole C2
        jump basses

drums:
        triplet SNARE, SNARE, SNARE
        quarter KICK, KICK, KICK
        quarter KICK, SNARE
        eighth KICK, SNARE, SNARE, SNARE
        whole CYMBAL
        jump drums
.endproc
