//! Reachable that a search may not visit.

mod gate;
mod pattern;
mod well;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tetris::Piece;

pub(crate) use gate::Gate;
pub use pattern::{Pattern, PatternError};

use tetris::Playfield;

/// What is rejected although it is legal. A piece that rests on a rejected place does not lock
/// there. Where a piece appears it may always be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Nothing.
    #[default]
    None,
    /// The article's `WellFilter`: the rightmost column is kept free for the I.
    Well,
    /// After the article's `PatternFilter`: cells are laid as a picture has them, from the bottom
    /// up.
    Pattern(Pattern),
    /// What any of several rejects.
    All(Vec<Filter>),
}

/// A name that is no filter's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter `{0}`: expected one of {names}, or several with + between them", names = Filter::NAMED.map(|named| named.to_string()).join(", "))]
pub struct UnknownFilter(String);

impl Filter {
    /// Those that a name alone says.
    pub const NAMED: [Self; 2] = [Self::None, Self::Well];

    /// What it says of a piece that moves on a board.
    #[inline]
    pub(crate) fn gate(&self, board: &Playfield, piece: Piece) -> Gate {
        match self {
            Self::None => Gate::Open,
            Self::Well => well::gate(board, piece),
            Self::Pattern(pattern) => pattern.gate(board),
            Self::All(filters) => {
                filters.iter().fold(Gate::Open, |gate, filter| gate.and(filter.gate(board, piece)))
            }
        }
    }
}

impl FromIterator<Filter> for Filter {
    /// All of them together; those that reject nothing are left out.
    fn from_iter<I: IntoIterator<Item = Self>>(filters: I) -> Self {
        let mut filters: Vec<Self> = filters.into_iter().filter(|filter| *filter != Self::None).collect();
        match filters.len() {
            0 => Self::None,
            1 => filters.remove(0),
            _ => Self::All(filters),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.pad("none"),
            Self::Well => formatter.pad("well"),
            Self::Pattern(pattern) => write!(formatter, "pattern:{}", pattern.name()),
            Self::All(filters) => {
                formatter.write_str(&filters.iter().map(Self::to_string).collect::<Vec<_>>().join("+"))
            }
        }
    }
}

impl FromStr for Filter {
    type Err = UnknownFilter;

    fn from_str(names: &str) -> Result<Self, UnknownFilter> {
        names
            .split('+')
            .map(|name| {
                Self::NAMED
                    .into_iter()
                    .find(|filter| filter.to_string().eq_ignore_ascii_case(name.trim()))
                    .ok_or_else(|| UnknownFilter(name.to_owned()))
            })
            .collect()
    }
}
