//! The B-type's parade: what flies, swims or walks past, in what number the height says; at level 9
//! a concert.

use super::Game;
use crate::rom::Parade;

/// The level whose parade is a concert.
const CONCERT: u8 = 9;
/// The height at which the concert's last player comes.
const LAST_HEIGHT: u8 = 5;
/// Frames of that player's leaps, after which a dome starts.
const LEAPS: u8 = 80;

// Of the ending's variables: the frames of the picture; which of two pictures; the columns of those
// that pass, from the second on; the one in hand; frames since the last step.
pub(super) const PICTURE_FRAMES: usize = 0;
pub(super) const PICTURE: usize = 1;
const COLUMN: u8 = 2;
pub(super) const IN_HAND: usize = 8;
const DELAY: usize = 9;

impl Game<'_> {
    pub(super) fn prepare_stage(&mut self) {
        self.ending[PICTURE_FRAMES] = 0;
        self.ending[PICTURE] = 0;
        self.ending[DELAY] = 0;
        if self.hand.level == CONCERT {
            self.prepare_domes();
            return;
        }
        let parade = &self.rom.parade;
        self.ending[3..8].fill(parade.byte(Parade::ABSENT, self.hand.level));
        self.ending[usize::from(COLUMN)] = parade.byte(Parade::START, self.hand.level);
    }

    pub(super) fn parade(&mut self) {
        if self.hand.level == CONCERT {
            if self.player.start_height >= LAST_HEIGHT {
                self.leap();
            }
            self.lift_domes();
            return;
        }
        let level = self.hand.level;
        let parade = &self.rom.parade;
        let ending = &mut self.ending;
        ending[PICTURE_FRAMES] = ending[PICTURE_FRAMES].wrapping_add(1);
        if ending[PICTURE_FRAMES] == parade.byte(Parade::PICTURE_FRAMES, level) {
            ending[PICTURE] ^= 1;
            ending[PICTURE_FRAMES] = 0;
        }
        ending[DELAY] = ending[DELAY].wrapping_add(1);
        let moves = ending[DELAY] == parade.byte(Parade::DELAY, level);
        ending[IN_HAND] = 0;
        // One at a height of 0, six at 5. Behind the sixth stands the number of the one in hand:
        // from 254 it comes round. The bound is for what no menu can choose.
        for _ in 0..=u8::MAX {
            let one = ending[IN_HAND];
            let place = usize::from(COLUMN.wrapping_add(one));
            self.clock.overwritten |= moves && place >= ending.len();
            if let Some(column) = ending.get_mut(place)
                && moves
                && *column != parade.byte(Parade::ABSENT, level)
            {
                *column = column.wrapping_add(parade.byte(Parade::STEP, level));
                let turns = parade.turn(level, one) == *column;
                let behind = usize::from(COLUMN.wrapping_add(one).wrapping_add(1));
                if let Some(behind) = ending.get_mut(behind).filter(|_| turns) {
                    *behind = parade.byte(Parade::START, level);
                }
            }
            if ending[IN_HAND] == self.hand.start_height {
                break;
            }
            ending[IN_HAND] = ending[IN_HAND].wrapping_add(1);
        }
        if moves {
            ending[DELAY] = 0;
        }
    }

    fn leap(&mut self) {
        let ending = &mut self.ending;
        if ending[PICTURE_FRAMES] >> 3 == LEAPS >> 3 {
            ending[PICTURE_FRAMES] = 0;
            ending[PICTURE] = ending[PICTURE].wrapping_add(1);
        }
        ending[PICTURE_FRAMES] = ending[PICTURE_FRAMES].wrapping_add(1);
    }
}
