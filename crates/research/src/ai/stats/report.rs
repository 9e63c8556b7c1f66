//! The article's figures of a run.

use ::ai::{Evaluator, Filter, PlayStatistics, Searcher};
use serde::Serialize;
use tetris::{HEIGHT, Piece};

use super::fit::{Expected, Line};

/// What a run of the player comes to. A part is missing where the run says nothing about it.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) source: String,
    /// Percent of pieces locked by row of the pivot.
    pub(super) rows: [f64; HEIGHT],
    /// Percent of the row below, by row; `None` above the first lock.
    pub(super) ratios: Vec<Option<f64>>,
    /// The line through log10 of the percentages.
    pub(super) fit: Option<Fit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_clears: Option<FullClears>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) s_and_z: Option<Pathological>,
    /// What was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) counted: Option<PlayStatistics>,
}

#[derive(Serialize)]
pub(super) struct Fit {
    /// Rows of the pivot that the line goes through.
    pub(super) rows: Vec<usize>,
    #[serde(flatten)]
    pub(super) line: Line,
    pub(super) until_game_over: Expected,
}

/// Spawns between two boards without a cell.
#[derive(Serialize)]
pub(super) struct FullClears {
    pub(super) spans: u64,
    pub(super) mean: f64,
    /// Half of the mean's 95 % interval.
    pub(super) mean_error: f64,
    pub(super) longest: u64,
    /// The line through log10 of the percentage of spans that have so many spawns.
    pub(super) fit: Option<Line>,
    /// Percent of the spans that are five spawns long, by that line.
    pub(super) five_by_fit: Option<f64>,
    /// Spans by their spawns, as far as the histogram goes.
    pub(super) histogram: Vec<(u64, u64)>,
}

/// Pieces placed of S and Z in turn until the game is over.
#[derive(Serialize)]
pub(super) struct Pathological {
    pub(super) s_first: u64,
    pub(super) z_first: u64,
}

/// Most bins of the histogram.
const BINS: u64 = 4096;
/// Fewest spans of a bin of the histogram that the line goes through.
const FEWEST: u64 = 20;
/// The longest game of S and Z that could be played (Burgiel 1997).
const LONGEST: u64 = 70_000;

impl Report {
    pub(super) fn of_rows(source: String, rows: [f64; HEIGHT], fitted: (usize, usize)) -> Self {
        let ratios = rows
            .windows(2)
            .map(|pair| (pair[0] > 0.0 && pair[1] > 0.0).then(|| 100.0 * pair[0] / pair[1]))
            .collect();
        let fitted: Vec<usize> = (fitted.0..=fitted.1).filter(|&row| rows[row] > 0.0).collect();
        let points: Vec<_> = fitted.iter().map(|&row| (row as f64, rows[row].log10())).collect();
        let fit = Line::through(&points).map(|line| Fit {
            rows: fitted,
            line,
            until_game_over: Expected::of(&line),
        });
        Self { source, rows, ratios, fit, full_clears: None, s_and_z: None, counted: None }
    }

    pub(super) fn of_play(source: String, counted: PlayStatistics, fitted: (usize, usize)) -> Self {
        let pieces = counted.pieces.max(1) as f64;
        let rows = counted.row_locks.map(|locks| 100.0 * locks as f64 / pieces);
        let mut report = Self::of_rows(source, rows, fitted);
        report.full_clears = FullClears::of(&counted);
        report.counted = Some(counted);
        report
    }

    /// Mean of the article's nine ratios, 6/7 to 14/15, as far as there are any.
    pub(super) fn mean_ratio(&self) -> Option<f64> {
        let ratios: Vec<f64> = self.ratios[6..15].iter().flatten().copied().collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }
}

