//! Tetris The Grand Master 3: a pool of 35 pieces in which the rarest replaces whatever is taken,
//! its bug included.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::arika::{self, Rand};
use crate::letters;
use crate::{Kind, Randomizer};

/// Rolls that look at the history. One more follows them, which is taken as it comes.
const CHECKED_ROLLS: u32 = 6;

/// TGM3 (Terror-Instinct).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tgm3 {
    rand: Rand,
    /// The last four pieces, the oldest first.
    #[serde(with = "letters")]
    history: [Piece; 4],
    /// The pool that is drawn from.
    #[serde(with = "letters")]
    pool: [Piece; 35],
    /// Pieces dealt since each was, in Arika's order. All start at 4, and the first piece of a game
    /// does not count.
    droughts: [u32; 7],
    /// The piece with the longest drought; the first of equals in Arika's order.
    #[serde(with = "letters::one")]
    rarest: Piece,
    /// Has the first piece been dealt?
    begun: bool,
}

impl Tgm3 {
    /// A game of TGM3. Bits of the seed from 25 up make no difference.
    pub const fn new(seed: u32) -> Self {
        let mut pool = [Piece::I; 35];
        let mut slot = 0;
        while slot < pool.len() {
            pool[slot] = arika::ORDER[slot / 5];
            slot += 1;
        }
        Self {
            rand: Rand(seed),
            history: [Piece::Z, Piece::S, Piece::S, Piece::Z],
            pool,
            droughts: [4; 7],
            rarest: Piece::I,
            begun: false,
        }
    }

    #[inline]
    fn slot(&mut self) -> usize {
        self.rand.next() as usize % self.pool.len()
    }

    /// Draws a slot of the pool. A piece of the history that is drawn goes from the pool, the
    /// rarest takes its place. Answers also whether that happened.
    #[inline]
    fn draw(&mut self) -> (usize, bool) {
        for roll in 0..CHECKED_ROLLS {
            let slot = self.slot();
            if !self.history.contains(&self.pool[slot]) {
                return (slot, roll > 0);
            }
            self.pool[slot] = self.rarest;
            // As in TGM2: a roll for the case that this was the last try, wasted where it was not.
            if roll + 1 < CHECKED_ROLLS {
                self.rand.next();
            }
        }
        (self.slot(), true)
    }

    #[inline]
    fn take(&mut self) -> Piece {
        let (slot, rerolled) = self.draw();
        let piece = self.pool[slot];
        let ended = self.droughts[arika::number(piece)];
        for drought in &mut self.droughts {
            *drought = drought.saturating_add(1);
        }
        self.droughts[arika::number(piece)] = 0;
        let mut stale = false;
        if piece == self.rarest {
            let mut longest = 0;
            for (number, &drought) in self.droughts.iter().enumerate() {
                if drought > self.droughts[longest] {
                    longest = number;
                }
            }
            self.rarest = arika::ORDER[longest];
            // The game's bug: after a reroll the search for the rarest starts from the drought that
            // just ended instead of from nothing; where no other is longer, the slot keeps the
            // piece that was taken.
            stale = rerolled && self.droughts[longest] <= ended;
        }
        if !stale {
            self.pool[slot] = self.rarest;
        }
        piece
    }
}

impl Randomizer for Tgm3 {
    #[inline]
    fn deal(&mut self) -> Piece {
        let piece = if self.begun { self.take() } else { self.rand.first_piece() };
        self.begun = true;
        let [_, second, third, fourth] = self.history;
        self.history = [second, third, fourth, piece];
        piece
    }

    fn kind(&self) -> Kind {
        Kind::Tgm3
    }
}
