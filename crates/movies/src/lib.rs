//! Movies of other programs, as the movies of this one: BizHawk's (`.bk2`, and the input of its
//! `.tasproj`), Mesen's (`.mmo`), and FCEUX's (`.fm2`, `.fm3`), which `fm2` reads.
//!
//! A crate of its own, because these are ZIP archives, which the machine's crates know nothing of.
//! It reads and makes bytes, and no file.
//!
//! ```
//! use fm2::{FrameInput, Movie};
//! use movies::Kind;
//!
//! let movie = Movie { frames: vec![FrameInput::default(); 60], ..Movie::default() };
//! let bytes = movies::write(Kind::Bk2, &movie)?;
//! assert_eq!(movies::read(&bytes)?.frames, movie.frames);
//! # Ok::<(), movies::MovieError>(())
//! ```

mod archive;
mod bk2;
mod error;
mod mmo;

use std::path::Path;

use flate2 as _; // what `zip` unpacks with
use fm2::{Commands, FrameInput, Movie};

pub use error::MovieError;

use archive::Archive;

/// Endings of files that are movies, in lower case.
pub const ENDINGS: [&str; 5] = ["fm2", "fm3", "bk2", "tasproj", "mmo"];

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// FCEUX's.
    Fm2,
    /// BizHawk's.
    Bk2,
}

impl Kind {
    /// Returns the format that a file of this name is written in; `None` if there is none.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "fm2" => Some(Self::Fm2),
            "bk2" => Some(Self::Bk2),
            _ => None,
        }
    }
}

/// Returns whether the name of a file says that it is a movie.
pub fn is_named(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Returns whether bytes open as a movie does: as FM2, or as an archive with the input of one.
pub fn is_movie(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version ")
        || Archive::is_one(bytes)
            && Archive::open(bytes).is_ok_and(|archive| archive.has(bk2::INPUT) || archive.has(mmo::INPUT))
}

/// Reads a movie of any of the formats. Takes no more memory than some six times what the bytes
/// unpack to, which is bounded.
///
/// # Errors
/// [`MovieError`]: it is no movie, or one that this machine cannot play, with what that is.
pub fn read(bytes: &[u8]) -> Result<Movie, MovieError> {
    if !Archive::is_one(bytes) {
        return Ok(Movie::parse(bytes)?);
    }
    let mut archive = Archive::open(bytes)?;
    if archive.has(bk2::INPUT) {
        bk2::read(&mut archive)
    } else if archive.has(mmo::INPUT) {
        mmo::read(&mut archive)
    } else {
        Err(MovieError::NoMovie { found: archive.names() })
    }
}

/// Writes a movie.
///
/// # Errors
/// [`MovieError::Unsupported`]: the format cannot say something that the movie does.
pub fn write(kind: Kind, movie: &Movie) -> Result<Vec<u8>, MovieError> {
    match kind {
        Kind::Fm2 => Ok(movie.to_string().into_bytes()),
        Kind::Bk2 => bk2::write(movie),
    }
}

/// Turns lines, in which a command is carried out when the line's frame is over, into the console's
/// frames, in which it is carried out first. A command of the last line has a frame of its own.
fn shifted(lines: impl IntoIterator<Item = FrameInput>) -> Vec<FrameInput> {
    let mut commands = Commands::empty();
    let mut frames: Vec<FrameInput> = lines
        .into_iter()
        .map(|line| FrameInput { commands: std::mem::replace(&mut commands, line.commands), ..line })
        .collect();
    if !commands.is_empty() {
        frames.push(FrameInput { commands, ..FrameInput::default() });
    }
    frames
}