impl FullClears {
    fn of(counted: &PlayStatistics) -> Option<Self> {
        let mean = counted.mean_span()?;
        let spans = counted.spans as f64;
        let square = |(&spawns, &count): (&u64, &u64)| (spawns as f64 - mean).powi(2) * count as f64;
        let variance = counted.span_counts.iter().map(square).sum::<f64>() / (spans - 1.0).max(1.0);
        let longest = counted.span_counts.keys().next_back().copied().unwrap_or_default();
        // Bins as wide as it takes for most of them to hold enough.
        let width = 5 * (50.0 * mean / (5.0 * spans)).ceil().max(1.0) as u64;
        let mut bins = vec![0u64; (longest / width + 1).min(BINS) as usize];
        for (&spawns, &count) in &counted.span_counts {
            if let Some(bin) = bins.get_mut((spawns.saturating_sub(5) / width) as usize) {
                *bin += count;
            }
        }
        let enough = bins.iter().take_while(|&&count| count >= FEWEST).count();
        // A bin's figure is that of one multiple of five in its middle.
        let points: Vec<_> = (0..enough)
            .map(|bin| {
                let middle = bin as f64 * width as f64 + f64::midpoint(width as f64, 5.0);
                (middle, (100.0 * bins[bin] as f64 / spans / (width as f64 / 5.0)).log10())
            })
            .collect();
        let fit = Line::through(&points);
        Some(Self {
            spans: counted.spans,
            mean,
            mean_error: 1.96 * (variance / spans).sqrt(),
            longest,
            fit,
            five_by_fit: fit.map(|line| 10f64.powf(line.intercept + 5.0 * line.slope)),
            histogram: bins.iter().zip(0..).map(|(&count, bin)| (bin * width + 5, count)).collect(),
        })
    }
}

impl Pathological {
    pub(super) fn played(evaluator: &Evaluator, filter: &Filter) -> Self {
        let until_over = |first, second| {
            let searcher = Searcher::new(evaluator.clone(), filter.clone());
            let pieces = [first, second].into_iter().cycle();
            let mut game = ::ai::Game::new(tetris::Playfield::EMPTY, pieces, 2, searcher);
            while game.statistics().pieces < LONGEST && game.step().is_some() {}
            game.statistics().pieces
        };
        Self { s_first: until_over(Piece::S, Piece::Z), z_first: until_over(Piece::Z, Piece::S) }
    }
}

impl Report {
    pub(super) fn text(&self) -> String {
        let mut lines =
            vec![self.source.clone(), String::new(), "row   % of pieces   % of the row below".to_owned()];
        for (row, percent) in self.rows.iter().enumerate() {
            let ratio = self.ratios.get(row).copied().flatten().map(|ratio| format!("{ratio:8.2}"));
            lines.push(
                format!("{row:>3} {percent:>13.10}   {}", ratio.unwrap_or_default()).trim_end().to_owned(),
            );
        }
        lines.push(String::new());
        if let Some(mean) = self.mean_ratio() {
            lines.push(format!("mean of the ratios 6/7 to 14/15: {mean:.2} %"));
        }
        match &self.fit {
            Some(Fit { rows, line, until_game_over: expected }) => {
                let ends = rows.first().zip(rows.last());
                let rows = ends.map_or(String::new(), |(first, last)| format!("{first}-{last}"));
                lines.push(format!(
                    "rows {rows}, {} of them: log10 % = {:.6} row {:+.6}, R² {:.6}",
                    line.points, line.slope, line.intercept, line.r_squared
                ));
                lines.push(format!(
                    "pieces until game over, by that line: {:.0}, 95 % from {:.4e} to {:.4e}; lines: {:.0}",
                    expected.pieces, expected.low, expected.high, expected.lines
                ));
            }
            None => lines.push("fewer than three of the rows saw a piece: no line to draw".to_owned()),
        }
        if let Some(clears) = &self.full_clears {
            lines.push(format!(
                "spawns between full clears: mean {:.1} ± {:.1} (95 %) of {}, at most {}",
                clears.mean, clears.mean_error, clears.spans, clears.longest
            ));
            if let (Some(fit), Some(five)) = (clears.fit, clears.five_by_fit) {
                lines.push(format!(
                    "a full clear after n spawns: 10^({:.5} {:+.7} n) %, R² {:.4}; after five {five:.3} %",
                    fit.intercept, fit.slope, fit.r_squared
                ));
            }
        }
        if let Some(Pathological { s_first, z_first }) = self.s_and_z {
            lines.push(format!("S and Z in turn: over after {s_first} pieces, Z and S after {z_first}"));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}
