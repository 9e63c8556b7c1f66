//! Every place that a piece reaches on one board, as bitboards: a word holds a column of pivots, a
//! lane is a column.
//!
//! The sets are those of [`crate::fast::reachable_lanes`], for where there is one board only; and
//! they can be put in order.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into several arrays at once")]

use tetris::{ALL_ROWS, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::Filter;
use crate::fast::reachable_lanes::{shifted, top_rows};
use crate::fast::vectors::{Kernel, Vectors};
use crate::filter::Gate;

/// A word for each column, and more that stay empty: what a register holds.
type Plane = [u32; 16];
/// A set of pivots by orientation, from the piece's lowest number.
type Set = [Plane; 4];

const EMPTY: Set = [[0; 16]; 4];

/// The places of one piece on one board.
#[derive(Clone, Debug)]
pub(crate) struct Reachable {
    piece: Piece,
    /// Where it may go: it fits, and no filter rejects it.
    allowed: Set,
    reached: Set,
    /// Reachable that are reached and from which the piece cannot fall.
    locks: Set,
    /// Sets of places first reached with each number of moves.
    layers: Vec<Set>,
}

impl Reachable {
    pub(crate) const fn new() -> Self {
        Self { piece: Piece::O, allowed: EMPTY, reached: EMPTY, locks: EMPTY, layers: Vec::new() }
    }

    /// Finds the places and lists the locks: by orientation, column, row.
    pub(crate) fn find(
        &mut self,
        vectors: Vectors,
        board: &Playfield,
        piece: Piece,
        filter: &Filter,
        locks: &mut Vec<Placement>,
    ) {
        let gate = filter.gate(board, piece);
        vectors.run(Find { places: self, board, piece, gate: &gate });
        locks.clear();
        for turn in 0..Orientation::count(piece) {
            for x in 0..WIDTH {
                let mut rows = self.locks[turn][x];
                while rows != 0 {
                    let y = rows.trailing_zeros() as u8;
                    locks.push(Placement { x: x as u8, y, orientation: Orientation::nth(piece, turn) });
                    rows &= rows - 1;
                }
            }
        }
    }

    /// Of some of the places found last the one that the plain search meets first.
    ///
    /// A breadth-first search meets places with fewer moves first, and of equally many those whose
    /// way comes first if ways are sorted by their moves, in the order in which it tries them. So
    /// the sets of each number of moves are built up to the first wanted place, cut down to those
    /// from which a wanted place is still as near, and then the first move that stays within them
    /// is the right one.
    pub(crate) fn first(
        &mut self,
        vectors: Vectors,
        wanted: impl Iterator<Item = Placement>,
    ) -> Option<Placement> {
        let mut set = EMPTY;
        for place in wanted {
            set[self.turn(place)][usize::from(place.x)] |= 1 << place.y;
        }
        vectors.run(Layers { places: self, wanted: &set });
        let mut here = Placement::spawn(self.piece);
        for layer in self.layers.iter().skip(1) {
            let turned = |orientation| Placement { orientation, ..here };
            let moves = [
                Some(turned(here.orientation.counterclockwise())),
                Some(turned(here.orientation.clockwise())),
                here.x.checked_sub(1).map(|x| Placement { x, ..here }),
                Some(Placement { x: here.x + 1, ..here }),
                Some(Placement { y: here.y + 1, ..here }),
            ];
            here = moves
                .into_iter()
                .flatten()
                .find(|&next| layer[self.turn(next)][usize::from(next.x & 15)] >> (next.y & 31) & 1 == 1)?;
        }
        Some(here)
    }

    fn turn(&self, place: Placement) -> usize {
        usize::from(place.orientation.id() - Orientation::first(self.piece).id()) & 3
    }

    #[inline(always)]
    fn spread(&mut self, top: u32) {
        let turns = Orientation::count(self.piece);
        self.reached = EMPTY;
        let spawn = self.turn(Placement::spawn(self.piece));
        self.reached[spawn][5] = self.allowed[spawn][5] & 1;
        for turn in 0..turns {
            for x in 0..16 {
                self.reached[turn][x] |= self.allowed[turn][x] & top;
            }
        }
        loop {
            let mut changed = 0;
            for turn in 0..turns {
                let set = beside(&self.reached, turn, turns);
                let (reached, allowed) = (&mut self.reached[turn], &self.allowed[turn]);
                for x in 0..16 {
                    let all = (set[x] | reached[x]) & allowed[x];
                    let fallen = allowed[x] & (!(allowed[x] + all) | all);
                    changed |= fallen ^ reached[x];
                    reached[x] = fallen;
                }
            }
            if changed == 0 {
                break;
            }
        }
    }

    #[inline(always)]
    fn layer(&mut self, wanted: &Set) {
        let turns = Orientation::count(self.piece);
        let mut last = EMPTY;
        let spawn = self.turn(Placement::spawn(self.piece));
        last[spawn][5] = self.allowed[spawn][5] & 1;
        let mut fresh = self.allowed;
        self.layers.clear();
        loop {
            let (mut met, mut any) = (0, 0);
            for turn in 0..turns {
                for x in 0..16 {
                    fresh[turn][x] &= !last[turn][x];
                    met |= last[turn][x] & wanted[turn][x];
                    any |= last[turn][x];
                }
            }
            self.layers.push(last);
            if met != 0 || any == 0 {
                break;
            }
            let mut next = EMPTY;
            for turn in 0..turns {
                let set = beside(&last, turn, turns);
                for x in 0..16 {
                    next[turn][x] = (set[x] | last[turn][x] << 1) & fresh[turn][x];
                }
            }
            last = next;
        }
        // The last layer's places that are wanted, and of each layer before those that lead there.
        let mut later = *wanted;
        for (back, layer) in self.layers.iter_mut().rev().enumerate() {
            let mut kept = EMPTY;
            for turn in 0..turns {
                let mut set = later[turn];
                if back > 0 {
                    set = beside(&later, turn, turns);
                    for x in 0..16 {
                        set[x] |= later[turn][x] >> 1;
                    }
                }
                for x in 0..16 {
                    kept[turn][x] = layer[turn][x] & set[x];
                }
            }
            *layer = kept;
            later = kept;
        }
    }
}

/// Reachable of an orientation that are one turn or one shift away from a set.
#[inline(always)]
fn beside(set: &Set, turn: usize, turns: usize) -> Plane {
    let own = &set[turn];
    let mut beside = [0; 16];
    beside[1..].copy_from_slice(&own[..15]);
    let mut right = [0; 16];
    right[..15].copy_from_slice(&own[1..]);
    for x in 0..16 {
        beside[x] |= right[x];
    }
    if turns > 1 {
        let (before, after) = (&set[(turn + turns - 1) % turns], &set[(turn + 1) % turns]);
        for x in 0..16 {
            beside[x] |= before[x] | after[x];
        }
    }
    beside
}

/// Where the cells of an orientation are in a set of cells, given by the rows that a cell may be
/// off its pivot, two columns of wall before the first.
#[inline(always)]
fn fit(cells: &[[u32; 20]; 4], orientation: Orientation) -> Plane {
    let mut fits = [ALL_ROWS; 16];
    for cell in orientation.cells() {
        let plane = &cells[(cell.row + 2) as usize & 3];
        let first = (cell.column + 2) as usize & 3;
        for x in 0..16 {
            fits[x] &= plane[x + first];
        }
    }
    fits
}

struct Find<'a> {
    places: &'a mut Reachable,
    board: &'a Playfield,
    piece: Piece,
    gate: &'a Gate,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const COUNTS: bool>(self) {
        let Self { places, board, piece, gate } = self;
        places.piece = piece;
        let turns = Orientation::count(piece);
        let spawn = places.turn(Placement::spawn(piece));
        let mut cells = [[0; 20]; 4];
        for (row, plane) in cells.iter_mut().enumerate() {
            for x in 0..WIDTH {
                plane[x + 2] = shifted(!board.columns[x] & ALL_ROWS, row);
            }
        }
        let mut fits = EMPTY;
        for turn in 0..turns {
            fits[turn] = fit(&cells, Orientation::nth(piece, turn));
        }
        places.allowed = fits;
        let mut top = top_rows(board.occupied());
        if let Gate::Cells(open) = gate {
            top = 0;
            for (row, plane) in cells.iter_mut().enumerate() {
                for x in 0..WIDTH {
                    plane[x + 2] = open[x] >> row;
                }
            }
            for turn in 0..turns {
                let open = fit(&cells, Orientation::nth(piece, turn));
                for x in 0..16 {
                    places.allowed[turn][x] &= open[x];
                }
            }
            places.allowed[spawn][5] |= fits[spawn][5] & 1;
        }
        places.spread(top);
        for turn in 0..turns {
            for x in 0..16 {
                places.locks[turn][x] = places.reached[turn][x] & !(fits[turn][x] >> 1);
            }
        }
    }
}

struct Layers<'a> {
    places: &'a mut Reachable,
    wanted: &'a Set,
}

impl Kernel for Layers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const COUNTS: bool>(self) {
        self.places.layer(self.wanted);
    }
}

/// The locks of a piece on one board, as a set without order: the places that
/// [`crate::Walk::locks`] lists, many times faster.
pub fn locks(board: &Playfield, piece: Piece, filter: &Filter) -> Vec<Placement> {
    let mut locks = Vec::with_capacity(40);
    Reachable::new().find(Vectors::Widest, board, piece, filter, &mut locks);
    locks
}
