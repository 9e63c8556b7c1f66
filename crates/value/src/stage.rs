//! Games of one speed, by which weights are found.

use crate::decide::Decider;
use crate::format::{Format, Speed};
use crate::linear::Linear;
use crate::measures::Weights;
use crate::pieces::deal_by_odds;
use crate::play::{Start, play};
use crate::weights::WeightsFile;

/// Plays a speed to its end by weights: from its first lines on an empty board, or, by the built-in
/// weights, from `lead` lines before them. Points of those do not count. Returns the points, and
/// whether the game came to the end.
pub fn play_speed(format: &Format, speed: Speed, weights: &Weights, lead: u32, game: u64) -> (u32, bool) {
    let slot = speed as usize;
    let format = Format { lines: speed.end(format.lines), ..*format };
    let mut by_speed = WeightsFile::built_in().weights;
    by_speed[slot..].fill(*weights);
    let mut linear = Linear::by_speed(&format, by_speed);
    let start = Start { lines: speed.first_line().saturating_sub(lead), ..Start::default() };
    let outcome = play(&mut Decider::new(&format), &mut linear, &start, 0, deal_by_odds(game));
    let before = if lead == 0 { 0 } else { slot.checked_sub(1).map_or(0, |before| outcome.at[before]) };
    (outcome.score - before, outcome.lines >= format.lines)
}
