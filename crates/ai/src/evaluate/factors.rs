//! The article's four factors of a board.

use serde::{Deserialize, Serialize};

use tetris::{ALL_ROWS, Playfield, WIDTH};

/// What the article's evaluation sees of a board. The quirks are its program's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Factors {
    /// Cells of each column, from its topmost solid cell (which counts) upwards, between two solid
    /// neighbours; walls are solid. In an empty column row 19 stands for the topmost solid cell. A
    /// level floor counts 10.
    pub wells: u32,
    /// Runs of free cells below a solid one, each counted once.
    pub holes: u32,
    /// Changes between solid and free down each column from its topmost solid cell to row 19.
    pub col_trans: u32,
    /// Changes between solid and free along each row that is not empty, walls being solid.
    pub row_trans: u32,
}

impl Factors {
    /// The factors of a board.
    ///
    /// ```
    /// use ai::Factors;
    /// use tetris::Playfield;
    ///
    /// let mut rows = [0; 20];
    /// rows[19] = 0b11_1111_1110;
    /// let expected = Factors { wells: 9, holes: 0, col_trans: 0, row_trans: 2 };
    /// assert_eq!(Factors::of(&Playfield::from_rows(&rows)), expected);
    /// ```
    #[inline(always)]
    pub fn of(board: &Playfield) -> Self {
        let columns = &board.columns;
        let occupied = board.occupied();
        let mut factors = Self {
            row_trans: (occupied & !columns[0]).count_ones() + (occupied & !columns[WIDTH - 1]).count_ones(),
            ..Self::default()
        };
        for x in 0..WIDTH {
            let left = if x == 0 { ALL_ROWS } else { columns[x - 1] };
            let right = if x == WIDTH - 1 { ALL_ROWS } else { columns[x + 1] };
            factors.wells += well_cells(left, columns[x], right).count_ones();
            factors.holes += hole_tops(columns[x]).count_ones();
            factors.col_trans += column_transitions(columns[x]);
            if x > 0 {
                factors.row_trans += (left ^ columns[x]).count_ones();
            }
        }
        factors
    }
}

/// Well cells of a column between two others.
#[inline(always)]
pub(crate) const fn well_cells(left: u32, column: u32, right: u32) -> u32 {
    let top = column | 1 << 19;
    left & right & (top ^ (top - 1))
}

/// The topmost cell of each run of free cells below a solid one.
#[inline(always)]
pub(crate) const fn hole_tops(column: u32) -> u32 {
    !column & column << 1 & ALL_ROWS
}

/// Changes between solid and free below the topmost solid cell. Each change to solid but the
/// topmost one, and each change to free, is a bit of the column and its copy one row down.
#[inline(always)]
pub(crate) const fn column_transitions(column: u32) -> u32 {
    ((column ^ column << 1) & ALL_ROWS).count_ones() - (column != 0) as u32
}
