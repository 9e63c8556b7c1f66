//! Numbers that say how a field is: what small learners begin with.

use tetris::{HEIGHT, Piece, WIDTH};

use super::measures::{Measures, measures};
use crate::field::Field;

/// Numbers of an observation.
pub const BOARD: usize = 2 * WIDTH + 7 + 14;

/// Returns their names, in their order.
pub fn names() -> Vec<String> {
    let columns = |name: &'static str| (0..WIDTH).map(move |column| format!("{name}_{column}"));
    let measures = [
        "row_transitions",
        "column_transitions",
        "holes",
        "well_sums",
        "rows_with_holes",
        "max_height",
        "level",
    ];
    let pieces = |name: &'static str| Piece::ALL.map(|piece| format!("{name}_{}", piece.letter()));
    columns("height")
        .chain(columns("holes"))
        .chain(measures.map(String::from))
        .chain(pieces("piece"))
        .chain(pieces("next"))
        .collect()
}

/// Writes heights of columns (10), holes by column (10), row transitions, column transitions,
/// holes, well sums, rows with holes, greatest height, level, then the piece and the next piece as
/// seven numbers each, of which one is 1.
///
/// # Panics
/// If there is no room for [`BOARD`] numbers.
pub(crate) fn write(field: &Field, level: u8, pieces: [Option<Piece>; 2], numbers: &mut [f32]) {
    let numbers = &mut numbers[..BOARD];
    numbers.fill(0.0);
    let rows = field.rows();
    let mut greatest = 0;
    for column in 0..WIDTH {
        let top = rows.iter().position(|row| row >> column & 1 == 1).unwrap_or(HEIGHT);
        let holes = rows[top..].iter().filter(|row| *row >> column & 1 == 0).count();
        numbers[column] = (HEIGHT - top) as f32;
        numbers[WIDTH + column] = holes as f32;
        greatest = greatest.max(HEIGHT - top);
    }
    let Measures { row_transitions, column_transitions, holes, well_sums, rows_with_holes } = measures(field);
    numbers[2 * WIDTH..][..7].copy_from_slice(&[
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
            numbers[2 * WIDTH + 7 + 7 * slot + piece as usize] = 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_field_is_written_by_hand_and_every_number_has_a_name() {
        let mut rows = [0; HEIGHT];
        rows[18] = 0b01_1111_1111;
        rows[19] = 0b01_1111_0111;
        let field = Field::from_rows(&rows);
        let mut numbers = [0.0; BOARD];
        write(&field, 18, [Some(Piece::T), Some(Piece::I)], &mut numbers);
        assert_eq!(numbers[..10], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
        let named: std::collections::HashMap<_, _> = names().into_iter().zip(numbers).collect();
        assert_eq!(named.len(), BOARD);
        let wanted = [
            ("holes_3", 1.0),
            ("holes", 1.0),
            ("level", 18.0),
            ("max_height", 2.0),
            ("piece_T", 1.0),
            ("next_I", 1.0),
        ];
        for (name, number) in wanted {
            assert!((named[name] - number).abs() < 1e-6, "{name}");
        }
    }
}
