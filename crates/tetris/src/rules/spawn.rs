//! Spawning: the next piece comes in, another one is picked.

use super::player::state;
use super::{Game, ROWS_DONE, SPAWN_X, mode};
use crate::lfsr;
use crate::orientation::{SPAWN_TABLE, TYPES};

impl Game<'_> {
    /// Waits until the picture has the whole playfield: hence the entry delay. Down has to be pressed anew for this
    /// piece; the shift counter carries over.
    pub(super) fn play_spawn(&mut self) {
        if self.player.vram_row != ROWS_DONE {
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
        // The byte behind the table of seven is the table of spawn orientations', a T.
        SPAWN_TABLE.get(usize::from(piece)).copied().unwrap_or(SPAWN_TABLE[0])
    }

    /// The first throw has eight sides, one of them empty; one that shows it or the last piece is thrown again. The
    /// second adds the last piece's orientation, not its number, and takes that modulo 7: repeats are rarer than one
    /// in seven, and not equally so.
    fn random_piece(&mut self) -> u8 {
        self.spawn_count = self.spawn_count.wrapping_add(1);
        let throw = self.spawn_count.wrapping_add((self.lfsr >> 8) as u8) & 7;
        let first = SPAWN_TABLE.get(usize::from(throw)).copied();
        self.last_piece = first.filter(|&piece| piece != self.last_piece).unwrap_or_else(|| {
            self.lfsr = lfsr::step(self.lfsr);
            let throw = ((self.lfsr >> 8) as u8 & 7).wrapping_add(self.last_piece);
            SPAWN_TABLE[usize::from(throw % 7)]
        });
        self.last_piece
    }
}
