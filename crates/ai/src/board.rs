//! The playfield: ten columns of twenty bits.

use serde::{Deserialize, Serialize};

use crate::Placement;

/// Columns of the playfield.
pub const WIDTH: usize = 10;
/// Rows of the playfield.
pub const HEIGHT: usize = 20;
/// A column, or a set of rows, in which every row is taken.
pub(crate) const ALL_ROWS: u32 = (1 << HEIGHT) - 1;

/// A playfield. Bit `y` of column `x` is the cell at row `y`; row 0 is the top.
///
/// Written and read (serde) as its twenty rows from the top, each a number whose lowest bit is the
/// leftmost cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u64>", into = "Vec<u64>")]
pub struct Board {
    pub(crate) columns: [u32; WIDTH],
}

/// Rows that make no playfield.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Not twenty of them.
    #[error("expected 20 rows from the top, found {0}")]
    Rows(usize),
    /// A row with cells beyond the tenth column.
    #[error(
        "row {row}: expected a number from 0 to 1023 (the lowest bit is the leftmost cell), found {found}"
    )]
    Row {
        /// The row, 0 at the top.
        row: usize,
        /// Its number.
        found: u64,
    },
}

/// What a lock removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Rows removed, 0–4.
    pub lines: u32,
    /// Cells of the locked piece in them, 0–4.
    pub cells: u32,
}

impl Board {
    /// The playfield without a cell.
    pub const EMPTY: Self = Self { columns: [0; WIDTH] };
    /// The playfield without a free cell.
    pub const FULL: Self = Self { columns: [ALL_ROWS; WIDTH] };

    /// The playfield of twenty rows from the top, the lowest bit of each its leftmost cell. Bits
    /// from the tenth up are left out.
    pub fn from_rows(rows: &[u16; HEIGHT]) -> Self {
        let mut columns = [0; WIDTH];
        for (y, row) in rows.iter().enumerate() {
            for (x, column) in columns.iter_mut().enumerate() {
                *column |= u32::from(row >> x & 1) << y;
            }
        }
        Self { columns }
    }

    /// Its rows from the top, the lowest bit of each the leftmost cell.
    pub fn rows(&self) -> [u16; HEIGHT] {
        std::array::from_fn(|y| {
            self.columns.iter().enumerate().fold(0, |row, (x, column)| row | ((column >> y & 1) as u16) << x)
        })
    }

    /// Is the cell at column `x`, row `y` solid? Beyond the walls and below the floor every cell
    /// is; above the top none is.
    #[inline]
    pub fn is_solid(&self, x: i32, y: i32) -> bool {
        if !(0..WIDTH as i32).contains(&x) || y >= HEIGHT as i32 {
            return true;
        }
        y >= 0 && self.columns[x as usize] >> y & 1 == 1
    }

    /// Is a piece at this place inside the walls, above the floor and on free cells only?
    #[inline]
    pub fn fits(&self, placement: Placement) -> bool {
        placement.cells().iter().all(|&(x, y)| !self.is_solid(x, y))
    }

