//! What a player is told of the battery's file.

use std::io;
use std::path::PathBuf;

use draft::ReadError;
use thiserror::Error;

use crate::DesktopError;

/// What is wrong with the battery's file, or unusual. The game goes on all the same.
#[derive(Debug, Error)]
pub(crate) enum BatteryError {
    /// Another window has the usual file, and this one has a file of its own.
    #[error(
        "another window is using this cartridge's save file, {}; this one continues with its own, {}",
        others.display(), own.display()
    )]
    OwnFile {
        /// The usual file.
        others: PathBuf,
        /// This window's.
        own: PathBuf,
    },
    /// Another window has the usual file, and this one begins with a copy.
    #[error(
        "another window is using this cartridge's save file, {}; this one starts with a copy of it, and saves to {}",
        others.display(), own.display()
    )]
    Copy {
        /// The usual file.
        others: PathBuf,
        /// This window's.
        own: PathBuf,
    },
    /// The file is no such battery's.
    #[error(
        "cannot use {}: {trouble}; the game starts without it, and the file will be renamed to {} before anything is saved",
        path.display(), aside.display()
    )]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Its next name.
        aside: PathBuf,
        /// What was expected and found.
        trouble: Unfit,
    },
    /// Something of the last session is used, and is in its place now.
    #[error("{found}; it was moved to {}", path.display())]
    Found {
        /// What was found.
        found: Found,
        /// The battery's file.
        path: PathBuf,
    },
    /// Something of the last session is used, and cannot be put in its place.
    #[error("{found}. {reason}")]
    FoundOnly {
        /// What was found.
        found: Found,
        /// Why it stays where it is.
        reason: Box<BatteryError>,
    },
    /// Nothing is kept.
    #[error("no folder for battery saves: the game's saves will be lost when you quit")]
    NoFolder,
    /// The folder takes no file.
    #[error("cannot write the battery save {}: {source}; is the folder writable?", path.display())]
    NotWritable {
        /// The battery's file.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// A file that is no such battery's cannot be moved aside.
    #[error("cannot rename {}: {source}", path.display())]
    Rename {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] DesktopError),
    /// The file cannot be written; another was.
    #[error(
        "{reason} The battery RAM was saved to {} instead; the next session will load it from there",
        other.display()
    )]
    Elsewhere {
        /// Why the file was not written.
        reason: Box<BatteryError>,
        /// The other file.
        other: PathBuf,
    },
    /// The file cannot be written; the journal has everything.
    #[error("{reason} The battery RAM is in {}; the next session will load it from there", journal.display())]
    Journal {
        /// Why the file was not written.
        reason: Box<BatteryError>,
        /// The journal.
        journal: PathBuf,
    },
    /// Nothing can be written.
    #[error("{reason} The battery RAM is lost: {source}")]
    Lost {
        /// Why the file was not written.
        reason: Box<BatteryError>,
        /// Why no other was.
        source: io::Error,
    },
    /// Another program's save beside the ROM is gone on with.
    #[error("the battery save {} is used, and saved to {}; the first file is not changed", others.display(), own.display())]
    OfProgram {
        /// Its file.
        others: PathBuf,
        /// The battery's file.
        own: PathBuf,
    },
    /// There is a save of another build.
    #[error(
        "this build has no battery save yet, but {} from another build has the same size: drop it on the window to use a copy", .0.display()
    )]
    OfAnotherBuild(PathBuf),
    /// There is nothing to bring a save into.
    #[error("this cartridge has no battery")]
    NoBattery,
    /// A movie plays, and what it leaves behind is not kept.
    #[error("the battery RAM cannot be changed while a movie plays: stop it first")]
    Resting,
    /// A file cannot be brought in.
    #[error("cannot use {}: {trouble}", path.display())]
    NotBrought {
        /// The file.
        path: PathBuf,
        /// What was expected and found.
        trouble: Unfit,
    },
    /// What was kept cannot be copied.
    #[error("cannot copy {}: {source}", path.display())]
    NotCopied {
        /// The battery's file.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// Two at once.
    #[error("{0}. {1}")]
    Both(Box<BatteryError>, Box<BatteryError>),
}

/// Why a file cannot be the battery's.
#[derive(Debug, Error)]
pub(crate) enum Unfit {
    /// It has another length; in bytes.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The battery's RAM.
        expected: usize,
        /// The file.
        found: usize,
    },
    /// It is longer than any RAM of the cartridge; in bytes.
    #[error("expected {expected} bytes, found more")]
    TooLong {
        /// The battery's RAM.
        expected: usize,
    },
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(ReadError),
}

/// What the last session has left besides the battery's file.
#[derive(Debug, Error)]
pub(crate) enum Found {
    /// A journal, since the session was ended from outside.
    #[error("the last session did not end normally; its battery save is used")]
    Noted,
    /// A file elsewhere, since the usual one could not be written.
    #[error("{} has the battery RAM that the last session could not save; it is used", .0.display())]
    Stray(PathBuf),
}
