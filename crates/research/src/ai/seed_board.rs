//! A board to begin with, from a file.

use std::path::Path;

use tetris::{HEIGHT, Playfield, WIDTH};

use super::AiError;
use cli::error::Error;
use cli::image_file;

/// Reads a board: the lowest rows as lines of ten cells, `.` free and `#` solid, or all twenty as a
/// JSON array.
pub(super) fn read(path: &Path) -> Result<Playfield, Error> {
    let bytes = image_file::read_short(path)?;
    if bytes.trim_ascii_start().starts_with(b"[") {
        let numbers = |source| AiError::BoardNumbers { path: path.into(), source };
        return Ok(serde_json::from_slice(&bytes).map_err(numbers)?);
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line = line.trim();
        if line.chars().count() != WIDTH || !line.chars().all(|cell| cell == '.' || cell == '#') {
            let found = line.chars().take(40).collect();
            return Err(AiError::BoardLine { path: path.into(), line: number + 1, found }.into());
        }
        rows.push(line.chars().enumerate().fold(0, |row, (x, cell)| row | u16::from(cell == '#') << x));
    }
    if rows.is_empty() || rows.len() > HEIGHT {
        return Err(AiError::BoardRows { path: path.into(), rows: rows.len() }.into());
    }
    let mut board = [0; HEIGHT];
    board[HEIGHT - rows.len()..].copy_from_slice(&rows);
    Ok(Playfield::from_rows(&board))
}
