//! Where a piece fits: by row, the columns of its pivot as bits.

use tetris::{HEIGHT, Orientation, Piece, Playfield, WIDTH};

/// All columns of a row.
const ROW: u16 = (1 << WIDTH) - 1;

/// Where one piece fits on one board.
#[derive(Clone, Debug)]
pub(super) struct CollisionMask {
    /// By the pivot's row, then by orientation: the columns in which it fits. Nothing fits in row
    /// 20.
    pub(super) fits: [[u16; 4]; HEIGHT + 1],
    pub(super) turns: usize,
}

impl CollisionMask {
    pub(super) const EMPTY: Self = Self { fits: [[0; 4]; HEIGHT + 1], turns: 1 };

    /// `above` are the solid cells of the rows -2 and -1.
    #[inline]
    pub(super) fn new(board: &Playfield, above: [u16; 2], piece: Piece) -> Self {
        // From row -2 to the row below the floor.
        let mut free = [0u16; HEIGHT + 4];
        free[0] = !above[0] & ROW;
        free[1] = !above[1] & ROW;
        for (x, column) in board.columns.iter().enumerate() {
            for (y, row) in free[2..2 + HEIGHT].iter_mut().enumerate() {
                *row |= ((!column >> y & 1) as u16) << x;
            }
        }
        let mut mask = Self { turns: Orientation::count(piece), ..Self::EMPTY };
        for turn in 0..mask.turns {
            let cells = Orientation::nth(piece, turn).cells();
            for y in 0..HEIGHT {
                let mut columns = ROW;
                for cell in cells {
                    let row = free[(y as i32 + 2 + i32::from(cell.row)) as usize];
                    columns &= if cell.column >= 0 { row >> cell.column } else { row << -cell.column };
                }
                mask.fits[y][turn] = columns;
            }
        }
        mask
    }

    #[inline(always)]
    pub(super) fn has(&self, x: usize, y: usize, turn: usize) -> bool {
        self.fits[y][turn] >> x & 1 == 1
    }
}
