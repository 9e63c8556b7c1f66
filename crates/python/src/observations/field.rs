//! The field, the pieces and the piece in play, as bytes.

use tetris::{HEIGHT, Orientation, Piece, Placement, WIDTH};

use crate::game::Shown;

/// Bytes of an observation.
pub(crate) const BYTES: usize = HEIGHT * WIDTH + 6;
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
    let nowhere = Placement { orientation: Orientation::HIDDEN, x: 0, y: 0 };
    let Placement { orientation, x, y } = shown.place.unwrap_or(nowhere);
    bytes[HEIGHT * WIDTH..].copy_from_slice(&[
        number(shown.piece),
        number(shown.next),
        x,
        y,
        orientation.id(),
        shown.das,
    ]);
}
