//! Towers to tap over, and wells that move.

use tetris::ram::EMPTY;
use tetris::{HEIGHT, Orientation, Piece, WIDTH};

use super::NOWHERE;
use crate::state::Memory;
use crate::tiles::{MARK, TILE, Tiles};

/// The I upright.
const I_UPRIGHT: u8 = 0x11;
/// Heights from here on stand at the right.
const RIGHT: u32 = 17;
/// The height of those who choose none.
const USUAL: usize = 4;

/// A tower in column 1 or 8; the I goes behind it. A target of any row has row `$FF`.
pub(super) fn tower(memory: &mut Memory, value: u32) -> Tiles {
    let mut field = Tiles::CLEAR;
    let (column, behind, height) = if value < RIGHT { (1, 0, value) } else { (8, 9, value - 16) };
    (HEIGHT - (height as usize).min(HEIGHT)..HEIGHT).for_each(|row| field.set(row, column, TILE));
    memory.target = [behind, 0xFF, I_UPRIGHT];
    field
}

/// Rows with one well; the next one is marked. For a piece of any kind the well has the shape of
/// that piece.
pub(super) fn wells(memory: &mut Memory, value: u32, piece: Option<Piece>) -> Tiles {
    let height = if value & 15 == 0 { USUAL } else { value as usize & 15 };
    let mut field = Tiles::CLEAR;
    (0..height).for_each(|_| field.lift(TILE, None));
    if let Some(piece) = piece {
        carve(memory, &mut field, height, piece);
        return field;
    }
    for row in HEIGHT - height..HEIGHT {
        field.set(row, memory.next_well.into(), MARK);
        field.set(row, memory.well.into(), EMPTY);
    }
    memory.target = [memory.well, 0xFF, I_UPRIGHT];
    field
}

/// A slot for a piece as it may be turned, open to the top.
fn carve(memory: &mut Memory, field: &mut Tiles, height: usize, piece: Piece) {
    memory.target = NOWHERE;
    let turns: Vec<Orientation> = Orientation::all().filter(|turn| turn.piece() == Some(piece)).collect();
    let Some(&turn) = turns.get(memory.below(turns.len() as u32) as usize) else { return };
    let cells = turn.cells();
    let left = cells.iter().map(|cell| cell.column).min().unwrap_or(0);
    let right = cells.iter().map(|cell| cell.column).max().unwrap_or(0);
    let (top, bottom) =
        cells.iter().fold((0, 0), |(top, bottom), cell| (top.min(cell.row), bottom.max(cell.row)));
    let room = (WIDTH as i8 - (right - left)) as u32;
    let x = memory.below(room) as i8 - left;
    // As deep as the piece is high, and no deeper than the rows.
    let lowest = (HEIGHT - height) as i8 + (bottom - top).min(height as i8 - 1);
    let y = lowest - bottom;
    for cell in cells {
        let column = (x + cell.column) as usize;
        for row in (HEIGHT - height) as i8..=(y + cell.row) {
            field.set(row as usize, column, EMPTY);
        }
    }
    memory.target = [x as u8, y as u8, turn.id()];
}

/// Another column.
pub(super) fn another(memory: &mut Memory, column: u8) -> u8 {
    let other = memory.below(WIDTH as u32 - 1) as u8;
    other + u8::from(other >= column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::Placement;

    #[test]
    fn a_well_moves_to_any_other_column_and_never_to_itself() {
        let mut memory = Memory::default();
        let mut seen = [0; 10];
        for _ in 0..1_000 {
            seen[usize::from(another(&mut memory, 4))] += 1;
        }
        assert_eq!(seen[4], 0);
        assert!(seen.iter().enumerate().all(|(column, &count)| column == 4 || count > 50), "{seen:?}");
    }

    #[test]
    fn a_slot_of_any_piece_is_where_it_falls_to() {
        let mut memory = Memory::default();
        for number in 0..2_000 {
            let piece = Piece::ALL[number % 7];
            let field = wells(&mut memory, 1 + number as u32 % 15, Some(piece));
            let place = Placement::try_from(memory.target).unwrap();
            assert_eq!(place.orientation.piece(), Some(piece));
            assert_eq!(field.playfield().fall(Placement { y: 2, ..place }), place, "{piece}");
        }
    }
}
