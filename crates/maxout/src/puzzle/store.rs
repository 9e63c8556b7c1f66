//! Where a player's rating and history are kept.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use ::puzzle::Progress;
use draft::Draft;

use super::refused;
use crate::error::{Error, writing, wrong};
use crate::image_file;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The day, counted from 1 January 1970, UTC.
pub(super) fn today() -> u32 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| (time.as_secs() / DAY) as u32)
}

/// The file that an argument names, or that of the player's data folder.
pub(super) fn path(named: Option<&PathBuf>) -> Result<PathBuf, Error> {
    let path = named.cloned().or_else(of_player);
    path.ok_or_else(|| refused("--store: name a file: this build knows no data folder"))
}

#[cfg(feature = "window")]
fn of_player() -> Option<PathBuf> {
    let games = desktop::Folders::of_player().games?;
    Some(games.with_file_name("puzzles.json"))
}

#[cfg(not(feature = "window"))]
const fn of_player() -> Option<PathBuf> {
    None
}

/// What is kept; a new player's where there is no file yet.
pub(super) fn read(path: &Path) -> Result<Progress, Error> {
    match image_file::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(wrong(path)),
        Err(Error::NoFile(_)) => Ok(Progress::default()),
        Err(error) => Err(error),
    }
}

pub(super) fn write(path: &Path, progress: &Progress) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| writing(path, source))?;
    }
    let bytes = serde_json::to_vec(progress).map_err(wrong(path))?;
    Ok(Draft::write_file(path, &bytes)?)
}
