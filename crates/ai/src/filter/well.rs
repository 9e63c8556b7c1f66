//! The article's `WellFilter`.

use tetris::{ALL_ROWS, Piece, Playfield, WIDTH};

use super::gate::{ALL_CELLS, Gate};

/// The top of the pile is the lowest empty row but row 0; above row 10 there is no time for wells.
/// Below the pile's top the lowest row with fewer than nine cells is where the well may not be
/// filled.
pub(super) fn gate(board: &Playfield, piece: Piece) -> Gate {
    let empty = !board.occupied() & ALL_ROWS & !1;
    let top = if empty == 0 { 0 } else { empty.ilog2() };
    if top < 10 {
        return Gate::Open;
    }
    let (mut one_free, mut two_free) = (0, 0);
    for column in board.columns {
        two_free |= one_free & !column;
        one_free |= !column;
    }
    let open = two_free & ALL_ROWS & !((2 << top) - 1);
    let row = if open == 0 { top } else { open.ilog2() };
    let mut cells = [ALL_CELLS; WIDTH];
    cells[9] = match piece {
        _ if row > 15 => (1 << (row + 2)) - 1,
        Piece::I => return Gate::Open,
        _ => 0,
    };
    Gate::Cells(cells)
}
