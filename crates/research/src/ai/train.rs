//! `maxout ai train`: weights found by playing.

mod elsewhere;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::ai::Weights;
use cli::unexpected::Unexpected;
use draft::Draft;
use serde::{Deserialize, Serialize};
use training::{Method, Objective, Trainer, Trial, Vector};

use super::trial::{self, TrialOptions};
use super::{AiError, lock};
use cli::error::Error;
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::output;

/// Train weights of the article's six factors, from random ones, by playing.
///
/// Candidates play the same games on the model; a generation's fitness moves the next one's
/// candidates. Everything follows from the seed: not the threads, and not a stop and a --resume,
/// change a bit of it.
#[derive(clap::Args)]
#[command(after_help = "\
The weights that it prints are for `maxout ai play --evaluator`, as --out writes them. Ctrl-C stops after the generation
at hand, and the checkpoint is complete then, as it is after every generation.

Examples:
  maxout ai train --minutes 5 --seed 1 --verify
  maxout ai train --method pso --minutes 60 --checkpoint swarm.json --report swarm.html --out weights.toml
  maxout ai train --minutes 60 --checkpoint swarm.json --resume
  maxout ai train --generations 40 --rate-with 'parallel --pipe -N 4 -k maxout ai fitness --threads 1'")]
pub(crate) struct Arguments {
    /// How candidates are chosen: cma-es, or pso, the article's particle swarm.
    #[arg(long, value_name = "METHOD", default_value = "cma-es", conflicts_with = "resume")]
    method: Method,
    #[command(flatten)]
    trial: TrialOptions,
    /// Candidates a generation [default: cma-es 16, pso 24].
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    candidates: Option<u32>,
    /// From which the first candidates, every step and the pieces of all games follow.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "resume")]
    seed: u64,
    /// Stop after so many generations in all, those before a --resume included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,
    /// Stop with the generation in which so many minutes are over
    /// [default: 5, where --generations is not given].
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<f64>,
    /// Write everything there, after every generation.
    #[arg(long, value_name = "FILE.json")]
    checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint, with its settings.
    #[arg(long, requires = "checkpoint", conflicts_with = "TrialOptions")]
    resume: bool,
    /// Threads to play on [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Have this command of the shell rate candidates: it reads and writes lines as
    /// `maxout ai fitness` does, which needs no options there, because every line brings them.
    #[arg(long, value_name = "COMMAND")]
    rate_with: Option<String>,
    /// End that command, and the training, when it has not rated a generation within so many
    /// minutes.
    #[arg(long, value_name = "M", requires = "rate_with", default_value_t = 60.0, value_parser = minutes)]
    rate_within: f64,
    /// Draw how it went: fitness and weights by generation.
    #[arg(long, value_name = "OUT.html|OUT.svg")]
    report: Option<PathBuf>,
    /// Write the weights found, for `maxout ai play --evaluator`.
    #[arg(long, value_name = "OUT.toml")]
    out: Option<PathBuf>,
    /// In the end play five games of 100,000 pieces with the weights found; exit status 1 unless
    /// all are survived.
    #[arg(long)]
    verify: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn minutes(text: &str) -> Result<f64, Unexpected> {
    let minutes: f64 = text.parse().map_err(|_| Unexpected::new("minutes, as 5 or 0.5"))?;
    let is_possible = (0.0..=1e6).contains(&minutes);
    is_possible.then_some(minutes).ok_or(Unexpected::new("0 to 1,000,000 minutes"))
}

/// A file that holds a trainer.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint<T> {
    /// Version of the form.
    maxout_training: u32,
    trainer: T,
}

const VERSION: u32 = 1;

#[derive(Serialize)]
struct Found<'a> {
    method: Method,
    trial: &'a Trial,
    seed: u64,
    generations: u64,
    seconds: f64,
    weights: Weights,
    best: f64,
    mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
}

/// Games of many pieces with the weights found.
#[derive(Serialize)]
struct Verified {
    pieces: u64,
    placed: Vec<f64>,
}

const VERIFY_GAMES: u32 = 5;
const VERIFY_PIECES: u64 = 100_000;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if let Some(path) = &arguments.report {
        report::check_name(path)?;
    }
    let _lock = arguments.checkpoint.as_deref().map(lock).transpose()?;
    let mut trainer = begin(arguments)?;
    let pool = trial::threads(arguments.threads)?;
    let interrupt = Interrupt::listen();
    let begun = Instant::now();
    train(arguments, &mut trainer, &pool, &interrupt)?;
    let seconds = begun.elapsed().as_secs_f64();
    let Some((last, champion)) = trainer.history().last().zip(trainer.champion()) else {
        // Ctrl-C came before the first generation: there is nothing to tell.
        return Err(Error::Interrupted);
    };
    if let Some(path) = &arguments.report {
        report::write(path, &trainer)?;
    }
    let weights = trial::weights(&trial::scaled(&champion));
    if let Some(path) = &arguments.out {
        Draft::write_file(path, trial::weights_file(&weights).as_bytes())?;
    }
    let verified = (arguments.verify && !interrupt.asked()).then(|| verify(&pool, &weights.into(), &trainer));
    let found = Found {
        method: trainer.method(),
        trial: &trainer.trial(),
        seed: trainer.seed(),
        generations: trainer.generation(),
        seconds,
        weights,
        best: last.best,
        mean: last.mean,
        verified,
    };
    output::print(&found, arguments.json, |out| out.write_all(found.text().as_bytes()))?;
    let survived = found
        .verified
        .is_none_or(|verified| verified.placed.iter().all(|&placed| placed >= verified.pieces as f64));
    Ok(match (interrupt.asked(), survived) {
        (true, _) => ExitCode::from(130),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(1),
    })
}

