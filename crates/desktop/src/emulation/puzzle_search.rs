//! A search for puzzles in the games that were kept, on a thread of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use autopilot::NetSource;
use nes::{Cartridge, Config};
use practice::{Kept, Log, Replay};
use puzzle::Search;
use review::NoNets;
use tetris::Profile;

use crate::messages::status::PuzzleSearchStatus;

/// Positions between two looks at whether the search is stopped.
const POSITIONS: usize = 8;
/// No kept game is larger.
const MOST_BYTES: u64 = 16 << 20;

/// A search that is under way, or has come to its end.
pub(crate) struct PuzzleSearch {
    thread: JoinHandle<()>,
    stopped: Arc<AtomicBool>,
    found: Arc<Mutex<PuzzleSearchStatus>>,
    status: Arc<PuzzleSearchStatus>,
}

fn lock(found: &Mutex<PuzzleSearchStatus>) -> MutexGuard<'_, PuzzleSearchStatus> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PuzzleSearch {
    /// Begins to look through the games of `folder` that were played on this cartridge, the latest
    /// first.
    ///
    /// # Errors
    /// [`NoNets`] where the nets leave a speed out.
    pub(crate) fn begin(
        folder: &Path,
        cartridge: Cartridge,
        profile: Profile,
        nets: &NetSource,
    ) -> Result<Self, NoNets> {
        let mut search = Search::new(nets.get())?;
        let games = latest(folder);
        let begun = PuzzleSearchStatus { total: games.len(), ..PuzzleSearchStatus::default() };
        let (found, stopped) = (Arc::new(Mutex::new(begun.clone())), Arc::new(AtomicBool::new(false)));
        let (results, stop) = (Arc::clone(&found), Arc::clone(&stopped));
        let thread = thread::spawn(move || {
            for path in games {
                match log_of(&path, &cartridge, &profile, &stop) {
                    Some(log) => search.take_game(&log.turns()),
                    None => search.leave_out(),
                }
                while !stop.load(Ordering::Relaxed) && search.go_on(POSITIONS) {}
                let mut found = lock(&results);
                (found.games, found.left_out) = (search.games(), search.left_out());
                found.puzzles = search.found().to_vec();
                if search.is_enough() || stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Ok(Self { thread, stopped, found, status: Arc::new(begun) })
    }

    /// Returns whether it is under way.
    pub(crate) fn is_under_way(&self) -> bool {
        !self.status.is_done
    }

    /// Returns whether there is more than [`PuzzleSearch::collect`] has seen.
    pub(crate) fn has_news(&self) -> bool {
        self.is_under_way() && (self.thread.is_finished() || lock(&self.found).games > self.status.games)
    }

    /// Takes over what is new. Returns how it stands.
    pub(crate) fn collect(&mut self) -> &Arc<PuzzleSearchStatus> {
        if self.has_news() {
            let is_done = self.thread.is_finished();
            self.status = Arc::new(PuzzleSearchStatus { is_done, ..lock(&self.found).clone() });
        }
        &self.status
    }
}

impl Drop for PuzzleSearch {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// Returns the games of a folder, the latest first. Their names begin with the time.
fn latest(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == practice::EXTENSION)).collect();
    paths.sort();
    paths.into_iter().rev().take(Search::MOST_GAMES).collect()
}

/// Plays a game again. `None` for one of another cartridge, a damaged one, or when it is stopped.
pub(crate) fn log_of(
    path: &Path,
    cartridge: &Cartridge,
    profile: &Profile,
    stop: &AtomicBool,
) -> Option<Log> {
    let game = Kept::read(&draft::read_file(path, MOST_BYTES).ok()?).ok()?;
    if game.header.crc32 != cartridge.crc32() {
        return None;
    }
    let config = Config { video: false, ..Config::default() };
    let mut replay = Replay::new(game, cartridge.clone(), profile.clone(), config).ok()?;
    while replay.step().ok()?.is_some() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(replay.log().clone())
}
