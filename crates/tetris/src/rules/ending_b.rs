//! The B-type's ending: a parade, during which the bonus for level and height is counted onto the
//! score.

use super::{Game, Sleep, Wait, effect};
use crate::buttons::START;

/// Frames before and after a bonus, and of a step of it.
const BONUS_PAUSE: u8 = 64;
const STEP_PAUSE: u8 = 2;

impl Game<'_> {
    /// A thousand for each level, as its last digit shows it, and each step of height: in BCD
    /// hundreds.
    pub(super) fn prepare_bonus(&mut self) {
        self.hand.level = self.rom.level_digits[usize::from(self.player.level)] & 0x0F;
        self.b_total = [0; 3];
        self.level_bonus = self.hand.level << 4;
        self.height_bonus = self.player.start_height << 4;
    }

    /// What follows a pause of the counting.
    pub(super) fn count_bonus(&mut self, after: Sleep) {
        match after {
            Sleep::Score => {
                self.b_total = self.player.score;
                self.effect_pulse = effect::SELECT;
                self.player.score = [0; 3];
                self.sleep_and_play(Sleep::LevelBonus, BONUS_PAUSE);
            }
            Sleep::LevelBonus if self.level_bonus == 0 => self.count_bonus(Sleep::HeightBonus),
            Sleep::LevelStep if self.level_bonus == 0 => {
                self.sleep_and_play(Sleep::HeightBonus, BONUS_PAUSE);
            }
            Sleep::LevelBonus | Sleep::LevelStep => {
                self.level_bonus = hundred_less(self.level_bonus);
                self.count_hundred(Sleep::LevelStep);
            }
            Sleep::HeightBonus if self.height_bonus == 0 => self.ending_b(),
            Sleep::HeightStep if self.height_bonus == 0 => {
                self.effect_pulse = effect::SELECT;
                self.sleep_and_play(Sleep::Counted, BONUS_PAUSE);
            }
            Sleep::HeightBonus | Sleep::HeightStep => {
                self.height_bonus = hundred_less(self.height_bonus);
                self.count_hundred(Sleep::HeightStep);
            }
            _ => self.ending_b(),
        }
    }

    /// A step of a bonus: a hundred more in the total.
    fn count_hundred(&mut self, step: Sleep) {
        let [_, hundreds, high] = &mut self.b_total;
        *hundreds = hundreds.wrapping_add(1);
        if *hundreds & 0x0F >= 0x0A {
            *hundreds = hundreds.wrapping_add(6);
        }
        if *hundreds & 0xF0 >= 0xA0 {
            *hundreds = hundreds.wrapping_add(0x60);
            *high = high.wrapping_add(1);
        }
        if *high & 0x0F >= 0x0A {
            *high = high.wrapping_add(6);
        }
        self.effect_pulse = effect::CURSOR;
        self.sleep_and_play(step, STEP_PAUSE);
    }

    fn ending_b(&mut self) {
        self.parade();
        self.end_frame(Wait::EndingB);
    }

    pub(super) fn ending_b_frame(&mut self) {
        if self.pad_pressed == START {
            self.hand.level = self.player.level;
            self.hand.score = self.b_total;
            self.end_ending();
        } else {
            self.ending_b();
        }
    }
}

/// A hundred off a bonus in BCD.
fn hundred_less(bonus: u8) -> u8 {
    let less = bonus.wrapping_sub(1);
    if less & 0x0F == 0x0F { less & 0xF0 | 0x09 } else { less }
}
