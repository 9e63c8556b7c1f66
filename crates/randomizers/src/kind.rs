//! The randomizers by name.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

use crate::numbering::scrambled;
use crate::seed::{decimal, hexadecimal, number};
use crate::{Bag, Dealer, Minstd, Nes, SeedError, Sega, Sps, Tetrio, Tgm, Tgm3, TgmAce, Uniform, arika};

/// Which randomizer.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
)]
#[serde(try_from = "String", into = "&'static str")]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownKind, parse_err_fn = UnknownKind::from)]
pub enum Kind {
    /// NES Tetris, Nintendo 1989.
    Nes,
    /// Tetris on Sega's System 16, 1988.
    Sega,
    /// TETR.IO, `7-bag`.
    #[strum(serialize = "tetrio-7bag")]
    Tetrio7Bag,
    /// TETR.IO, `14-bag`.
    #[strum(serialize = "tetrio-14bag")]
    Tetrio14Bag,
    /// TETR.IO, `classic`.
    TetrioClassic,
    /// TETR.IO, `pairs`.
    TetrioPairs,
    /// TETR.IO, `total mayhem`.
    TetrioMayhem,
    /// Tetris The Grand Master, 1998.
    Tgm1,
    /// TGM2 and TGM2+ (TAP), 2000.
    Tgm2,
    /// TGM3 (Terror-Instinct), 2005.
    Tgm3,
    /// TGM Ace, 2005.
    TgmAce,
    /// Every piece as likely as any other.
    Uniform,
    /// Same piece sets of the practice cartridge `TetrisGYM`.
    Sps,
}

/// A name that is no randomizer's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("randomizer `{0}`: expected one of {names}", names = Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind(pub String);

