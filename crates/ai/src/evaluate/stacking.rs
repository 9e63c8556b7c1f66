//! The rating of the stacking policy: nine columns packed without holes, the tenth a well for the
//! I.
//!
//! The weights are whole numbers found by trial; `fast/stacking.rs` says what they reach.

use super::{Tally, hole_tops, well_cells};
use tetris::{ALL_ROWS, Playfield, WIDTH, covered};

/// Columns of the pile; the one after them is the well.
const PILE: usize = WIDTH - 1;
/// The pile's height from which on each row weighs more than the last.
const LOW: i32 = 4;

/// Lower is better.
pub(super) fn rate(board: &Playfield, tally: &Tally) -> f64 {
    let columns = &board.columns;
    let heights = board.heights().map(|height| height as i32);
    let occupied = columns[..PILE].iter().fold(0, |rows, column| rows | column);
    let (mut wells, mut holes, mut row_transitions) = (0, 0, (!columns[PILE - 1] & occupied).count_ones());
    let (mut covered_cells, mut covered_rows, mut steps, mut deep) = (0, 0, 0, 0);
    for x in 0..PILE {
        // The well is a wall to the pile.
        let (left, left_height) =
            if x == 0 { (ALL_ROWS, i32::MAX) } else { (columns[x - 1], heights[x - 1]) };
        let (right, right_height) =
            if x + 1 == PILE { (ALL_ROWS, i32::MAX) } else { (columns[x + 1], heights[x + 1]) };
        wells += well_cells(left, columns[x], right).count_ones();
        holes += hole_tops(columns[x]).count_ones();
        row_transitions += ((left ^ columns[x]) & occupied).count_ones();
        covered_cells += covered(columns[x]).count_ones();
        covered_rows |= covered(columns[x]);
        // From a depth of three on only the I fills a well; of seven, only two of them.
        let depth = left_height.min(right_height) - heights[x];
        if depth >= 3 {
            deep += (depth + 1) / 4;
        }
        if x + 1 < PILE {
            steps += (heights[x] - right_height).pow(2);
        }
    }
    let well = columns[PILE];
    let height = heights[..PILE].iter().copied().max().unwrap_or(0);
    let above = (height - LOW).max(0);
    let [singles, doubles, triples, tetrises] = tally.clears.map(f64::from);
    10.0 * f64::from(wells)
        + f64::from(holes)
        + 2.0 * f64::from(row_transitions)
        + 34.0 * f64::from(covered_cells)
        + 125.0 * f64::from(covered_rows.count_ones())
        + 1.5 * f64::from(steps)
        + 50.0 * f64::from(deep)
        + 15.0 * f64::from(well.count_ones())
        + 9.0 * f64::from(covered(well).count_ones())
        + 36.0 * singles
        + 66.0 * doubles
        + 99.0 * triples
        - 202.0 * tetrises
        + 3.2 * f64::from(above * above)
        + 0.5 * f64::from(heights[..PILE].iter().sum::<i32>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::HEIGHT;

    fn rated(lines: &[u16]) -> f64 {
        let mut rows = [0; HEIGHT];
        rows[HEIGHT - lines.len()..].copy_from_slice(lines);
        rate(&Playfield::from_rows(&rows), &Tally::default())
    }

    #[test]
    fn a_clean_pile_beside_the_well_is_better_than_one_with_a_hole_or_a_filled_well() {
        let clean = rated(&[0x1FF, 0x1FF]);
        assert!(clean < rated(&[0x1FF, 0x1FD]) && clean < rated(&[0x1FF, 0x3FD]));
    }

    #[test]
    fn a_tetris_is_better_than_waiting_and_a_single_is_not() {
        let after = |kind: usize| {
            let mut tally = Tally::default();
            tally.clears[kind] = 1;
            rate(&Playfield::EMPTY, &tally)
        };
        let nothing = rate(&Playfield::EMPTY, &Tally::default());
        assert!(after(3) < nothing && nothing < after(0) && after(0) < after(1));
    }
}
