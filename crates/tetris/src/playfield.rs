//! The playfield: ten columns of twenty bits, and what a lock does to it.

use serde::{Deserialize, Serialize};

use crate::Placement;

/// Columns of the playfield.
pub const WIDTH: usize = 10;
/// Rows of the playfield.
pub const HEIGHT: usize = 20;
/// A column, or a set of rows, in which every row is taken.
pub const ALL_ROWS: u32 = (1 << HEIGHT) - 1;
/// A row, or a set of columns, in which every column is taken.
pub const ALL_COLUMNS: u16 = (1 << WIDTH) - 1;

/// A playfield. Bit `y` of column `x` is the cell at row `y`; row 0 is the top.
///
/// Written and read (serde) as its twenty rows from the top, each a number whose lowest bit is the
/// leftmost cell.
///
/// ```
/// use tetris::{Piece, Placement, Playfield};
///
/// let mut playfield = Playfield::EMPTY;
/// let floor = playfield.fall(Placement::spawn(Piece::O));
/// assert_eq!((floor.y, playfield.lock(floor)), (18, 0));
/// assert_eq!((playfield.rows()[19], playfield.heights()[4]), (0b11_0000, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u64>", into = "Vec<u64>")]
pub struct Playfield {
    /// Columns from the left.
    pub columns: [u32; WIDTH],
}

/// Rows that do not form a playfield.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayfieldError {
    /// The number of rows is not twenty.
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

impl Playfield {
    /// The playfield without a cell.
    pub const EMPTY: Self = Self { columns: [0; WIDTH] };
    /// The playfield without a free cell.
    pub const FULL: Self = Self { columns: [ALL_ROWS; WIDTH] };

    /// Returns the playfield of twenty rows from the top, the lowest bit of each its leftmost cell.
    /// Bits from the tenth up are ignored.
    #[inline]
    pub fn from_rows(rows: &[u16; HEIGHT]) -> Self {
        let mut columns = [0; WIDTH];
        for (y, row) in rows.iter().enumerate() {
            for (x, column) in columns.iter_mut().enumerate() {
                *column |= u32::from(row >> x & 1) << y;
            }
        }
        Self { columns }
    }

    /// Returns its rows from the top, the lowest bit of each the leftmost cell.
    #[inline]
    pub fn rows(&self) -> [u16; HEIGHT] {
        let mut rows = [0; HEIGHT];
        for (x, &column) in self.columns.iter().enumerate() {
            for (y, row) in rows.iter_mut().enumerate() {
                *row |= ((column >> y & 1) as u16) << x;
            }
        }
        rows
    }

    /// Returns whether the cell at column `x`, row `y` is solid. Beyond the walls and below the
    /// floor every cell is; above the top none is.
    #[inline]
    pub fn is_solid(&self, x: i32, y: i32) -> bool {
        if !(0..WIDTH as i32).contains(&x) || y >= HEIGHT as i32 {
            return true;
        }
        y >= 0 && self.columns[x as usize] >> y & 1 == 1
    }

    /// Returns whether a piece is inside the walls, above the floor and on free cells only.
    #[inline]
    pub fn fits(&self, placement: Placement) -> bool {
        placement.cells().iter().all(|&(x, y)| !self.is_solid(x, y))
    }

    /// Returns whether a piece fits there, and cannot fall.
    #[inline]
    pub fn rests(&self, placement: Placement) -> bool {
        self.fits(placement) && !self.fits(placement.below())
    }

    /// Returns where a piece comes to rest that falls straight down from a placement in which it
    /// fits.
    #[inline]
    pub fn fall(&self, mut placement: Placement) -> Placement {
        while self.fits(placement.below()) {
            placement = placement.below();
        }
        placement
    }

    /// Returns the number of solid cells.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    /// Returns column and row of each solid cell, column by column.
    pub fn taken(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let cells = (0..WIDTH as i32).flat_map(|x| (0..HEIGHT as i32).map(move |y| (x, y)));
        cells.filter(|&(x, y)| self.is_solid(x, y))
    }

    /// Returns the rows with a solid cell, bit `y` for row `y`.
    #[inline]
    pub fn occupied(&self) -> u32 {
        self.columns.iter().fold(0, |rows, column| rows | column)
    }

