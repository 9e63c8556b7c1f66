//! The nineteen orientations of the pieces, and the empty one.

use crate::Piece;

/// A cell of a piece, relative to its pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Rows below the pivot, -2 to 1.
    pub row: i8,
    /// Columns to the right of the pivot, -2 to 1.
    pub column: i8,
}

/// A piece as it is turned: the game's number for it, `$00` to `$13`.
///
/// ```
/// use tetris::{Orientation, Piece};
///
/// let spawned = Orientation::spawn(Piece::T);
/// assert_eq!(spawned.id(), 2);
/// assert_eq!(spawned.clockwise().id(), 3);
/// assert_eq!(spawned.clockwise().counterclockwise(), spawned);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(u8);

impl Orientation {
    /// `$13`: no piece is shown, as while rows are cleared. Its four cells lie on the pivot.
    pub const HIDDEN: Self = Self(0x13);

    /// Orientations, the hidden one included.
    pub const COUNT: usize = 20;

    /// The orientation of the game's number; `None` from `$14` up.
    pub const fn from_id(id: u8) -> Option<Self> {
        if id < Self::COUNT as u8 { Some(Self(id)) } else { None }
    }

    /// All of them in the order of their numbers, the hidden one last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The one in which a piece appears: flat side up for T, J and L, flat for Z, S and I.
    pub const fn spawn(piece: Piece) -> Self {
        Self(SPAWN_TABLE[piece as usize])
    }

    /// Returns the lowest number of a piece's orientations; its others follow.
    #[inline(always)]
    pub const fn first(piece: Piece) -> Self {
        Self([0, 4, 8, 10, 11, 13, 17][piece as usize])
    }

    /// Returns how many orientations a piece has: 1, 2 or 4.
    #[inline(always)]
    pub const fn count(piece: Piece) -> usize {
        [4, 4, 2, 1, 2, 4, 2][piece as usize]
    }

    /// Returns a piece's orientation by its index in the order of their numbers.
    #[inline(always)]
    pub const fn nth(piece: Piece, index: usize) -> Self {
        match Self::from_id(Self::first(piece).0 + index as u8) {
            Some(orientation) => orientation,
            None => Self::HIDDEN,
        }
    }

    /// Returns the orientations of a piece in the order of their numbers.
    pub fn of(piece: Piece) -> impl Iterator<Item = Self> + Clone {
        (0..Self::count(piece)).map(move |index| Self::nth(piece, index))
    }

    /// Returns the presses of A that lead here from the orientation in which the piece appears:
    /// 0–3.
    pub fn turns(self) -> u8 {
        let mut turned = self.piece().map_or(self, Self::spawn);
        let mut turns = 0;
        while turned != self {
            turned = turned.clockwise();
            turns += 1;
        }
        turns
    }

    /// The game's number, 0–19.
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The piece that is turned this way; `None` for the hidden one.
    pub const fn piece(self) -> Option<Piece> {
        if self.0 < 19 { Piece::from_number(TYPES[self.0 as usize]) } else { None }
    }

    /// The four cells in the game's order.
    pub const fn cells(self) -> [Cell; 4] {
        let shape = &SHAPES[self.0 as usize];
        let mut cells = [Cell { row: 0, column: 0 }; 4];
        let mut i = 0;
        while i < 4 {
            cells[i] = Cell { row: shape.cells[i].0, column: shape.cells[i].1 };
            i += 1;
        }
        cells
    }

    /// The tile that its cells leave in the playfield (`$7B` to `$7D`; `$FF` for the hidden one).
    pub const fn tile(self) -> u8 {
        SHAPES[self.0 as usize].tile
    }

    /// After a press of A.
    #[must_use]
    pub const fn clockwise(self) -> Self {
        if self.0 < 19 { Self(ROTATIONS[self.0 as usize].1) } else { self }
    }

    /// After a press of B.
    #[must_use]
    pub const fn counterclockwise(self) -> Self {
        if self.0 < 19 { Self(ROTATIONS[self.0 as usize].0) } else { self }
    }
}

/// The orientation in which each piece appears.
pub(crate) const SPAWN_TABLE: [u8; 7] = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12];

/// The piece of each orientation.
pub(crate) const TYPES: [u8; 19] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6];

/// By orientation: counterclockwise, clockwise.
pub(crate) const ROTATIONS: [(u8, u8); 19] = [
    (0x03, 0x01),
    (0x00, 0x02),
    (0x01, 0x03),
    (0x02, 0x00),
    (0x07, 0x05),
    (0x04, 0x06),
    (0x05, 0x07),
    (0x06, 0x04),
    (0x09, 0x09),
    (0x08, 0x08),
    (0x0A, 0x0A),
    (0x0C, 0x0C),
    (0x0B, 0x0B),
    (0x10, 0x0E),
    (0x0D, 0x0F),
    (0x0E, 0x10),
    (0x0F, 0x0D),
    (0x12, 0x12),
    (0x11, 0x11),
];

