//! Places that a search may not visit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::board::{ALL_ROWS, HEIGHT, WIDTH};
use crate::{Board, Placement};

/// What is rejected although it is legal. A piece that rests on a rejected place does not lock there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Nothing.
    #[default]
    None,
    /// The article's `WellFilter`: the rightmost column is kept free for the I.
    Well,
}

/// A name that is no filter's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter `{0}`: expected one of {names}", names = Filter::NAMED.map(|named| named.name()).join(", "))]
pub struct UnknownFilter(String);

/// What a filter says of one piece on one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Everything is allowed.
    Open,
    /// The cells that the piece may take, by column: bit `y + 2` is row `y`, because a piece may stick out above.
    Cells([u32; WIDTH]),
}

/// Every row of a column, and the two above the top.
const ALL_CELLS: u32 = (1 << (HEIGHT + 2)) - 1;

impl Filter {
    /// Those that a name alone says.
    pub const NAMED: [Self; 2] = [Self::None, Self::Well];

    /// The name, as it is parsed.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Well => "well",
        }
    }

    /// What it says of a piece that moves on a board.
    #[inline]
    pub(crate) fn gate(&self, board: &Board, piece: Piece) -> Gate {
        match self {
            Self::None => Gate::Open,
            Self::Well => well(board, piece),
        }
    }
}

/// The article's rule. The top of the pile is the lowest empty row but row 0; above row 10 there is no time for
/// wells. Below the pile's top the lowest row with fewer than nine cells is where the well may not be filled.
fn well(board: &Board, piece: Piece) -> Gate {
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
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Filter {
    type Err = UnknownFilter;

    fn from_str(name: &str) -> Result<Self, UnknownFilter> {
        Self::NAMED
            .into_iter()
            .find(|filter| filter.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFilter(name.to_owned()))
    }
}
