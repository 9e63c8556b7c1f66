//! The modes, by their names and numbers.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use strum::{IntoStaticStr, VariantArray};

/// Which mode, without its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// The A-type, whose score is counted beyond six digits.
    Tetris,
    /// Only T, and a floor with a slot for a T-spin.
    TSpins,
    /// The same pieces for everybody.
    Seed,
    /// Flaws of the stack are marked.
    Stacking,
    /// The score beside the one that is needed.
    Pace,
    /// A position before every piece.
    Setups,
    /// The B-type.
    BType,
    /// Rows that never clear.
    Floor,
    /// A narrower field.
    Crunch,
    /// Taps over a tower.
    Tap,
    /// The moments before the first level-up.
    Transition,
    /// A level that stays.
    Marathon,
    /// A well in another column after each hit.
    TapQuantity,
    /// A field of single blocks to dig through.
    Checkerboard,
    /// Rows from below.
    Garbage,
    /// Fewer I.
    Drought,
    /// Another delay of the auto shift.
    DasDelay,
    /// No block above a line.
    LowStack,
    /// Two rows a frame.
    Killscreen,
    /// Locked blocks are not seen.
    Invisible,
    /// Up locks, Select drops.
    HardDrop,
}

/// What is to be known of a mode.
struct Fact {
    kind: Kind,
    /// What its number may be; an empty range if it has none.
    values: RangeInclusive<u32>,
    default: u32,
    about: &'static str,
    value: &'static str,
}

/// No number.
const NONE: RangeInclusive<u32> = RangeInclusive::new(1, 0);

const FACTS: &[Fact] = &[
    Fact {
        kind: Kind::Tetris,
        values: NONE,
        default: 0,
        about: "the A-type from any level; the score is counted beyond 999,999",
        value: "",
    },
    Fact {
        kind: Kind::TSpins,
        values: NONE,
        default: 0,
        about: "every piece is T; a T-spin into the slot counts a double, any other T sets the score to 0",
        value: "",
    },
    Fact {
        kind: Kind::Seed,
        values: 0x00_0200..=0xFF_FFFF,
        default: 0x10_1010,
        about: "the same pieces for everybody, as TetrisGYM deals them",
        value: "six hexadecimal digits; 0000xx and 0001xx deal nothing",
    },
    Fact {
        kind: Kind::Stacking,
        values: NONE,
        default: 0,
        about: "blocks over holes, beside gaps of one, and off the left wall are marked",
        value: "",
    },
    Fact {
        kind: Kind::Pace,
        values: 1..=15,
        default: 10,
        about: "the score less the one that is needed for so many hundred thousand at 230 lines",
        value: "hundred thousands",
    },
    Fact {
        kind: Kind::Setups,
        values: 0..=7,
        default: 0,
        about: "a position before every piece: spins and tucks",
        value: "0 Z, 1 S and T, 2 T, 3 I, 4 J and L, 5 I L J T, 6 J and L spins, 7 J and L tucks",
    },
    Fact {
        kind: Kind::BType,
        values: 0..=8,
        default: 5,
        about: "25 lines over garbage of 0, 3, 5, 8, 10, 12, 14, 16 or 18 rows",
        value: "height",
    },
    Fact {
        kind: Kind::Floor,
        values: 0..=12,
        default: 5,
        about: "rows at the bottom that never clear; with 0 no row ever clears",
        value: "rows",
    },
    Fact {
        kind: Kind::Crunch,
        values: 0..=15,
        default: 5,
        about: "columns are taken from the field: bits 2 and 3 of the number from the left, bits 0 and 1 from the right",
        value: "4 x left + right, each 0 to 3",
    },
    Fact {
        kind: Kind::Tap,
        values: 1..=32,
        default: 10,
        about: "only I, over a tower: of so many rows in column 1, or from 17 on of 16 less in column 8",
        value: "height, from 17 on height + 16 at the right",
    },
    Fact {
        kind: Kind::Transition,
        values: 0..=16,
        default: 5,
        about: "begins ten lines before the first level-up with so many hundred thousand points; 16: a level every ten lines",
        value: "hundred thousands, or 16",
    },
    Fact {
        kind: Kind::Marathon,
        values: 0..=4,
        default: 1,
        about: "the speed of the start level for ever",
        value: "0 the level stays, 1 it is counted, 2 it is counted from 0; 3 and 4 as 1 and 2 with its points",
    },
    Fact {
        kind: Kind::TapQuantity,
        values: 0..=31,
        default: 4,
        about: "only I, and a well that moves with each hit; a hit counts a tetris, a miss sets the score to 0",
        value: "height (0 is 4), and 16 more without the animation",
    },
    Fact {
        kind: Kind::Checkerboard,
        values: 0..=8,
        default: 3,
        about: "dig through single blocks to the last row; each line costs 10 of the score",
        value: "height, as of the B-type; 0 is one row",
    },
    Fact {
        kind: Kind::Garbage,
        values: 0..=4,
        default: 0,
        about: "rows come up from below",
        value: "0 always ready for a tetris, 1 random, 2 random under the hole, 3 every second piece, 4 a dig without end",
    },
    Fact {
        kind: Kind::Drought,
        values: 0..=18,
        default: 16,
        about: "an I stays with a chance of (18 - number) / 16, and is chosen anew otherwise",
        value: "0 to 2 as usual, 18 no I at all",
    },
    Fact {
        kind: Kind::DasDelay,
        values: 0..=16,
        default: 10,
        about: "frames until a held direction repeats, 16 in the game",
        value: "frames",
    },
    Fact {
        kind: Kind::LowStack,
        values: 1..=18,
        default: 6,
        about: "the game is over when a piece locks above the line",
        value: "rows under the line",
    },
    Fact { kind: Kind::Killscreen, values: NONE, default: 0, about: "two rows a frame", value: "" },
    Fact {
        kind: Kind::Invisible,
        values: NONE,
        default: 0,
        about: "locked blocks are not seen until the game is over",
        value: "",
    },
    Fact {
        kind: Kind::HardDrop,
        values: NONE,
        default: 0,
        about: "Up drops and locks the piece, Select only drops it",
        value: "",
    },
];

