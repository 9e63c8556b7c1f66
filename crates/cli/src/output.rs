//! Standard output: text for people, JSON for programs.

use std::io::{self, BufWriter, Write, stdout};

use serde::Serialize;

use crate::error::Error;

/// Prints `value` as a line of JSON if `json`, else what `text` writes.
///
/// # Errors
/// [`Error::Output`] when standard output cannot be written.
pub fn print(
    value: &impl Serialize,
    json: bool,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let mut out = BufWriter::new(stdout().lock());
    let printed = if json { json_line(&mut out, value) } else { text(&mut out) };
    printed.and_then(|()| out.flush()).map_err(Error::Output)
}

/// Prints text as it is.
///
/// # Errors
/// [`Error::Output`] when standard output cannot be written.
pub fn text(text: &str) -> Result<(), Error> {
    bytes(text.as_bytes())
}

/// Prints bytes as they are.
///
/// # Errors
/// [`Error::Output`] when standard output cannot be written.
pub fn bytes(bytes: &[u8]) -> Result<(), Error> {
    stdout().lock().write_all(bytes).map_err(Error::Output)
}

/// Writes `value` as a line of JSON.
///
/// # Errors
/// When `out` cannot be written.
pub fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
