//! Lines, the levels and points they win, and the statistics.

use super::player::Player;
use super::{Game, dirty, effect, state};
use crate::orientation::TYPES;

/// What rows cleared at once are worth a level: BCD, low byte first.
const POINTS: [[u8; 2]; 5] = [[0x00, 0x00], [0x40, 0x00], [0x00, 0x01], [0x00, 0x03], [0x00, 0x12]];

impl Game<'_> {
    /// Takes the rows completed by this lock into the counts. The A-type counts up, the B-type down to 0.
    ///
    /// Out: is the player's state over, or did the next interrupt come before that?
    pub(super) fn play_lines(&mut self) -> bool {
        if self.may_be_late() {
            return self.play_lines_timed();
        }
        self.update_music_speed();
        self.count_lines();
        self.add_drop_points();
        self.add_line_points();
        true
    }

    /// The same with an eye on the clock.
    fn play_lines_timed(&mut self) -> bool {
        let before = self.player;
        let was_fast = self.fast_music != 0;
        self.update_music_speed();
        let mut cycles = self.cycles_before_lines(was_fast);
        let clears = usize::from(before.lines_completed).checked_sub(1);
        let clears_ten = clears.is_some_and(|one| self.line_counts.get(one).is_some_and(|n| n & 0x0F == 9));
        self.count_lines();
        cycles += self.cycles_of_lines(&before, clears_ten);
        cycles += Self::cycles_of_drop(before.soft_drop_rows, before.score[0]);
        self.add_drop_points();
        !self.add_points_timed(before, cycles, self.player.level.wrapping_add(1))
    }

    fn count_lines(&mut self) {
        let completed = self.player.lines_completed;
        if completed != 0 {
            if let Some(count) = self.line_counts.get_mut(usize::from(completed - 1)) {
                *count = count.wrapping_add(1);
                if *count & 0x0F >= 0x0A {
                    *count = count.wrapping_add(6);
                }
            }
            self.dirty |= dirty::LINES;
            if self.kind == 0 {
                for _ in 0..completed {
                    self.line_up();
                }
            } else {
                self.lines_down(completed);
            }
        }
    }

    fn line_up(&mut self) {
        let player = &mut self.player;
        player.lines = player.lines.wrapping_add(1);
        if player.lines & 0x0F < 0x0A {
            return;
        }
        player.lines = player.lines.wrapping_add(6);
        if player.lines >= 0xA0 {
            player.lines &= 0x0F;
            player.lines_hundreds = player.lines_hundreds.wrapping_add(1);
        }
        if player.lines & 0x0F != 0 {
            return;
        }
        // The tens and hundreds, BCD taken for binary, are the level that the lines are worth. Signed.
        let reached = (u16::from(player.lines_hundreds) << 8 | u16::from(player.lines)) >> 4;
        if (player.level.wrapping_sub(reached as u8) as i8) < 0 {
            player.level = player.level.wrapping_add(1);
            self.effect_pulse = effect::LEVEL_UP;
            self.dirty |= dirty::LEVEL;
        }
    }

    /// The B-type's: 0 at the least.
    fn lines_down(&mut self, completed: u8) {
        let lines = self.player.lines.wrapping_sub(completed);
        self.player.lines = if lines & 0x80 != 0 {
            0
        } else if lines & 0x0F >= 0x0A {
            lines - 6
        } else {
            lines
        };
    }

    /// The rows of the soft drop less one, added in binary and mended to BCD: a sum beyond 15 of the low digit
    /// loses 6 points, and one that rolls over 100 leaves a low digit of 0.
    fn add_drop_points(&mut self) {
        let rows = self.player.soft_drop_rows;
        let score = &mut self.player.score;
        if (rows.wrapping_sub(2) as i8) >= 0 {
            score[0] = score[0].wrapping_add(rows - 1);
            if score[0] & 0x0F >= 0x0A {
                score[0] = score[0].wrapping_add(6);
            }
            if score[0] & 0xF0 >= 0xA0 {
                score[0] = (score[0] & 0xF0).wrapping_add(0x60);
                score[1] = score[1].wrapping_add(1);
            }
            self.dirty |= dirty::SCORE;
        }
        self.player.soft_drop_rows = 0;
    }

    /// The value of the clear, level + 1 times over; at level 255, 256 times. For no lines as well, which brings
    /// the digits back into BCD after drop points.
    fn add_line_points(&mut self) {
        let points = points_of(&self.player);
        let mut score = self.player.score;
        for _ in 0..=self.player.level {
            let before = score;
            add_points(&mut score, points);
            if score == before {
                break;
            }
        }
        self.player.score = score;
        self.end_points();
    }

    pub(super) fn end_points(&mut self) {
        self.dirty |= dirty::SCORE;
        self.player.lines_completed = 0;
        self.player.state = self.player.state.wrapping_add(1);
    }

    /// The B-type is won when no line is left. Out: does the play go on?
    pub(super) fn play_goal(&mut self) -> bool {
        if self.kind == 0 || self.player.lines != 0 {
            self.player.state = state::GARBAGE;
            return true;
        }
        self.enter_success();
        false
    }

    /// One more of the piece in play.
    pub(super) fn count_piece(&mut self) {
        let kind = usize::from(TYPES[usize::from(self.player.orientation) % TYPES.len()]);
        let [count, hundreds] = &mut self.piece_counts[kind];
        *count = count.wrapping_add(1);
        if *count & 0x0F >= 0x0A {
            *count = count.wrapping_add(6);
            if *count >= 0xA0 {
                *count = 0;
                *hundreds = hundreds.wrapping_add(1);
            }
        }
        self.dirty |= dirty::STATISTICS;
    }
}

/// What the rows completed are worth a level.
pub(super) fn points_of(player: &Player) -> [u8; 2] {
    POINTS[usize::from(player.lines_completed).min(4)]
}

/// A turn of the loop that adds points. Out: cycles that its carries take.
#[inline(always)]
pub(super) fn add_points(score: &mut [u8; 3], [low, high]: [u8; 2]) -> i32 {
    let mut cycles = 0;
    score[0] = score[0].wrapping_add(low);
    if score[0] >= 0xA0 {
        score[0] = score[0].wrapping_add(0x60);
        score[1] = score[1].wrapping_add(1);
        cycles += 11;
    }
    score[1] = score[1].wrapping_add(high);
    if score[1] & 0x0F >= 0x0A {
        score[1] = score[1].wrapping_add(6);
        cycles += 9;
    }
    if score[1] >= 0xA0 {
        score[1] = score[1].wrapping_add(0x60);
        score[2] = score[2].wrapping_add(1);
        cycles += 14;
    }
    if score[2] & 0x0F >= 0x0A {
        score[2] = score[2].wrapping_add(6);
        cycles += 9;
    }
    if score[2] >= 0xA0 {
        *score = [0x99; 3];
        cycles += 10;
    }
    cycles
}
