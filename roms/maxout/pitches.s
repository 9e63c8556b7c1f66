; Timer periods of the equal-tempered scale, A4 = 440 Hz.

.include "song.inc"

.export period_lo, period_hi

; The octave from C1: CPU clock / (16 · frequency), in 64ths. Each octave up halves it.
.ifdef PAL
octave_c        = 203357
octave_cs       = 191944
octave_d        = 181171
octave_ds       = 171002
octave_e        = 161405
octave_f        = 152346
octave_fs       = 143795
octave_g        = 135725
octave_gs       = 128107
octave_a        = 120917
octave_as       = 114130
octave_b        = 107725
.else
octave_c        = 218911
octave_cs       = 206625
octave_d        = 195028
octave_ds       = 184082
octave_e        = 173750
octave_f        = 163998
octave_fs       = 154793
octave_g        = 146106
octave_gs       = 137905
octave_a        = 130165
octave_as       = 122860
octave_b        = 115964
.endif

; The timer counts one clock more than its period says (NESdev: APU pulse).
.define PERIOD(base, octave) ((base >> octave) + 32) / 64 - 1
.define A_TO_B(octave) PERIOD {octave_a}, {octave}, PERIOD {octave_as}, {octave}, PERIOD {octave_b}, {octave}
.define C_TO_F(octave) PERIOD {octave_c}, {octave}, PERIOD {octave_cs}, {octave}, PERIOD {octave_d}, {octave}, PERIOD {octave_ds}, {octave}, PERIOD {octave_e}, {octave}, PERIOD {octave_f}, {octave}
.define FS_TO_B(octave) PERIOD {octave_fs}, {octave}, PERIOD {octave_g}, {octave}, PERIOD {octave_gs}, {octave}, PERIOD {octave_a}, {octave}, PERIOD {octave_as}, {octave}, PERIOD {octave_b}, {octave}
.segment "SONGS"

; From A1 = LOWEST to B7 = HIGHEST.
period_lo:
        .lobytes A_TO_B 0
        .lobytes C_TO_F 1
        .lobytes FS_TO_B 1
        .lobytes C_TO_F 2
        .lobytes FS_TO_B 2
        .lobytes C_TO_F 3
        .lobytes FS_TO_B 3
        .lobytes C_TO_F 4
        .lobytes FS_TO_B 4
        .lobytes C_TO_F 5
        .lobytes FS_TO_B 5
        .lobytes C_TO_F 6
        .lobytes FS_TO_B 6
.assert * - period_lo = HIGHEST - LOWEST + 1, error, "a period for every pitch"
period_hi:
        .hibytes A_TO_B 0
        .hibytes C_TO_F 1
        .hibytes FS_TO_B 1
        .hibytes C_TO_F 2
        .hibytes FS_TO_B 2
        .hibytes C_TO_F 3
        .hibytes FS_TO_B 3
        .hibytes C_TO_F 4
        .hibytes FS_TO_B 4
        .hibytes C_TO_F 5
        .hibytes FS_TO_B 5
        .hibytes C_TO_F 6
        .hibytes FS_TO_B 6
