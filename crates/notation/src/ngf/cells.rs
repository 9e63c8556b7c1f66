//! Sets of cells of the field, and the places of pieces in it.

use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::sync::LazyLock;

use tetris::{HEIGHT, Orientation, Piece, Playfield, WIDTH};

use super::CELLS;

/// A set of cells: bit `10 * row + column`, of which the upper half is the second word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Set([u128; 2]);

const HALF: usize = CELLS / 2;
const FULL: u128 = (1 << HALF) - 1;

impl Set {
    pub(super) const EMPTY: Self = Self([0; 2]);

    pub(super) fn of(cells: &[u8; CELLS]) -> Self {
        (0..CELLS).filter(|&at| cells[at] != 0).fold(Self::EMPTY, Self::with)
    }

    pub(super) fn of_board(board: &Playfield) -> Self {
        let taken = |at: &usize| board.columns[at % WIDTH] >> (at / WIDTH) & 1 == 1;
        (0..CELLS).filter(taken).fold(Self::EMPTY, Self::with)
    }

    pub(super) fn board(self) -> Playfield {
        let mut board = Playfield::EMPTY;
        for at in self.iter() {
            board.columns[at % WIDTH] |= 1 << (at / WIDTH);
        }
        board
    }

    /// All cells of some rows, given as bits from the top.
    pub(super) fn of_rows(rows: u32) -> Self {
        (0..CELLS).filter(|at| rows >> (at / WIDTH) & 1 == 1).fold(Self::EMPTY, Self::with)
    }

    pub(super) fn with(mut self, at: usize) -> Self {
        self.0[at / HALF] |= 1 << (at % HALF);
        self
    }

    pub(super) const fn has(self, at: usize) -> bool {
        self.0[at / HALF] >> (at % HALF) & 1 == 1
    }

    pub(super) const fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0[0] == 0 && self.0[1] == 0
    }

    /// Full rows, as bits from the top.
    pub(super) fn full_rows(self) -> u32 {
        const ROW: u128 = (1 << WIDTH) - 1;
        let full = |row: &usize| self.0[row / 10] >> (row % 10 * WIDTH) & ROW == ROW;
        (0..HEIGHT).filter(full).fold(0, |rows, row| rows | 1 << row)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut words = self.0;
        std::iter::from_fn(move || {
            let half = words.iter().position(|&word| word != 0)?;
            let bit = words[half].trailing_zeros() as usize;
            words[half] &= words[half] - 1;
            Some(half * HALF + bit)
        })
    }
}

impl BitAnd for Set {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Set {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl BitXor for Set {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

impl Not for Set {
    type Output = Self;
    fn not(self) -> Self {
        Self([!self.0[0] & FULL, !self.0[1] & FULL])
    }
}

/// A piece somewhere in the field, of which a part may be above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Column of its pivot.
    pub(super) x: i32,
    /// Its cells within the field.
    pub(super) cells: Set,
}

/// Rows above the field that a piece may be in.
pub(super) const ABOVE: i32 = 2;
/// Rows in which a pivot may be.
pub(super) const ROWS: usize = HEIGHT + ABOVE as usize;

/// The cells of a place, those above the field left out. `None` if a part of the piece lies beyond
/// a wall or the floor.
pub(super) fn cells_of(orientation: Orientation, x: i32, y: i32) -> Option<Set> {
    static ALL: LazyLock<Vec<Option<Set>>> = LazyLock::new(|| {
        let mut all = Vec::new();
        for orientation in Orientation::all() {
            for y in -ABOVE..HEIGHT as i32 {
                all.extend((0..WIDTH as i32).map(|x| computed(orientation, x, y)));
            }
        }
        all
    });
    let inside = (0..WIDTH as i32).contains(&x) && (-ABOVE..HEIGHT as i32).contains(&y);
    let at = || (usize::from(orientation.id()) * ROWS + (y + ABOVE) as usize) * WIDTH + x as usize;
    inside.then(|| ALL[at()])?
}

fn computed(orientation: Orientation, x: i32, y: i32) -> Option<Set> {
    let mut set = Set::EMPTY;
    for cell in orientation.cells() {
        let (column, row) = (x + i32::from(cell.column), y + i32::from(cell.row));
        if !(0..WIDTH as i32).contains(&column) || row >= HEIGHT as i32 {
            return None;
        }
        if row >= 0 {
            set = set.with(row as usize * WIDTH + column as usize);
        }
    }
    Some(set)
}

/// The flights of a piece, by a cell that they cover.
pub(super) struct Flights {
    all: Vec<Flight>,
    by_cell: Vec<Vec<u16>>,
}

impl Flights {
    pub(super) fn of(piece: Piece) -> &'static Self {
        static ALL: LazyLock<Vec<Flights>> =
            LazyLock::new(|| Piece::ALL.iter().map(|&piece| Flights::new(piece)).collect());
        &ALL[piece as usize]
    }

    fn new(piece: Piece) -> Self {
        let mut all = Vec::new();
        for orientation in Orientation::all().filter(|orientation| orientation.piece() == Some(piece)) {
            for y in -ABOVE..HEIGHT as i32 {
                for x in 0..WIDTH as i32 {
                    let cells = cells_of(orientation, x, y).filter(|cells| !cells.is_empty());
                    all.extend(cells.map(|cells| Flight { x, cells }));
                }
            }
        }
        let mut by_cell = vec![Vec::new(); CELLS];
        for (number, flight) in all.iter().enumerate() {
            for at in flight.cells.iter() {
                by_cell[at].push(number as u16);
            }
        }
        Self { all, by_cell }
    }

    /// Those that cover a cell.
    pub(super) fn covering(&self, at: usize) -> impl Iterator<Item = &Flight> {
        self.by_cell[at].iter().map(|&number| &self.all[usize::from(number)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_the_board_that_it_was_made_of() {
        let board = Playfield { columns: [1 << 19, 3 << 9, 0, 1, 5 << 10, 0, 0, 0, 0, 1 << 19 | 1] };
        let set = Set::of_board(&board);
        assert_eq!(set.board(), board);
        assert_eq!(set.iter().count() as u32, set.count());
        assert_eq!(Set::of_rows(0b11 << 9).full_rows(), 0b11 << 9);
        assert_eq!((!set | set).count(), 200);
    }
}
