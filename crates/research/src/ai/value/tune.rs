//! `maxout ai value tune`: weights for one speed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::value::{EL_TETRIS, Format, Speed, Weights, WeightsFile};
use draft::Draft;
use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::series::LineSeries;
use plotters::style::{BLUE, Color};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use training::{STACKING, Tuning, TuningPlan};

use crate::ai::{AiError, lock, trial};
use cli::drawing::{self, Drawing, Drawn, FONT};
use cli::error::Error;
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::output;

use super::mind::read_weights;
use super::train::SpeedName;

/// Find weights for one speed by CMA-ES, from nothing or from a checkpoint.
///
/// A generation's candidates play the same games of the speed, from an empty board or --lead lines
/// before it; how many points each made moves the next generation. Everything follows from the
/// seed: not the threads, and not a stop and a --resume, change a bit of it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value tune --speed 39 --checkpoint w39.json --minutes 10 --out weights.json --report w39.svg
  maxout ai value tune --checkpoint w39.json --resume --minutes 10 --out weights.json
  maxout ai value tune --speed 18 --after 1000000 --checkpoint w18.json --minutes 20 --out weights.json")]
pub(super) struct Arguments {
    /// The terms, as `maxout ai value play` has them. The weights of boards say little of the next
    /// piece; without one the search is faster.
    #[arg(long, value_name = "FORMAT", default_value = "bt-30hz-61f", conflicts_with = "resume")]
    format: Format,
    /// The level with which the speed begins.
    #[arg(long, value_name = "LEVEL", default_value = "39", conflicts_with = "resume")]
    speed: SpeedName,
    /// Points that count for a game which comes to the end of the speed: what follows is worth so
    /// much.
    #[arg(long, value_name = "POINTS", default_value_t = 0, conflicts_with = "resume")]
    after: u32,
    /// Begin so many lines earlier, played by the built-in weights, so that the speed begins on
    /// boards of play; an even number. Their points do not count.
    #[arg(long, value_name = "LINES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100), conflicts_with = "resume")]
    lead: u32,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Games a candidate.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), conflicts_with = "resume")]
    games: u32,
    /// Candidates a generation.
    #[arg(long, value_name = "N", default_value_t = 16, conflicts_with = "resume")]
    candidates: u32,
    /// Where the search begins: by hand, for tetrises; el-tetris; or the weights of that speed in a
    /// file.
    #[arg(
        long,
        value_name = "stacking|el-tetris|FILE.json",
        default_value = "stacking",
        conflicts_with = "resume"
    )]
    from: String,
    /// Initial step size.
    #[arg(long, value_name = "SIGMA", default_value_t = 0.4, conflicts_with = "resume")]
    sigma: f64,
    /// Written after every generation.
    #[arg(long, value_name = "FILE.json")]
    checkpoint: PathBuf,
    /// Continue from the checkpoint, with its settings.
    #[arg(long)]
    resume: bool,
    /// Stop after so many generations in all.
    #[arg(long, value_name = "N")]
    generations: Option<usize>,
    /// Stop with the generation in which so many minutes are over.
    #[arg(long, value_name = "M", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    minutes: u64,
    /// Threads to play on [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the weights: a file that is there keeps those of the other speeds, a new one has the
    /// built-in ones for them.
    #[arg(long, value_name = "OUT.json")]
    out: Option<PathBuf>,
    /// Draw the mean points of the candidates by generation.
    #[arg(long, value_name = "OUT.svg|OUT.png")]
    report: Option<PathBuf>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

const VERSION: u32 = 1;

/// A file that holds a search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint<T> {
    /// Version of the form.
    maxout_value_tuning: u32,
    tuning: T,
}

