//! Every place that a piece reaches, as bitboards: a word holds a column of pivots, a lane is a
//! board.
//!
//! Where an orientation fits is the AND of four shifted copies of the free cells. Left and right
//! are the neighbouring word, a turn is the same word of another orientation, and a fall to the
//! bottom of every free run at once is one carry: `free & (~(free + set) | set)`. Sweeps repeat
//! until nothing changes. The sets do not know the order in which [`crate::Walk`] finds their
//! places.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into several arrays at once")]

use tetris::{ALL_ROWS, Orientation, Piece, WIDTH};

use crate::filter::Gate;

/// A set of pivots for each of `LANES` boards: by orientation (from the piece's lowest number),
/// column, lane; bit `y` is row `y`.
pub(crate) type Sets<const LANES: usize> = [[[u32; LANES]; WIDTH]; 4];

/// The locks of one piece on `LANES` boards.
#[derive(Clone, Debug)]
pub(crate) struct ReachableLanes<const LANES: usize> {
    fits: Sets<LANES>,
    /// Where the gates let it go.
    allowed: Sets<LANES>,
    reached: Sets<LANES>,
    /// Reachable that are reached and from which the piece cannot fall.
    pub(crate) locks: Sets<LANES>,
}

impl<const LANES: usize> ReachableLanes<LANES> {
    pub(crate) const fn new() -> Self {
        let none = [[[0; LANES]; WIDTH]; 4];
        Self { fits: none, allowed: none, reached: none, locks: none }
    }

    /// Finds the locks of a piece on the boards whose free cells are given by column and lane.
    /// Where no gate is given, all are open.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        free: &[[u32; LANES]; WIDTH],
        gates: Option<&[Gate; LANES]>,
        top: u32,
        piece: Piece,
    ) {
        let turns = Orientation::count(piece);
        let mut cells = [[[0; LANES]; WIDTH]; 4];
        for (row, planes) in cells.iter_mut().enumerate() {
            for (word, &free) in planes.as_flattened_mut().iter_mut().zip(free.as_flattened()) {
                *word = shifted(free, row);
            }
        }
        fit(&mut self.fits, &cells, piece);
        let mut seeds = [[[0; LANES]; WIDTH]; 4];
        let spawn = (Orientation::spawn(piece).id() - Orientation::first(piece).id()) as usize;
        // Where it may go and where it fits are one but for a filter.
        if let Some(gates) = gates {
            for (row, planes) in cells.iter_mut().enumerate() {
                for (x, words) in planes.iter_mut().enumerate() {
                    for (word, gate) in words.iter_mut().zip(gates) {
                        *word = gate.cells(x) >> row;
                    }
                }
            }
            fit(&mut self.allowed, &cells, piece);
            for turn in 0..turns {
                let fits = self.fits[turn].as_flattened();
                for (word, fits) in self.allowed[turn].as_flattened_mut().iter_mut().zip(fits) {
                    *word &= fits;
                }
            }
            for lane in 0..LANES {
                self.allowed[spawn][5][lane] |= self.fits[spawn][5][lane] & 1;
            }
        } else {
            for turn in 0..turns {
                let fits = self.fits[turn].as_flattened();
                for (word, fits) in seeds[turn].as_flattened_mut().iter_mut().zip(fits) {
                    *word = fits & top;
                }
            }
        }
        for lane in 0..LANES {
            seeds[spawn][5][lane] |= self.fits[spawn][5][lane] & 1;
        }
        let allowed = if gates.is_some() { &self.allowed } else { &self.fits };
        spread(&mut self.reached, allowed, &seeds, turns);
        for turn in 0..turns {
            let reached = self.reached[turn].as_flattened();
            let places = reached.iter().zip(self.fits[turn].as_flattened());
            for (locks, (reached, fits)) in self.locks[turn].as_flattened_mut().iter_mut().zip(places) {
                *locks = reached & !(fits >> 1);
            }
        }
    }
}

/// Where a piece's cells are in a set of cells, given by the rows that a cell may be off its pivot.
#[inline(always)]
fn fit<const LANES: usize>(fits: &mut Sets<LANES>, cells: &Sets<LANES>, piece: Piece) {
    for turn in 0..Orientation::count(piece) {
        let shape = Orientation::nth(piece, turn).cells();
        for x in 0..WIDTH {
            let mut word = [ALL_ROWS; LANES];
            for cell in shape {
                let column = x as i32 + i32::from(cell.column);
                if !(0..WIDTH as i32).contains(&column) {
                    word = [0; LANES];
                    break;
                }
                let cells = &cells[(cell.row + 2) as usize & 3][column as usize];
                for lane in 0..LANES {
                    word[lane] &= cells[lane];
                }
            }
            fits[turn][x] = word;
        }
    }
}

/// Spreads sets until nothing changes. An orientation is looked at again if it or one that turns
/// into it changed.
#[inline(always)]
fn spread<const LANES: usize>(
    reached: &mut Sets<LANES>,
    allowed: &Sets<LANES>,
    seeds: &Sets<LANES>,
    turns: usize,
) {
    for turn in 0..turns {
        reached[turn] = [[0; LANES]; WIDTH];
        for x in 0..WIDTH {
            fall(&mut reached[turn][x], &allowed[turn][x], &seeds[turn][x]);
        }
    }
    let all = (1u32 << turns) - 1;
    let mut due = all;
    let mut turn = 0;
    while due != 0 {
        if due >> turn & 1 == 1 {
            due &= !(1 << turn);
            let (before, after) = ((turn + turns - 1) % turns, (turn + 1) % turns);
            let mut changed = 0;
            for x in 0..WIDTH {
                let mut set = [0; LANES];
                for lane in 0..LANES {
                    set[lane] = reached[before][x][lane] | reached[after][x][lane];
                }
                if x > 0 {
                    for lane in 0..LANES {
                        set[lane] |= reached[turn][x - 1][lane];
                    }
                }
                if x + 1 < WIDTH {
                    for lane in 0..LANES {
                        set[lane] |= reached[turn][x + 1][lane];
                    }
                }
                changed |= fall(&mut reached[turn][x], &allowed[turn][x], &set);
            }
            if changed != 0 {
                for x in (0..WIDTH - 1).rev() {
                    let set = reached[turn][x + 1];
                    fall(&mut reached[turn][x], &allowed[turn][x], &set);
                }
                due |= 1 << turn | 1 << before | 1 << after;
            }
        }
        turn = (turn + 1) % turns;
    }
}

/// Adds a set to a column, and everything below it. Returns the bits that are new in any lane.
#[inline(always)]
fn fall<const LANES: usize>(reached: &mut [u32; LANES], allowed: &[u32; LANES], set: &[u32; LANES]) -> u32 {
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

/// A column of cells as a pivot sees them that is `2 - row` rows below; above the top is free.
#[inline(always)]
pub(crate) const fn shifted(free: u32, row: usize) -> u32 {
    match row {
        0 => free << 2 | 3,
        1 => free << 1 | 1,
        2 => free,
        _ => free >> 1,
    }
}

/// Pivots' rows that a piece reaches, however it is turned and wherever it is, because all around
/// is free: no piece is deeper than one row below its pivot.
#[inline(always)]
pub(crate) const fn top_rows(occupied: u32) -> u32 {
    let free = (occupied | 1 << 20).trailing_zeros();
    if free < 2 { 0 } else { (1 << (free - 1)) - 1 }
}
