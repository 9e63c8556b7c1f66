//! The review of a game: every placement beside the best that the player's hands reach, on a thread
//! of its own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use autopilot::NetSource;
use draft::Draft;
use nes::{Cartridge, Region};
use notation::Turn;
use notation::game::{Game, GameError, Kind};
use practice::{Charges, Finesse, Holes, Log, Played};
use review::{Hands, Key, NoNets, Reviewed, Reviewer};
use tetris::Profile;

use crate::emulation::puzzle_search::log_of;
use crate::messages::status::ReviewStatus;

/// New placements that are worth a word before the end.
const NEWS: usize = 12;

/// No file of a game is larger.
const MOST_BYTES: u64 = 64 << 20;

/// Why a file cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewError {
    #[error("cannot review {path}: expected a game that ends in .ngf, .ngf.gz, .csv or .jsonl")]
    Kind { path: PathBuf },
    #[error("cannot review {path}: {source}")]
    Read { path: PathBuf, source: draft::ReadError },
    #[error("cannot review {path}: {source}")]
    Game { path: PathBuf, source: GameError },
    #[error("cannot review {path}: it is damaged, or was played on another cartridge")]
    Kept { path: PathBuf },
    #[error(transparent)]
    Nets(#[from] NoNets),
}

/// What the thread has come to.
#[derive(Default)]
struct Found {
    /// How it begins, once the game was read.
    begun: Option<ReviewStatus>,
    reviews: Vec<Reviewed>,
    /// Why there is no review, or what is to be said of it.
    error: Option<ReviewError>,
    warnings: Vec<String>,
}

/// A review that is under way, or has come to its end.
pub(crate) struct GameReview {
    thread: Option<JoinHandle<()>>,
    /// Nothing waits for it any more.
    stopped: Arc<AtomicBool>,
    found: Arc<Mutex<Found>>,
    status: Arc<ReviewStatus>,
}

fn lock(found: &Mutex<Found>) -> MutexGuard<'_, Found> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GameReview {
    /// Begins to review the placements of `log`, for the hands that the game tells of, or for
    /// `chosen` where it has too few taps.
    ///
    /// # Errors
    /// [`NoNets`] where the nets leave a speed out.
    pub(crate) fn begin(log: &Log, chosen: Hands, nets: &NetSource) -> Result<Self, NoNets> {
        let turns = log.turns();
        let mut status = ReviewStatus { positions: positions(log), ..begun(&turns, chosen) };
        let mut reviewer = Reviewer::new(status.hands, nets.get().clone())?;
        if log.region() == Region::Pal {
            status.notes.push("A PAL game, rated with NTSC speeds".into());
        }
        status.notes.extend(figures(log));
        Ok(Self::on_thread(status, move |stopped, found| {
            review(&mut reviewer, &turns, stopped, found);
        }))
    }

    /// Begins to review the game of a file, as `maxout review` does: its review is kept beside it,
    /// and read from there if it was made of the same.
    pub(crate) fn of_file(path: PathBuf, chosen: Hands, nets: &NetSource) -> Self {
        let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let notes = vec![format!("Reading {file} …")];
        let status = ReviewStatus { file, notes, ..ReviewStatus::default() };
        let (nets, begun) = (nets.clone(), status.clone());
        Self::on_thread(status, move |stopped, found| {
            if let Err(error) = review_file(&path, chosen, &nets, begun, (stopped, found)) {
                lock(found).error = Some(error);
            }
        })
    }

    /// Begins to review the kept game of a file, which was played on this cartridge. It is played
    /// again first, without picture and sound.
    pub(crate) fn of_kept(
        path: PathBuf,
        (cartridge, profile): (Cartridge, Profile),
        chosen: Hands,
        nets: &NetSource,
    ) -> Self {
        let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let notes = vec![format!("Playing {file} again …")];
        let status = ReviewStatus { file: file.clone(), notes, ..ReviewStatus::default() };
        let nets = nets.clone();
        Self::on_thread(status, move |stopped, found| {
            let reviewed = log_of(&path, &cartridge, &profile, stopped)
                .ok_or(ReviewError::Kept { path })
                .and_then(|log| review_log(&log, file, chosen, &nets, (stopped, found)));
            if let Err(error) = reviewed {
                lock(found).error = Some(error);
            }
        })
    }

    fn on_thread(
        status: ReviewStatus,
        work: impl FnOnce(&AtomicBool, &Mutex<Found>) + Send + 'static,
    ) -> Self {
        let (found, stopped) = (Arc::new(Mutex::new(Found::default())), Arc::new(AtomicBool::new(false)));
        let (results, stop) = (Arc::clone(&found), Arc::clone(&stopped));
        let thread = thread::spawn(move || work(&stop, &results));
        Self { thread: Some(thread), stopped, found, status: Arc::new(status) }
    }

    /// Returns whether it is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        !self.status.is_done
    }

    /// Returns whether there is more than [`GameReview::collect`] has seen.
    pub(crate) fn has_news(&self) -> bool {
        let found = lock(&self.found);
        let has_more = found.begun.is_some() || found.reviews.len() >= self.status.reviews.len() + NEWS;
        !self.status.is_done && (self.has_ended() || has_more)
    }

    fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Takes over what is new. Returns how it stands.
    pub(crate) fn collect(&mut self) -> &Arc<ReviewStatus> {
        if self.has_news() {
            let has_ended = self.has_ended();
            let mut found = lock(&self.found);
            let status = Arc::make_mut(&mut self.status);
            if let Some(begun) = found.begun.take() {
                *status = begun;
            }
            if let Some(error) = &found.error {
                status.notes = vec![error.to_string()];
            }
            let known = status.reviews.len();
            status.reviews.extend_from_slice(&found.reviews[known..]);
            status.is_done = has_ended;
        }
        &self.status
    }

    /// Returns why there is no review, once, and else what is to be said of its file.
    pub(crate) fn take_words(&mut self) -> (Option<ReviewError>, Vec<String>) {
        let mut found = lock(&self.found);
        (found.error.take(), std::mem::take(&mut found.warnings))
    }
}

