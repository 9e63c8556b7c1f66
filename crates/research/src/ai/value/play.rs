//! `maxout ai value play`: the games of a report.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use ::value::{Format, Report, Start, fnv, report_seeds, tuning_seeds};
use serde::Serialize;

use crate::ai::AiError;
use crate::ai::trial;
use cli::error::Error;
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::output;

use super::games::{Games, SEEDS, Terms, read_seeds};
use super::mind::MindOptions;

/// Play a series of games and print summary statistics, by the built-in weights unless --net or
/// --weights is given.
///
/// The games are the first of those that Python draws with random.seed(0) from range(512, 2**24),
/// dealt as the practice cartridge of the published figures deals its seeds. Every game counts to
/// its end; threads change nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value play --games 2000
  maxout ai value play --ahead 8 --games 500 --tuning
  maxout ai value play --net built-in --ahead 4,2 --games 10
  maxout ai value play --format bt-30hz-18f-cartridge --net l18.net --net l19.net --net l29.net --games 500
  maxout ai value play --net l39.net --from 330 --tuning --games 500
  maxout ai value play --net l29.net --net l39.net --from 230 --until 330 --tuning --games 500
  maxout ai value play --net built-in --ahead 6,2 --narrow 2 --seed 14167559 --history game.csv
  maxout ai value play --games 5001 --out games.jsonl; maxout ai value play --games 5001 --out games.jsonl --resume")]
pub(super) struct Arguments {
    /// Format of the game: bt-TAPS-DELAYf. TAPS: 10hz to 30hz or slow5. DELAY: frames until the
    /// next piece is known; -cartridge after it for a game to 330 lines.
    #[arg(long, value_name = "FORMAT", default_value_t = Format::HEADLINE)]
    format: Format,
    /// Games [default: 2000, or one for each seed that is given].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// Play the seeds of a file, one per line, from 512 to 16777215.
    #[arg(long, value_name = "FILE", conflicts_with = "tuning")]
    seeds: Option<PathBuf>,
    /// Play this seed. Can be repeated.
    #[arg(long, value_name = "N", conflicts_with_all = ["tuning", "seeds"], action = clap::ArgAction::Append,
        value_parser = clap::value_parser!(u32).range(i64::from(SEEDS.start)..i64::from(SEEDS.end)))]
    seed: Vec<u32>,
    #[command(flatten)]
    mind: MindOptions,
    /// Start with this many lines, on an empty board; an even number. Their points do not count.
    #[arg(long, value_name = "LINES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..430))]
    from: u32,
    /// Stop at this many lines, to measure one speed. Decisions count what would come after them.
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u32).range(1..=430))]
    until: Option<u32>,
    /// Play seeds that are in no report, to compare players during development.
    #[arg(long)]
    tuning: bool,
    /// Write a line of JSON for each game, after a line that says what was played.
    #[arg(long, value_name = "OUT.jsonl")]
    out: Option<PathBuf>,
    /// Write every placement: a line for each game, in the columns of BetaTetris' published games,
    /// and an eighth with premoves and next pieces (docs/points.md).
    #[arg(long, value_name = "OUT.csv")]
    history: Option<PathBuf>,
    /// Continue where the file ends.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Threads to play on [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    terms: &'a Terms,
    #[serde(flatten)]
    report: &'a Report,
    /// Share of the games that reached the lines of `--until`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached_until: Option<f64>,
    decisions_per_second: f64,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Arguments { format, from, until, tuning, .. } = *arguments;
    if let Some(until) = until.filter(|&until| until <= from || until > format.lines) {
        return Err(AiError::Until { until, from, most: format.lines }.into());
    }
    let (mind, player) = arguments.mind.mind(&format)?;
    let (seeds, hash) = arguments.seeds()?;
    let terms = Terms { format: format.to_string(), player, from, until, tuning, seeds: hash };
    let pool = trial::threads(arguments.threads)?;
    let files = (arguments.out.as_deref(), arguments.history.as_deref());
    let inputs = [("--seeds", arguments.seeds.as_deref())];
    image_file::check_outputs(&inputs, &[("--out", files.0), ("--history", files.1)])?;
    let mut games = Games::begin(&seeds, &terms, files, arguments.resume)?;
    let interrupt = Interrupt::listen();
    let (begun, before) = (Instant::now(), games.outcomes().len());
    let start = Start { lines: from, until, ..Start::default() };
    games.play(&format, &mind, &start, &pool, &interrupt)?;
    let outcomes = games.outcomes();
    let pieces: u64 = outcomes.iter().skip(before).map(|outcome| u64::from(outcome.pieces)).sum();
    let summary = Summary {
        terms: &terms,
        report: &Report::of(outcomes),
        reached_until: until.map(|until| {
            let there = outcomes.iter().filter(|outcome| outcome.lines >= until).count();
            there as f64 / outcomes.len().max(1) as f64
        }),
        decisions_per_second: pieces as f64 / begun.elapsed().as_secs_f64(),
    };
    output::print(&summary, arguments.json, |out| out.write_all(summary.text().as_bytes()))?;
    Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Games of a report.