impl From<&str> for UnknownKind {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl Kind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 13] = [
        Self::Nes,
        Self::Sega,
        Self::Tetrio7Bag,
        Self::Tetrio14Bag,
        Self::TetrioClassic,
        Self::TetrioPairs,
        Self::TetrioMayhem,
        Self::Tgm1,
        Self::Tgm2,
        Self::Tgm3,
        Self::TgmAce,
        Self::Uniform,
        Self::Sps,
    ];

    /// The name, as it is parsed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it does, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Nes => "NES Tetris: an eight-sided die, a biased second roll, time from the player",
            Self::Sega => "Sega System 16: 1,000 pieces from the seed in NVRAM, over and over",
            Self::Tetrio7Bag => "TETR.IO: one of each, shuffled",
            Self::Tetrio14Bag => "TETR.IO: two of each, shuffled",
            Self::TetrioClassic => "TETR.IO: NES Tetris without its bias",
            Self::TetrioPairs => "TETR.IO: three each of two pieces, shuffled",
            Self::TetrioMayhem => "TETR.IO: any piece at any time",
            Self::Tgm1 => "TGM1: four tries to avoid the last four pieces",
            Self::Tgm2 => "TGM2, TGM2+: six tries to avoid the last four pieces",
            Self::Tgm3 => "TGM3: 35 pieces, the rarest replaces what is taken",
            Self::TgmAce => "TGM Ace: one of each, shuffled, never S, Z, O first",
            Self::Uniform => "any piece at any time",
            Self::Sps => "TetrisGYM: the same pieces for everybody, by six hexadecimal digits",
        }
    }

    /// What [`Self::dealer`] takes for a seed.
    pub const fn seed_form(self) -> &'static str {
        match self {
            Self::Nes => {
                "frames since power-on as a decimal number, or the register and the spawn count in \
                 hexadecimal as $8988 or $8988:1A"
            }
            Self::Sps => "six hexadecimal digits, such as 12AB34",
            Self::Sega | Self::Tgm1 | Self::Tgm2 | Self::Tgm3 | Self::TgmAce => {
                "a whole number from 0 to 4294967295, decimal or 0x and hexadecimal"
            }
            Self::Tetrio7Bag
            | Self::Tetrio14Bag
            | Self::TetrioClassic
            | Self::TetrioPairs
            | Self::TetrioMayhem
            | Self::Uniform => "a whole number from 0 to 18446744073709551615, decimal or 0x and hexadecimal",
        }
    }

    /// The seed of those who name none, as [`Self::dealer`] takes it: the first that there is.
    ///
    /// ```
    /// use randomizers::Kind;
    ///
    /// assert!(Kind::ALL.into_iter().all(|kind| kind.dealer(kind.first_seed()) == Ok(kind.seeded(0))));
    /// ```
    pub const fn first_seed(self) -> &'static str {
        match self {
            Self::Sps => "000200",
            _ => "0",
        }
    }

    /// The way in which TETR.IO fills its queue, where this is TETR.IO.
    pub const fn bag(self) -> Option<Bag> {
        match self {
            Self::Tetrio7Bag => Some(Bag::Seven),
            Self::Tetrio14Bag => Some(Bag::Fourteen),
            Self::TetrioClassic => Some(Bag::Classic),
            Self::TetrioPairs => Some(Bag::Pairs),
            Self::TetrioMayhem => Some(Bag::Mayhem),
            _ => None,
        }
    }

    /// Returns the game of a number, from 0.
    ///
    /// Different numbers are different games, as far as the kind has so many, and games whose
    /// numbers follow each other have nothing in common. The seeds that the games themselves count
    /// by go through [`Self::dealer`]; [`Self::seed_of`] is the one of a number. `nes` takes frames
    /// since power-on, and `uniform` its generator's state.
    pub fn seeded(self, number: u64) -> Dealer {
        match self {
            Self::Sps => Dealer::Sps(Sps::numbered(number)),
            _ => self.of_seed(self.seed_number(number)),
        }
    }

    /// Returns the seed of a game by its number, as [`Self::dealer`] takes it.
    ///
    /// ```
    /// use randomizers::Kind;
    ///
    /// for kind in Kind::ALL {
    ///     assert_eq!(kind.dealer(&kind.seed_of(7)), Ok(kind.seeded(7)));
    /// }
    /// ```
    pub fn seed_of(self, number: u64) -> String {
        match self {
            Self::Sps => {
                let [high, middle, low] = Sps::seed_of(number);
                format!("{high:02X}{middle:02X}{low:02X}")
            }
            _ => self.seed_number(number).to_string(),
        }
    }

    /// The seed of a game by its number, where seeds are numbers.
    const fn seed_number(self, number: u64) -> u64 {
        match self {
            Self::Nes | Self::Uniform | Self::Sps => number,
            // Many seeds of 32 bits deal the same game, but no two of 16.
            Self::Sega => scrambled(number & 0xFFFF, 16) | number & 0xFFFF_0000,
            Self::Tgm1 | Self::Tgm2 | Self::Tgm3 | Self::TgmAce => scrambled(number, arika::BITS),
            Self::Tetrio7Bag
            | Self::Tetrio14Bag
            | Self::TetrioClassic
            | Self::TetrioPairs
            | Self::TetrioMayhem => {
                // The states are fewer than there are numbers of 31 bits: the next place that is
                // one. 0 is, so that the way ends.
                let mut seed = scrambled(number, 31);
                while seed >= Minstd::MODULUS as u64 - 1 {
                    seed = scrambled(seed, 31);
                }
                seed
            }
        }
    }

    /// A deal of a seed that is a number.
    fn of_seed(self, seed: u64) -> Dealer {
        let low = seed as u32;
        match self {
            Self::Nes => Dealer::Nes(Nes::new(seed)),
            Self::Sega => Dealer::Sega(Sega::new(low)),
            Self::Tetrio7Bag => Dealer::Tetrio(Tetrio::new(Bag::Seven, seed)),
            Self::Tetrio14Bag => Dealer::Tetrio(Tetrio::new(Bag::Fourteen, seed)),
            Self::TetrioClassic => Dealer::Tetrio(Tetrio::new(Bag::Classic, seed)),
            Self::TetrioPairs => Dealer::Tetrio(Tetrio::new(Bag::Pairs, seed)),
            Self::TetrioMayhem => Dealer::Tetrio(Tetrio::new(Bag::Mayhem, seed)),
            Self::Tgm1 => Dealer::Tgm(Tgm::tgm1(low)),
            Self::Tgm2 => Dealer::Tgm(Tgm::tgm2(low)),
            Self::Tgm3 => Dealer::Tgm3(Tgm3::new(low)),
            Self::TgmAce => Dealer::TgmAce(TgmAce::new(low)),
            Self::Uniform => Dealer::Uniform(Uniform::new(seed)),
            Self::Sps => Dealer::Sps(Sps::numbered(seed)),
        }
    }

    /// A deal of a seed as it is written ([`Self::seed_form`]).
    ///
    /// # Errors
    /// When the text is not such a seed, or one that deals no random pieces.
    pub fn dealer(self, seed: &str) -> Result<Dealer, SeedError> {
        let form = || SeedError::Form { kind: self, text: seed.to_owned() };
        match self {
            Self::Nes => nes(seed).map(Dealer::Nes).ok_or_else(form),
            Self::Sps => {
                let [_, high, middle, low] =
                    (hexadecimal(seed, 6..=6).ok_or_else(form)? as u32).to_be_bytes();
                Ok(Dealer::Sps(Sps::new([high, middle, low])?))
            }
            Self::Sega | Self::Tgm1 | Self::Tgm2 | Self::Tgm3 | Self::TgmAce => {
                Ok(self.of_seed(number(seed, u64::from(u32::MAX)).ok_or_else(form)?))
            }
            _ => Ok(self.of_seed(number(seed, u64::MAX).ok_or_else(form)?)),
        }
    }
}

fn nes(seed: &str) -> Option<Nes> {
    let Some(state) = seed.strip_prefix('$') else {
        return decimal(seed).map(Nes::new);
    };
    let (register, count) = state.split_once(':').unwrap_or((state, "00"));
    let register = hexadecimal(register, 4..=4)?;
    Some(Nes::from_state(register as u16, hexadecimal(count, 2..=2)? as u8))
}

impl TryFrom<String> for Kind {
    type Error = UnknownKind;

    fn try_from(name: String) -> Result<Self, UnknownKind> {
        name.parse()
    }
}
