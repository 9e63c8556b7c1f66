//! A board as a few numbers, and their weighted sum: the player to begin with.

use serde::{Deserialize, Serialize};

use crate::board::{ALL_ROWS, Board, HEIGHT, WIDTH};
use crate::decide::{Child, Judge, Worth};
use crate::format::Speed;

/// Numbers of a board after a lock.
pub const MEASURES: usize = 16;

/// Their names.
pub const NAMES: [&str; MEASURES] = [
    "landing_height",
    "lines",
    "row_transitions",
    "column_transitions",
    "holes",
    "well_sums",
    "tetris",
    "burnt_lines",
    "right_height",
    "ready_rows",
    "height_squares",
    "covered_well",
    "left_access",
    "roughness",
    "middle_height",
    "hole_rows",
];

/// Weights of the measures; a positive weight is a reward.
pub type Weights = [f32; MEASURES];

/// El-Tetris (Islam El-Ashi, imake.ninja, 2011).
pub const EL_TETRIS: Weights = {
    let mut weights = [0.0; MEASURES];
    weights[0] = -4.500_159;
    weights[1] = 3.418_126_8;
    weights[2] = -3.217_888_3;
    weights[3] = -9.348_695;
    weights[4] = -7.899_265_4;
    weights[5] = -3.385_597_2;
    weights
};

/// Measures the board after a lock.
///
/// The first six are those of El-Tetris, of all ten columns. Of the rest: whether it was a tetris, lines of other clears;
/// height of the rightmost column; rows above it that lack only that cell, up to 8; a tenth of the heights' squares;
/// covered cells of the rightmost column; how far the leftmost columns rise above the third; steps between the first nine
/// columns; the greatest height of columns 4 to 7; rows with a hole.
#[inline]
pub fn measure(child: &Child) -> Weights {
    let columns = &child.board.columns;
    let mut row_transitions =
        (!columns[0] & ALL_ROWS).count_ones() + (!columns[WIDTH - 1] & ALL_ROWS).count_ones();
    let (mut column_transitions, mut holes, mut well_sums, mut hole_rows) = (0, 0, 0, 0);
    let mut heights = [0u32; WIDTH];
    for x in 0..WIDTH {
        let column = columns[x];
        heights[x] = HEIGHT as u32 - (column | 1 << HEIGHT).trailing_zeros();
        let left = if x == 0 { ALL_ROWS } else { columns[x - 1] };
        let right = if x == WIDTH - 1 { ALL_ROWS } else { columns[x + 1] };
        if x > 0 {
            row_transitions += (left ^ column).count_ones();
        }
        column_transitions += ((column ^ (column >> 1 | 1 << (HEIGHT - 1))) & ALL_ROWS).count_ones();
        let free = !column & ALL_ROWS;
        let covered = free & !(column ^ column.wrapping_sub(1));
        holes += covered.count_ones();
        hole_rows |= covered;
        let mut wells = free & left & right;
        while wells != 0 {
            well_sums += wells.count_ones();
            wells = wells << 1 & free;
        }
    }
    let nine = columns[..9].iter().fold(ALL_ROWS, |rows, column| rows & column);
    let last = columns[9];
    // Rows above the last column's top that lack only that cell.
    let ready = (nine & !last & (last ^ last.wrapping_sub(1))).count_ones().min(8);
    let covered_well = (!last & ALL_ROWS & !(last ^ last.wrapping_sub(1))).count_ones();
    let cells = child.place.cells();
    let (top, bottom) =
        cells.iter().fold((i32::MAX, i32::MIN), |(top, bottom), &(_, y)| (top.min(y), bottom.max(y)));
    let h = |x: usize| heights[x] as f32;
    let mut roughness = 0.0;
    for x in 0..8 {
        roughness += (h(x) - h(x + 1)).abs();
    }
    [
        (39 - top - bottom) as f32 / 2.0,
        child.cleared as f32,
        row_transitions as f32,
        column_transitions as f32,
        holes as f32,
        well_sums as f32,
        f32::from(u8::from(child.cleared == 4)),
        if child.cleared < 4 { child.cleared as f32 } else { 0.0 },
        h(9),
        ready as f32,
        heights.iter().map(|&height| (height * height) as f32).sum::<f32>() / 10.0,
        covered_well as f32,
        (h(2) - h(0)).max(0.0) + (h(2) - h(1)).max(0.0),
        roughness,
        (4..8).map(h).fold(0.0, f32::max),
        hole_rows.count_ones() as f32,
    ]
}

/// Rates boards by weights, one set a speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// By speed, the slowest first.
    pub weights: [Weights; 4],
    /// Does level 39 fall at double speed?
    pub double_at_39: bool,
}

impl Linear {
    /// The same weights at every speed.
    pub const fn new(weights: Weights) -> Self {
        Self { weights: [weights; 4], double_at_39: true }
    }
}

impl Judge for Linear {
    fn begin(&mut self, _: &Board, _: u32) {}

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        let slot = Speed::LINES.iter().rposition(|&from| child.lines >= from).unwrap_or(0);
        let measured = measure(child);
        let mut sum = 0.0;
        for (measure, weight) in measured.iter().zip(&self.weights[slot]) {
            sum += measure * weight;
        }
        [sum; 8]
    }
}
