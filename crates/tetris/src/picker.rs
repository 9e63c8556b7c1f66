//! The picker: which piece comes next (`$9907`), and what it keeps in between.

use serde::{Deserialize, Serialize};

use crate::lfsr;
use crate::{Orientation, Piece};

/// Spawn orientation by three bits (`$994E`). The table has seven entries: index 7 reads the first
/// byte of the next table, which is `$02`, a T. The picker never looks there, the demo's pieces do.
pub const SPAWN_ORIENTATIONS: [u8; 8] = {
    let mut orientations = [0x02; 8];
    let mut number = 0;
    while number < 7 {
        orientations[number] = Orientation::spawn(Piece::ALL[number]).id();
        number += 1;
    }
    orientations
};

/// Piece of a byte of the demo's table (`$DF00`): bits 4–6 by way of [`SPAWN_ORIENTATIONS`],
/// overrun included.
pub const fn demo_piece(byte: u8) -> Piece {
    Piece::ALL[(byte >> 4 & 7) as usize % 7]
}

/// The piece that the biased path picks from three random bits and the prior spawn orientation:
/// their sum modulo 7. Rows 0 and 7 of the article's table are the same, as are the columns of
/// `$07` and `$0E`, of `$0B` and `$12`.
pub const fn biased_pick(bits: u8, prior_orientation: u8) -> Piece {
    Piece::ALL[(bits & 7).wrapping_add(prior_orientation) as usize % 7]
}

/// What the game keeps between two picks: the shift register, the spawn count, the prior spawn
/// orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Picker {
    /// Shift register at `$0017` (high) and `$0018`.
    pub lfsr: u16,
    /// Pieces spawned since power-on at `$001A`, one byte. A new game does not reset it.
    pub spawn_count: u8,
    /// Orientation of the prior pick at `$0019`; 0 at the start of a game, which no pick equals.
    pub spawn_orientation: u8,
}

impl Picker {
    /// A picker at the start of a game.
    pub const fn new(lfsr: u16, spawn_count: u8) -> Self {
        Self { lfsr, spawn_count, spawn_orientation: 0 }
    }

    /// A new game: the prior orientation is forgotten, the spawn count is not.
    pub const fn start_game(&mut self) {
        self.spawn_orientation = 0;
    }

    /// `frames` steps of the register: the game takes one in every NMI.
    #[inline]
    pub const fn wait(&mut self, frames: u32) {
        self.lfsr = lfsr::advance(self.lfsr, frames);
    }

    /// The routine at `$9907`: a first try on the register's high byte plus the spawn count, and
    /// where that is 7 or the prior piece, one step of the register and the biased path.
    #[inline]
    pub const fn pick(&mut self) -> Piece {
        let stepped = lfsr::step(self.lfsr);
        let (piece, again) = self.pick_of((self.lfsr >> 8) as u8, (stepped >> 8) as u8);
        if again {
            self.lfsr = stepped;
        }
        piece
    }

    /// The same of two bytes instead of the register's: the first try's, and the biased path's
    /// where it comes to that. Answers also whether it came to that.
    #[inline]
    pub const fn pick_of(&mut self, first: u8, second: u8) -> (Piece, bool) {
        self.spawn_count = self.spawn_count.wrapping_add(1);
        let index = first.wrapping_add(self.spawn_count) & 7;
        let again = index == 7 || SPAWN_ORIENTATIONS[index as usize] == self.spawn_orientation;
        let piece =
            if again { biased_pick(second, self.spawn_orientation) } else { Piece::ALL[index as usize] };
        self.spawn_orientation = SPAWN_ORIENTATIONS[piece as usize];
        (piece, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eighth_spawn_orientation_is_the_t_of_the_next_table() {
        assert_eq!(SPAWN_ORIENTATIONS[7], SPAWN_ORIENTATIONS[Piece::T as usize]);
        assert_eq!(demo_piece(0x7F), Piece::T);
        assert_eq!(demo_piece(0x80), Piece::T);
        assert_eq!(demo_piece(0x6F), Piece::I);
    }

    #[test]
    fn a_new_game_forgets_the_prior_piece_and_keeps_the_spawn_count() {
        let mut picker = Picker::new(lfsr::SEED, 0xFF);
        picker.pick();
        assert_eq!((picker.spawn_count, picker.spawn_orientation == 0), (0, false));
        picker.start_game();
        assert_eq!((picker.spawn_count, picker.spawn_orientation), (0, 0));
    }
}
