//! Pictures laid with pieces, after the article's `PatternFilter`.

use serde::{Deserialize, Serialize};

use super::gate::{ALL_CELLS, Gate};
use tetris::{ALL_ROWS, HEIGHT, Playfield, WIDTH};

/// A picture of the playfield. Its rows are laid from the bottom up: in the lowest row that still
/// lacks a cell, and below it, pieces may only take cells of the picture. Above that row they may
/// lie as they like, so the picture can be spoiled before it is done; it is a play with the search,
/// not a solver.
///
/// ```
/// use ai::{Evaluator, Filter, Pattern, Searcher};
/// use tetris::{Piece, Playfield};
///
/// let mut rows = [0; 20];
/// rows[18] = 0b00_0110_0000;
/// rows[19] = 0b00_0110_0000;
/// let square = Filter::Pattern(Pattern::new("square", rows).unwrap());
/// let place = Searcher::new(Evaluator::Article, square).decide(&Playfield::EMPTY, &[Piece::O]).unwrap().place;
/// assert_eq!((place.x, place.y), (6, 18));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pattern {
    name: String,
    picture: Playfield,
}

/// Why rows are no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A row without a free cell.
    #[error(
        "row {0} of the picture (0 is the top) has ten cells: such a row is removed as soon as it is laid"
    )]
    Full(usize),
    /// A row with cells beyond the tenth column.
    #[error("row {0} of the picture (0 is the top) is wider than ten cells")]
    Wide(usize),
}

impl Pattern {
    /// A picture of twenty rows from the top, the lowest bit of each its leftmost cell.
    ///
    /// # Errors
    ///
    /// If a row is full or too wide.
    pub fn new(name: impl Into<String>, rows: [u16; HEIGHT]) -> Result<Self, PatternError> {
        if let Some(row) = rows.iter().position(|row| row >> WIDTH != 0) {
            return Err(PatternError::Wide(row));
        }
        if let Some(row) = rows.iter().position(|row| row.count_ones() as usize == WIDTH) {
            return Err(PatternError::Full(row));
        }
        Ok(Self { name: name.into(), picture: Playfield::from_rows(&rows) })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The lowest row that lacks a cell; `None` where the picture is done.
    pub fn row(&self, board: &Playfield) -> Option<usize> {
        let lacking = self
            .picture
            .columns
            .iter()
            .zip(&board.columns)
            .fold(0, |rows, (picture, column)| rows | picture & !column);
        (lacking != 0).then(|| lacking.ilog2() as usize)
    }

    pub(super) fn gate(&self, board: &Playfield) -> Gate {
        let top = self.row(board).unwrap_or_else(|| {
            // What is done stays as it is.
            self.picture.occupied().trailing_zeros().min(HEIGHT as u32) as usize
        });
        let laid = ALL_ROWS & !((1 << top) - 1);
        Gate::Cells(self.picture.columns.map(|column| ALL_CELLS & !(laid << 2) | (column & laid) << 2))
    }
}
