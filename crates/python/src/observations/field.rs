//! The field, the pieces and the piece in play, as bytes.

use tetris::{Orientation, Piece};

use crate::field::{COLUMNS, ROWS};
use crate::game::Shown;

/// Bytes of an observation.
pub(crate) const BYTES: usize = ROWS * COLUMNS + 6;
/// No piece.
const NONE: u8 = 7;

/// Returns the number of a piece; 7 for none.
pub(crate) fn number(piece: Option<Piece>) -> u8 {
    piece.map_or(NONE, Piece::number)
}

/// Writes 200 cells, the piece, the next, then column, row, orientation and shift counter of the
/// piece in play.
#[inline]
pub(crate) fn write(shown: &Shown, bytes: &mut [u8]) {
    shown.field.write_cells(bytes);
    let (x, y, orientation) = shown.place.unwrap_or((0, 0, Orientation::HIDDEN.id()));
    bytes[ROWS * COLUMNS..].copy_from_slice(&[
        number(shown.piece),
        number(shown.next),
        x,
        y,
        orientation,
        shown.das,
    ]);
}
