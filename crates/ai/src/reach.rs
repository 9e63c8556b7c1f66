//! Every place that a piece reaches, as sets: a word holds a column of pivots, a lane a board.
//!
//! Where an orientation fits is the AND of four shifted copies of the free cells. Left and right are the neighbouring
//! word, a turn is the same word of another orientation, and a fall to the bottom of every free run at once is one
//! carry: `free & (~(free + set) | set)`. Sweeps repeat until nothing changes. The sets do not know the order in
//! which [`crate::Walk`] finds their places.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into several arrays at once")]

use tetris::{Orientation, Piece};

use crate::board::{ALL_ROWS, WIDTH};
use crate::filter::Gate;
use crate::walk::{first_id, turn_count};
use crate::{Board, Filter, Placement};

/// A set of pivots for each of `LANES` boards: by orientation (from the piece's lowest number), column, lane; bit `y`
/// is row `y`.
pub(crate) type Sets<const LANES: usize> = [[[u32; LANES]; WIDTH]; 4];

/// The locks of one piece on `LANES` boards.
#[derive(Clone, Debug)]
pub(crate) struct Reach<const LANES: usize> {
    fits: Sets<LANES>,
    reached: Sets<LANES>,
    /// Places that are reached and from which the piece cannot fall.
    pub(crate) locks: Sets<LANES>,
}

impl<const LANES: usize> Reach<LANES> {
    pub(crate) const fn new() -> Self {
        let none = [[[0; LANES]; WIDTH]; 4];
        Self { fits: none, reached: none, locks: none }
    }

    /// Finds the locks of a piece on the boards whose free cells are given by column and lane.
    #[inline(always)]
    pub(crate) fn find(&mut self, free: &[[u32; LANES]; WIDTH], gates: &[Gate; LANES], piece: Piece) {
        let turns = turn_count(piece);
        self.fit(free, piece);
        let open = gates.iter().all(|&gate| gate == Gate::Open);
        // Where it may go and where it fits are one but for a filter.
        let mut allowed = self.fits;
        if !open {
            for (turn, set) in allowed.iter_mut().enumerate().take(turns) {
                let orientation = orientation(piece, turn);
                for (x, column) in set.iter_mut().enumerate() {
                    for (word, gate) in column.iter_mut().zip(gates) {
                        *word &= gate.rows(orientation, x);
                    }
                }
            }
        }
        self.spread(&allowed, piece);
        for turn in 0..turns {
            let reached = self.reached[turn].as_flattened();
            let places = reached.iter().zip(self.fits[turn].as_flattened());
            for (locks, (reached, fits)) in self.locks[turn].as_flattened_mut().iter_mut().zip(places) {
                *locks = reached & !(fits >> 1);
            }
        }
    }

    #[inline(always)]
    fn fit(&mut self, free: &[[u32; LANES]; WIDTH], piece: Piece) {
        for turn in 0..turn_count(piece) {
            let cells = orientation(piece, turn).cells();
            for x in 0..WIDTH {
                let mut fits = [ALL_ROWS; LANES];
                for cell in cells {
                    let column = x as i32 + i32::from(cell.column);
                    if !(0..WIDTH as i32).contains(&column) {
                        fits = [0; LANES];
                        break;
                    }
                    let free = &free[column as usize];
                    if cell.row >= 0 {
                        for lane in 0..LANES {
                            fits[lane] &= free[lane] >> cell.row;
                        }
                    } else {
                        let above = (1 << -cell.row) - 1;
                        for lane in 0..LANES {
                            fits[lane] &= free[lane] << -cell.row | above;
                        }
                    }
                }
                self.fits[turn][x] = fits;
            }
        }
    }

    #[inline(always)]
    fn spread(&mut self, allowed: &Sets<LANES>, piece: Piece) {
        let turns = turn_count(piece);
        let spawn = (Orientation::spawn(piece).id() - first_id(piece)) as usize;
        self.reached = [[[0; LANES]; WIDTH]; 4];
        for lane in 0..LANES {
            self.reached[spawn][5][lane] = allowed[spawn][5][lane] & 1;
        }
        loop {
            let mut changed = 0;
            for step in 0..turns {
                let turn = (spawn + step) % turns;
                let (before, after) = ((turn + turns - 1) % turns, (turn + 1) % turns);
                for x in 0..WIDTH {
                    let mut set = [0; LANES];
                    for lane in 0..LANES {
                        set[lane] = self.reached[turn][x][lane]
                            | self.reached[before][x][lane]
                            | self.reached[after][x][lane];
                    }
                    if x > 0 {
                        for lane in 0..LANES {
                            set[lane] |= self.reached[turn][x - 1][lane];
                        }
                    }
                    changed |= self.fall(allowed, turn, x, &set);
                }
                for x in (0..WIDTH - 1).rev() {
                    let set = self.reached[turn][x + 1];
                    changed |= self.fall(allowed, turn, x, &set);
                }
            }
            if changed == 0 {
                break;
            }
        }
    }

    /// Adds a set to a column, and everything below it. Answers the bits that are new in any lane.
    #[inline(always)]
    fn fall(&mut self, allowed: &Sets<LANES>, turn: usize, x: usize, set: &[u32; LANES]) -> u32 {
        let allowed = &allowed[turn][x];
        let reached = &mut self.reached[turn][x];
        let mut changed = 0;
        for lane in 0..LANES {
            let old = reached[lane];
            let all = (old | set[lane]) & allowed[lane];
            let fallen = allowed[lane] & (!(allowed[lane] + all) | all);
            changed |= fallen ^ old;
            reached[lane] = fallen;
        }
        changed
    }
}

/// A piece's orientation by its place among the piece's own.
#[inline(always)]
pub(crate) fn orientation(piece: Piece, turn: usize) -> Orientation {
    Orientation::from_id(first_id(piece) + turn as u8).unwrap_or(Orientation::HIDDEN)
}

/// The locks of a piece on one board, as a set without order: the places that [`crate::Walk::locks`] lists, many
/// times faster.
pub fn locks(board: &Board, piece: Piece, filter: &Filter) -> Vec<Placement> {
    let mut reach = Reach::<1>::new();
    reach.find(&board.columns.map(|column| [!column & ALL_ROWS]), &[filter.gate(board, piece)], piece);
    let mut places = Vec::with_capacity(40);
    for turn in 0..turn_count(piece) {
        for x in 0..WIDTH {
            let mut rows = reach.locks[turn][x][0];
            while rows != 0 {
                let y = rows.trailing_zeros() as u8;
                places.push(Placement { x: x as u8, y, orientation: orientation(piece, turn) });
                rows &= rows - 1;
            }
        }
    }
    places
}
