//! Fields to dig through.

use tetris::ram::EMPTY;
use tetris::{HEIGHT, WIDTH};

use crate::state::Memory;
use crate::tiles::{TILE, Tiles};

/// A cell of the B-type's garbage by three bits of chance.
const GARBAGE: [u8; 8] = [EMPTY, 0x7B, EMPTY, 0x7C, 0x7D, 0x7D, EMPTY, EMPTY];

/// Garbage as the B-type has it: half of the cells, one hole a row at least, and none at the left
/// of its top row.
pub(super) fn b_type(memory: &mut Memory, rows: usize) -> Tiles {
    let mut field = Tiles::CLEAR;
    for row in HEIGHT - rows..HEIGHT {
        for column in 0..WIDTH {
            field.set(row, column, GARBAGE[memory.below(8) as usize]);
        }
        field.set(row, memory.below(10) as usize, EMPTY);
    }
    field.set(HEIGHT - rows, 0, EMPTY);
    field
}

/// Every other cell.
pub(super) fn checkerboard(rows: usize, phase: usize) -> Tiles {
    let mut field = Tiles::CLEAR;
    for row in HEIGHT - rows..HEIGHT {
        (0..WIDTH).filter(|column| (row + column + phase).is_multiple_of(2)).for_each(|column| {
            field.set(row, column, TILE);
        });
    }
    field
}
