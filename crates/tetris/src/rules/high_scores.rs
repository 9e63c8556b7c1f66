//! High scores: three each of A-type and B-type; a fourth of each is in the table and never used.

use serde::{Deserialize, Serialize};

use super::Game;

/// Letters of a name.
pub(super) const NAME_LETTERS: usize = 6;
/// Entries shown of each type.
const ENTRIES: usize = 3;
/// The first row of the B-type.
const B_TYPE_ROW: usize = 4;

/// The table at `$0700`: names in symbols, scores in BCD with the high byte first, levels; four
/// rows of the A-type, four of the B-type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HighScores {
    /// Six symbols a name: 0 blank, 1–26 letters, 27–36 digits, then signs.
    pub names: [[u8; NAME_LETTERS]; 8],
    /// Six digits, BCD, high byte first.
    pub scores: [[u8; 3]; 8],
    /// Binary.
    pub levels: [u8; 8],
}

impl HighScores {
    /// Bytes of the table.
    pub const BYTES: usize = 80;

    /// The table whose bytes these are.
    pub const fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut table = Self { names: [[0; NAME_LETTERS]; 8], scores: [[0; 3]; 8], levels: [0; 8] };
        let mut row = 0;
        while row < 8 {
            let mut letter = 0;
            while letter < NAME_LETTERS {
                table.names[row][letter] = bytes[row * NAME_LETTERS + letter];
                letter += 1;
            }
            let mut byte = 0;
            while byte < 3 {
                table.scores[row][byte] = bytes[48 + row * 3 + byte];
                byte += 1;
            }
            table.levels[row] = bytes[72 + row];
            row += 1;
        }
        table
    }

    /// Its bytes as they stand in RAM.
    pub fn bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..48].copy_from_slice(self.names.as_flattened());
        bytes[48..72].copy_from_slice(self.scores.as_flattened());
        bytes[72..].copy_from_slice(&self.levels);
        bytes
    }
}

impl Game<'_> {
    /// Gives the finished game its place, if it has one: entries below move down, the last is lost,
    /// and the name starts as six blanks. An equal score gives way to the new one.
    pub(super) fn insert_score(&mut self) -> bool {
        let first = if self.kind == 0 { 0 } else { B_TYPE_ROW };
        let [low, middle, high] = self.player.score;
        let score = [high, middle, low];
        let table = &mut self.high_scores;
        let last = first + ENTRIES;
        let place = (first..last).find(|&row| table.scores[row] <= score);
        self.name_row = place.unwrap_or(last) as u8;
        let Some(row) = place else { return false };
        table.names.copy_within(row..last - 1, row + 1);
        table.scores.copy_within(row..last - 1, row + 1);
        table.levels.copy_within(row..last - 1, row + 1);
        table.names[row] = [0; NAME_LETTERS];
        table.scores[row] = score;
        table.levels[row] = self.player.level;
        true
    }
}
