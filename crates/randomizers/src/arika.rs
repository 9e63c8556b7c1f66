//! What Arika's games share: the generator, the order of the pieces, the first piece.

use serde::{Deserialize, Serialize};
use tetris::Piece;

/// Pieces by their number in Arika's games.
pub(crate) const ORDER: [Piece; 7] = [Piece::I, Piece::Z, Piece::S, Piece::J, Piece::L, Piece::O, Piece::T];

/// The number of a piece in Arika's games.
#[inline]
pub(crate) const fn number(piece: Piece) -> usize {
    match piece {
        Piece::I => 0,
        Piece::Z => 1,
        Piece::S => 2,
        Piece::J => 3,
        Piece::L => 4,
        Piece::O => 5,
        Piece::T => 6,
    }
}

/// Is it one of the pieces that no game begins with, because they force an overhang?
#[inline]
pub(crate) const fn overhangs(piece: Piece) -> bool {
    matches!(piece, Piece::S | Piece::Z | Piece::O)
}

/// Bits of a seed that reach a value.
pub(crate) const BITS: u32 = 25;

/// The C library's linear congruential generator; 15 bits from bit 10 up are used. Bits from 25 up
/// never reach them, so that seeds which agree in their low 25 bits deal the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rand(pub(crate) u32);

impl Rand {
    #[inline]
    pub(crate) const fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x41C6_4E6D).wrapping_add(12345);
        self.0 >> 10 & 0x7FFF
    }

    #[inline]
    pub(crate) const fn piece(&mut self) -> Piece {
        ORDER[self.next() as usize % 7]
    }

    /// The first piece of a game: rolled until it is none of S, Z, O.
    pub(crate) const fn first_piece(&mut self) -> Piece {
        loop {
            let piece = self.piece();
            if !overhangs(piece) {
                return piece;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places_in_the_order() {
        for (place, piece) in ORDER.into_iter().enumerate() {
            assert_eq!(number(piece), place);
        }
    }
}
