//! Where a piece fits, its four cells at once.

use super::super::player::PlayerBlock;
use super::super::{EMPTY, Game, WIDTH};
use crate::orientation::SHAPES;

impl Game<'_> {
    /// As [`Game::fits`].
    #[inline(always)]
    pub(super) fn fits_at_once(&mut self) -> bool {
        let PlayerBlock { x, y, orientation, .. } = self.player;
        let outline = &OUTLINES[usize::from(orientation & 0x1F)];
        let pivot = y.wrapping_mul(10).wrapping_add(x);
        let cell = |offset| self.field[usize::from(pivot.wrapping_add(offset))];
        let [first, second, third, last] = outline.offsets;
        // Only the empty tile and $FF, which counts as empty too, have all its bits.
        let empty = cell(first) & cell(second) & cell(third) & cell(last) & EMPTY == EMPTY;
        let inside = x.wrapping_sub(outline.left) < outline.columns;
        if y < LOWEST && empty && inside {
            self.cursor = pivot.wrapping_add(outline.last_row);
            return true;
        }
        self.fits_or_not()
    }

    #[inline(never)]
    fn fits_or_not(&mut self) -> bool {
        self.fits()
    }
}

/// No piece whose pivot is above this row has a cell below the floor.
const LOWEST: u8 = 19;

/// What has to be known of an orientation.
#[derive(Clone, Copy)]
struct Outline {
    /// From the pivot to each cell in the playfield's page.
    offsets: [u8; 4],
    /// From the pivot to the row of the last cell.
    last_row: u8,
    /// The first column in which the pivot has all cells between the walls, and how many there are.
    left: u8,
    columns: u8,
}

/// By orientation, as [`SHAPES`].
static OUTLINES: [Outline; SHAPES.len()] = {
    let mut outlines = [Outline { offsets: [0; 4], last_row: 0, left: 0, columns: 0 }; SHAPES.len()];
    let mut number = 0;
    while number < SHAPES.len() {
        let (mut cell, mut least, mut most) = (0, 0, 0);
        let outline = &mut outlines[number];
        while cell < 4 {
            let (row, column) = SHAPES[number].cells[cell];
            outline.last_row = (row as u8).wrapping_mul(10);
            outline.offsets[cell] = outline.last_row.wrapping_add(column as u8);
            if column < least {
                least = column;
            }
            if column > most {
                most = column;
            }
            cell += 1;
        }
        outline.left = -least as u8;
        outline.columns = (WIDTH as i8 + least - most) as u8;
        number += 1;
    }
    outlines
};
