//! How fast pieces fall and shift by themselves, which is all that a PAL cartridge plays by other
//! numbers.

/// Levels of the table of speeds; from the last on, a row a frame.
const LEVELS: usize = 30;

/// Speeds of a cartridge: gravity and the delayed auto shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    frames_per_row: [u8; LEVELS],
    /// Frames from a press of Left or Right to the first repeat.
    pub das_full: u8,
    /// Where the counter of the auto shift goes on from after a repeat.
    pub das_again: u8,
}

impl Pace {
    /// The US cartridge's.
    pub const NTSC: Self = Self {
        frames_per_row: [
            48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1,
        ],
        das_full: 16,
        das_again: 10,
    };
    /// Those of PAL cartridges.
    pub const PAL: Self = Self {
        frames_per_row: [
            36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ],
        das_full: 12,
        das_again: 8,
    };

    /// Frames a row of a level. From 29 on, a row a frame.
    ///
    /// ```
    /// use tetris::rules::Pace;
    ///
    /// assert_eq!([0, 18, 19, 29, 255].map(|level| Pace::NTSC.frames_per_row(level)), [48, 3, 2, 1, 1]);
    /// assert_eq!([0, 18, 19, 29, 255].map(|level| Pace::PAL.frames_per_row(level)), [36, 2, 1, 1, 1]);
    /// ```
    #[inline]
    pub const fn frames_per_row(&self, level: u8) -> u8 {
        self.frames_per_row[if (level as usize) < LEVELS { level as usize } else { LEVELS - 1 }]
    }
}

/// Frames a row of a level on the US cartridge. From 29 on, a row a frame.
///
/// ```
/// assert_eq!([0, 18, 19, 29, 255].map(tetris::rules::frames_per_row), [48, 3, 2, 1, 1]);
/// ```
pub const fn frames_per_row(level: u8) -> u8 {
    Pace::NTSC.frames_per_row(level)
}