impl Drop for GameReview {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// Returns how a review begins: for which hands, and of how many placements.
fn begun(turns: &[Turn], chosen: Hands) -> ReviewStatus {
    let (hands, is_measured) = Hands::of_game(turns, chosen);
    let how = if is_measured { "measured in this game" } else { "as set" };
    let note =
        format!("For {:.1} taps a second ({how}) and a reaction of {} frames", hands.hertz, hands.reaction);
    ReviewStatus {
        hands,
        total: turns.len(),
        is_done: turns.is_empty(),
        notes: vec![note],
        ..ReviewStatus::default()
    }
}

/// Returns each piece's number and its spawn as a position.
fn positions(log: &Log) -> Vec<(u32, String)> {
    let locked = log.pieces.iter().filter(|played| played.place.is_some());
    locked.map(|played| (played.number, Played::position(played).to_string())).collect()
}

/// Reviews placements one by one. Returns whether it came to the end.
fn review(reviewer: &mut Reviewer, turns: &[Turn], stopped: &AtomicBool, found: &Mutex<Found>) -> bool {
    for turn in turns {
        if stopped.load(Ordering::Relaxed) {
            return false;
        }
        let reviewed = reviewer.review(turn);
        lock(found).reviews.push(reviewed);
    }
    true
}

fn review_log(
    log: &Log,
    file: String,
    chosen: Hands,
    nets: &NetSource,
    (stopped, found): (&AtomicBool, &Mutex<Found>),
) -> Result<(), ReviewError> {
    let turns = log.turns();
    let mut status = ReviewStatus { file, positions: positions(log), ..begun(&turns, chosen) };
    status.notes.extend(figures(log));
    let mut reviewer = Reviewer::new(status.hands, nets.get().clone())?;
    status.is_done = false;
    lock(found).begun = Some(status);
    review(&mut reviewer, &turns, stopped, found);
    Ok(())
}

fn review_file(
    path: &Path,
    chosen: Hands,
    nets: &NetSource,
    begun_status: ReviewStatus,
    (stopped, found): (&AtomicBool, &Mutex<Found>),
) -> Result<(), ReviewError> {
    let name = path.file_name().unwrap_or_default();
    let own = || path.to_owned();
    let kind = Kind::of(&name.to_string_lossy()).ok_or_else(|| ReviewError::Kind { path: own() })?;
    let bytes =
        draft::read_file(path, MOST_BYTES).map_err(|source| ReviewError::Read { path: own(), source })?;
    let game = Game::read(kind, &bytes).map_err(|source| ReviewError::Game { path: own(), source })?;
    let log = Log::of_turns(&game.turns, game.last);
    let mut status = begun(&game.turns, chosen);
    (status.file, status.positions, status.is_done) = (begun_status.file, positions(&log), false);
    let sentence =
        |(word, text): (&str, String)| format!("{}{}: {text}", word[..1].to_uppercase(), &word[1..]);
    status.notes.extend(game.notes().into_iter().map(sentence));
    status.notes.push(holes(&log));
    let hands = status.hands;
    {
        let mut found = lock(found);
        found.warnings = game.warnings().iter().map(|text| format!("{}: {text}", status.file)).collect();
        found.begun = Some(status);
    }
    let mut reviewer = Reviewer::new(hands, nets.get().clone())?;
    let hashes = nets.hashes();
    let key = Key::of(&bytes, hands, &hashes);
    let beside = path.with_file_name(Key::file_name(name));
    let is_known = !hashes.is_empty();
    let kept =
        draft::read_file(&beside, MOST_BYTES).ok().filter(|_| is_known).and_then(|file| key.read(&file));
    if let Some(kept) = kept.filter(|kept| kept.len() == game.turns.len()) {
        lock(found).reviews = kept;
    } else if review(&mut reviewer, &game.turns, stopped, found) && is_known {
        let reviews = lock(found).reviews.clone();
        let written = key.written(&reviews).ok().map(|bytes| Draft::write_file(&beside, &bytes));
        if let Some(Err(error)) = written {
            lock(found).warnings.push(format!("the review could not be saved: {error}"));
        }
    }
    Ok(())
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
        format!("Finesse {rate}: {} extra shifts and {} extra rotations", finesse.shifts, finesse.turns),
        holes(log),
    ]
}

