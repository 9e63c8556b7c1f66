//! Where a piece is, and how it is turned.

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
