//! Spawning: the next piece comes in, another one is picked.

use super::{Game, SPAWN_X, mode, state};
use crate::Piece;
use crate::orientation::{Orientation, SPAWN_TABLE, TYPES};
use crate::picker::{Picker, SPAWN_ORIENTATIONS};

impl Game<'_> {
    /// Pieces picked since reset, modulo 256: another number after the frame in which a piece came
    /// in.
    pub const fn picks(&self) -> u8 {
        self.spawn_count
    }

    /// Deals another next piece in place of the one that was picked, whose picker goes on as if
    /// nothing had happened.
    pub const fn set_next(&mut self, piece: Piece) {
        self.next_piece = Orientation::spawn(piece).id();
    }

    /// Waits until the picture has the whole playfield: hence the entry delay. Down has to be
    /// pressed anew for this piece; the shift counter carries over.
    pub(super) fn play_spawn(&mut self) {
        if self.picture_lacks_rows() {
            return;
        }
        self.player.fall_timer = 0;
        self.player.down_repeat = 0;
        self.player.y = 0;
        self.player.x = SPAWN_X;
        self.player.state = state::ACTIVE;
        self.player.orientation = SPAWN_TABLE[usize::from(TYPES[usize::from(self.next_piece) % TYPES.len()])];
        self.count_piece();
        self.next_piece = self.pick_piece();
    }

    /// The orientation of a piece to come.
    pub(super) fn pick_piece(&mut self) -> u8 {
        if self.mode != mode::DEMO {
            return self.random_piece();
        }
        let piece = self.rom.demo_pieces[usize::from(self.demo_piece)] >> 4 & 7;
        self.demo_piece = self.demo_piece.wrapping_add(1);
        SPAWN_ORIENTATIONS[usize::from(piece)]
    }

    fn random_piece(&mut self) -> u8 {
        let mut picker =
            Picker { lfsr: self.lfsr, spawn_count: self.spawn_count, spawn_orientation: self.last_piece };
        picker.pick();
        (self.lfsr, self.spawn_count) = (picker.lfsr, picker.spawn_count);
        self.last_piece = picker.spawn_orientation;
        self.last_piece
    }
}
