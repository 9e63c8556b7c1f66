//! The A-type endings: a rocket, the larger the more points sent it up.

use super::screens::Screen;
use super::{Game, Wait, effect, render};
use crate::buttons::START;

/// The scanline the rockets stand on, and the column of their middle.
const PAD_Y: u8 = 192;
const PAD_X: u8 = 128;
/// Frames before lift-off, and those of them in which the engine burns.
const COUNTDOWN: u8 = 150;
const IGNITION: u8 = 60;
const ENDING_TRACK: u8 = 10;
/// Ten thousands of the score, BCD, for each of the five.
const RANK_SCORES: [u8; 5] = [0x03, 0x05, 0x07, 0x10, 0x12];
/// Widths of rocket and flame in tiles.
const ROCKET_WIDTH: [u8; 5] = [1, 2, 2, 3, 4];
const FLAME_WIDTH: [u8; 5] = [1, 2, 2, 2, 2];

// The ending's variables: the scanline of the rocket's foot and its fraction, 0 = gone; its speed in 1/256 scanlines a
// frame, low byte first; its rank.
const Y: usize = 0;
const Y_LOW: usize = 1;
const SPEED: usize = 2;
const RANK: usize = 4;

impl Game<'_> {
    pub(super) fn enter_ending_a(&mut self) {
        self.render_mode = render::STILL;
        let rank = RANK_SCORES.iter().rposition(|&score| self.player.score[2] >= score);
        self.ending_vars[RANK] = rank.unwrap_or(0) as u8;
        self.draw(Screen::EndingA);
    }

    pub(super) fn begin_ending_a(&mut self) {
        self.render_mode = render::ENDING;
        self.music_request = ENDING_TRACK;
        self.ending_vars[..4].copy_from_slice(&[PAD_Y, 0, 0, 0]);
        self.ending_delay = COUNTDOWN;
        self.fly();
    }

    pub(super) fn ending_a_frame(&mut self) {
        if self.ending_vars[Y] == 0 && self.pad_pressed == START {
            self.enter_high_scores();
        } else {
            self.fly();
        }
    }

    /// A frame of it: staged, then moved on.
    fn fly(&mut self) {
        let rank = usize::from(self.ending_vars[RANK]).min(4);
        if self.ending_vars[Y] != 0 {
            let burns = self.ending_delay < IGNITION;
            let width = if burns { FLAME_WIDTH[rank] } else { ROCKET_WIDTH[rank] };
            self.saved = PAD_X - 4 * width;
        }
        if self.ending_delay != 0 {
            self.ending_delay -= 1;
            if self.ending_delay == IGNITION {
                self.effect_noise = effect::ROCKET;
            }
        } else if self.ending_vars[Y] != 0 {
            self.climb();
        }
        self.end_frame(Wait::EndingA);
    }

    fn climb(&mut self) {
        let vars = &mut self.ending_vars;
        let speed = u16::from_le_bytes([vars[SPEED], vars[SPEED + 1]]).wrapping_add(2);
        let y = u16::from_le_bytes([vars[Y_LOW], vars[Y]]);
        let (climbed, gone) = y.overflowing_sub(speed);
        let [low, high] = climbed.to_le_bytes();
        [vars[SPEED], vars[SPEED + 1]] = speed.to_le_bytes();
        vars[Y_LOW] = low;
        vars[Y] = if gone { 0 } else { high };
    }
}
