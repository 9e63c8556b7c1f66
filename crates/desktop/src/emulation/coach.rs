//! The coach: every placement of a game beside the best that the player's hands reach, on a thread
//! of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use ai::Evaluator;
use autopilot::NetSource;
use practice::{Charges, Coach, Finesse, Holes, Log, PointsCoach, Review, TapHands};

use crate::messages::mistakes::{Cost, Mistake, Mistakes};

/// Placements that are listed.
const MOST: usize = 10;

/// A review that is under way.
pub(crate) struct CoachReview {
    thread: Option<JoinHandle<Mistakes>>,
    /// Nobody waits for it any more.
    stopped: Arc<AtomicBool>,
}

impl CoachReview {
    /// Begins to review the placements of `log`, for hands that make so many taps a second, so many
    /// frames after the spawn. Given nets, it rates in points, and otherwise by El-Tetris.
    pub(crate) fn begin(log: Log, (hertz, reaction): (u8, u16), points: Option<NetSource>) -> Self {
        let hands = TapHands { hertz: hertz.into(), reaction };
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let thread = thread::spawn(move || match points {
            Some(nets) => in_points(&log, hands, &nets, &stop),
            None => mistakes(&log, hands),
        });
        Self { thread: Some(thread), stopped }
    }

    /// Returns whether it has come to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for its end. Returns what it has found.
    pub(crate) fn take(mut self) -> Arc<Mistakes> {
        let found = self.thread.take().and_then(|thread| thread.join().ok());
        Arc::new(found.unwrap_or_default())
    }
}

impl Drop for CoachReview {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

fn mistakes(log: &Log, hands: TapHands) -> Mistakes {
    let reviews = Coach::new(Evaluator::ElTetris, hands).reviews(log);
    let mut notes = vec!["Costs are in units of El-Tetris, which do not compare with points".to_owned()];
    notes.extend(figures(log));
    Mistakes { dear: dear(log, &reviews, Cost::Units), rated: reviews.len(), notes }
}

/// Rates in points; it ends early when nothing waits for it.
fn in_points(log: &Log, hands: TapHands, nets: &NetSource, stop: &AtomicBool) -> Mistakes {
    let mut coach = PointsCoach::with_nets(hands, nets.get().clone());
    let going_on = log.pieces.iter().take_while(|_| !stop.load(Ordering::Relaxed));
    let reviews: Vec<Review> = going_on.filter_map(|played| coach.review(played)).collect();
    let mut notes = vec![format!("Costs are in points, as {} by the nets", coach.format())];
    let unrated = PointsCoach::unrated(log).into_iter();
    notes.extend(unrated.map(|(why, count)| format!("{count} placements are not rated: {why}")));
    notes.extend(figures(log));
    Mistakes { dear: dear(log, &reviews, Cost::Points), rated: reviews.len(), notes }
}

/// Returns the placements that cost most.
fn dear(log: &Log, reviews: &[Review], cost: fn(f64) -> Cost) -> Vec<Mistake> {
    let mistake = |review: &Review| {
        let played = log.pieces.iter().find(|played| played.number == review.number)?;
        Some(Mistake {
            number: review.number,
            letter: played.piece.letter(),
            cost: cost(review.cost),
            chosen: review.chosen,
            best: review.best,
            position: played.position().to_string(),
        })
    };
    practice::worst(reviews, MOST).into_iter().filter_map(mistake).collect()
}

/// Returns what else there is to say of a game.
fn figures(log: &Log) -> Vec<String> {
    let Charges { kept, lost, lost_by_taps, regained, missing, .. } = Charges::of(log);
    let finesse = Finesse::of(log);
    let rate = finesse.rate().map_or_else(|| "–".into(), |rate| format!("{rate:.0} %"));
    vec![
        format!(
            "Charge kept {kept} times, lost {lost} ({lost_by_taps} by taps), regained {regained}, missing {missing}"
        ),
        format!("Finesse {rate}: {} shifts and {} turns too many", finesse.shifts, finesse.turns),
        holes(log),
    ]
}

/// Returns the holes of a game in a line.
fn holes(log: &Log) -> String {
    let holes = Holes::of(log);
    match holes.mean_age() {
        Some(mean) => format!(
            "{} holes, for {mean:.1} pieces in the mean and {} at most; {} there in the end",
            holes.count(),
            holes.oldest,
            holes.left.iter().sum::<u32>()
        ),
        None => "No holes".into(),
    }
}
