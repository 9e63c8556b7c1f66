//! The playfield as modes lay it out.

use tetris::ram::EMPTY;
use tetris::{Orientation, View};

/// Rows of the playfield.
pub const ROWS: usize = 20;
/// Columns of the playfield.
pub const COLUMNS: usize = 10;
/// The three tiles of pieces, and the one of floors.
pub(crate) const TILE: u8 = 0x7B;
pub(crate) const MARK: u8 = 0x7C;
pub(crate) const FLOOR: u8 = 0x7E;

/// Twenty rows of ten cells, a tile each; [`EMPTY`] and up is free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) cells: [u8; ROWS * COLUMNS],
}

impl Field {
    pub(crate) const CLEAR: Self = Self { cells: [EMPTY; ROWS * COLUMNS] };

    pub(crate) fn of(view: View) -> Self {
        let mut field = Self::CLEAR;
        field.cells.copy_from_slice(view.playfield());
        field
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> u8 {
        self.cells[row * COLUMNS + column]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, tile: u8) {
        self.cells[row * COLUMNS + column] = tile;
    }

    pub(crate) fn is_taken(&self, row: usize, column: usize) -> bool {
        self.at(row, column) < EMPTY
    }

    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.cells[row * COLUMNS..][..COLUMNS]
    }

    /// As the game looks at a row: no cell is [`EMPTY`].
    pub(crate) fn is_full(&self, row: usize) -> bool {
        self.row(row).iter().all(|&cell| cell != EMPTY)
    }

    /// The first row with a block, 20 if there is none.
    pub(crate) fn top(&self) -> usize {
        (0..ROWS).find(|&row| self.row(row).iter().any(|&cell| cell < EMPTY)).unwrap_or(ROWS)
    }

    /// Moves everything up by one row; what leaves the top is gone. The last row is `tile` but for
    /// `hole`.
    pub(crate) fn lift(&mut self, tile: u8, hole: Option<usize>) {
        self.cells.copy_within(COLUMNS.., 0);
        for column in 0..COLUMNS {
            self.set(ROWS - 1, column, if Some(column) == hole { EMPTY } else { tile });
        }
    }

    /// Does a piece fit with its pivot there? Two rows above the playfield are free.
    pub(crate) fn fits(&self, x: u8, y: u8, orientation: Orientation) -> bool {
        orientation.cells().iter().all(|cell| {
            let (column, row) = (i16::from(x) + i16::from(cell.column), i16::from(y) + i16::from(cell.row));
            (0..COLUMNS as i16).contains(&column)
                && (-2..ROWS as i16).contains(&row)
                && (row < 0 || !self.is_taken(row as usize, column as usize))
        })
    }

    /// The row in which a piece comes to rest that falls from there.
    pub(crate) fn ghost(&self, x: u8, y: u8, orientation: Orientation) -> u8 {
        let mut row = y;
        while row < ROWS as u8 && self.fits(x, row + 1, orientation) {
            row += 1;
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::Piece;

    #[test]
    fn a_lift_leaves_the_hole_open_and_a_ghost_rests_on_it() {
        let mut field = Field::CLEAR;
        field.lift(FLOOR, Some(3));
        field.lift(FLOOR, None);
        assert_eq!((field.top(), field.is_full(18), field.is_full(19)), (18, false, true));
        assert!(!field.is_taken(18, 3) && field.at(18, 4) == FLOOR);
        assert_eq!(field.ghost(5, 0, Orientation::spawn(Piece::O)), 16);
        assert_eq!(field.ghost(3, 0, Orientation::from_id(0x11).unwrap()), 17);
        assert!(!field.fits(0, 0, Orientation::spawn(Piece::T)));
    }
}
