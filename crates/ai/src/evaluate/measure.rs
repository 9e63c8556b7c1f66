//! What can be measured of a board and of the pieces that led to it: the article's factors, and
//! those that its section "Other Factors" names.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

use super::features::Features;
use super::{Factors, Tally, Weights, lookahead};
use tetris::{ALL_ROWS, Playfield, WIDTH, covered};

/// One thing to measure. A file of an evaluator names it in `snake_case`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantNames,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Measure {
    /// Rows removed by all the pieces.
    Lines,
    /// Rows between each piece's lowest cell and the floor row, added up.
    LockHeight,
    /// [`Factors::wells`].
    Wells,
    /// [`Factors::holes`].
    Holes,
    /// [`Factors::col_trans`].
    ColTrans,
    /// [`Factors::row_trans`].
    RowTrans,
    /// Locks that removed one row.
    Singles,
    /// Locks that removed two rows.
    Doubles,
    /// Locks that removed three rows.
    Triples,
    /// Locks that removed four rows.
    Tetrises,
    /// Height of each piece's middle above the floor row, added up (Dellacherie).
    LandingHeight,
    /// Rows that each lock removed times the cells that the piece itself lost in them
    /// (Dellacherie).
    ErodedCells,
    /// Solid cells.
    Cells,
    /// Rows from the floor to the topmost solid cell.
    PileHeight,
    /// The columns' heights, added up.
    TotalHeight,
    /// The variance of the columns' heights.
    HeightVariance,
    /// The highest column's height less the lowest one's.
    HeightSpread,
    /// Differences between neighbouring columns' heights, added up.
    Roughness,
    /// Free cells with a solid one somewhere above.
    CoveredCells,
    /// Rows with such a cell.
    CoveredRows,
    /// For each well, 1 + 2 + … to its depth (Dellacherie).
    WellSums,
    /// Solid cells of the rightmost column.
    RightCells,
    /// Rows in which only the cell of the rightmost column is free.
    ReadyRows,
    /// Reachable where one of the seven pieces can lock without a new hole, for all seven.
    Accommodations,
    /// The article's evaluation of the best board that one more piece makes, as a mean of the seven
    /// pieces.
    NextEvaluation,
    /// The article's evaluation of the board after eight more pieces of four games, the same for
    /// every board, each piece placed as the article would that knows no next one; a mean.
    SimulatedPlay,
}

impl Measure {
    /// The measure of a board after the placements of a tally.
    pub fn of(self, board: &Playfield, tally: &Tally) -> f64 {
        let whole = match self {
            Self::Lines => tally.lines,
            Self::LockHeight => tally.lock_height,
            Self::Wells => Factors::of(board).wells,
            Self::Holes => Factors::of(board).holes,
            Self::ColTrans => Factors::of(board).col_trans,
            Self::RowTrans => Factors::of(board).row_trans,
            Self::Singles => tally.clears[0].into(),
            Self::Doubles => tally.clears[1].into(),
            Self::Triples => tally.clears[2].into(),
            Self::Tetrises => tally.clears[3].into(),
            Self::LandingHeight => return f64::from(tally.doubled_middle) / 2.0,
            Self::ErodedCells => tally.eroded,
            Self::Cells => board.cells(),
            Self::PileHeight => board.height(),
            Self::TotalHeight => board.heights().iter().sum(),
            Self::HeightVariance => return variance(board.heights()),
            Self::HeightSpread => {
                let lowest = board.heights().into_iter().min().unwrap_or(0);
                board.height() - lowest
            }
            Self::Roughness => board.heights().windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum(),
            Self::CoveredCells => Features::of(board).holes,
            Self::CoveredRows => {
                board.columns.iter().fold(0, |rows, &column| rows | covered(column)).count_ones()
            }
            Self::WellSums => Features::of(board).well_sums,
            Self::RightCells => board.columns[WIDTH - 1].count_ones(),
            Self::ReadyRows => {
                let full = board.columns[..WIDTH - 1].iter().fold(ALL_ROWS, |rows, column| rows & column);
                (full & !board.columns[WIDTH - 1]).count_ones()
            }
            Self::Accommodations => lookahead::accommodations(board),
            Self::NextEvaluation => return lookahead::next_evaluation(board, &Weights::ARTICLE),
            Self::SimulatedPlay => return lookahead::simulated_play(board, &Weights::ARTICLE),
        };
        f64::from(whole)
    }
}

