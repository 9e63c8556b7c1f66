//! The piece in play: shift, rotation and drop, in this order once a frame.

use super::{EMPTY, Game, effect, state};
use crate::buttons::{A, B, DIRECTIONS, DOWN, LEFT, RIGHT};
use crate::orientation::{ROTATIONS, SHAPES};

/// Frames per row of a soft drop.
const SOFT_DROP_EVERY: u8 = 2;

impl Game<'_> {
    #[inline(always)]
    pub(super) fn play_active(&mut self) {
        self.shift();
        self.rotate();
        self.drop();
    }

    /// A new press shifts at once and empties the counter, a held direction fills it. A shift that
    /// is blocked leaves the counter full. Down stops all of this.
    #[inline(always)]
    fn shift(&mut self) {
        self.saved = self.player.x;
        if self.held & DOWN != 0 {
            return;
        }
        if self.pressed & (LEFT | RIGHT) != 0 {
            self.player.das = 0;
        } else {
            if self.held & (LEFT | RIGHT) == 0 {
                return;
            }
            self.player.das = self.player.das.wrapping_add(1);
            if (self.player.das.wrapping_sub(self.rom.pace.das_full) as i8) < 0 {
                return;
            }
            self.player.das = self.rom.pace.das_again;
        }
        if self.held & RIGHT != 0 {
            self.player.x = self.player.x.wrapping_add(1);
        } else if self.held & LEFT != 0 {
            self.player.x = self.player.x.wrapping_sub(1);
        } else {
            return;
        }
        if self.fits() {
            self.effect_pulse = effect::SHIFT;
        } else {
            self.player.x = self.saved;
            self.player.das = self.rom.pace.das_full;
        }
    }

    /// A turns clockwise, B the other way, A wins; a turn that does not fit does not happen.
    #[inline(always)]
    fn rotate(&mut self) {
        self.saved = self.player.orientation;
        if self.pressed & (A | B) == 0 {
            return;
        }
        let (counterclockwise, clockwise) = ROTATIONS[usize::from(self.player.orientation) % ROTATIONS.len()];
        self.player.orientation = if self.pressed & A != 0 { clockwise } else { counterclockwise };
        if self.fits() {
            self.effect_pulse = effect::ROTATE;
        } else {
            self.player.orientation = self.saved;
        }
    }

    /// The hang of the first piece while `down_repeat` is negative, soft drop while it is positive,
    /// gravity.
    #[inline(always)]
    pub(super) fn drop(&mut self) {
        let mut repeat = self.player.down_repeat;
        let mut advance = true;
        if repeat & 0x80 != 0 {
            if self.pressed & DOWN == 0 {
                self.player.down_repeat = repeat.wrapping_add(1);
                return;
            }
            repeat = 0;
            self.player.down_repeat = 0;
        }
        if repeat == 0 {
            advance = self.held & (LEFT | RIGHT) == 0 && self.pressed & DIRECTIONS == DOWN;
        } else if self.held & DIRECTIONS != DOWN {
            advance = false;
            self.player.soft_drop_rows = 0;
            self.player.down_repeat = 0;
        }
        if advance {
            repeat += 1;
            if repeat > SOFT_DROP_EVERY {
                self.player.down_repeat = 1;
                self.player.soft_drop_rows = self.player.soft_drop_rows.wrapping_add(1);
                self.lower();
                return;
            }
            self.player.down_repeat = repeat;
        }
        self.drop_speed = self.rom.pace.frames_per_row(self.player.level);
        // The sign of the difference: a timer beyond 127 frames waits for it to come round.
        if (self.player.fall_timer.wrapping_sub(self.drop_speed) as i8) >= 0 {
            self.lower();
        }
    }

    /// One row down; a piece that cannot go there stays and locks.
    pub(super) fn lower(&mut self) {
        self.player.fall_timer = 0;
        self.saved = self.player.y;
        self.player.y = self.player.y.wrapping_add(1);
        if !self.fits() {
            self.player.y = self.saved;
            self.player.state = state::LOCK;
            self.update_playfield();
        }
    }

    /// Are the piece's four cells inside the walls and empty? Two rows above the playfield are
    /// legal; what a cell there is compared with are the last bytes of the playfield's page, as the
    /// index wraps in eight bits.
    #[inline(always)]
    pub(super) fn fits(&mut self) -> bool {
        let player = &self.player;
        let shape = &SHAPES[usize::from(player.orientation & 0x1F)];
        let pivot = player.y.wrapping_mul(10).wrapping_add(player.x);
        for (row, column) in shape.cells {
            // The carry of the first addition goes into the second: rows above the pivot count one
            // too low.
            let (cell_row, carry) = player.y.overflowing_add(row as u8);
            if cell_row.wrapping_add(2).wrapping_add(u8::from(carry)) >= 22 {
                return false;
            }
            let place = pivot.wrapping_add((row as u8).wrapping_mul(10));
            self.cursor = place;
            if self.field[usize::from(place.wrapping_add(column as u8))] < EMPTY {
                return false;
            }
            if player.x.wrapping_add(column as u8) >= 10 {
                return false;
            }
        }
        true
    }
}
