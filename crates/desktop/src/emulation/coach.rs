//! The review of a game: every placement beside the best that the player's hands reach, on a thread
//! of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use autopilot::NetSource;
use nes::Region;
use practice::{Charges, Finesse, Holes, Log, Played};
use review::{Hands, NoNets, Reviewed, Reviewer};

use crate::messages::status::ReviewStatus;

/// New placements that are worth a word before the end.
const NEWS: usize = 12;

/// A review that is under way, or has come to its end.
pub(crate) struct GameReview {
    thread: Option<JoinHandle<()>>,
    /// Nothing waits for it any more.
    stopped: Arc<AtomicBool>,
    found: Arc<Mutex<Vec<Reviewed>>>,
    status: Arc<ReviewStatus>,
}

impl GameReview {
    /// Begins to review the placements of `log`, for the hands that the game tells of, or for
    /// `chosen` where it has too few taps.
    ///
    /// # Errors
    /// [`NoNets`] where the nets leave a speed out.
    pub(crate) fn begin(log: &Log, chosen: Hands, nets: &NetSource) -> Result<Self, NoNets> {
        let turns = log.turns();
        let measured = Hands::measured(&turns).map(|hands| Hands { reaction: chosen.reaction, ..hands });
        let hands = measured.unwrap_or(chosen);
        let mut reviewer = Reviewer::new(hands, nets.get().clone())?;
        let mut notes = vec![format!(
            "For {:.1} taps a second ({}) and a reaction of {} frames",
            hands.hertz,
            if measured.is_some() { "measured in this game" } else { "as set" },
            hands.reaction
        )];
        if log.region() == Region::Pal {
            notes.push("A PAL game, rated by the speeds of NTSC".into());
        }
        notes.extend(figures(log));
        let locked = log.pieces.iter().filter(|played| played.place.is_some());
        let status = ReviewStatus {
            positions: locked.map(|played| (played.number, Played::position(played).to_string())).collect(),
            total: turns.len(),
            is_done: turns.is_empty(),
            reviews: vec![],
            notes,
        };
        let (found, stopped) = (Arc::new(Mutex::new(vec![])), Arc::new(AtomicBool::new(false)));
        let (results, stop) = (Arc::clone(&found), Arc::clone(&stopped));
        let thread = thread::spawn(move || {
            for turn in &turns {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let reviewed = reviewer.review(turn);
                results.lock().unwrap_or_else(PoisonError::into_inner).push(reviewed);
            }
        });
        Ok(Self { thread: Some(thread), stopped, found, status: Arc::new(status) })
    }

    /// Returns whether it is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        !self.status.is_done
    }

    /// Returns whether there is more than [`GameReview::collect`] has seen.
    pub(crate) fn has_news(&self) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).len();
        let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        !self.status.is_done && (has_ended || found >= self.status.reviews.len() + NEWS)
    }

    /// Takes over what is new. Returns how it stands.
    pub(crate) fn collect(&mut self) -> &Arc<ReviewStatus> {
        if self.has_news() {
            let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
            let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let status = Arc::make_mut(&mut self.status);
            status.reviews.extend_from_slice(&found[status.reviews.len()..]);
            status.is_done = has_ended;
        }
        &self.status
    }
}

impl Drop for GameReview {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
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
