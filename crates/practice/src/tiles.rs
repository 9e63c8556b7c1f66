//! The tiles of the playfield, as modes lay them out.

use tetris::ram::EMPTY;
use tetris::{HEIGHT, Playfield, View, WIDTH};

/// The three tiles of pieces, and the one of floors.
pub(crate) const TILE: u8 = 0x7B;
pub(crate) const MARK: u8 = 0x7C;
pub(crate) const FLOOR: u8 = 0x7E;

/// Twenty rows of ten cells, a tile each; [`EMPTY`] and up is free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiles {
    pub(crate) cells: [u8; HEIGHT * WIDTH],
}

impl Tiles {
    pub(crate) const CLEAR: Self = Self { cells: [EMPTY; HEIGHT * WIDTH] };

    pub(crate) fn of(view: View) -> Self {
        let mut field = Self::CLEAR;
        field.cells.copy_from_slice(view.playfield());
        field
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> u8 {
        self.cells[row * WIDTH + column]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, tile: u8) {
        self.cells[row * WIDTH + column] = tile;
    }

    pub(crate) fn is_taken(&self, row: usize, column: usize) -> bool {
        self.at(row, column) < EMPTY
    }

    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.cells[row * WIDTH..][..WIDTH]
    }

    /// As the game looks at a row: no cell is [`EMPTY`].
    pub(crate) fn is_full(&self, row: usize) -> bool {
        self.row(row).iter().all(|&cell| cell != EMPTY)
    }

    /// The first row with a block, 20 if there is none.
    pub(crate) fn top(&self) -> usize {
        (0..HEIGHT).find(|&row| self.row(row).iter().any(|&cell| cell < EMPTY)).unwrap_or(HEIGHT)
    }

    /// Moves everything up by one row; what leaves the top is gone. The last row is `tile` but for
    /// `hole`.
    pub(crate) fn lift(&mut self, tile: u8, hole: Option<usize>) {
        self.cells.copy_within(WIDTH.., 0);
        for column in 0..WIDTH {
            self.set(HEIGHT - 1, column, if Some(column) == hole { EMPTY } else { tile });
        }
    }

    /// Returns its taken cells.
    pub(crate) fn playfield(&self) -> Playfield {
        Playfield::from_rows(&std::array::from_fn(|row| {
            (0..WIDTH).fold(0, |bits, column| bits | u16::from(self.is_taken(row, column)) << column)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lift_leaves_the_hole_open() {
        let mut field = Tiles::CLEAR;
        field.lift(FLOOR, Some(3));
        field.lift(FLOOR, None);
        assert_eq!((field.top(), field.is_full(18), field.is_full(19)), (18, false, true));
        assert!(!field.is_taken(18, 3) && field.at(18, 4) == FLOOR);
        assert_eq!(field.playfield().rows()[17..], [0, 0x3F7, 0x3FF]);
    }
}
