//! The game as a sequence of places: no frames, no buttons.

use randomizers::{Dealer, Randomizer};
use tetris::rules::score_after;
use tetris::{Piece, Placement};

use crate::field::Field;

/// A game in which a piece is to be placed, or which is over.
#[derive(Clone, Debug)]
pub struct BoardGame {
    /// The field.
    pub field: Field,
    /// The piece to place.
    pub piece: Piece,
    /// The next.
    pub next: Piece,
    /// The level.
    pub level: u8,
    /// Lines.
    pub lines: u32,
    /// Points, without the game's limit.
    pub score: u32,
    /// Pieces placed.
    pub pieces: u32,
    /// Has a piece come that has no room?
    pub over: bool,
    pub(crate) dealer: Dealer,
}

impl BoardGame {
    /// An A-type game that begins at a level.
    pub fn new(level: u8, mut dealer: Dealer) -> Self {
        let (piece, next) = (dealer.deal(), dealer.deal());
        let field = Field::EMPTY;
        Self { field, piece, next, level, lines: 0, score: 0, pieces: 0, over: false, dealer }
    }

    /// Locks the piece in play. Out: rows cleared, and the piece's cells in them.
    #[inline]
    pub fn place(&mut self, placement: Placement) -> (u32, u32) {
        let (cleared, eroded) = self.field.lock(placement);
        self.pieces += 1;
        if cleared > 0 {
            for _ in 0..cleared {
                self.count_line();
            }
            self.score = score_after(self.score, self.level, cleared as u8, 0);
        }
        self.piece = std::mem::replace(&mut self.next, self.dealer.deal());
        self.over = !self.field.fits(Placement::spawn(self.piece));
        (cleared, eroded)
    }

    fn count_line(&mut self) {
        self.lines += 1;
        if self.lines.is_multiple_of(10) {
            // The tens and hundreds, BCD taken for binary, are the level that the lines are worth.
            // Signed.
            let reached = (((self.lines / 100) << 4) | (self.lines / 10 % 10)) as u8;
            if (self.level.wrapping_sub(reached) as i8) < 0 {
                self.level = self.level.wrapping_add(1);
            }
        }
    }
}
