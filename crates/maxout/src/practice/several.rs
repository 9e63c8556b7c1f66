//! A report over several games.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use nes::Region;
use practice::{Holes, Log, Standing, Statistics, TapTable, pace_target, taps};
use serde::Serialize;
use tetris::Piece;
use tetris::scoring::Clears;

use super::page::Page;
use super::report::{holes_text, show_holes};
use super::taps::{self as tapping, TapLine};
use cli::error::Error;
use cli::game::Known;
use cli::interrupt::Interrupt;
use cli::written::{self, Written};

/// The figures of one of several games.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    file: PathBuf,
    /// Seconds since 1970.
    begun: u64,
    mode: String,
    cartridge: String,
    outcome: &'static str,
    /// Who played it, and from where.
    #[serde(flatten)]
    standing: Standing,
    /// Whether it counts in the figures over all games.
    counted: bool,
    start_level: u8,
    level: u8,
    score: u32,
    /// Hundred thousands at 230 lines for which the score was on pace in the end, or at 230 lines.
    pace: Option<f64>,
    hertz: Option<f64>,
    /// Pieces with which the charge was lost, in per cent.
    das_loss: Option<f64>,
    #[serde(flatten)]
    statistics: Statistics,
}

/// Several games.
#[derive(Serialize)]
pub(super) struct Several {
    games: Vec<Row>,
    over: Over,
    /// Files that could not be played again, and why.
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct LeftOut {
    file: PathBuf,
    reason: String,
}

/// All of them together.
#[derive(Default, Serialize)]
struct Over {
    /// Games that count: the player's own, from their start.
    counted: usize,
    pieces: u32,
    lines: u32,
    best: u32,
    mean_score: Option<f64>,
    tetris_rate: Option<f64>,
    efficiency: Option<f64>,
    /// Cells that locks have covered, row by row from the top.
    cells: [[u32; 10]; 20],
    /// Columns in which the pieces T J Z O S L I have locked, by their leftmost cell.
    columns: [[u32; 10]; 7],
    /// Cells that were taken when a piece came in.
    taken: [[u32; 10]; 20],
    /// Mean height of the stack by lines cleared, ten by ten.
    heights: Vec<f64>,
    holes: Holes,
    /// Taps needed and made, by level and column.
    made: Vec<TapLine>,
    #[serde(skip)]
    taps: TapTable,
    /// The first game's.
    #[serde(skip)]
    region: Region,
}

impl Several {
    /// Plays all of them again, on all processors.
    pub(super) fn play(files: &[PathBuf], cartridges: &[Known]) -> Result<Self, Error> {
        let interrupt = Interrupt::listen();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let played = written::read(file, cartridges, &interrupt)
                    .map(|played| (Row::of(file.clone(), &played), played.log));
                done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((file.clone(), played));
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(files.len()) {
                scope.spawn(work);
            }
        });
        let mut played = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if played.iter().any(|(_, played)| matches!(played, Err(Error::Interrupted))) {
            return Err(Error::Interrupted);
        }
        let begun = |played: &Result<(Row, Log), Error>| played.as_ref().map_or(0, |(row, _)| row.begun);
        played.sort_by(|(one, first), (other, second)| (begun(first), one).cmp(&(begun(second), other)));
        let (mut games, mut logs, mut left_out) = (vec![], vec![], vec![]);
        for (file, played) in played {
            match played {
                Ok((row, log)) => {
                    games.push(row);
                    logs.push(log);
                }
                Err(error) => left_out.push(LeftOut { file, reason: error.to_string() }),
            }
        }
        let over = Over::of(&games, &logs);
        Ok(Self { games, over, left_out })
    }

    pub(super) fn warn(&self) {
        for LeftOut { reason, .. } in &self.left_out {
            tty::tell!("warning: left out: {reason}");
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.over.text(self.games.len()));
        let _ = writeln!(
            text,
            "{:<14} {:>6} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6}  file",
            "mode", "level", "score", "lines", "TRT", "EFF", "burns", "DAS-", "TRNS", "pace"
        );
        for row in &self.games {
            let cells = row.cells();
            let _ = writeln!(
                text,
                "{:<14} {:>6} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6}  {}",
                cells[1],
                cells[2],
                cells[3],
                cells[4],
                cells[5],
                cells[6],
                cells[7],
                cells[9],
                cells[10],
                cells[11],
                row.standing.note().map_or_else(
                    || row.file.display().to_string(),
                    |note| format!("{} ({note})", row.file.display())
                )
            );
        }
        text
    }

    /// One page without anything outside of it.
    pub(super) fn page(&self) -> String {
        let games = self.games.len();
        let mut page = Page::new(&format!("{games} games"), &self.over.text(games));
        let names: Vec<String> = self
            .games
            .iter()
            .enumerate()
            .map(|(number, row)| {
                let note = row.standing.note().map_or_else(String::new, |note| format!(", {note}"));
                format!("game {}, {}{note}", number + 1, row.mode)
            })
            .collect();
        let apart: Vec<usize> = (0..games).filter(|&number| !self.games[number].counted).collect();
        if !apart.is_empty() {
            page.line("<p>Games that do not count (the computer's, from a position, begun with a score or recorded from the middle) are grey rings beside the line.</p>");
        }
        let mut chart = |title: &str, value: &dyn Fn(&Row) -> Option<f64>| {
            let values: Vec<_> = names.iter().cloned().zip(self.games.iter().map(value)).collect();
            page.chart_beside(title, &values, &apart);
        };
        let count = |count: u32| Some(f64::from(count));
        chart("Score", &|row| count(row.score));
        chart("EFF: points a line without the level", &|row| row.statistics.efficiency);
        chart("TRT: lines by tetrises, in per cent", &|row| row.statistics.tetris_rate);
        chart("Burns: lines other than by tetrises", &|row| count(row.statistics.burns));
        chart("Droughts: 13 pieces and more without an I", &|row| count(row.statistics.droughts));
        chart("Longest drought", &|row| count(row.statistics.longest_drought));
        chart("DAS loss: pieces without charge, in per cent", &|row| row.das_loss);
        chart("Transition score", &|row| row.statistics.transition.map(f64::from));
        chart("Pace: hundred thousands at 230 lines", &|row| row.pace);
        chart("Taps a second", &|row| row.hertz);
        let heights = self.over.heights.iter().enumerate();
        let heights: Vec<_> =
            heights.map(|(ten, &height)| (format!("from {} lines on", 10 * ten), Some(height))).collect();
        page.chart("Mean height of the stack, by lines cleared", &heights);
        page.line("<h2>Over all games</h2><div class=\"maps\">");
        page.heat("Cells covered by locks", &self.over.cells);
        page.heat("Cells taken before a piece", &self.over.taken);
        page.heat("Leftmost columns of T J Z O S L I", &self.over.columns);
        page.line("</div>");
        show_holes(&mut page, &self.over.holes);
        tapping::show(&mut page, &self.over.taps, self.over.region, 0);
        page.line("<h2>Games</h2>");
        let head = [
            "game",
            "mode",
            "level",
            "score",
            "lines",
            "TRT",
            "EFF",
            "burns",
            "droughts",
            "DAS loss %",
            "TRNS",
            "pace",
            "Hz",
            "outcome",
            "file",
        ];
        let rows = self.games.iter().enumerate().map(|(number, row)| {
            let mut cells = row.cells();
            cells[0] = (number + 1).to_string();
            cells.push(row.file.display().to_string());
            cells
        });
        page.table(&head, rows);
        if !self.left_out.is_empty() {
            page.line("<h2>Left out</h2>");
            let rows = self
                .left_out
                .iter()
                .map(|LeftOut { file, reason }| vec![file.display().to_string(), reason.clone()]);
            page.table(&["file", "why"], rows);
        }
        page.finish()
    }
}