impl Kind {
    fn fact(self) -> &'static Fact {
        let own = FACTS.iter().find(|fact| fact.kind == self);
        // The test below has one for each.
        own.unwrap_or(&FACTS[0])
    }

    /// All of them, in the order in which they are listed.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Its name, as it is parsed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it does, in one line.
    pub fn about(self) -> &'static str {
        self.fact().about
    }

    /// What its number may be; empty if it has none.
    pub fn values(self) -> RangeInclusive<u32> {
        self.fact().values.clone()
    }

    /// What its number means; empty if it has none.
    pub fn value(self) -> &'static str {
        self.fact().value
    }

    /// The mode with the number of those who name none.
    pub fn usual(self) -> Mode {
        Mode { kind: self, value: self.fact().default }
    }
}

/// A mode with its number. Parsed and printed as `floor=3`, `seed=12AB34` or `hard-drop`.
///
/// ```
/// use practice::{Kind, Mode};
///
/// let mode: Mode = "garbage=4".parse()?;
/// assert_eq!((mode.kind(), mode.value(), mode.to_string().as_str()), (Kind::Garbage, 4, "garbage=4"));
/// assert_eq!("floor".parse(), Ok(Kind::Floor.usual()));
/// # Ok::<(), practice::ModeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    kind: Kind,
    value: u32,
}