    /// Returns the full rows, bit `y` for row `y`.
    #[inline]
    pub fn full(&self) -> u32 {
        self.columns.iter().fold(ALL_ROWS, |rows, column| rows & column)
    }

    /// Returns the rows from the floor to the topmost solid cell of each column.
    #[inline]
    pub fn heights(&self) -> [u32; WIDTH] {
        self.columns.map(|column| HEIGHT as u32 - (column | 1 << HEIGHT).trailing_zeros())
    }

    /// Returns the rows from the floor to the topmost solid cell.
    #[inline]
    pub fn height(&self) -> u32 {
        HEIGHT as u32 - (self.occupied() | 1 << HEIGHT).trailing_zeros()
    }

    /// Returns the number of holes: free cells with a solid one somewhere above.
    #[inline]
    pub fn holes(&self) -> u32 {
        self.columns.iter().map(|&column| covered(column).count_ones()).sum()
    }

    /// Locks a piece and clears every full row; what is above a row moves down. Cells above the top
    /// are lost. Returns the number of rows cleared.
    #[inline]
    pub fn lock(&mut self, placement: Placement) -> u32 {
        self.put(placement);
        let full = self.full();
        self.remove(full);
        full.count_ones()
    }

    /// Locks a piece and clears rows as the program of the article "Applying Artificial
    /// Intelligence to Nintendo Tetris" does: only those of [`clear_window`] are looked at, so that
    /// a row that was full before may stay.
    #[inline]
    pub fn lock_in_window(&mut self, placement: Placement) -> Cleared {
        self.put(placement);
        let full = self.full() & clear_window(placement.y);
        let own = placement.cells().iter().filter(|&&(_, y)| y >= 0 && full >> y & 1 == 1).count() as u32;
        self.remove(full);
        Cleared { lines: full.count_ones(), cells: own }
    }

    /// Fills the cells of a piece. Cells outside are lost.
    #[inline(always)]
    pub fn put(&mut self, placement: Placement) {
        for (x, y) in placement.cells() {
            if (0..WIDTH as i32).contains(&x) && (0..HEIGHT as i32).contains(&y) {
                self.columns[x as usize] |= 1 << y;
            }
        }
    }

    /// Inserts `count` garbage rows at the bottom, with a hole in column `hole`. Cells that are
    /// pushed above the top are lost.
    #[inline]
    pub fn lift(&mut self, count: u32, hole: usize) {
        let count = count.min(HEIGHT as u32);
        let garbage = ALL_ROWS & !(ALL_ROWS >> count);
        for (x, column) in self.columns.iter_mut().enumerate() {
            *column = *column >> count | if x == hole { 0 } else { garbage };
        }
    }

    /// Removes a set of rows; what is above each moves down.
    #[inline(always)]
    pub fn remove(&mut self, mut rows: u32) {
        while rows != 0 {
            let row = rows & rows.wrapping_neg();
            for column in &mut self.columns {
                *column = *column & !(row << 1).wrapping_sub(1) | (*column & (row - 1)) << 1;
            }
            rows ^= row;
        }
    }
}

/// Returns the free cells of a column with a solid one somewhere above.
#[inline(always)]
pub const fn covered(column: u32) -> u32 {
    // All rows below the topmost solid cell.
    !column & ALL_ROWS & !(column ^ column.wrapping_sub(1))
}

/// Returns the rows that the article's program looks at when a piece locks with its pivot in row
/// `y`: `max(1, y - 2)` to `min(19, y + 1)`, and so never row 0.
#[inline(always)]
pub const fn clear_window(y: u8) -> u32 {
    let centre = 1u32 << (y & 31);
    (centre << 1 | centre | centre >> 1 | centre >> 2) & ALL_ROWS & !1
}

impl TryFrom<Vec<u64>> for Playfield {
    type Error = PlayfieldError;

    fn try_from(numbers: Vec<u64>) -> Result<Self, PlayfieldError> {
        if numbers.len() != HEIGHT {
            return Err(PlayfieldError::Rows(numbers.len()));
        }
        let mut rows = [0; HEIGHT];
        for (row, (to, &found)) in rows.iter_mut().zip(&numbers).enumerate() {
            if found >> WIDTH != 0 {
                return Err(PlayfieldError::Row { row, found });
            }
            *to = found as u16;
        }
        Ok(Self::from_rows(&rows))
    }
}

