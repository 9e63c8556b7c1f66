//! Places that a search may not visit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tetris::{Orientation, Piece};

use crate::board::ALL_ROWS;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Everything is allowed.
    Open,
    /// Of the rightmost column only rows above this one.
    Above(u32),
    /// Nothing in the rightmost column.
    Closed,
}

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
    match piece {
        _ if row > 15 => Gate::Above(row),
        Piece::I => Gate::Open,
        _ => Gate::Closed,
    }
}

impl Gate {
    /// May the piece be there?
    pub(crate) fn allows(self, placement: Placement) -> bool {
        placement.cells().iter().filter(|&&(x, _)| x == 9).all(|&(_, y)| match self {
            Self::Open => true,
            Self::Above(row) => y < row as i32,
            Self::Closed => false,
        })
    }

    /// The pivot's rows allowed in column `x`.
    #[inline]
    pub(crate) fn rows(self, orientation: Orientation, x: usize) -> u32 {
        let Some(lowest) = orientation
            .cells()
            .iter()
            .filter(|cell| x as i32 + i32::from(cell.column) == 9)
            .map(|cell| cell.row)
            .max()
        else {
            return ALL_ROWS;
        };
        match self {
            Self::Open => ALL_ROWS,
            Self::Above(row) => (1 << (row as i32 - i32::from(lowest)).clamp(0, 20)) - 1,
            Self::Closed => 0,
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
