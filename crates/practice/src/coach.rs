//! Each placement beside the best ones, and what a slip of the hand would have made of it.

use ai::{Evaluator, Filter, Tally};
use tetris::{Orientation, Piece, Placement, Playfield, SplitMix64};

use crate::log::{Log, Played};
use crate::steer::{Press, Reached, TapHands, places, steer};

/// A placement that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The piece's number.
    pub number: u32,
    /// Where it locked.
    pub chosen: Placement,
    /// Where it should have.
    pub best: Placement,
    /// What the evaluation lost by that; 0 where the chosen place is the best.
    pub cost: f64,
}

/// Rates placements, for hands of a certain speed.
#[derive(Clone, Debug)]
pub struct Coach {
    evaluator: Evaluator,
    hands: TapHands,
}

impl Coach {
    /// A coach that rates so, of what these hands reach.
    pub fn new(evaluator: Evaluator, hands: TapHands) -> Self {
        Self { evaluator, hands }
    }

    /// A placement beside the best; `None` where the piece did not lock, or had nowhere to go.
    pub fn review(&self, played: &Played) -> Option<Review> {
        let chosen = Placement::try_from(played.place?).ok()?;
        let board = Playfield::from_rows(&played.rows);
        let own = self.rate(&board, chosen, played.next);
        let mut best = (own, chosen);
        for Reached { place, .. } in
            places(&board, played.piece, played.frames_per_row, self.hands, played.region)
        {
            let rating = self.rate(&board, place, played.next);
            if rating < best.0 {
                best = (rating, place);
            }
        }
        Some(Review { number: played.number, chosen, best: best.1, cost: (own - best.0).max(0.0) })
    }

    /// All placements of a game.
    pub fn reviews(&self, log: &Log) -> Vec<Review> {
        log.pieces.iter().filter_map(|played| self.review(played)).collect()
    }

    /// The rating of the best board that the next piece makes of a place. Lower is better.
    fn rate(&self, board: &Playfield, place: Placement, next: Piece) -> f64 {
        let mut after = *board;
        let cleared = after.lock_in_window(place);
        let tally = Tally::default().with(place, cleared);
        let rated = ai::locks(&after, next, &Filter::None).into_iter().map(|place| {
            let mut last = after;
            let cleared = last.lock_in_window(place);
            self.evaluator.rate(&last, &tally.with(place, cleared))
        });
        rated.reduce(f64::min).unwrap_or(f64::MAX)
    }
}

/// The placements that cost most, the dearest first.
pub fn worst(reviews: &[Review], count: usize) -> Vec<&Review> {
    let mut dear: Vec<&Review> = reviews.iter().filter(|review| review.cost > 0.0).collect();
    dear.sort_by(|one, other| other.cost.total_cmp(&one.cost).then(one.number.cmp(&other.number)));
    dear.truncate(count);
    dear
}

/// The share of draws in which the piece locks elsewhere, if the intervals between its taps are
/// drawn from `spread`, which are a player's own, in frames. `None` without taps or without a
/// spread.
pub fn misdrop_odds(played: &Played, spread: &[u16], draws: u32, seed: u64) -> Option<f64> {
    let place = played.place?;
    let taps: Vec<_> = played.shifts.iter().filter(|shift| !shift.auto).collect();
    let first = taps.first()?.frame;
    if spread.is_empty() || taps.len() < 2 || draws == 0 {
        return None;
    }
    let board = Playfield::from_rows(&played.rows);
    let wanted = Orientation::from_id(place[2])?;
    let turns = wanted.turns();
    let (turns, press) = if turns == 3 { (1, Press::Counterclockwise) } else { (turns, Press::Clockwise) };
    let mut random = SplitMix64::new(seed);
    let (mut presses, mut missed) = (Vec::new(), 0);
    for _ in 0..draws {
        presses.clear();
        let mut frame = first;
        for (number, tap) in taps.iter().enumerate() {
            if number > 0 {
                frame = frame.saturating_add(random.pick(spread));
            }
            presses.push((frame, if tap.side < 0 { Press::Left } else { Press::Right }));
        }
        presses.extend((0..turns).map(|number| (first + 2 * number as u16, press)));
        let locked = steer(&board, played.piece, played.frames_per_row, &presses);
        let same = locked.is_some_and(|locked| (locked.x, locked.orientation) == (place[0], wanted));
        missed += u32::from(!same);
    }
    Some(f64::from(missed) / f64::from(draws))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Shift;

    fn played(rows: [u16; 20], piece: Piece, place: [u8; 3]) -> Played {
        Played { rows, level: 29, frames_per_row: 1, place: Some(place), ..Played::first(piece) }
    }

    #[test]
    fn a_tetris_costs_nothing_and_an_i_across_the_well_costs_much() {
        let mut rows = [0; 20];
        rows[16..].fill(0x1FF);
        let coach = Coach::new(Evaluator::Article, TapHands { hertz: 15.0, reaction: 0 });
        let good = coach.review(&played(rows, Piece::I, [9, 18, 0x11])).unwrap();
        assert_eq!((good.cost, good.best), (0.0, good.chosen));
        let bad = coach.review(&played(rows, Piece::I, [8, 15, 0x12])).unwrap();
        assert!(bad.cost > 5.0 && bad.best == good.chosen, "{bad:?}");
        let reviews = [good, bad];
        assert_eq!(worst(&reviews, 10), [&reviews[1]]);
    }

    #[test]
    fn steady_hands_never_miss_and_unsteady_ones_do() {
        let mut rows = [0; 20];
        rows[10..].fill(0b10);
        let mut piece = played(rows, Piece::I, [0, 18, 0x11]);
        piece.shifts = (0..5).map(|tap| Shift { frame: 1 + 2 * tap, side: -1, auto: false }).collect();
        assert_eq!(misdrop_odds(&piece, &[2], 1_000, 7), Some(0.0));
        let odds = misdrop_odds(&piece, &[2, 2, 4], 5_000, 7).unwrap();
        assert!((0.05..0.95).contains(&odds), "{odds}");
        assert_eq!(misdrop_odds(&piece, &[9], 100, 7), Some(1.0));
        assert_eq!(misdrop_odds(&piece, &[], 100, 7), None);
    }
}
