//! The article's evaluation function (meatfighter.com/nintendotetrisai, "Evaluation Function").

use super::{Factors, Tally};

/// Weights of lines, lock height, wells, holes, column transitions and row transitions. Lines are a cost.
pub const WEIGHTS: [f64; 6] =
    [1.0, 12.885008263218383, 15.842707182438396, 26.89449650779595, 27.616914062397015, 30.18511071927904];

/// The article's weighted sum, from left to right in doubles without a fused multiply-add: equal to its Java program
/// in every bit.
#[inline(always)]
pub fn fitness(tally: &Tally, factors: &Factors) -> f64 {
    weighted([
        tally.lines,
        tally.lock_height,
        factors.wells,
        factors.holes,
        factors.col_trans,
        factors.row_trans,
    ])
}

/// The sum for six counts in the order of [`WEIGHTS`].
#[inline(always)]
pub(crate) fn weighted(counts: [u32; 6]) -> f64 {
    // Signed, because every vector unit converts those.
    let [lines, height, wells, holes, columns, rows] = counts.map(|count| f64::from(count as i32));
    WEIGHTS[0] * lines
        + WEIGHTS[1] * height
        + WEIGHTS[2] * wells
        + WEIGHTS[3] * holes
        + WEIGHTS[4] * columns
        + WEIGHTS[5] * rows
}