/// What a piece looks like: its tile, and row and column of each cell from the pivot.
pub(crate) struct Shape {
    pub(crate) tile: u8,
    pub(crate) cells: [(i8, i8); 4],
}

const fn shape(tile: u8, cells: [(i8, i8); 4]) -> Shape {
    Shape { tile, cells }
}

/// By orientation; padded to 32, so that five bits of any number index it.
pub(crate) const SHAPES: [Shape; 32] = {
    const HIDDEN: Shape = shape(0xFF, [(0, 0), (0, 0), (0, 0), (0, 0)]);
    let mut shapes = [HIDDEN; 32];
    shapes[0x00] = shape(0x7B, [(0, -1), (0, 0), (0, 1), (-1, 0)]);
    shapes[0x01] = shape(0x7B, [(-1, 0), (0, 0), (0, 1), (1, 0)]);
    shapes[0x02] = shape(0x7B, [(0, -1), (0, 0), (0, 1), (1, 0)]);
    shapes[0x03] = shape(0x7B, [(-1, 0), (0, -1), (0, 0), (1, 0)]);
    shapes[0x04] = shape(0x7D, [(-1, 0), (0, 0), (1, -1), (1, 0)]);
    shapes[0x05] = shape(0x7D, [(-1, -1), (0, -1), (0, 0), (0, 1)]);
    shapes[0x06] = shape(0x7D, [(-1, 0), (-1, 1), (0, 0), (1, 0)]);
    shapes[0x07] = shape(0x7D, [(0, -1), (0, 0), (0, 1), (1, 1)]);
    shapes[0x08] = shape(0x7C, [(0, -1), (0, 0), (1, 0), (1, 1)]);
    shapes[0x09] = shape(0x7C, [(-1, 1), (0, 0), (0, 1), (1, 0)]);
    shapes[0x0A] = shape(0x7B, [(0, -1), (0, 0), (1, -1), (1, 0)]);
    shapes[0x0B] = shape(0x7D, [(0, 0), (0, 1), (1, -1), (1, 0)]);
    shapes[0x0C] = shape(0x7D, [(-1, 0), (0, 0), (0, 1), (1, 1)]);
    shapes[0x0D] = shape(0x7C, [(-1, 0), (0, 0), (1, 0), (1, 1)]);
    shapes[0x0E] = shape(0x7C, [(0, -1), (0, 0), (0, 1), (1, -1)]);
    shapes[0x0F] = shape(0x7C, [(-1, -1), (-1, 0), (0, 0), (1, 0)]);
    shapes[0x10] = shape(0x7C, [(-1, 1), (0, -1), (0, 0), (0, 1)]);
    shapes[0x11] = shape(0x7B, [(-2, 0), (-1, 0), (0, 0), (1, 0)]);
    shapes[0x12] = shape(0x7B, [(0, -2), (0, -1), (0, 0), (0, 1)]);
    shapes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_turns_lead_back_and_a_turn_keeps_the_piece() {
        for orientation in Orientation::all().filter(|&orientation| orientation != Orientation::HIDDEN) {
            let mut turned = orientation;
            for _ in 0..4 {
                turned = turned.clockwise();
                assert_eq!(turned.piece(), orientation.piece());
            }
            assert_eq!(turned, orientation);
            assert_eq!(orientation.clockwise().counterclockwise(), orientation);
        }
    }

    #[test]
    fn every_piece_appears_as_itself_and_its_turns_lead_to_all_its_orientations() {
        for piece in Piece::ALL {
            let spawned = Orientation::spawn(piece);
            assert_eq!((spawned.piece(), spawned.turns()), (Some(piece), 0));
            let mut turned = spawned;
            for turns in 0..Orientation::count(piece) {
                assert_eq!(usize::from(turned.turns()), turns, "{piece}");
                turned = turned.clockwise();
            }
            assert_eq!(turned, spawned);
            let of_piece = Orientation::all().filter(|orientation| orientation.piece() == Some(piece));
            assert!(of_piece.eq(Orientation::of(piece)), "{piece}");
        }
        assert_eq!(Orientation::HIDDEN.turns(), 0);
    }

    #[test]
    fn a_quarter_turn_moves_a_piece_of_three_columns_about_its_pivot() {
        // Clockwise on the screen: (row, column) goes to (column, -row). Z, S, O and I are not
        // turned but redrawn.
        for piece in [Piece::T, Piece::J, Piece::L] {
            let spawned = Orientation::spawn(piece);
            let mut turned: Vec<_> = spawned.cells().iter().map(|cell| (cell.column, -cell.row)).collect();
            let mut drawn: Vec<_> =
                spawned.clockwise().cells().iter().map(|cell| (cell.row, cell.column)).collect();
            turned.sort_unstable();
            drawn.sort_unstable();
            assert_eq!(turned, drawn, "{piece}");
        }
    }

    #[test]
    fn numbers_beyond_the_hidden_one_are_none() {
        assert_eq!(Orientation::from_id(0x13), Some(Orientation::HIDDEN));
        assert_eq!(Orientation::from_id(0x14), None);
        assert_eq!(Orientation::HIDDEN.piece(), None);
    }
}
