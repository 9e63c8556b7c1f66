//! What each place would lead to, as numbers.

use tetris::{HEIGHT, Piece};

use super::measures::{Measures, measures};
use crate::field::Field;
use crate::game::Shown;
use crate::places::{Action, Legal};

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

/// Writes [`AFTER`] numbers for each legal place, and zeros for the others.
pub(crate) fn write(shown: &Shown, places: &Legal, floats: &mut [f32]) {
    floats.fill(0.0);
    places.each(&shown.field, shown.piece.unwrap_or(Piece::T), |Action { number, placement }| {
        let mut field = shown.field;
        let cleared = field.lock(placement);
        after(&field, placement.y.into(), cleared, &mut floats[usize::from(number) * AFTER..]);
    });
}

/// Writes what a lock did and what the field is after it, in the order of [`AFTER_NAMES`]. `y` is
/// the pivot's row, `cleared` and `eroded` the rows taken out and the piece's cells in them.
///
/// # Panics
/// If there is no room for [`AFTER`] numbers.
#[inline]
pub(crate) fn after(field: &Field, y: usize, (cleared, eroded): (u32, u32), numbers: &mut [f32]) {
    let Measures { row_transitions, column_transitions, holes, well_sums, rows_with_holes } = measures(field);
    numbers[..AFTER].copy_from_slice(&[
        (HEIGHT - y) as f32,
        (cleared * eroded) as f32,
        row_transitions as f32,
        column_transitions as f32,
        holes as f32,
        well_sums as f32,
        rows_with_holes as f32,
        cleared as f32,
    ]);
}
