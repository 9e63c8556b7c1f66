//! A frame in which a piece moves and nothing else goes on, as most do.
//!
//! What the interrupt and the pass of the main loop have to look at is then known beforehand, and
//! what the buttons mean for the shift counter is looked up: to the processor that plays this they
//! are as good as random, and a branch on them is foreseen as often as a coin.

use super::super::{Clock, Game, ROWS_DONE, Wait, mode, mode_state, render, state};
use crate::buttons::{A, B, DIRECTIONS, DOWN, LEFT, RIGHT, SELECT, START};
use crate::lfsr;
use crate::orientation::ROTATIONS;

impl Game<'_> {
    /// One frame, if it is such a one. Out: was it? If not, nothing has changed.
    #[inline(always)]
    pub(in super::super) fn step_active(&mut self, buttons: u8) -> bool {
        let player = &self.player;
        // Side by side in memory, so that it is one comparison.
        let game = [
            self.mode_state,
            self.mode,
            self.render_mode,
            self.dirty,
            self.music_request,
            self.effect_noise,
            self.effect_pulse,
            self.pause_frames,
        ];
        if self.wait != Wait::Main
            || game != [mode_state::COUNTERS, mode::PLAY, render::PLAY, 0, 0, 0, 0, 0]
            || [player.state, player.vram_row] != [state::ACTIVE, ROWS_DONE]
            || player.lines_completed != 0
            || player.down_repeat & 0x80 != 0
            // Start can pause, or leave the game with three others. Left, Right and Down are taken
            // for a state.
            || buttons & START != 0
            || buttons == LEFT | RIGHT | DOWN
        {
            return false;
        }
        let pressed = buttons & !self.pad_held;
        self.sleep_counter = self.sleep_counter.saturating_sub(1);
        self.frame_counter = self.frame_counter.wrapping_add(1);
        self.lfsr = lfsr::step(self.lfsr);
        self.clock = Clock::default();
        self.player.fall_timer = self.player.fall_timer.wrapping_add(1);
        self.second.fall_timer = self.second.fall_timer.wrapping_add(1);
        self.hide_next ^= u8::from(pressed & SELECT != 0);
        self.active_player = 1;
        self.field_page = 4;
        [self.pressed, self.held] = [pressed, buttons];
        [self.pad_pressed, self.pad_held] = [pressed, buttons];
        // The sounds that are asked for are taken before the frame ends.
        self.steer(pressed, buttons);
        self.turn(pressed);
        if self.player.down_repeat != 0 {
            self.drop_further();
            return true;
        }
        let begins = (buttons & (LEFT | RIGHT)) << 4 | pressed & DIRECTIONS == DOWN;
        self.player.down_repeat = u8::from(begins);
        self.drop_speed = self.rom.pace.frames_per_row(self.player.level);
        if (self.player.fall_timer.wrapping_sub(self.drop_speed) as i8) >= 0 {
            self.lower();
        }
        true
    }

    /// A soft drop goes on, or ends.
    #[inline(never)]
    fn drop_further(&mut self) {
        self.drop();
    }

    /// As [`Game::shift`].
    #[inline(always)]
    fn steer(&mut self, pressed: u8, held: u8) {
        let index = held & (DOWN | LEFT | RIGHT) | (pressed & (LEFT | RIGHT)) << 3;
        let steer = &STEERS[usize::from(index)];
        let das = self.player.das.wrapping_add(steer.charge) & steer.keep;
        self.player.das = das;
        if (steer.repeat & !das.wrapping_sub(self.rom.pace.das_full) | steer.tap) & 0x80 == 0 {
            return;
        }
        self.saved = self.player.x;
        self.player.das = self.rom.pace.das_again & steer.keep;
        self.player.x = self.saved.wrapping_add(steer.step);
        if !self.fits_at_once() {
            self.player.x = self.saved;
            self.player.das = self.rom.pace.das_full;
        }
    }

    /// As [`Game::rotate`].
    #[inline(always)]
    fn turn(&mut self, pressed: u8) {
        self.saved = self.player.orientation;
        if pressed & (A | B) != 0 {
            self.player.orientation = TURNS[usize::from(self.saved)][usize::from(pressed & A != 0)];
            if !self.fits_at_once() {
                self.player.orientation = self.saved;
            }
        }
    }
}

/// What the buttons make of the shift counter.
#[derive(Clone, Copy)]
struct Steer {
    /// Is added to it.
    charge: u8,
    /// Its bits that stay.
    keep: u8,
    /// Bit 7: shifts when the counter is full.
    repeat: u8,
    /// Bit 7: shifts.
    tap: u8,
    /// Columns of a shift.
    step: u8,
}

/// By Left and Right as they are pressed anew, then Down, Left and Right as they are held, a bit
/// each.
static STEERS: [Steer; 32] = {
    let mut steers = [Steer { charge: 0, keep: 0xFF, repeat: 0, tap: 0, step: 0 }; 32];
    let mut index = 0;
    while index < steers.len() {
        let (held, pressed) = (index as u8 & (DOWN | LEFT | RIGHT), index as u8 >> 3);
        let steer = &mut steers[index];
        let moves = held & (LEFT | RIGHT) != 0;
        if held & DOWN == 0 {
            if pressed != 0 {
                steer.keep = 0;
                steer.tap = if moves { 0x80 } else { 0 };
            } else if moves {
                steer.charge = 1;
                steer.repeat = 0x80;
            }
            steer.step = if held & RIGHT != 0 { 1 } else { 0xFF };
        }
        index += 1;
    }
    steers
};

/// By orientation, whatever byte that is: counterclockwise, clockwise.
static TURNS: [[u8; 2]; 256] = {
    let mut turns = [[0; 2]; 256];
    let mut byte = 0;
    while byte < turns.len() {
        let (counterclockwise, clockwise) = ROTATIONS[byte % ROTATIONS.len()];
        turns[byte] = [counterclockwise, clockwise];
        byte += 1;
    }
    turns
};
