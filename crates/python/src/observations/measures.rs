//! Measures of a field: what features and afterstates are made of.

use crate::field::Field;
use tetris::{ALL_COLUMNS, WIDTH};

/// Measures of a field alone.
pub(crate) struct Measures {
    pub(crate) row_transitions: u32,
    pub(crate) column_transitions: u32,
    pub(crate) holes: u32,
    pub(crate) well_sums: u32,
    pub(crate) rows_with_holes: u32,
}

/// Measures a field.
#[inline]
pub(crate) fn measures(field: &Field) -> Measures {
    let rows = field.rows();
    let mut measures =
        Measures { row_transitions: 0, column_transitions: 0, holes: 0, well_sums: 0, rows_with_holes: 0 };
    let (mut covered, mut above) = (0u16, 0u16);
    // Depth of the well that each column is in, as bits of a counter by column: wells are seldom
    // deep.
    let mut wells = [0u16; WIDTH];
    for &row in rows {
        if row != 0 || covered != 0 {
            // The walls count as taken.
            let walled = row << 1 | 1 | 1 << (WIDTH + 1);
            measures.row_transitions += ((walled ^ walled >> 1) & 0x7FF).count_ones();
        }
        measures.column_transitions += (row ^ above).count_ones();
        let holes = (covered & !row).count_ones();
        measures.holes += holes;
        measures.rows_with_holes += u32::from(holes > 0);
        let mut well = !row & ALL_COLUMNS & (row << 1 | 1) & (row >> 1 | 1 << (WIDTH - 1));
        let ended = !well;
        while well != 0 {
            let column = well.trailing_zeros() as usize;
            wells[column] += 1;
            measures.well_sums += u32::from(wells[column]);
            well &= well - 1;
        }
        for (column, depth) in wells.iter_mut().enumerate() {
            *depth *= 1 - (ended >> column & 1);
        }
        covered |= row;
        above = row;
    }
    // The floor is taken.
    measures.column_transitions += (above ^ ALL_COLUMNS).count_ones();
    measures
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::HEIGHT;

    #[test]
    fn a_small_field_is_measured_by_hand() {
        let mut rows = [0; HEIGHT];
        // A hole in column 3 under a cell, a well of two in column 9.
        rows[18] = 0b01_1111_1111;
        rows[19] = 0b01_1111_0111;
        let field = Field::from_rows(&rows);
        let Measures { row_transitions, column_transitions, holes, well_sums, rows_with_holes } =
            measures(&field);
        assert_eq!((holes, rows_with_holes), (1, 1));
        assert_eq!(row_transitions, 2 + 4);
        // Nine tops, the hole's roof, its floor, and column 9 over the floor.
        assert_eq!(column_transitions, 9 + 1 + 1 + 1);
        // The well: 1 + 2; the hole has neighbours on both sides too.
        assert_eq!(well_sums, 3 + 1);
    }
}
