//! The result of a game.

use std::fmt::Write as _;
use std::path::PathBuf;

use nes::Console;
use practice::{Log, Session, Statistics};
use serde::Serialize;

/// The result of a game.
#[derive(Serialize)]
pub struct Outcomes {
    mode: String,
    options: String,
    cartridge: String,
    /// What decides the game; none of a movie's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// How it ended, in a word.
    pub outcome: &'static str,
    frames: u64,
    level: u8,
    /// The score at the end.
    pub score: u32,
    hits: u32,
    misses: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crash_frame: Option<u64>,
    /// The last spawn, to go on from.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    statistics: Statistics,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The file that it was kept in.
    pub kept: Option<PathBuf>,
}

impl Outcomes {
    /// Returns the result of the game that a console and a session have played.
    pub fn of(console: &Console, session: &Session, log: &Log) -> Self {
        let [hits, misses] = session.hits();
        Self {
            mode: session.mode().to_string(),
            options: session.options().to_string(),
            cartridge: session.profile().name.clone(),
            outcome: session.outcome().into(),
            frames: console.frame_number(),
            level: session.level(),
            score: session.score(),
            hits,
            misses,
            pace: session.pace(),
            crash_frame: session.crash_frame(),
            position: log.pieces.last().map(|played| played.position().to_string()),
            statistics: Statistics::of(log),
            state: format!("{:016x}", console.state_hash()),
            kept: None,
            seed: None,
        }
    }

    /// Returns it as text, a line a figure.
    pub fn text(&self) -> String {
        let percent = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
        let statistics = &self.statistics;
        let mut text = format!(
            "mode       {}\noptions    {}\ncartridge  {}\noutcome    {}\nframes     {}\nlevel      {}\nlines      {}\n\
             score      {}\npieces     {}\ntetrises   {} % of the lines\nEFF        {}\ndroughts   {} (longest {})\n\
             DAS        {} at the spawn, lost with {} pieces\n",
            self.mode,
            if self.options.is_empty() { "-" } else { &self.options },
            self.cartridge,
            self.outcome,
            self.frames,
            self.level,
            statistics.lines,
            self.score,
            statistics.pieces,
            percent(statistics.tetris_rate),
            percent(statistics.efficiency),
            statistics.droughts,
            statistics.longest_drought,
            percent(statistics.das_mean),
            statistics.das_losses,
        );
        if self.hits + self.misses > 0 {
            let _ = writeln!(text, "hits       {} of {}", self.hits, self.hits + self.misses);
        }
        if let Some(pace) = self.pace {
            let _ = writeln!(text, "pace       {pace:+}");
        }
        if let Some(position) = &self.position {
            let _ = writeln!(text, "position   {position}");
        }
        if let Some(seed) = self.seed {
            let _ = writeln!(text, "seed       {seed}");
        }
        let _ = writeln!(text, "state      {}", self.state);
        if let Some(path) = &self.kept {
            let _ = writeln!(text, "kept       {}", path.display());
        }
        text
    }
}
