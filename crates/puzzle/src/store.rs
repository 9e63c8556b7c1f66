//! The file in which a player's progress is kept.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use draft::{Draft, ReadError};

use crate::bank::Bank;
use crate::progress::Progress;

/// Name of the file beside the folder of kept games.
const NAME: &str = "puzzles.json";
/// Name of the file beside it with the puzzles of the player's own games.
const OWN: &str = "own-puzzles.bin";
/// No file of a player's progress is larger.
const MOST_BYTES: u64 = 16 << 20;

/// Why progress is not read or kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read.
    #[error("cannot read the puzzles' file {path}: {source}; it is left as it is, and nothing is kept")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        source: ReadError,
    },
    /// It holds something else.
    #[error("cannot read the puzzles' file {path}: {source}; it is left as it is, and nothing is kept")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it is wrong.
        source: serde_json::Error,
    },
    /// The file, or its folder, cannot be written.
    #[error("cannot write the puzzles' file {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
}

/// A file of progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// The store in this file.
    pub const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The store beside a folder of kept games.
    pub fn beside(games: &Path) -> Self {
        Self::at(games.with_file_name(NAME))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what is kept; a new player's progress if there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn read(&self) -> Result<Progress, StoreError> {
        let path = || self.path.clone();
        let bytes = match draft::read_file(&self.path, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(ReadError::Io(error)) if error.kind() == ErrorKind::NotFound => {
                return Ok(Progress::default());
            }
            Err(source) => return Err(StoreError::Read { path: path(), source }),
        };
        serde_json::from_slice(&bytes).map_err(|source| StoreError::Damaged { path: path(), source })
    }

    /// Returns the puzzles of the player's own games that were found; none if there are none, or
    /// their file is damaged: they can be looked for again.
    pub fn own_bank(&self) -> Bank {
        let bytes = draft::read_file(&self.path.with_file_name(OWN), MOST_BYTES).ok();
        bytes.and_then(|bytes| Bank::read(&bytes).ok()).unwrap_or_default()
    }

    /// Keeps the puzzles of the player's own games.
    ///
    /// # Errors
    /// When the file or its folder cannot be written.
    pub fn keep_own_bank(&self, bank: &Bank) -> Result<(), StoreError> {
        write(&self.path.with_file_name(OWN), &bank.bytes())
    }

    /// Keeps progress, in a folder that is made if it is not there.
    ///
    /// # Errors
    /// When the file or its folder cannot be written.
    pub fn write(&self, progress: &Progress) -> Result<(), StoreError> {
        let failed =
            |error: serde_json::Error| StoreError::Write { path: self.path.clone(), source: error.into() };
        write(&self.path, &serde_json::to_vec(progress).map_err(failed)?)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |error: draft::DraftError| StoreError::Write { path: path.to_owned(), source: error.into() };
    Draft::write_with_folder(path, bytes).map_err(failed)
}
