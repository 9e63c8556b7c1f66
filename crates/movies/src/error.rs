//! Why bytes are not a movie that this machine plays.

use fm2::Fm2Error;
use thiserror::Error;

/// Why bytes are not a movie that this machine plays, or a movie cannot be written. Lines are
/// counted from 1, in the file of the archive that is named.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MovieError {
    /// A movie of FCEUX's.
    #[error(transparent)]
    Fm2(#[from] Fm2Error),
    /// The archive cannot be unpacked.
    #[error("the archive cannot be unpacked: {0}; copy or download it again")]
    Archive(String),
    /// The archive has no input of a movie.
    #[error(
        "no movie: expected an archive with \"Input Log.txt\" (BizHawk) or \"Input.txt\" (Mesen), found {found}"
    )]
    NoMovie {
        /// Names in the archive.
        found: String,
    },
    /// A file of the archive is longer than any movie's.
    #[error("{name}: more than {limit} bytes: this is no movie")]
    TooLarge {
        /// The file in the archive.
        name: &'static str,
        /// Bytes.
        limit: u64,
    },
    /// A file of the archive is missing.
    #[error("no movie: expected {name} in the archive, found {found}")]
    Missing {
        /// The file.
        name: &'static str,
        /// Names in the archive.
        found: String,
    },
    /// A line has another form.
    #[error("{name}, line {line}: expected {expected}, found {found:?}")]
    Line {
        /// The file in the archive.
        name: &'static str,
        /// Line number.
        line: usize,
        /// What was expected.
        expected: String,
        /// How the line opens.
        found: String,
    },
    /// The movie says something that this machine cannot play, or the format cannot say it.
    #[error("{place}: {found} is not supported; {remedy}")]
    Unsupported {
        /// Where it says so.
        place: String,
        /// What it is.
        found: String,
        /// What to do about it.
        remedy: &'static str,
    },
}

/// How much of a wrong line an error quotes, in bytes.
const QUOTE: usize = 40;

/// Returns the beginning of a line, for an error.
pub(crate) fn quote(line: &str) -> String {
    let end = (0..=QUOTE.min(line.len())).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
    line[..end].to_owned()
}
