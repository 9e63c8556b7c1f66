//! Numbers that say how a field is: what small learners begin with.

use tetris::Piece;

use crate::field::{COLUMNS, Field, ROWS};

/// Numbers of [`board`].
pub const BOARD: usize = 2 * COLUMNS + 7 + 14;
/// Numbers of [`after`].
pub const AFTER: usize = 8;
/// Their names.
pub const AFTER_NAMES: [&str; AFTER] = [
    "landing_height",
    "eroded_cells",
    "row_transitions",
    "column_transitions",
    "holes",
    "well_sums",
    "rows_with_holes",
    "lines",
];

const FULL: u16 = 0x3FF;

/// Measures of a field alone.
struct Measures {
    row_transitions: u32,
    column_transitions: u32,
    holes: u32,
    well_sums: u32,
    rows_with_holes: u32,
}

#[inline]
fn measures(field: &Field) -> Measures {
    let rows = field.rows();
    let mut measures =
        Measures { row_transitions: 0, column_transitions: 0, holes: 0, well_sums: 0, rows_with_holes: 0 };
    let (mut covered, mut above) = (0u16, 0u16);
    // Depth of the well that each column is in, as bits of a counter by column: wells are seldom
    // deep.
    let mut wells = [0u16; COLUMNS];
    for &row in rows {
        if row != 0 || covered != 0 {
            // The walls count as taken.
            let walled = row << 1 | 1 | 1 << (COLUMNS + 1);
            measures.row_transitions += ((walled ^ walled >> 1) & 0x7FF).count_ones();
        }
        measures.column_transitions += (row ^ above).count_ones();
        let holes = (covered & !row).count_ones();
        measures.holes += holes;
        measures.rows_with_holes += u32::from(holes > 0);
        let mut well = !row & FULL & (row << 1 | 1) & (row >> 1 | 1 << (COLUMNS - 1));
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
    measures.column_transitions += (above ^ FULL).count_ones();
    measures
}

/// Writes what a lock did and what the field is after it, in the order of [`AFTER_NAMES`]. `y` is
/// the pivot's row, `cleared` and `eroded` the rows taken out and the piece's cells in them.
///
/// # Panics
/// If there is no room for [`AFTER`] numbers.
#[inline]
pub fn after(field: &Field, y: usize, (cleared, eroded): (u32, u32), numbers: &mut [f32]) {
    let Measures { row_transitions, column_transitions, holes, well_sums, rows_with_holes } = measures(field);
    numbers[..AFTER].copy_from_slice(&[
        (ROWS - y) as f32,
        (cleared * eroded) as f32,
        row_transitions as f32,
        column_transitions as f32,
        holes as f32,
        well_sums as f32,
        rows_with_holes as f32,
        cleared as f32,
    ]);
}

/// Writes heights of columns (10), holes by column (10), row transitions, column transitions,
/// holes, well sums, rows with holes, greatest height, level, then the piece and the next piece as
/// seven numbers each, of which one is 1.
///
/// # Panics
/// If there is no room for [`BOARD`] numbers.
pub fn board(field: &Field, level: u8, pieces: [Option<Piece>; 2], numbers: &mut [f32]) {
    let numbers = &mut numbers[..BOARD];
    numbers.fill(0.0);
    let rows = field.rows();
    let mut greatest = 0;
    for column in 0..COLUMNS {
        let top = rows.iter().position(|row| row >> column & 1 == 1).unwrap_or(ROWS);
        let holes = rows[top..].iter().filter(|row| *row >> column & 1 == 0).count();
        numbers[column] = (ROWS - top) as f32;
        numbers[COLUMNS + column] = holes as f32;
        greatest = greatest.max(ROWS - top);
    }
    let Measures { row_transitions, column_transitions, holes, well_sums, rows_with_holes } = measures(field);
    numbers[2 * COLUMNS..][..7].copy_from_slice(&[
        row_transitions as f32,
        column_transitions as f32,
        holes as f32,
        well_sums as f32,
        rows_with_holes as f32,
        greatest as f32,
        f32::from(level),
    ]);
    for (slot, piece) in pieces.into_iter().enumerate() {
        if let Some(piece) = piece {
            numbers[2 * COLUMNS + 7 + 7 * slot + piece as usize] = 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_field_is_measured_by_hand() {
        let mut rows = [0; ROWS];
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
        let mut numbers = [0.0; BOARD];
        board(&field, 18, [Some(Piece::T), Some(Piece::I)], &mut numbers);
        assert_eq!(numbers[..10], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!((numbers[13], numbers[26], numbers[27], numbers[40]), (1.0, 18.0, 1.0, 1.0));
    }
}