const GAMES: u32 = 2_000;
/// Seeds of reports; those after them are for tuning.
const REPORTED: u32 = 10_000;

impl Arguments {
    /// The seeds of the games, and the hash of those that were given.
    fn seeds(&self) -> Result<(Vec<u32>, Option<String>), Error> {
        let given = match &self.seeds {
            Some(path) => read_seeds(path)?,
            None => self.seed.clone(),
        };
        if given.is_empty() {
            let count = self.games.unwrap_or(GAMES);
            if !self.tuning && count > REPORTED {
                return Err(AiError::TooManyGames(count).into());
            }
            let seeds = if self.tuning { tuning_seeds } else { report_seeds };
            return Ok((seeds(count as usize), None));
        }
        let bytes: Vec<u8> = given.iter().flat_map(|seed| seed.to_le_bytes()).collect();
        let count = self.games.map_or(given.len(), |count| count as usize);
        Ok((given.into_iter().take(count).collect(), Some(format!("{:016x}", fnv(&bytes)))))
    }
}

impl Summary<'_> {
    fn text(&self) -> String {
        let Report { games, score, percentiles, lines, reached, score_at, tetris_share, pieces, seeds_hash } =
            self.report;
        let Terms { format, player, from, until, .. } = self.terms;
        let to = until.map_or_else(String::new, |until| format!(" to {until}"));
        let stopped = until.zip(self.reached_until).map_or_else(String::new, |(until, share)| {
            format!("{:<18}{:.2} %\n", format!("to {until}"), 100.0 * share)
        });
        let percent = |shares: &[f64]| {
            let shares: Vec<String> = shares.iter().map(|share| format!("{:.2}", 100.0 * share)).collect();
            shares.join(" / ")
        };
        let percentiles: Vec<String> =
            percentiles.iter().map(|(percent, points)| format!("p{percent} {points}")).collect();
        format!(
            "{format}, {player}, from {from}{to} lines: {games} games, seeds {seeds_hash}\n\
             score             {:.0} ± {:.0} (95 %), sd {:.0}, se {:.0}\n\
             {}\n\
             lines             {:.1}, sd {:.1}\n\
             {stopped}to 130/230/330    {} %\n\
             score there       {:.0} / {:.0} / {:.0}\n\
             tetris lines      {} % at levels 18 / 19 / 29 / 39\n\
             {pieces} pieces, {:.0} decisions a second\n",
            score.mean,
            1.96 * score.se,
            score.sd,
            score.se,
            percentiles.join(", "),
            lines.mean,
            lines.sd,
            percent(reached),
            score_at[0],
            score_at[1],
            score_at[2],
            percent(tetris_share),
            self.decisions_per_second,
        )
    }
}
