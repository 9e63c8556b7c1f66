//! Summary statistics of a series of games.

use serde::{Deserialize, Serialize};

use crate::play::PointsGame;

/// A mean and how sure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Standard deviation of one value.
    pub sd: f64,
    /// Standard error of the mean; the 95 % interval is the mean and 1.96 of these to either side.
    pub se: f64,
}

impl Mean {
    /// Of some values. Without any it is all zeros.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (count, sum) = values.clone().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
        if count == 0.0 {
            return Self::default();
        }
        let mean = sum / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        let sd = if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Self { mean, sd, se: sd / count.sqrt() }
    }
}

/// The percentiles of a report.
pub const PERCENTILES: [u8; 9] = [1, 5, 10, 30, 50, 70, 90, 95, 99];

/// Games summed up, every one counted to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Games.
    pub games: usize,
    /// Points.
    pub score: Mean,
    /// Points that so many percent of the games do not exceed: [`PERCENTILES`].
    pub percentiles: [(u8, u32); PERCENTILES.len()],
    /// Lines.
    pub lines: Mean,
    /// Share of the games that reached 130, 230 and 330 lines.
    pub reached: [f64; 3],
    /// Mean points at 130, 230 and 330 lines; a game that ended before counts with its points.
    pub score_at: [f64; 3],
    /// Share of the lines at levels 18, 19, 29 and 39 that went by tetrises.
    pub tetris_share: [f64; 4],
    /// Pieces of all games.
    pub pieces: u64,
    /// A hash of the seeds in the order of the games: FNV-1a of 64 bits over their numbers, four
    /// bytes each, low first.
    pub seeds_hash: String,
}

impl Report {
    /// Sums up games.
    pub fn of(outcomes: &[PointsGame]) -> Self {
        let count = outcomes.len().max(1) as f64;
        let mut scores: Vec<u32> = outcomes.iter().map(|outcome| outcome.score).collect();
        scores.sort_unstable();
        let percentile = |percent: u8| {
            let rank = (scores.len() * usize::from(percent)).div_ceil(100).max(1) - 1;
            (percent, scores.get(rank).copied().unwrap_or(0))
        };
        let share = |slot: usize| {
            let sum = |of: fn(&PointsGame) -> &[u32; 4]| -> f64 {
                outcomes.iter().map(|outcome| f64::from(of(outcome)[slot])).sum()
            };
            sum(|outcome| &outcome.tetris_lines_at) / sum(|outcome| &outcome.lines_at).max(1.0)
        };
        let bytes: Vec<u8> = outcomes.iter().flat_map(|outcome| outcome.seed.to_le_bytes()).collect();
        Self {
            games: outcomes.len(),
            score: Mean::of(outcomes.iter().map(|outcome| outcome.score.into())),
            percentiles: PERCENTILES.map(percentile),
            lines: Mean::of(outcomes.iter().map(|outcome| outcome.lines.into())),
            reached: [130, 230, 330]
                .map(|lines| outcomes.iter().filter(|outcome| outcome.lines >= lines).count() as f64 / count),
            score_at: std::array::from_fn(|slot| {
                outcomes.iter().map(|outcome| f64::from(outcome.at[slot])).sum::<f64>() / count
            }),
            tetris_share: std::array::from_fn(share),
            pieces: outcomes.iter().map(|outcome| u64::from(outcome.pieces)).sum(),
            seeds_hash: format!("{:016x}", fnv(&bytes)),
        }
    }
}

/// FNV-1a of 64 bits.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_every_game() {
        let outcomes: Vec<PointsGame> = (1..=4u32)
            .map(|seed| PointsGame {
                seed,
                score: 100 * seed,
                lines: 100 * seed,
                at: [seed; 3],
                ..PointsGame::default()
            })
            .collect();
        let report = Report::of(&outcomes);
        assert!((report.score.mean - 250.0).abs() < 1e-9 && (report.score.sd - 129.099_444_87).abs() < 1e-6);
        assert!((report.score.se * 2.0 - report.score.sd).abs() < 1e-9);
        assert!(
            report.reached.iter().zip([0.75, 0.5, 0.25]).all(|(found, wanted)| (found - wanted).abs() < 1e-9)
        );
        assert_eq!(report.percentiles[4], (50, 200));
        assert_eq!(report.percentiles[8], (99, 400));
    }

    #[test]
    fn every_figure_of_a_report_is_that_of_its_games() {
        let outcomes = [
            PointsGame {
                seed: 0x0102_0304,
                score: 5_000,
                lines: 130,
                pieces: 300,
                at: [4_000, 5_000, 5_000],
                lines_at: [130, 0, 0, 0],
                tetris_lines_at: [100, 0, 0, 0],
            },
            PointsGame {
                seed: 7,
                score: 9_000,
                lines: 330,
                pieces: 900,
                at: [3_000, 6_000, 9_000],
                lines_at: [131, 100, 99, 0],
                tetris_lines_at: [4, 96, 44, 0],
            },
            PointsGame {
                seed: 9,
                score: 7_000,
                lines: 230,
                pieces: 600,
                at: [2_000, 7_000, 7_000],
                lines_at: [130, 100, 0, 0],
                tetris_lines_at: [0, 0, 0, 0],
            },
        ];
        let report = Report::of(&outcomes);
        let close = |found: &[f64], wanted: &[f64]| {
            assert!(
                found.len() == wanted.len()
                    && found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9),
                "{found:?}, expected {wanted:?}"
            );
        };
        assert_eq!((report.games, report.pieces), (3, 1_800));
        close(&[report.score.mean, report.lines.mean], &[7_000.0, 230.0]);
        close(&[report.lines.sd, report.lines.se], &[100.0, 100.0 / 3f64.sqrt()]);
        // A game that ends with the line reaches it.
        close(&report.reached, &[1.0, 2.0 / 3.0, 1.0 / 3.0]);
        close(&report.score_at, &[3_000.0, 6_000.0, 7_000.0]);
        close(&report.tetris_share, &[104.0 / 391.0, 96.0 / 200.0, 44.0 / 99.0, 0.0]);
        assert_eq!(report.seeds_hash, format!("{:016x}", fnv(&[4, 3, 2, 1, 7, 0, 0, 0, 9, 0, 0, 0])));
        assert_eq!(report.percentiles[0], (1, 5_000));
        // The least value that at least so many percent do not exceed.
        let hundred: Vec<PointsGame> =
            (1..=100).rev().map(|score| PointsGame { score, ..PointsGame::default() }).collect();
        let percentiles = Report::of(&hundred).percentiles;
        assert_eq!(percentiles, PERCENTILES.map(|percent| (percent, percent.into())));
        let none = Report::of(&[]);
        assert_eq!((none.games, none.percentiles[4], none.score), (0, (50, 0), Mean::default()));
        let one = Mean::of(std::iter::once(3.0));
        close(&[one.mean, one.sd, one.se], &[3.0, 0.0, 0.0]);
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // Test vectors of the hash's authors.
        assert_eq!((fnv(b""), fnv(b"a")), (0xCBF2_9CE4_8422_2325, 0xAF63_DC4C_8601_EC8C));
    }
}
