//! Why bytes are not a movie that this machine plays.

use alloc::string::String;

use thiserror::Error;

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
    #[error("line {line}: {found} is not supported; {remedy}")]
    Unsupported {
        /// Line number.
        line: usize,
        /// What it is.
        found: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The first field of a frame is not a number of known commands.
    #[error("line {line}: expected commands 0 to 3 (1 reset, 2 power), found {found:?}")]
    Commands {
        /// Line number.
        line: usize,
        /// What it is.
        found: String,
    },
    /// A pad's field does not have its eight columns.
    #[error("line {line}: expected the 8 columns RLDUTSBA for pad {pad}, found {found} bytes")]
    Pad {
        /// Line number.
        line: usize,
        /// 1 or 2.
        pad: usize,
        /// Bytes found.
        found: usize,
    },
    /// A frame has something for the expansion port, or further fields.
    #[error(
        "line {line}: expected |commands|pad 1|pad 2||, found further input {found:?}; two standard pads are all there is"
    )]
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
