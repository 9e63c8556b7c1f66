//! Lines, the levels and points they win, and the statistics.

use super::{Game, dirty, effect, state};
use crate::kill_screen::Timing;
use crate::orientation::TYPES;
use crate::tally::{self, add_points};

impl Game<'_> {
    /// Takes the rows completed by this lock into the counts. The A-type counts up, the B-type down
    /// to 0.
    ///
    /// Returns whether the player's state is over, and the next interrupt did not come before that.
    pub(super) fn play_lines(&mut self) -> bool {
        if let Some(timing) = self.timing() {
            return self.play_lines_timed(timing);
        }
        self.update_music_speed();
        self.count_lines();
        self.add_drop_points();
        self.add_line_points();
        true
    }

    /// The same with an eye on the clock.
    fn play_lines_timed(&mut self, timing: &Timing) -> bool {
        let before = self.player;
        let was_fast = self.fast_music != 0;
        self.update_music_speed();
        let cycles = self.cycles_before_points(timing, was_fast);
        self.count_lines();
        self.add_drop_points();
        !self.add_points_timed(timing, before, cycles, self.player.level.wrapping_add(1))
    }

    fn count_lines(&mut self) {
        let completed = self.player.lines_completed;
        if completed != 0 {
            self.count_clear(completed);
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

    /// Counts a single, double, triple or tetris, in BCD without hundreds. Behind the four counts
    /// lie the B-type's total and what hides the next box. Eight rows, four of them left by a
    /// reset, hide it.
    fn count_clear(&mut self, rows: u8) {
        let counts = self.line_counts.iter_mut().chain(&mut self.b_total);
        if let Some(count) = counts.chain([&mut self.hide_next]).nth(usize::from(rows - 1)) {
            *count = count.wrapping_add(1);
            if *count & 0x0F >= 0x0A {
                *count = count.wrapping_add(6);
            }
        }
    }

    fn line_up(&mut self) {
        let player = &mut self.player;
        let mut lines = [player.lines, player.lines_hundreds];
        let carries = tally::count_line(&mut lines, &mut player.level);
        [player.lines, player.lines_hundreds] = lines;
        if carries.level {
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

    fn add_drop_points(&mut self) {
        if tally::add_drop(&mut self.player.score, self.player.soft_drop_rows).is_some() {
            self.dirty |= dirty::SCORE;
        }
        self.player.soft_drop_rows = 0;
    }

    /// The value of the clear, level + 1 times over; at level 255, 256 times. For no lines as well,
    /// which brings the digits back into BCD after drop points.
    fn add_line_points(&mut self) {
        let points = self.points();
        let mut score = self.player.score;
        for _ in 0..=self.player.level {
            let before = score;
            let [.., limited] = add_points(&mut score, points);
            if score == before || limited && self.rom.limit_ends_points {
                break;
            }
        }
        self.player.score = score;
        self.end_points();
    }

    /// What the rows of the lock are worth a level: BCD, low byte first.
    pub(super) fn points(&self) -> [u8; 2] {
        self.rom.points[usize::from(self.player.lines_completed).min(self.rom.points.len() - 1)]
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