fn variance(heights: [u32; WIDTH]) -> f64 {
    let mean = f64::from(heights.iter().sum::<u32>()) / WIDTH as f64;
    heights.iter().map(|&height| (f64::from(height) - mean).powi(2)).sum::<f64>() / WIDTH as f64
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers are exact")]
mod tests {
    use super::*;
    use tetris::HEIGHT;
    use tetris::Placement;

    fn drawn(lines: &[&str]) -> Playfield {
        let mut rows = [0; HEIGHT];
        for (row, line) in rows[HEIGHT - lines.len()..].iter_mut().zip(lines) {
            *row = line.chars().enumerate().fold(0, |row, (x, cell)| row | u16::from(cell == '#') << x);
        }
        Playfield::from_rows(&rows)
    }

    #[test]
    fn measures_of_a_board_are_what_is_seen() {
        let board = drawn(&["#.........", "##........", "#########.", "#.#######."]);
        for (measure, expected) in [
            (Measure::Cells, 20.0),
            (Measure::PileHeight, 4.0),
            (Measure::TotalHeight, 4.0 + 3.0 + 7.0 * 2.0),
            (Measure::HeightSpread, 4.0),
            (Measure::Roughness, 1.0 + 1.0 + 2.0),
            (Measure::HeightVariance, (16.0 + 9.0 + 7.0 * 4.0) / 10.0 - 2.1 * 2.1),
            (Measure::CoveredCells, 1.0),
            (Measure::CoveredRows, 1.0),
            (Measure::RightCells, 0.0),
            (Measure::ReadyRows, 1.0),
            (Measure::WellSums, 1.0 + 1.0 + 2.0),
        ] {
            let found = measure.of(&board, &Tally::default());
            assert!((found - expected).abs() < 1e-12, "{measure}: {found}");
        }
    }

    #[test]
    fn measures_of_pieces_are_what_they_did() {
        let mut board = drawn(&["#########.", "#########.", "#########.", "#########."]);
        let place = Placement::try_from([9, 18, 17]).unwrap();
        let cleared = board.lock_in_window(place);
        let tally = Tally::default().with(place, cleared);
        for (measure, expected) in [
            (Measure::Lines, 4.0),
            (Measure::Tetrises, 1.0),
            (Measure::Triples, 0.0),
            (Measure::ErodedCells, 16.0),
            (Measure::LandingHeight, 1.5),
            (Measure::LockHeight, 0.0),
        ] {
            assert_eq!(measure.of(&board, &tally), expected, "{measure}");
        }
    }

    #[test]
    fn names_are_those_of_files() {
        for name in Measure::VARIANTS {
            let measure: Measure = name.parse().unwrap();
            assert_eq!(serde_json::to_value(measure).unwrap(), *name);
        }
    }

    #[test]
    fn an_empty_board_accommodates_every_place_but_those_above_a_hole() {
        // Flat: T up, J and L with a flat side down or upright, O, I; no S or Z.
        assert_eq!(
            Measure::Accommodations.of(&Playfield::EMPTY, &Tally::default()),
            8.0 + 2.0 * (8.0 + 9.0) + 9.0 + 17.0
        );
    }

    #[test]
    fn a_hole_makes_what_comes_worse() {
        let (clean, holed) = (drawn(&["####....##", "####....##"]), drawn(&["####....##", "#.##....##"]));
        for measure in [Measure::NextEvaluation, Measure::SimulatedPlay] {
            let [clean, holed] = [clean, holed].map(|board| measure.of(&board, &Tally::default()));
            assert!(clean < holed, "{measure}: {clean} {holed}");
        }
    }

    #[test]
    fn a_piece_that_has_no_room_weighs_more_than_any_board() {
        let full = Measure::NextEvaluation.of(&Playfield::FULL, &Tally::default());
        assert_eq!(full, lookahead::NO_ROOM);
    }
}