impl Row {
    fn of(file: PathBuf, played: &Written) -> Self {
        let log = &played.log;
        let header = played.kept.as_ref().map(|kept| &kept.game.header);
        let statistics = Statistics::of(log);
        let bursts = taps(log);
        let hertz = bursts.iter().map(|burst| burst.hertz).sum::<f64>() / bursts.len() as f64;
        let share = f64::from(statistics.das_losses) / log.pieces.len() as f64;
        Self {
            file,
            begun: header.map_or(0, |header| header.begun),
            mode: header.map_or_else(|| "recording".to_owned(), |header| header.mode.to_string()),
            cartridge: header.map_or_else(|| "-".to_owned(), |header| header.cartridge.clone()),
            outcome: played.kept.as_ref().map_or("-", |kept| kept.outcomes.outcome),
            standing: played.standing,
            counted: played.standing.counts(),
            start_level: log.start_level,
            level: log.last.0,
            score: played.kept.as_ref().map_or(log.last.2, |kept| kept.outcomes.score),
            pace: pace(log),
            hertz: (!bursts.is_empty()).then_some(hertz),
            das_loss: (played.has_buttons() && !log.pieces.is_empty()).then_some(100.0 * share),
            statistics,
        }
    }

    /// What a table says of it; the first cell is empty.
    fn cells(&self) -> Vec<String> {
        let known = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
        let statistics = &self.statistics;
        vec![
            String::new(),
            self.mode.clone(),
            format!("{}-{}", self.start_level, self.level),
            self.score.to_string(),
            statistics.lines.to_string(),
            known(statistics.tetris_rate),
            known(statistics.efficiency),
            statistics.burns.to_string(),
            statistics.droughts.to_string(),
            known(self.das_loss),
            statistics.transition.map_or_else(|| "-".to_owned(), |score| score.to_string()),
            known(self.pace),
            known(self.hertz),
            self.standing
                .note()
                .map_or_else(|| self.outcome.to_owned(), |note| format!("{}, {note}", self.outcome)),
        ]
    }
}

