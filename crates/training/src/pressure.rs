//! Pieces that become harder and harder.

use randomizers::Dealer;
use tetris::{Piece, SplitMix64};

use crate::random;

/// A deal into which S and Z in turn are mixed, none at first and nothing else after so many
/// pieces: the sequence that ends every game.
#[derive(Clone, Debug)]
pub(crate) struct Rising {
    dealer: Dealer,
    chance: SplitMix64,
    dealt: u64,
    length: u64,
    turn: bool,
}

impl Rising {
    pub(crate) fn new(dealer: Dealer, length: u64, seed: u64) -> Self {
        Self { dealer, chance: random::sequence(seed), dealt: 0, length, turn: false }
    }
}

impl Iterator for Rising {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let share = self.dealt as f64 / self.length.max(1) as f64;
        self.dealt += 1;
        if self.chance.fraction() < share {
            self.turn = !self.turn;
            Some(if self.turn { Piece::S } else { Piece::Z })
        } else {
            self.dealer.next()
        }
    }
}

#[cfg(test)]
mod tests {
    use randomizers::Kind;

    use super::*;

    #[test]
    fn the_share_of_s_and_z_rises_from_two_of_seven_to_all() {
        let pieces: Vec<_> = Rising::new(Kind::Uniform.seeded(3), 100_000, 1).take(101_000).collect();
        let share = |part: &[Piece]| {
            part.iter().filter(|piece| matches!(piece, Piece::S | Piece::Z)).count() as f64
                / part.len() as f64
        };
        let [start, middle] = [&pieces[..2_000], &pieces[49_000..51_000]].map(share);
        assert!((start - 0.293).abs() < 0.04 && (middle - 0.643).abs() < 0.04, "{start} {middle}");
        let end: String = pieces[100_000..].iter().map(|piece| piece.letter()).collect();
        assert!(end == "SZ".repeat(500) || end == "ZS".repeat(500));
    }
}
