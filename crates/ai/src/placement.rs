//! Where a piece is, and how it is turned.

use std::fmt;

use serde::{Deserialize, Serialize};
use tetris::{Orientation, Piece};

/// A piece somewhere in the playfield. Written and read (serde) as `[x, y, orientation]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "[u8; 3]", into = "[u8; 3]")]
pub struct Placement {
    /// Column of the pivot, 0–9 from the left.
    pub x: u8,
    /// Row of the pivot, 0–19 from the top.
    pub y: u8,
    /// How it is turned.
    pub orientation: Orientation,
}

/// Three numbers that are no placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected [x 0-9, y 0-19, orientation 0-18], found {0:?}")]
pub struct PlacementError([u8; 3]);

impl Placement {
    /// Where a piece appears: column 5, row 0.
    pub const fn spawn(piece: Piece) -> Self {
        Self { x: 5, y: 0, orientation: Orientation::spawn(piece) }
    }

    /// Its four cells as column and row; rows above the top are negative.
    #[inline]
    pub fn cells(self) -> [(i32, i32); 4] {
        self.orientation
            .cells()
            .map(|cell| (i32::from(self.x) + i32::from(cell.column), i32::from(self.y) + i32::from(cell.row)))
    }

    /// Rows between its lowest cell and the floor row.
    #[inline]
    pub fn lock_height(self) -> u32 {
        self.cells().iter().map(|&(_, y)| 19 - y).min().unwrap_or(0).max(0) as u32
    }
}

/// Says where the piece is in words: `columns 3–5, row 0, 1 turn`. Columns are counted from 0 at
/// the left, the lowest row from 0 at the floor, quarter turns clockwise from how it appears.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.cells().map(|(x, _)| x);
        let (left, right) = columns.iter().fold((i32::MAX, i32::MIN), |(l, r), &x| (l.min(x), r.max(x)));
        if left == right {
            write!(f, "column {left}")?;
        } else {
            write!(f, "columns {left}–{right}")?;
        }
        write!(f, ", row {}", self.lock_height())?;
        let spawned = self.orientation.piece().map(Orientation::spawn);
        let turns = std::iter::successors(spawned, |turned| Some(turned.clockwise()))
            .take(4)
            .position(|turned| turned == self.orientation);
        match turns {
            Some(0) | None => Ok(()),
            Some(1) => f.write_str(", 1 turn"),
            Some(turns) => write!(f, ", {turns} turns"),
        }
    }
}

impl TryFrom<[u8; 3]> for Placement {
    type Error = PlacementError;

    fn try_from([x, y, id]: [u8; 3]) -> Result<Self, PlacementError> {
        match Orientation::from_id(id) {
            Some(orientation) if x < 10 && y < 20 && orientation != Orientation::HIDDEN => {
                Ok(Self { x, y, orientation })
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

/// The lowest of the numbers of a piece's orientations, which are consecutive.
pub(crate) const fn first_id(piece: Piece) -> u8 {
    [0, 4, 8, 10, 11, 13, 17][piece as usize]
}

/// Orientations of a piece.
pub(crate) const fn turn_count(piece: Piece) -> usize {
    [4, 4, 2, 1, 2, 4, 2][piece as usize]
}

/// A piece's orientation by its place among the piece's own.
#[inline(always)]
pub(crate) fn orientation(piece: Piece, turn: usize) -> Orientation {
    Orientation::from_id(first_id(piece) + turn as u8).unwrap_or(Orientation::HIDDEN)
}
