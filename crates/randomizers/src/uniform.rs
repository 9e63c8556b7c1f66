//! Every piece as likely as any other, whatever came before.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::{Kind, Randomizer};

/// A 64-bit linear congruential generator (Knuth's MMIX constants); the piece is its top 31 bits
/// modulo 7.
///
/// It is the dealer of the recorded games against which the project's player of pieces is checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Uniform {
    state: u64,
}

impl Uniform {
    /// A deal of the seed; any is as good as another.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }
}

impl Randomizer for Uniform {
    #[inline]
    fn deal(&mut self) -> Piece {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Piece::ALL[(self.state >> 33) as usize % 7]
    }

    fn kind(&self) -> Kind {
        Kind::Uniform
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_1_deals_the_game_of_the_recorded_traces() {
        let dealt: String = Uniform::new(1).take(40).map(Piece::letter).collect();
        assert_eq!(dealt, "JJJZLJOOLSTJSLJSSOJJOOOSTISJTITJSIILJJJJ");
    }
}