    /// Solid cells.
    pub fn cells(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    /// Rows with a solid cell, bit `y` for row `y`.
    pub(crate) fn occupied(&self) -> u32 {
        self.columns.iter().fold(0, |rows, column| rows | column)
    }

    /// Locks a piece and clears rows as the article's program does: of the four rows from two above
    /// the piece's centre to one below it, never row 0, those that are full are removed; what is
    /// above them moves down. Cells above the top are lost.
    #[inline]
    pub fn lock(&mut self, placement: Placement) -> Cleared {
        let cells = placement.cells();
        for (x, y) in cells {
            if y >= 0 && (0..WIDTH as i32).contains(&x) {
                self.columns[x as usize] |= 1 << y & ALL_ROWS;
            }
        }
        let full = self.columns.iter().fold(clear_window(placement.y), |rows, column| rows & column);
        let own = cells.iter().filter(|&&(_, y)| y >= 0 && full >> y & 1 == 1).count() as u32;
        self.remove(full);
        Cleared { lines: full.count_ones(), cells: own }
    }

    /// Removes a set of rows; what is above each moves down.
    #[inline(always)]
    pub(crate) fn remove(&mut self, mut rows: u32) {
        while rows != 0 {
            let row = rows & rows.wrapping_neg();
            for column in &mut self.columns {
                *column = *column & !(row << 1).wrapping_sub(1) | (*column & (row - 1)) << 1;
            }
            rows ^= row;
        }
    }
}

/// The rows that a lock at centre row `y` looks at: `max(1, y - 2)` to `min(19, y + 1)`.
#[inline(always)]
pub(crate) const fn clear_window(y: u8) -> u32 {
    let centre = 1u32 << (y & 31);
    (centre << 1 | centre | centre >> 1 | centre >> 2) & ALL_ROWS & !1
}

impl TryFrom<Vec<u64>> for Board {
    type Error = BoardError;

    fn try_from(numbers: Vec<u64>) -> Result<Self, BoardError> {
        if numbers.len() != HEIGHT {
            return Err(BoardError::Rows(numbers.len()));
        }
        let mut rows = [0; HEIGHT];
        for (row, (place, &found)) in rows.iter_mut().zip(&numbers).enumerate() {
            if found >> WIDTH != 0 {
                return Err(BoardError::Row { row, found });
            }
            *place = found as u16;
        }
        Ok(Self::from_rows(&rows))
    }
}

impl From<Board> for Vec<u64> {
    fn from(board: Board) -> Self {
        board.rows().iter().map(|&row| row.into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use tetris::Orientation;

    use super::*;

    fn place(x: u8, y: u8, id: u8) -> Placement {
        Placement { x, y, orientation: Orientation::from_id(id).unwrap() }
    }

    #[test]
    fn rows_lead_back_to_their_board() {
        let mut rows = [0; HEIGHT];
        rows[0] = 1;
        rows[19] = 0x3FE;
        let board = Board::from_rows(&rows);
        assert_eq!(board.rows(), rows);
        assert!(board.is_solid(0, 0) && !board.is_solid(0, 19) && board.is_solid(9, 19));
    }

    #[test]
    fn beyond_walls_and_floor_is_solid_and_above_the_top_is_free() {
        let board = Board::FULL;
        assert!(!board.is_solid(3, -1));
        assert!(
            Board::EMPTY.is_solid(-1, -1) && Board::EMPTY.is_solid(10, 3) && Board::EMPTY.is_solid(3, 20)
        );
    }

    #[test]
    fn a_full_row_within_the_window_goes_and_what_is_above_moves_down() {
        let mut rows = [0; HEIGHT];
        rows[18] = 1;
        rows[19] = 0b11_1100_0011 | 1 << 9;
        let mut board = Board::from_rows(&rows);
        // The flat I (orientation 18) covers columns 2 to 5 of row 19.
        assert_eq!(board.lock(place(4, 19, 18)), Cleared { lines: 1, cells: 4 });
        rows[18] = 0;
        rows[19] = 1;
        assert_eq!(board.rows(), rows);
    }

    #[test]
    fn a_full_row_outside_the_window_and_row_0_stay() {
        let mut rows = [0; HEIGHT];
        rows[19] = 0x3FF;
        let mut board = Board::from_rows(&rows);
        assert_eq!(board.lock(place(4, 17, 10)).lines, 0);
        assert_eq!(board.rows()[19], 0x3FF);
        let mut rows = [0; HEIGHT];
        rows[0] = 0b11_1100_0011 | 1 << 9;
        let mut board = Board::from_rows(&rows);
        assert_eq!(board.lock(place(4, 0, 18)).lines, 0);
        assert_eq!(board.rows()[0], 0x3FF);
    }
}
