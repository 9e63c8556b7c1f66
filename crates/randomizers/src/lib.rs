//! Which piece comes next: every randomizer that the project's sources describe, each from a seed,
//! piece by piece.
//!
//! A randomizer is a small value: it is seeded, dealt from for ever, cloned, saved and loaded
//! (serde). Dealing allocates nothing. The crate ends where a machine or a clock would begin: seeds
//! come from the caller, and the game that shows the pieces is somebody else's. Sources and known
//! quirks: `docs/randomizers/`.
//!
//! ```
//! use randomizers::{Dealer, Kind, Randomizer};
//!
//! let kind: Kind = "tgm3".parse()?;
//! let mut dealer: Dealer = kind.dealer("7")?;
//! let first = dealer.deal();
//! let next_six: String = dealer.by_ref().take(6).map(|piece| piece.letter()).collect();
//! assert_eq!(format!("{first}{next_six}"), "JITOZLS");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arika;
mod chain;
mod dealer;
mod kind;
mod letters;
pub mod lfsr;
pub mod nes;
mod numbering;
mod seed;
mod sega;
mod sps;
mod statistics;
mod tetrio;
mod tgm;
mod tgm3;
mod tgm_ace;
mod theory;
mod uniform;

pub use chain::Chain;
pub use dealer::Dealer;
pub use kind::{Kind, UnknownKind};
pub use nes::{Nes, Picker, Tempo};
pub use seed::SeedError;
pub use sega::{GameOver, Sega};
pub use sps::Sps;
pub use statistics::{Droughts, Estimate, Floods, Statistics, Summary};
pub use tetrio::{Bag, FirstPiece, Minstd, Tetrio};
pub use tgm::Tgm;
pub use tgm_ace::TgmAce;
pub use tgm3::Tgm3;
pub use uniform::Uniform;

use tetris::Piece;

/// Deals pieces without end. As an iterator it never answers `None`.
pub trait Randomizer: Iterator<Item = Piece> {
    /// The next piece.
    fn deal(&mut self) -> Piece;

    /// Which randomizer this is.
    fn kind(&self) -> Kind;
}

/// An iterator for each randomizer named, without end.
macro_rules! endless {
    ($($name:ident),*) => {
        $(impl Iterator for $name {
            type Item = Piece;

            #[inline]
            fn next(&mut self) -> Option<Piece> {
                Some(self.deal())
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (usize::MAX, None)
            }
        })*
    };
}

endless!(Dealer, Nes, Sega, Sps, Tetrio, Tgm, Tgm3, TgmAce, Uniform);

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