impl From<Playfield> for Vec<u64> {
    fn from(playfield: Playfield) -> Self {
        playfield.rows().iter().map(|&row| row.into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Orientation;

    fn placed(x: u8, y: u8, id: u8) -> Placement {
        Placement { x, y, orientation: Orientation::from_id(id).unwrap() }
    }

    #[test]
    fn rows_lead_back_to_their_playfield() {
        let mut rows = [0; HEIGHT];
        rows[0] = 1;
        rows[19] = 0x3FE;
        let playfield = Playfield::from_rows(&rows);
        assert_eq!(playfield.rows(), rows);
        assert!(playfield.is_solid(0, 0) && !playfield.is_solid(0, 19) && playfield.is_solid(9, 19));
    }

    #[test]
    fn garbage_pushes_up_what_was_there_and_has_one_hole() {
        let mut rows = [0; HEIGHT];
        (rows[0], rows[18], rows[19]) = (0b11, 0b100, 0x3FE);
        let mut playfield = Playfield::from_rows(&rows);
        playfield.lift(2, 3);
        let mut expected = [0; HEIGHT];
        (expected[16], expected[17], expected[18], expected[19]) = (0b100, 0x3FE, 0x3F7, 0x3F7);
        assert_eq!(playfield.rows(), expected);
        playfield.lift(0, 3);
        assert_eq!(playfield.rows(), expected);
        playfield.lift(100, 9);
        assert_eq!(playfield.rows(), [0x1FF; HEIGHT]);
    }

    #[test]
    fn beyond_walls_and_floor_is_solid_and_above_the_top_is_free() {
        let empty = Playfield::EMPTY;
        assert!(!Playfield::FULL.is_solid(3, -1));
        assert!(empty.is_solid(-1, -1) && empty.is_solid(10, 3) && empty.is_solid(3, 20));
    }

    #[test]
    fn holes_are_free_cells_below_solid_ones_and_heights_end_at_the_topmost() {
        let mut rows = [0; HEIGHT];
        rows[17..].copy_from_slice(&[0b110, 0b111, 0b101]);
        let playfield = Playfield::from_rows(&rows);
        assert_eq!((playfield.holes(), playfield.height()), (1, 3));
        assert_eq!(playfield.heights()[..4], [2, 3, 3, 0]);
        let empty = Playfield::EMPTY;
        assert_eq!((empty.holes(), empty.height(), empty.heights()), (0, 0, [0; WIDTH]));
        assert_eq!(Playfield::FULL.height(), 20);
    }

    #[test]
    fn a_full_row_goes_and_what_is_above_moves_down() {
        let mut rows = [0; HEIGHT];
        rows[18] = 1;
        rows[19] = 0b11_1100_0011 | 1 << 9;
        let mut playfield = Playfield::from_rows(&rows);
        let mut other = playfield;
        // The flat I (orientation 18) covers columns 2 to 5 of row 19.
        assert_eq!(playfield.lock_in_window(placed(4, 19, 18)), Cleared { lines: 1, cells: 4 });
        assert_eq!(other.lock(placed(4, 19, 18)), 1);
        rows[18] = 0;
        rows[19] = 1;
        assert_eq!((playfield.rows(), other), (rows, playfield));
    }

    #[test]
    fn a_full_row_outside_the_window_and_row_0_stay_where_the_window_alone_is_looked_at() {
        let mut rows = [0; HEIGHT];
        rows[19] = ALL_COLUMNS;
        let mut playfield = Playfield::from_rows(&rows);
        assert_eq!({ playfield }.lock(placed(4, 17, 10)), 1);
        assert_eq!(playfield.lock_in_window(placed(4, 17, 10)).lines, 0);
        assert_eq!(playfield.rows()[19], ALL_COLUMNS);
        let mut rows = [0; HEIGHT];
        rows[0] = 0b11_1100_0011 | 1 << 9;
        let mut playfield = Playfield::from_rows(&rows);
        assert_eq!({ playfield }.lock(placed(4, 0, 18)), 1);
        assert_eq!(playfield.lock_in_window(placed(4, 0, 18)).lines, 0);
        assert_eq!(playfield.rows()[0], ALL_COLUMNS);
    }
}