/// Generation after generation, at least one, until a limit or Ctrl-C.
fn train(
    arguments: &Arguments,
    trainer: &mut Trainer,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (begun, first) = (Instant::now(), trainer.generation());
    let limit = arguments.minutes.or_else(|| arguments.generations.is_none().then_some(5.0));
    let limit = limit.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    while !interrupt.asked()
        && arguments.generations.is_none_or(|generations| trainer.generation() < generations)
        && limit.is_none_or(|limit| trainer.generation() == first || begun.elapsed() < limit)
    {
        let trial = trainer.trial();
        let fitness = match &arguments.rate_with {
            Some(command) => {
                let patience = Duration::from_secs_f64(60.0 * arguments.rate_within);
                elsewhere::rate(command, &trial, trainer.candidates(), patience)?
            }
            None => pool
                .install(|| trial::play(&trial, trainer.candidates()))
                .iter()
                .map(|games| trial::mean(games))
                .collect(),
        };
        trainer.tell(&fitness)?;
        if let Some(path) = &arguments.checkpoint {
            save(path, trainer)?;
        }
        if !arguments.quiet {
            tell(trainer, begun.elapsed());
        }
    }
    Ok(())
}

/// A new trainer, or the checkpoint's.
fn begin(arguments: &Arguments) -> Result<Trainer, Error> {
    match &arguments.checkpoint {
        Some(path) if arguments.resume => load(path),
        Some(path) if path.exists() => Err(AiError::CheckpointThere(path.clone()).into()),
        _ => {
            let candidates = arguments.candidates.unwrap_or(arguments.method.usual_candidates());
            let trial = arguments.trial.trial(arguments.seed);
            Ok(Trainer::new(arguments.method, candidates, trial, arguments.seed)?)
        }
    }
}

fn load(path: &Path) -> Result<Trainer, Error> {
    let refused = |reason: String| AiError::Checkpoint { path: path.into(), reason };
    let checkpoint: Checkpoint<Trainer> =
        serde_json::from_slice(&image_file::read(path)?).map_err(|error| refused(error.to_string()))?;
    if checkpoint.maxout_training != VERSION {
        return Err(refused(format!("version {}, expected {VERSION}", checkpoint.maxout_training)).into());
    }
    Ok(checkpoint.trainer)
}

fn save(path: &Path, trainer: &Trainer) -> Result<(), Error> {
    let checkpoint = Checkpoint { maxout_training: VERSION, trainer };
    let text = serde_json::to_string(&checkpoint)
        .map_err(|error| AiError::Checkpoint { path: path.into(), reason: error.to_string() })?;
    Ok(Draft::write_file(path, text.as_bytes())?)
}

fn tell(trainer: &Trainer, elapsed: Duration) {
    if let Some(last) = trainer.history().last() {
        let ever = trainer.history().iter().map(|generation| generation.best).fold(last.best, f64::max);
        tty::tell!(
            "generation {:>4}, {:>6.1} s: best {:.3}, mean {:.3}, worst {:.3}; best so far {ever:.3}",
            trainer.generation(),
            elapsed.as_secs_f64(),
            last.best,
            last.mean,
            last.worst
        );
    }
}

/// Games that no generation has played.
fn verify(pool: &rayon::ThreadPool, weights: &Vector, trainer: &Trainer) -> Verified {
    let trial = Trial {
        games: VERIFY_GAMES,
        pieces: VERIFY_PIECES,
        randomizer: trainer.trial().randomizer,
        seed: !trainer.seed(),
        ..Trial::new(Objective::Survival)
    };
    let placed = pool.install(|| trial::play(&trial, &[*weights])).concat();
    Verified { pieces: VERIFY_PIECES, placed }
}

impl Found<'_> {
    fn text(&self) -> String {
        let Trial { objective, games, pieces, randomizer, .. } = self.trial;
        let mut lines = vec![
            format!(
                "{}, {objective} over {games} games of {pieces} pieces of {randomizer}, seed {}",
                self.method, self.seed
            ),
            format!(
                "{} generations in {:.1} s; the last: best {:.3}, mean {:.3}",
                self.generations, self.seconds, self.best, self.mean
            ),
            String::new(),
        ];
        for (name, weight) in trial::NAMES.into_iter().zip(<Vector>::from(self.weights)) {
            lines.push(format!("{name:<12} {weight:>9.6}"));
        }
        if let Some(Verified { pieces, placed }) = &self.verified {
            let survived = placed.iter().filter(|&&placed| placed >= *pieces as f64).count();
            let counts: Vec<_> = placed.iter().map(|placed| format!("{placed}")).collect();
            lines.push(String::new());
            lines.push(format!(
                "survived {pieces} pieces in {survived} of {} games: {}",
                placed.len(),
                counts.join(", ")
            ));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}