impl Over {
    /// Of the games that count.
    fn of(games: &[Row], logs: &[Log]) -> Self {
        let (games, logs): (Vec<&Row>, Vec<&Log>) =
            games.iter().zip(logs).filter(|(row, _)| row.counted).unzip();
        let mut over = Self { counted: games.len(), ..Self::default() };
        let mut clears = [0; 4];
        for Row { score, statistics, .. } in &games {
            over.pieces += statistics.pieces;
            over.best = over.best.max(*score);
            clears.iter_mut().zip(statistics.clears).for_each(|(sum, count)| *sum += count);
        }
        let clears = Clears::of(clears);
        over.lines = clears.lines();
        (over.tetris_rate, over.efficiency) = (clears.tetris_rate(), clears.efficiency());
        let scores = games.iter().map(|row| f64::from(row.score)).sum::<f64>();
        over.mean_score = (!games.is_empty()).then(|| scores / games.len() as f64);
        let mut heights: Vec<(u32, u32)> = vec![];
        for piece in logs.iter().flat_map(|log| &log.pieces) {
            let ten = piece.lines.min(9_999) as usize / 10;
            heights.resize(heights.len().max(ten + 1), (0, 0));
            let height = piece.rows.iter().position(|&row| row != 0).map_or(0, |row| 20 - row as u32);
            heights[ten] = (heights[ten].0 + height, heights[ten].1 + 1);
            for (row, taken) in piece.rows.iter().zip(&mut over.taken) {
                (0..10).for_each(|column| taken[column] += u32::from(row >> column & 1));
            }
            over.lock(piece.piece, super::report::cells(piece));
        }
        over.region = logs.first().map_or(Region::Ntsc, |log| log.region());
        for log in logs {
            over.taps.add(&TapTable::of(log));
            over.holes.add(&Holes::of(log));
        }
        over.made = TapLine::of(&over.taps);
        let means = heights.iter().map(|&(sum, count)| f64::from(sum) / f64::from(count.max(1)));
        over.heights = means.collect();
        over
    }

    fn lock(&mut self, piece: Piece, cells: impl Iterator<Item = (usize, usize)>) {
        let mut left = None;
        for (x, y) in cells {
            self.cells[y][x] += 1;
            left = Some(left.map_or(x, |left: usize| left.min(x)));
        }
        if let Some(left) = left {
            self.columns[piece as usize][left] += 1;
        }
    }

    fn text(&self, games: usize) -> String {
        let known = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
        format!(
            "games   {games}, {} of them counted: the player's own, from their start\npieces  {}\nlines   {}\nbest    {}\nmean    {}\nTRT     {} %\nEFF     {}\nholes   {}",
            self.counted,
            self.pieces,
            self.lines,
            self.best,
            known(self.mean_score),
            known(self.tetris_rate),
            known(self.efficiency),
            holes_text(&self.holes)
        )
    }
}

/// Hundred thousands at 230 lines for which a score was on pace: at the last piece up to there.
/// `None` before the first line; below a hundred thousand and above 1.5 million it goes on in a
/// straight line.
fn pace(log: &Log) -> Option<f64> {
    let last = (log.last.1, log.last.2);
    let mut moments = log.pieces.iter().map(|piece| (piece.lines, piece.score)).chain([last]);
    let (lines, score) = moments.rfind(|(lines, _)| (1..=230).contains(lines))?;
    let target = |number| pace_target(number, lines).map(f64::from);
    let score = f64::from(score);
    let above = (2..15).find(|&number| target(number).is_some_and(|target| target >= score)).unwrap_or(15);
    let (low, high) = (target(above - 1)?, target(above)?);
    Some(f64::from(above) - (high - score) / (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_on_pace_for_a_million_is_on_pace_for_ten() {
        let log = |lines, score| {
            let mut log = Log::default();
            log.last = (18, lines, score);
            log
        };
        for number in 1..=15 {
            let target = pace_target(number, 130).unwrap();
            let found = pace(&log(130, target)).unwrap();
            assert!((found - f64::from(number)).abs() < 1e-9, "{found} of {number}");
        }
        assert_eq!(pace(&log(0, 0)), None);
        assert!(pace(&log(130, 900_000)).unwrap() > 15.0);
    }
}
