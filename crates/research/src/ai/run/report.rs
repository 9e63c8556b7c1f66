//! What games came to.

use std::fmt::Write;

use serde::Serialize;

use super::Arguments;
use cli::error::Error;
use cli::output;

/// Why a game stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ending {
    /// A limit was reached.
    Limit,
    /// A piece had no room.
    TopOut,
    /// The B-type's lines are cleared.
    Won,
    /// No game began.
    NoGame,
    /// The game has crashed.
    Crashed,
    /// No further piece came.
    Stalled,
}

/// What a game came to.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameResult {
    pub(super) seed: u32,
    pub(super) ending: Ending,
    pub(super) lines: u32,
    pub(super) score: u32,
    pub(super) level: u8,
    pub(super) pieces: u32,
    /// Clears of one to four rows.
    pub(super) clears: [u32; 4],
    /// Points of these clears, beyond 999,999 too, where the score on the screen stops.
    pub(super) points: u64,
    /// Since power-on.
    pub(super) frames: u64,
    pub(super) decisions: u64,
    /// Pieces that were not where they should be.
    pub(super) mispredictions: u64,
    pub(super) mean_decision_ms: f64,
    pub(super) worst_decision_ms: f64,
    pub(super) frames_per_second: f64,
    /// Digest of the console's state.
    pub(super) state: String,
    /// How the game crashed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) crash: Option<String>,
}

/// How numbers are spread.
#[derive(Serialize)]
struct Spread {
    mean: f64,
    sd: f64,
    se: f64,
}

impl Spread {
    fn of(numbers: &[f64]) -> Self {
        let count = numbers.len().max(1) as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        let sd = (squares / (count - 1.0).max(1.0)).sqrt();
        Self { mean, sd, se: sd / count.sqrt() }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    mode: &'a str,
    level: u8,
    guard: bool,
    games: Vec<GameResult>,
    fewest_lines: u32,
    games_over: usize,
    games_crashed: usize,
    /// Points of clears, by game.
    points: Spread,
    mispredictions: u64,
    mean_decision_ms: f64,
    worst_decision_ms: f64,
    games_per_second: f64,
    frames_per_second: f64,
}

/// Prints all of it.
pub(super) fn print(arguments: &Arguments, games: Vec<GameResult>, seconds: f64) -> Result<(), Error> {
    let decisions: u64 = games.iter().map(|game| game.decisions).sum();
    let spent: f64 = games.iter().map(|game| game.mean_decision_ms * game.decisions as f64).sum();
    let points: Vec<f64> = games.iter().map(|game| game.points as f64).collect();
    let report = Report {
        points: Spread::of(&points),
        mispredictions: games.iter().map(|game| game.mispredictions).sum(),
        mode: arguments.mode.name(),
        level: arguments.level,
        guard: arguments.guard,
        fewest_lines: games.iter().map(|game| game.lines).min().unwrap_or(0),
        games_over: games.iter().filter(|game| game.ending == Ending::TopOut).count(),
        games_crashed: games.iter().filter(|game| game.ending == Ending::Crashed).count(),
        mean_decision_ms: spent / decisions.max(1) as f64,
        worst_decision_ms: games.iter().map(|game| game.worst_decision_ms).fold(0.0, f64::max),
        games_per_second: games.len() as f64 / seconds.max(1e-9),
        frames_per_second: games.iter().map(|game| game.frames).sum::<u64>() as f64 / seconds.max(1e-9),
        games,
    };
    output::print(&report, arguments.json, |out| out.write_all(report.text().as_bytes()))
}

impl Report<'_> {
    fn text(&self) -> String {
        let mut text = String::from(
            "  seed   lines  level    score   pieces  tetrises    frames   ms/decision  worst  end\n",
        );
        for game in &self.games {
            let end = match game.ending {
                Ending::Limit => "limit",
                Ending::TopOut => "top",
                Ending::Won => "won",
                Ending::NoGame => "no game began",
                Ending::Crashed => "crashed",
                Ending::Stalled => "no further piece",
            };
            let mispredictions = match game.mispredictions {
                0 => String::new(),
                mispredictions => format!(", {mispredictions} mispredictions"),
            };
            let _ = writeln!(
                text,
                "{:>6} {:>7} {:>6} {:>8} {:>8} {:>9} {:>9} {:>13.3} {:>6.3}  {end}{mispredictions}",
                game.seed,
                game.lines,
                game.level,
                game.score,
                game.pieces,
                game.clears[3],
                game.frames,
                game.mean_decision_ms,
                game.worst_decision_ms,
            );
        }
        let _ = writeln!(
            text,
            "\n{} mode: {:.3} ms a decision, {:.3} at worst; {:.0} frames/s, {:.2} games/s",
            self.mode,
            self.mean_decision_ms,
            self.worst_decision_ms,
            self.frames_per_second,
            self.games_per_second
        );
        let Spread { mean, sd, se } = &self.points;
        let _ = writeln!(
            text,
            "points of clears: mean {mean:.0}, sd {sd:.0}, se {se:.0} of {} games; {} mispredictions",
            self.games.len(),
            self.mispredictions
        );
        text
    }
}
