//! `maxout ai value play`: the games of a report.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ::value::{Board, Format, Mind, Outcome, Player, Report, Start, deal, report_seeds, tuning_seeds};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ai::AiError;
use crate::ai::trial;
use crate::error::{Error, writing};
use crate::image_file;
use crate::interrupt::Interrupt;
use crate::output;
use crate::progress::Progress;

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
  maxout ai value play --net crates/value/nets --ahead 4,2 --games 10
  maxout ai value play --format bt-30hz-18f-cartridge --net l18.net --net l19.net --net l29.net --games 500
  maxout ai value play --net l39.net --from 330 --tuning --games 500
  maxout ai value play --games 5001 --out games.jsonl; maxout ai value play --games 5001 --out games.jsonl --resume")]
pub(super) struct Arguments {
    /// The terms: bt-TAPS-DELAYf, with taps 10hz to 30hz or slow5 and the frames before the next
    /// piece is known; -cartridge after it for a game to 330 lines.
    #[arg(long, value_name = "FORMAT", default_value_t = Format::HEADLINE)]
    format: Format,
    /// Games.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    #[command(flatten)]
    mind: MindOptions,
    /// Lines to begin with, on an empty board; an even number. Their points do not count.
    #[arg(long, value_name = "LINES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..430))]
    from: u32,
    /// Play seeds that no report has, to compare players along the way.
    #[arg(long)]
    tuning: bool,
    /// Write a line of JSON for each game, after a line that says what was played.
    #[arg(long, value_name = "OUT.jsonl")]
    out: Option<PathBuf>,
    /// Go on where that file ends.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Threads to play on [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What was played: the first line of a file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Terms {
    format: String,
    player: String,
    from: u32,
    tuning: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    terms: &'a Terms,
    #[serde(flatten)]
    report: &'a Report,
    decisions_per_second: f64,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Arguments { format, from, tuning, .. } = *arguments;
    let (mind, player) = arguments.mind.mind(&format)?;
    let terms = Terms { format: format.to_string(), player, from, tuning };
    let mut games = Games::begin(arguments, &terms)?;
    let pool = trial::threads(arguments.threads)?;
    let count = arguments.games as usize;
    let seeds = if tuning { tuning_seeds(count) } else { report_seeds(count) };
    let interrupt = Interrupt::listen();
    let progress = Progress::new(seeds.len() as u64, "games");
    progress.reach(games.done.len().min(seeds.len()) as u64);
    let (begun, before) = (Instant::now(), games.done.len());
    while games.done.len() < seeds.len() && !interrupt.asked() {
        let rest = &seeds[games.done.len()..];
        let part = &rest[..rest.len().min(8 * pool.current_num_threads())];
        let played = pool.install(|| part.par_iter().map(|&seed| one(&format, &mind, from, seed)).collect());
        games.add(played)?;
        progress.reach(games.done.len() as u64);
    }
    progress.finish();
    let outcomes = &games.done[..games.done.len().min(seeds.len())];
    let pieces: u64 = outcomes.iter().skip(before).map(|outcome| u64::from(outcome.pieces)).sum();
    let summary = Summary {
        terms: &terms,
        report: &Report::of(outcomes),
        decisions_per_second: pieces as f64 / begun.elapsed().as_secs_f64(),
    };
    output::print(&summary, arguments.json, |out| out.write_all(summary.text().as_bytes()))?;
    Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn one(format: &Format, mind: &Mind, from: u32, seed: u32) -> Outcome {
    let start = Start { board: Board::EMPTY, lines: from };
    Player::new(format, mind.clone()).play(&start, seed, deal(seed))
}

/// Games in the order of their seeds, and the file that they go to.
struct Games<'a> {
    done: Vec<Outcome>,
    path: Option<&'a Path>,
}

impl<'a> Games<'a> {
    fn begin(arguments: &'a Arguments, terms: &Terms) -> Result<Self, Error> {
        let Some(path) = arguments.out.as_deref() else { return Ok(Self { done: Vec::new(), path: None }) };
        if path.exists() && !arguments.resume {
            return Err(AiError::CheckpointThere(path.into()).into());
        }
        if !path.exists() {
            let line = serde_json::to_string(terms)
                .map_err(|source| AiError::Games { path: path.into(), source })?;
            append(path, &format!("{line}\n"))?;
            return Ok(Self { done: Vec::new(), path: Some(path) });
        }
        let bytes = image_file::read(path)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| AiError::NoText { path: path.into() })?;
        let refused = |source| AiError::Games { path: path.into(), source };
        let mut lines = text.split_inclusive('\n');
        let first: Terms = serde_json::from_str(lines.next().unwrap_or_default()).map_err(refused)?;
        if first != *terms {
            return Err(AiError::OtherTerms { path: path.into() }.into());
        }
        // A line that was cut short when the program was is left out, there and in the file.
        let whole: Vec<&str> = lines.take_while(|line| line.ends_with('\n')).collect();
        let done: Vec<Outcome> =
            whole.iter().map(|line| serde_json::from_str(line).map_err(refused)).collect::<Result<_, _>>()?;
        let head = text.split_inclusive('\n').take(1 + whole.len()).collect::<String>();
        if head.len() < text.len() {
            draft::Draft::write_file(path, head.as_bytes())?;
        }
        Ok(Self { done, path: Some(path) })
    }

    fn add(&mut self, played: Vec<Outcome>) -> Result<(), Error> {
        if let Some(path) = self.path {
            let mut text = String::new();
            for outcome in &played {
                text += &serde_json::to_string(outcome)
                    .map_err(|source| AiError::Games { path: path.into(), source })?;
                text.push('\n');
            }
            append(path, &text)?;
        }
        self.done.extend(played);
        Ok(())
    }
}

fn append(path: &Path, text: &str) -> Result<(), Error> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| writing(path, error))
}

impl Summary<'_> {
    fn text(&self) -> String {
        let Report { games, score, percentiles, lines, reached, score_at, tetris_share, pieces, seeds_hash } =
            self.report;
        let Terms { format, player, from, .. } = self.terms;
        let percent = |shares: &[f64]| {
            let shares: Vec<String> = shares.iter().map(|share| format!("{:.2}", 100.0 * share)).collect();
            shares.join(" / ")
        };
        let percentiles: Vec<String> =
            percentiles.iter().map(|(percent, points)| format!("p{percent} {points}")).collect();
        format!(
            "{format}, {player}, from {from} lines: {games} games, seeds {seeds_hash}\n\
             score             {:.0} ± {:.0} (95 %), sd {:.0}, se {:.0}\n\
             {}\n\
             lines             {:.1}, sd {:.1}\n\
             to 130/230/330    {} %\n\
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
