//! Pierre Dellacherie's player (2003), as Thiery and Scherrer state it ("Building Controllers for Tetris", 2009):
//! whole weights, found by hand.

use super::Tally;
use super::survey::Survey;
use crate::Board;

/// The weighted sum, negated: lower is better. Over several pieces, landing heights and eroded cells add up.
#[inline]
pub(super) fn rate(board: &Board, tally: &Tally) -> f64 {
    let survey = Survey::of(board);
    f64::from(tally.doubled_middle) / 2.0 - f64::from(tally.eroded)
        + f64::from(survey.row_transitions + survey.column_transitions + 4 * survey.holes + survey.well_sums)
}
