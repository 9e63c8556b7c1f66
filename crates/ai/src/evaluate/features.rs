//! The features that El-Tetris and Dellacherie's player share, as El-Ashi's page defines them.

use tetris::{ALL_ROWS, HEIGHT, Playfield, WIDTH, covered};

/// What both players see of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    /// Changes along all twenty rows, walls being solid: 2 for an empty row.
    pub(super) row_transitions: u32,
    /// Changes along each column up from the floor, which is solid, to the top row.
    pub(super) column_transitions: u32,
    /// Free cells with a solid one somewhere above.
    pub(super) holes: u32,
    /// For each free cell between two solid neighbours (or walls): 1 and the free cells in a row
    /// below it. A well of depth n alone counts 1 + 2 + … + n.
    pub(super) well_sums: u32,
}

impl Features {
    #[inline]
    pub(super) fn of(board: &Playfield) -> Self {
        let columns = &board.columns;
        let mut features = Self {
            row_transitions: (!columns[0] & ALL_ROWS).count_ones()
                + (!columns[WIDTH - 1] & ALL_ROWS).count_ones(),
            column_transitions: 0,
            holes: 0,
            well_sums: 0,
        };
        for x in 0..WIDTH {
            let column = columns[x];
            let left = if x == 0 { ALL_ROWS } else { columns[x - 1] };
            let right = if x == WIDTH - 1 { ALL_ROWS } else { columns[x + 1] };
            if x > 0 {
                features.row_transitions += (left ^ column).count_ones();
            }
            features.column_transitions +=
                ((column ^ (column >> 1 | 1 << (HEIGHT - 1))) & ALL_ROWS).count_ones();
            let free = !column & ALL_ROWS;
            features.holes += covered(column).count_ones();
            let mut wells = free & left & right;
            while wells != 0 {
                features.well_sums += wells.count_ones();
                // One row down, as long as the run of free cells lasts.
                wells = wells << 1 & free;
            }
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_board_has_the_transitions_of_its_walls_and_floor() {
        let expected = Features { row_transitions: 40, column_transitions: 10, holes: 0, well_sums: 0 };
        assert_eq!(Features::of(&Playfield::EMPTY), expected);
    }

    #[test]
    fn a_well_of_depth_three_counts_six_and_covered_cells_are_all_holes() {
        let mut rows = [0; 20];
        for row in &mut rows[17..] {
            *row = 0b11_1111_1110;
        }
        let open = Features::of(&Playfield::from_rows(&rows));
        assert_eq!((open.well_sums, open.holes, open.row_transitions), (6, 0, 17 * 2 + 3 * 2));
        rows[16] = 1;
        let covered = Features::of(&Playfield::from_rows(&rows));
        assert_eq!((covered.well_sums, covered.holes), (6, 3));
        assert_eq!(covered.column_transitions - open.column_transitions, 2);
    }
}
