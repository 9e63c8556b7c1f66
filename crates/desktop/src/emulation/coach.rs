//! The coach: every placement of a game beside the best that the player's hands reach, on a thread of its own.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use ai::Evaluator;
use practice::{Coach, Log, TapHands};

use crate::messages::status::Mistake;

/// Placements that are listed.
const MOST: usize = 10;

/// A review that is under way.
pub(crate) struct CoachReview {
    thread: JoinHandle<Vec<Mistake>>,
}

impl CoachReview {
    /// Begins to review the placements of `log`, for hands that make so many taps a second, so many
    /// frames after the spawn.
    pub(crate) fn begin(log: Log, hertz: u8, reaction: u16) -> Self {
        let hands = TapHands { hertz: hertz.into(), reaction };
        Self { thread: thread::spawn(move || mistakes(&log, hands)) }
    }

    /// Returns whether it has come to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for its end. Returns what cost most, the dearest first.
    pub(crate) fn take(self) -> Arc<Vec<Mistake>> {
        Arc::new(self.thread.join().unwrap_or_default())
    }
}

fn mistakes(log: &Log, hands: TapHands) -> Vec<Mistake> {
    let reviews = Coach::new(Evaluator::ElTetris, hands).reviews(log);
    let worst = practice::worst(&reviews, MOST).into_iter().filter_map(|review| {
        let played = log.pieces.iter().find(|played| played.number == review.number)?;
        Some(Mistake {
            number: review.number,
            letter: played.piece.letter(),
            cost: review.cost,
            chosen: [review.chosen.x, review.chosen.y],
            best: [review.best.x, review.best.y],
            position: played.position().to_string(),
        })
    });
    worst.collect()
}
