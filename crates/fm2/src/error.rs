//! Why bytes are not a movie that this machine plays.

use alloc::string::String;
use core::fmt;

use thiserror::Error;

/// Where in a movie something stands. Displays as `line 5` or `binary record 5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line of the file, counted from 1.
    Line(usize),
    /// A record of binary input, counted from 1.
    Record(usize),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(record) => write!(f, "binary record {record}"),
        }
    }
}

/// Why bytes are not a movie that this machine plays. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fm2Error {
    /// The first line is not the version.
    #[error("not an FM2 movie: expected it to open with \"version 3\", found {found:?}")]
    NotAMovie {
        /// How the first line opens.
        found: String,
    },
    /// The movie is of another version of the format.
    #[error("line {line}: FM2 version {found:?}: expected 3; save the movie again with a current FCEUX")]
    Version {
        /// Line number.
        line: usize,
        /// The version found.
        found: String,
    },
    /// The header does not come to an end.
    #[error(
        "no line of input in the first {limit} lines: expected |commands|pad 1|pad 2||; this is no movie"
    )]
    LongHeader {
        /// The most lines that a header may have.
        limit: usize,
    },
    /// A key that takes a number has something else.
    #[error("line {line}: expected a number for {key}, found {found:?}")]
    Number {
        /// Line number.
        line: usize,
        /// The key.
        key: &'static str,
        /// What it has.
        found: String,
    },
    /// The movie says something that this machine cannot play.
    #[error("{place}: {found} is not supported; {remedy}")]
    Unsupported {
        /// Where it says so.
        place: Location,
        /// What it is.
        found: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// RAM begins in a way that FCEUX does not have either.
    #[error("line {line}: expected RAMInitOption 0 to 3, found {found}")]
    RamInit {
        /// Line number.
        line: usize,
        /// The number found.
        found: i64,
    },
    /// The first field of a frame is not a number of known commands.
    #[error("{place}: expected commands 0 to 3 (1 reset, 2 power), found {found:?}")]
    Commands {
        /// Where it is.
        place: Location,
        /// What it is.
        found: String,
    },
    /// A pad's field does not have its eight columns.
    #[error("line {line}: expected the 8 columns RLDUTSBA for pad {pad}, found {found} bytes")]
    Pad {
        /// Line number.
        line: usize,
        /// 1 to 4.
        pad: usize,
        /// Bytes found.
        found: usize,
    },
    /// A Zapper's field is none.
    #[error("line {line}: expected the Zapper's column, line and buttons, as 128 100 0 0 0, found {found:?}")]
    Zapper {
        /// Line number.
        line: usize,
        /// What it is.
        found: String,
    },
    /// A frame has something for the expansion port, or further fields.
    #[error("line {line}: expected |commands|pad 1|pad 2||, found further input {found:?}")]
    Expansion {
        /// Line number.
        line: usize,
        /// What was found.
        found: String,
    },
    /// A key after the first frame.
    #[error("line {line}: expected a line of input, |commands|pad 1|pad 2||, found {found:?}")]
    NotInput {
        /// Line number.
        line: usize,
        /// How the line opens.
        found: String,
    },
}