/// A text that is no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// No mode has this name.
    #[error("mode `{found}`: expected one of {names}", names = Kind::VARIANTS.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", "))]
    Name {
        /// What was found.
        found: String,
    },
    /// The mode has no number.
    #[error("mode {name} has no number, found `{found}`: leave it out")]
    NoValue {
        /// The mode.
        name: &'static str,
        /// What was found.
        found: String,
    },
    /// The mode's number is none, or out of range.
    #[error("mode {name}: expected {expected}, found `{found}`")]
    Value {
        /// The mode.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl Mode {
    /// A mode with its number; 0 where it has none.
    ///
    /// # Errors
    /// When the mode has no such number.
    pub fn new(kind: Kind, value: u32) -> Result<Self, ModeError> {
        let values = kind.values();
        if values.is_empty() && value == 0 || values.contains(&value) {
            return Ok(Self { kind, value });
        }
        Err(refused(kind, &written(kind, value)))
    }

    /// Which mode.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Its number; 0 where it has none.
    pub const fn value(self) -> u32 {
        self.value
    }

    /// Is it a B-type game?
    pub fn is_b_type(self) -> bool {
        self.kind == Kind::BType
    }
}

fn written(kind: Kind, value: u32) -> String {
    if kind == Kind::Seed { format!("{value:06X}") } else { value.to_string() }
}

fn refused(kind: Kind, found: &str) -> ModeError {
    let (name, found, values) = (kind.name(), found.to_owned(), kind.values());
    if values.is_empty() {
        return ModeError::NoValue { name, found };
    }
    let expected = match kind {
        Kind::Seed => kind.value().to_owned(),
        _ => format!("{} to {} ({})", values.start(), values.end(), kind.value()),
    };
    ModeError::Value { name, expected, found }
}

impl FromStr for Mode {
    type Err = ModeError;

    fn from_str(text: &str) -> Result<Self, ModeError> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let kind = Kind::VARIANTS.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name));
        let kind = kind.ok_or_else(|| ModeError::Name { found: name.to_owned() })?;
        let Some(value) = value else { return Ok(kind.usual()) };
        let digits = |radix| {
            let all =
                !value.is_empty() && value.len() <= 6 && value.chars().all(|digit| digit.is_digit(radix));
            all.then(|| u32::from_str_radix(value, radix).ok()).flatten()
        };
        let number = if kind == Kind::Seed { digits(16).filter(|_| value.len() == 6) } else { digits(10) };
        let wrong = || refused(kind, value);
        let mode = Self::new(kind, number.ok_or_else(wrong)?).map_err(|_| wrong())?;
        if kind.values().is_empty() { Err(wrong()) } else { Ok(mode) }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.values().is_empty() {
            return f.pad(self.kind.name());
        }
        f.pad(&format!("{}={}", self.kind.name(), written(self.kind, self.value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_its_fact_and_is_read_as_it_is_written() {
        for &kind in Kind::VARIANTS {
            assert_eq!(kind.fact().kind, kind);
            let mode = kind.usual();
            assert_eq!(mode.to_string().parse(), Ok(mode), "{mode}");
            assert!(!kind.about().is_empty() && kind.value().is_empty() == kind.values().is_empty());
            for value in [*kind.values().start(), *kind.values().end()] {
                if kind.values().contains(&value) {
                    let mode = Mode::new(kind, value).unwrap();
                    assert_eq!(mode.to_string().parse(), Ok(mode));
                }
            }
        }
        assert_eq!(Kind::VARIANTS.len(), FACTS.len());
    }

    #[test]
    fn what_is_no_mode_is_refused_with_what_was_expected() {
        let error = |text: &str| text.parse::<Mode>().unwrap_err().to_string();
        assert!(error("flor").contains("expected one of tetris, t-spins, seed"));
        assert_eq!(error("floor=13"), "mode floor: expected 0 to 12 (rows), found `13`");
        assert_eq!(error("hard-drop=1"), "mode hard-drop has no number, found `1`: leave it out");
        assert_eq!(error("hard-drop=0"), "mode hard-drop has no number, found `0`: leave it out");
        for text in ["floor=", "floor=-1", "floor=+1", "floor=1 ", "floor=9999999999", "pace=0", "tap=33"] {
            assert!(error(text).contains("expected"), "{text}");
        }
        for text in ["seed=0000FF", "seed=000100", "seed=12345", "seed=1234567", "seed=12345G"] {
            assert!(error(text).contains("six hexadecimal digits"), "{text}");
        }
    }
}
