//! Standard input a line at a time, for commands that answer each line before they read the next.

use std::io::{BufRead, Read, stdin};

use super::AiError;
use cli::error::Error;

/// Bytes of one line; a generous one takes a few hundred.
const LIMIT: u64 = 1 << 16;

/// Hands every line that is not blank to `answer`, with its number from 1.
pub(super) fn each(mut answer: impl FnMut(usize, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
    let mut input = stdin().lock();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        input.by_ref().take(LIMIT).read_until(b'\n', &mut bytes).map_err(AiError::Input)?;
        if bytes.is_empty() {
            break;
        }
        if bytes.len() as u64 == LIMIT && bytes.last() != Some(&b'\n') {
            return Err(AiError::LongLine { line, limit: LIMIT }.into());
        }
        if !bytes.trim_ascii().is_empty() {
            answer(line, &bytes)?;
        }
    }
    Ok(())
}
