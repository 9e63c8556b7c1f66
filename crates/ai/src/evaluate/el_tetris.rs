//! El-Tetris: Dellacherie's features, weights found by particle swarms (Islam El-Ashi, imake.ninja,
//! 2011).

use super::Tally;
use super::features::Features;
use tetris::Playfield;

/// The weighted sum, negated: lower is better. Over several pieces, landing heights and rows add
/// up.
#[inline]
pub(super) fn rate(board: &Playfield, tally: &Tally) -> f64 {
    let features = Features::of(board);
    4.500158825082766 * (f64::from(tally.doubled_middle) / 2.0) - 3.4181268101392694 * f64::from(tally.lines)
        + 3.2178882868487753 * f64::from(features.row_transitions)
        + 9.348695305445199 * f64::from(features.column_transitions)
        + 7.899265427351652 * f64::from(features.holes)
        + 3.3855972247263626 * f64::from(features.well_sums)
}
