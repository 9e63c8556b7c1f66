//! What a filter says of one piece on one board.

use tetris::{HEIGHT, Placement, WIDTH};

/// The cells that the piece may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// All.
    Open,
    /// These, by column: bit `y + 2` is row `y`, because a piece may stick out above the top.
    Cells([u32; WIDTH]),
}

/// Every row of a column, and the two above the top.
pub(super) const ALL_CELLS: u32 = (1 << (HEIGHT + 2)) - 1;

impl Gate {
    /// May the piece be there?
    pub(crate) fn allows(&self, placement: Placement) -> bool {
        match self {
            Self::Open => true,
            Self::Cells(cells) => {
                placement.cells().iter().all(|&(x, y)| cells[x.clamp(0, 9) as usize] >> (y + 2) & 1 == 1)
            }
        }
    }

    /// The cells that the piece may take in a column.
    #[inline(always)]
    pub(crate) const fn cells(&self, x: usize) -> u32 {
        match self {
            Self::Open => ALL_CELLS,
            Self::Cells(cells) => cells[x],
        }
    }

    /// The cells that both allow.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, gate) | (gate, Self::Open) => gate,
            (Self::Cells(one), Self::Cells(other)) => Self::Cells(std::array::from_fn(|x| one[x] & other[x])),
        }
    }
}
