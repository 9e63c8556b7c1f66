//! Games of one speed, by which weights are found.

use crate::decide::Decider;
use crate::format::{Format, Speed};
use crate::linear::Linear;
use crate::measures::Weights;
use crate::pieces::deal_by_odds;
use crate::play::{Outcome, Start, play};

/// Plays a speed from its first lines on an empty board to its end by weights, and says whether it came to that.
pub fn play_speed(format: &Format, speed: Speed, weights: &Weights, game: u64) -> (Outcome, bool) {
    let from = Speed::LINES[speed as usize];
    let last = Speed::LINES.get(speed as usize + 1).copied().unwrap_or(format.lines);
    let format = Format { lines: last.min(format.lines), ..*format };
    let mut decider = Decider::new(&format);
    let mut linear = Linear::by_speed(&format, [*weights; 4]);
    let start = Start { lines: from, ..Start::default() };
    let outcome = play(&mut decider, &mut linear, &start, 0, deal_by_odds(game));
    let survived = outcome.lines >= format.lines;
    (outcome, survived)
}
