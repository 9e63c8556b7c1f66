//! Percentages of pieces locked by row, from a file.

use std::path::Path;

use tetris::HEIGHT;

use crate::ai::AiError;
use cli::error::Error;
use cli::image_file;

/// Reads lines of a row's number and its percentage; rows that are not named have none. `#` begins
/// a comment.
pub(super) fn read(path: &Path) -> Result<[f64; HEIGHT], Error> {
    let text = String::from_utf8_lossy(&image_file::read(path)?).into_owned();
    let mut percents = [0.0; HEIGHT];
    let mut found = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let refused = || AiError::Table { path: path.into(), line: number, found: line.to_owned() };
        let mut words = line.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
        let mut words = words.by_ref().filter(|word| !word.is_empty());
        let row = words.next().and_then(|word| word.parse::<usize>().ok()).ok_or_else(refused)?;
        let percent = words.next().and_then(|word| word.trim_end_matches('%').parse::<f64>().ok());
        let percent = percent.filter(|percent| (0.0..=100.0).contains(percent)).ok_or_else(refused)?;
        let place = percents.get_mut(row).filter(|_| words.next().is_none()).ok_or_else(refused)?;
        *place = percent;
        found = true;
    }
    if found { Ok(percents) } else { Err(AiError::NoRows(path.into()).into()) }
}