#[derive(Serialize)]
struct Found<'a> {
    format: String,
    speed: Speed,
    generations: usize,
    seconds: f64,
    best: f64,
    mean: f64,
    weights: &'a Weights,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if let Some(path) = &arguments.report {
        drawing::check_name(path)?;
    }
    let outputs = [
        ("--checkpoint", Some(&*arguments.checkpoint)),
        ("--out", arguments.out.as_deref()),
        ("--report", arguments.report.as_deref()),
    ];
    image_file::check_outputs(&[], &outputs)?;
    let _lock = lock(&arguments.checkpoint)?;
    let mut tuning = begin(arguments)?;
    let pool = trial::threads(arguments.threads)?;
    let interrupt = Interrupt::listen();
    let (begun, limit) = (Instant::now(), Duration::from_secs(60 * arguments.minutes));
    while !interrupt.asked()
        && begun.elapsed() < limit
        && arguments.generations.is_none_or(|generations| tuning.history().len() < generations)
    {
        let points = pool.install(|| points(&tuning));
        tuning.tell(&points)?;
        let bytes = serde_json::to_vec(&Checkpoint { maxout_value_tuning: VERSION, tuning: &tuning })
            .map_err(|source| AiError::ValueTuning { path: arguments.checkpoint.clone(), source })?;
        Draft::write_file(&arguments.checkpoint, &bytes)?;
        if let Some(last) = tuning.history().last().filter(|_| !arguments.quiet) {
            tty::tell!(
                "generation {:>4}, {:>6.1} s: best {:>9.0}, mean {:>9.0} points",
                tuning.history().len(),
                begun.elapsed().as_secs_f64(),
                last.best,
                last.mean
            );
        }
    }
    let Some(last) = tuning.history().last() else { return Err(Error::Interrupted) };
    if let Some(path) = &arguments.out {
        write(path, &tuning, &last.champion)?;
    }
    if let Some(path) = &arguments.report {
        drawing::write(path, &Course(&tuning))?;
    }
    let found = Found {
        format: tuning.plan().format.to_string(),
        speed: tuning.plan().speed,
        generations: tuning.history().len(),
        seconds: begun.elapsed().as_secs_f64(),
        best: last.best,
        mean: last.mean,
        weights: &last.champion,
    };
    output::print(&found, arguments.json, |out| {
        writeln!(
            out,
            "{} generations: best {:.0}, mean {:.0} points",
            found.generations, found.best, found.mean
        )
    })?;
    Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Mean points of each candidate, its games added up in their order.
fn points(tuning: &Tuning) -> Vec<f64> {
    let (candidates, games) = (tuning.candidates(), tuning.games());
    let count = games.len().max(1);
    let numbers = 0..candidates.len() * count;
    let points: Vec<f64> = numbers
        .into_par_iter()
        .with_max_len(4)
        .map(|number| tuning.plan().play(&candidates[number / count], games[number % count]))
        .collect();
    points.chunks(count).map(|games| games.iter().sum::<f64>() / count as f64).collect()
}

fn begin(arguments: &Arguments) -> Result<Tuning, Error> {
    let path: &Path = &arguments.checkpoint;
    let refused = |source| AiError::ValueTuning { path: path.into(), source };
    if arguments.resume {
        let bytes = image_file::read(path)?;
        let file: Checkpoint<Tuning> = serde_json::from_slice(&bytes).map_err(refused)?;
        if file.maxout_value_tuning != VERSION {
            return Err(AiError::TuningVersion { path: path.into(), found: file.maxout_value_tuning }.into());
        }
        return Ok(file.tuning);
    }
    if path.exists() {
        return Err(AiError::CheckpointThere(path.into()).into());
    }
    let speed = Speed::ALL[arguments.speed as usize];
    let start = match arguments.from.as_str() {
        "stacking" => STACKING,
        "el-tetris" => EL_TETRIS,
        file => read_weights(Path::new(file))?.weights[speed as usize],
    };
    Ok(Tuning::new(TuningPlan {
        format: arguments.format,
        speed,
        lead: arguments.lead,
        seed: arguments.seed,
        candidates: arguments.candidates,
        games: arguments.games,
        after: arguments.after.into(),
        start,
        sigma: arguments.sigma.clamp(1e-6, 1e3),
    })?)
}

fn write(path: &Path, tuning: &Tuning, champion: &Weights) -> Result<(), Error> {
    let mut file = if path.exists() { read_weights(path)? } else { WeightsFile::built_in() };
    let plan = tuning.plan();
    file.weights[plan.speed as usize] = *champion;
    file.format = plan.format;
    file.provenance = format!(
        "{:?} by maxout ai value tune: seed {}, {} lines before it, {} generations of {} candidates, {} games each, {} \
         points for the end; before: {}",
        plan.speed,
        plan.seed,
        plan.lead,
        tuning.history().len(),
        plan.candidates,
        plan.games,
        plan.after,
        file.provenance
    );
    let text = file.text().map_err(|source| AiError::ValueWeights { path: path.into(), source })?;
    Draft::write_file(path, text.as_bytes())?;
    Ok(())
}

/// Points by generation.
struct Course<'a>(&'a Tuning);

impl Drawing for Course<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let history = self.0.history();
        let most = history.iter().map(|round| round.best).fold(1.0, f64::max);
        let mut chart = drawing::chart(area, "mean points of a generation's candidates, and of the best")?
            .build_cartesian_2d(0.0..history.len().max(2) as f64, 0.0..1.05 * most)?;
        chart.configure_mesh().x_desc("generation").label_style((FONT, 16)).draw()?;
        for of in [|round: &training::TuningRound| round.best, |round: &training::TuningRound| round.mean] {
            let points = history.iter().enumerate().map(|(at, round)| (at as f64 + 1.0, of(round)));
            chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
        }
        Ok(())
    }
}