/// Returns the holes of a game in a line.
fn holes(log: &Log) -> String {
    let holes = Holes::of(log);
    match holes.mean_age() {
        Some(mean) => format!(
            "{} holes, lasting {mean:.1} pieces on average and {} at most; {} left at the end",
            holes.count(),
            holes.oldest,
            holes.left.iter().sum::<u32>()
        ),
        None => "No holes".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    const GAME: &[u8] = include_bytes!("../../../notation/tests/it/ngf/level18-230lines.ngf.gz");

    #[test]
    #[ignore = "measures times: cargo test --profile fuzz -p desktop --lib what_a_review_costs -- --ignored --nocapture"]
    fn what_a_review_costs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.ngf.gz");
        std::fs::write(&path, GAME).unwrap();
        let nets = NetSource::default();
        for hertz in [12.0, 20.0, 30.0] {
            let begun = Instant::now();
            // Beside the file no review is kept for other hands.
            let mut review = GameReview::of_file(path.clone(), Hands { hertz, reaction: 18 }, &nets);
            let mut first = None;
            while review.is_under_way() {
                std::thread::sleep(Duration::from_millis(5));
                if !review.collect().reviews.is_empty() && first.is_none() {
                    first = Some(begun.elapsed());
                }
            }
            let (all, count) = (begun.elapsed(), review.collect().reviews.len());
            println!(
                "{hertz} taps a second as set: first costs after {:.2} s, {count} placements after {:.1} s, {:.1} s for 835",
                first.unwrap_or(all).as_secs_f64(),
                all.as_secs_f64(),
                all.as_secs_f64() * 835.0 / count.max(1) as f64
            );
            assert_eq!(count, review.collect().total);
            std::fs::remove_file(folder.path().join(Key::file_name(path.file_name().unwrap()))).ok();
        }
    }
}
