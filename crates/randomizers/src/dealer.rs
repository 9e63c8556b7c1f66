//! Any randomizer.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::{Kind, Nes, Randomizer, Sega, Sps, Tetrio, Tgm, Tgm3, TgmAce, Uniform};

/// Any of the randomizers as one value, 80 bytes at most. [`Kind::dealer`] and [`Kind::seeded`]
/// make it.
///
/// Saved, it names itself, and a state that no deal reaches is refused where it could do harm:
///
/// ```
/// # use randomizers::{Dealer, Kind};
/// let mut dealer = Kind::Tgm1.seeded(5);
/// dealer.by_ref().take(100).for_each(drop);
/// let saved = serde_json::to_string(&dealer)?;
/// assert!(saved.starts_with(r#"{"randomizer":"tgm","game":"tgm1","rand":"#));
/// let loaded: Dealer = serde_json::from_str(&saved)?;
/// assert!(loaded.take(100).eq(dealer.take(100)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "randomizer", rename_all = "kebab-case")]
pub enum Dealer {
    /// NES Tetris.
    Nes(Nes),
    /// Sega System 16.
    Sega(Sega),
    /// TETR.IO.
    Tetrio(Tetrio),
    /// TGM1 and TGM2.
    Tgm(Tgm),
    /// TGM3.
    Tgm3(Tgm3),
    /// TGM Ace.
    TgmAce(TgmAce),
    /// Uniform.
    Uniform(Uniform),
    /// Same piece sets.
    Sps(Sps),
}

impl Randomizer for Dealer {
    #[inline]
    fn deal(&mut self) -> Piece {
        match self {
            Self::Nes(dealer) => dealer.deal(),
            Self::Sega(dealer) => dealer.deal(),
            Self::Tetrio(dealer) => dealer.deal(),
            Self::Tgm(dealer) => dealer.deal(),
            Self::Tgm3(dealer) => dealer.deal(),
            Self::TgmAce(dealer) => dealer.deal(),
            Self::Uniform(dealer) => dealer.deal(),
            Self::Sps(dealer) => dealer.deal(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Nes(dealer) => dealer.kind(),
            Self::Sega(dealer) => dealer.kind(),
            Self::Tetrio(dealer) => dealer.kind(),
            Self::Tgm(dealer) => dealer.kind(),
            Self::Tgm3(dealer) => dealer.kind(),
            Self::TgmAce(dealer) => dealer.kind(),
            Self::Uniform(dealer) => dealer.kind(),
            Self::Sps(dealer) => dealer.kind(),
        }
    }
}
