//! The playfield as ten columns of twenty bits, and what a lock does to it.

use tetris::Orientation;

/// Columns of the playfield.
pub const WIDTH: usize = 10;
/// Rows of the playfield.
pub const HEIGHT: usize = 20;
/// A column, or a set of rows, in which every row is taken.
pub(crate) const ALL_ROWS: u32 = (1 << HEIGHT) - 1;

/// A playfield. Bit `y` of column `x` is the cell at row `y`; row 0 is the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// Columns from the left.
    pub columns: [u32; WIDTH],
}

/// Where a piece locks. Every one of its cells is inside the playfield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// How it is turned.
    pub orientation: Orientation,
    /// Column of the pivot, 0–9 from the left.
    pub x: u8,
    /// Row of the pivot, 0–19 from the top.
    pub y: u8,
}

impl Place {
    /// Its four cells as column and row; rows above the top are negative.
    #[inline]
    pub fn cells(self) -> [(i32, i32); 4] {
        self.orientation
            .cells()
            .map(|cell| (i32::from(self.x) + i32::from(cell.column), i32::from(self.y) + i32::from(cell.row)))
    }
}

impl Board {
    /// The playfield without a cell.
    pub const EMPTY: Self = Self { columns: [0; WIDTH] };

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
        let mut rows = [0; HEIGHT];
        for (x, &column) in self.columns.iter().enumerate() {
            for (y, row) in rows.iter_mut().enumerate() {
                *row |= ((column >> y & 1) as u16) << x;
            }
        }
        rows
    }

    /// Solid cells.
    pub fn cells(&self) -> u32 {
        self.columns.iter().map(|column| column.count_ones()).sum()
    }

    /// Locks a piece and clears every full row; what is above a row moves down. Answers the rows
    /// cleared, 0–4.
    #[inline]
    pub fn lock(&mut self, place: Place) -> u32 {
        for (x, y) in place.cells() {
            if (0..WIDTH as i32).contains(&x) && (0..HEIGHT as i32).contains(&y) {
                self.columns[x as usize] |= 1 << y;
            }
        }
        let full = self.columns.iter().fold(ALL_ROWS, |rows, column| rows & column);
        let mut rows = full;
        while rows != 0 {
            let row = rows & rows.wrapping_neg();
            for column in &mut self.columns {
                *column = *column & !(row << 1).wrapping_sub(1) | (*column & (row - 1)) << 1;
            }
            rows ^= row;
        }
        full.count_ones()
    }
}
