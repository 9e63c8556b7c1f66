//! The B-type's ending: a concert, during which the bonus for level and height is counted onto the score.

use super::screens::Screen;
use super::{Game, Wait, effect, render};
use crate::buttons::START;

/// Frames of music before the counting.
const OVERTURE: u8 = 60;
const ENDING_TRACK: u8 = 10;
/// From this level on there are fireworks.
const LAST_LEVEL: u8 = 9;
/// Pixel columns of the musicians, by height, and of the fireworks.
const MUSICIAN_X: [u8; 6] = [120, 72, 168, 96, 144, 48];
const BURST_X: [u8; 8] = [24, 208, 48, 184, 16, 224, 40, 200];

impl Game<'_> {
    pub(super) fn enter_ending_b(&mut self) {
        self.render_mode = render::STILL;
        // A thousand for each level, as its last digit shows it, and each step of height: in BCD hundreds.
        self.level_bonus = (self.player.level % 10) << 4;
        self.height_bonus = self.player.start_height << 4;
        self.b_total = self.player.score;
        self.draw(Screen::EndingB);
    }

    pub(super) fn begin_ending_b(&mut self) {
        self.render_mode = render::ENDING;
        self.music_request = ENDING_TRACK;
        self.ending_delay = OVERTURE;
        self.concert();
    }

    pub(super) fn ending_b_frame(&mut self) {
        if self.level_bonus | self.height_bonus == 0 && self.pad_pressed == START {
            self.player.score = self.b_total;
            self.enter_ending();
        } else {
            self.concert();
        }
    }

    fn concert(&mut self) {
        self.ending_sprite = self.player.start_height;
        self.saved = MUSICIAN_X[usize::from(self.player.start_height).min(MUSICIAN_X.len() - 1)];
        if self.player.level >= LAST_LEVEL {
            self.saved = BURST_X[usize::from(self.frame_counter >> 4) % BURST_X.len()];
        }
        if self.ending_delay != 0 {
            self.ending_delay -= 1;
        } else if self.frame_counter & 1 == 0 {
            self.count_hundred();
        }
        self.end_frame(Wait::EndingB);
    }

    /// Moves a hundred from a bonus to the total: the level's first, then the height's.
    fn count_hundred(&mut self) {
        let bonus = match (&mut self.level_bonus, &mut self.height_bonus) {
            (0, 0) => return,
            (0, height) => height,
            (level, _) => level,
        };
        *bonus = bonus.wrapping_sub(if *bonus & 0x0F == 0 { 7 } else { 1 });
        for digits in &mut self.b_total[1..] {
            *digits = digits.wrapping_add(1);
            if *digits & 0x0F != 0x0A {
                break;
            }
            *digits = digits.wrapping_add(6);
            if *digits != 0xA0 {
                break;
            }
            *digits = 0;
        }
        self.effect_pulse = effect::CHIRP;
    }
}
