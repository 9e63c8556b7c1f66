//! The A-type endings: a rocket, the larger the more points sent it up.

use super::{Game, Wait, effect};
use crate::buttons::START;

/// Frames of the engine's burning before the rocket rises.
const IGNITION: u8 = 0xF0;
/// Scanlines above which it rises every frame, and above which by two.
const SLOW: u8 = 0xB0;
const FAST: u8 = 0x80;
/// Ten thousands of the score, BCD, from which the second to the fifth are.
const RANK_SCORES: [u8; 4] = [0x05, 0x07, 0x10, 0x12];

// Of the ending's variables: its rank; the scanline of the rocket, 0 = gone; frames of ignition.
const RANK: usize = 0;
const Y: usize = 1;
const BURNT: usize = 2;

impl Game<'_> {
    /// Which of the five the score has earned.
    pub(super) fn rank(&self) -> u8 {
        RANK_SCORES.iter().take_while(|&&score| self.player.score[2] >= score).count() as u8
    }

    pub(super) fn prepare_rocket(&mut self) {
        let rank = self.rank();
        self.ending[RANK] = rank;
        self.ending[Y] = self.rom.rockets[usize::from(rank)];
        self.ending[BURNT] = 0;
    }

    pub(super) fn ending_a(&mut self) {
        self.fly();
        self.end_frame(Wait::EndingA);
    }

    pub(super) fn ending_a_frame(&mut self) {
        if self.ending[Y] == 0 && self.pad_pressed == START {
            self.end_ending();
        } else {
            self.ending_a();
        }
    }

    /// A frame of the flight.
    pub(super) fn fly(&mut self) {
        if self.ending[Y] == 0 {
            return;
        }
        if self.ending[BURNT] != IGNITION {
            self.ending[BURNT] = self.ending[BURNT].wrapping_add(1);
            return;
        }
        if self.ending[Y] >= SLOW && self.frame_counter & 1 != 0 {
            return;
        }
        self.effect_noise = effect::ROCKET;
        self.ending[Y] -= 1;
        if self.ending[Y] < FAST {
            self.ending[Y] = self.ending[Y].wrapping_sub(1);
        }
    }
}
