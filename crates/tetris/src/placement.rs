//! Where a piece is, and how it is turned.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{HEIGHT, Orientation, Piece, WIDTH};

/// A piece somewhere in the playfield. Written and read (serde) as `[x, y, orientation]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "[u8; 3]", into = "[u8; 3]")]
pub struct Placement {
    /// How it is turned.
    pub orientation: Orientation,
    /// Column of the pivot, 0–9 from the left.
    pub x: u8,
    /// Row of the pivot, 0–19 from the top.
    pub y: u8,
}

/// Three numbers that are not a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected [x 0-9, y 0-19, orientation 0-18], found {0:?}")]
pub struct PlacementError([u8; 3]);

impl Placement {
    /// Returns where a piece appears: column 5, row 0.
    pub const fn spawn(piece: Piece) -> Self {
        Self { orientation: Orientation::spawn(piece), x: 5, y: 0 }
    }

    /// Returns the placement a row further down.
    #[must_use]
    #[inline]
    pub const fn below(self) -> Self {
        Self { y: self.y.saturating_add(1), ..self }
    }

    /// Returns its four cells as column and row; rows above the top are negative.
    #[inline]
    pub fn cells(self) -> [(i32, i32); 4] {
        self.orientation
            .cells()
            .map(|cell| (i32::from(self.x) + i32::from(cell.column), i32::from(self.y) + i32::from(cell.row)))
    }

    /// Returns its leftmost and its rightmost column.
    #[inline]
    pub fn columns(self) -> (i32, i32) {
        let columns = self.cells().map(|(x, _)| x);
        columns.iter().fold((i32::MAX, i32::MIN), |(left, right), &x| (left.min(x), right.max(x)))
    }

    /// Returns the columns that it fills in words, counted from 1 at the left: `columns 4–6`.
    pub fn columns_in_words(self) -> String {
        let (left, right) = self.columns();
        let (left, right) = (left + 1, right + 1);
        if left == right { format!("column {left}") } else { format!("columns {left}–{right}") }
    }

    /// Returns the rows between its lowest cell and the floor row.
    #[inline]
    pub fn lock_height(self) -> u32 {
        self.cells().iter().map(|&(_, y)| 19 - y).min().unwrap_or(0).max(0) as u32
    }
}

/// Says where the piece is in words: `columns 4–6, row 1, 1 rotation`. Columns are counted from 1
/// at the left, the lowest row from 1 at the floor, rotations clockwise from how it appears.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, row {}", self.columns_in_words(), self.lock_height() + 1)?;
        match self.orientation.turns() {
            0 => Ok(()),
            1 => f.write_str(", 1 rotation"),
            turns => write!(f, ", {turns} rotations"),
        }
    }
}

impl TryFrom<[u8; 3]> for Placement {
    type Error = PlacementError;

    fn try_from([x, y, id]: [u8; 3]) -> Result<Self, PlacementError> {
        match Orientation::from_id(id) {
            Some(orientation)
                if usize::from(x) < WIDTH
                    && usize::from(y) < HEIGHT
                    && orientation != Orientation::HIDDEN =>
            {
                Ok(Self { orientation, x, y })
            }
            _ => Err(PlacementError([x, y, id])),
        }
    }
}

impl From<Placement> for [u8; 3] {
    fn from(placement: Placement) -> Self {
        [placement.x, placement.y, placement.orientation.id()]
    }
}
