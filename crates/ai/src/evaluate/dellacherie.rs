//! Pierre Dellacherie's player (2003), as Thiery and Scherrer state it ("Building Controllers for
//! Tetris", 2009): whole weights, found by hand.

use super::Tally;
use super::features::Features;
use tetris::Playfield;

/// The weighted sum, negated: lower is better. Over several pieces, landing heights and eroded
/// cells add up.
#[inline]
pub(super) fn rate(board: &Playfield, tally: &Tally) -> f64 {
    let features = Features::of(board);
    f64::from(tally.doubled_middle) / 2.0 - f64::from(tally.eroded)
        + f64::from(
            features.row_transitions + features.column_transitions + 4 * features.holes + features.well_sums,
        )
}
