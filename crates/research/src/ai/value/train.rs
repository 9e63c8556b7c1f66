//! `maxout ai value train`: a net for one speed, or all nets of a plan.

mod plan;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::value::{Actor, Experience, Format, Learner, Nets, Plan, Speed, TaskError, fnv};
use clap::ValueEnum;
use cli::unexpected::Unexpected;
use draft::Draft;
use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::series::LineSeries;
use plotters::style::{BLUE, Color};
use rayon::prelude::*;

use crate::ai::{AiError, lock, trial};
use cli::drawing::{self, Drawing, Drawn, FONT};
use cli::error::Error;
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::output;

use cli::nets::{read_net, read_nets};

/// Train the network of one speed by playing, from scratch or from a checkpoint; or all networks of
/// a plan.
///
/// A round plays games from random lines of the speed and learns from them. The networks of later
/// speeds value what comes after the speed: train 39 first, then 29, 19 and 18. --begin with the
/// network of the next speed saves most of the time: boards that are good at one speed are good at
/// the one before. Results depend only on the seed, not on threads and resuming.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai value train --plan crates/value/plans/four-nets.toml --folder nets
  maxout ai value train --speed 39 --checkpoint l39.train --minutes 60 --out l39.net --report l39.svg
  maxout ai value train --checkpoint l39.train --resume --minutes 60 --out l39.net
  maxout ai value train --speed 29 --after l39.net --begin l39.net --checkpoint l29.train --minutes 60 --out l29.net
  maxout ai value train --speed 29 --after l39.net --begin l29.net --taught 0 --ahead 3 --looked-at 6 --games 64 --passes 4 \
    --rate 0.0001 --memory 400000 --average 10 --checkpoint deep.train --minutes 60 --out deep.net")]
pub(super) struct Arguments {
    /// The terms, as `maxout ai value play` has them.
    #[arg(long, value_name = "FORMAT", default_value_t = Format::HEADLINE, conflicts_with = "resume")]
    format: Format,
    /// The level with which the speed begins.
    #[arg(long, value_name = "LEVEL", default_value = "39", conflicts_with = "resume")]
    speed: SpeedName,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Games a round.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    games: Option<u32>,
    /// Network of a later speed, once for each.
    #[arg(long = "after", value_name = "FILE")]
    after: Vec<PathBuf>,
    /// Begin with a net, of any speed.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    begin: Option<PathBuf>,
    /// Initial rounds, trained on final returns only. The weights play them, or the net of --begin.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    taught: Option<u32>,
    /// Initial learning rate.
    #[arg(long, value_name = "RATE", conflicts_with = "resume")]
    rate: Option<f32>,
    /// Rounds after which the learning rate has halved.
    #[arg(long, value_name = "ROUNDS", conflicts_with = "resume")]
    halving: Option<f32>,
    /// Lambda of TD(λ), from 0 to 1: 1 is the observed return, 0 the own estimate.
    #[arg(long, value_name = "LAMBDA", conflicts_with = "resume")]
    lambda: Option<f32>,
    /// Share of the pieces that are placed at random.
    #[arg(long, value_name = "SHARE", conflicts_with = "resume")]
    exploration: Option<f32>,
    /// Let the network decide among the N boards that the weights rate best: it surpasses them
    /// after fewer games.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    guided: Option<u32>,
    /// Play two pieces deep: evaluate each next piece on the N best boards. Such games teach more,
    /// and take fifty times as long.
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    ahead: Option<u32>,
    /// Learn from one in N of the boards, too, that such a search looked at.
    #[arg(long, value_name = "N", conflicts_with = "resume", requires = "ahead")]
    looked_at: Option<u32>,
    /// Learn from those boards in groups of four, each of one decision and one next piece, and add
    /// WEIGHT times the difference between a board's error and the group's mean error to its error.
    #[arg(long, value_name = "WEIGHT", conflicts_with = "resume", requires = "looked_at", value_parser = weight)]
    siblings: Option<f32>,
    /// Charge this many points for each cell in the rightmost column in decisions of the games, so
    /// that the well stays there.
    #[arg(long, value_name = "POINTS", conflicts_with = "resume", value_parser = points)]
    well: Option<f32>,
    /// Weight of surviving levels 18 and 19 in decisions of the games, from 0 to 1. A network has
    /// to learn the odds first: start with 0.
    #[arg(long, value_name = "0-1", conflicts_with = "resume", value_parser = super::mind::caution)]
    caution: Option<f32>,
    /// Mean number of garbage rows per piece, over all games, with a hole in one column as in
    /// versus mode.
    #[arg(long, value_name = "ROWS", conflicts_with = "resume", value_parser = garbage)]
    garbage: Option<f32>,
    /// Let the weights play the taught rounds even if the training begins with a network.
    #[arg(long, requires = "begin")]
    by_weights: bool,
    /// Samples learned from for each new one.
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    passes: Option<u32>,
    /// Play with the average of the nets of about the last N rounds.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    average: Option<f32>,
    /// Maximum number of samples kept from earlier rounds.
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=1 << 25))]
    memory: Option<u32>,
    /// Written at the end, and between rounds every twenty seconds.
    #[arg(long, value_name = "FILE", required_unless_present = "plan")]
    checkpoint: Option<PathBuf>,
    /// Continue from the checkpoint, with its settings.
    #[arg(long)]
    resume: bool,
    /// Train the stages of a plan, one after another. Stages with a checkpoint in the folder resume
    /// from it.
    #[arg(long, value_name = "PLAN.toml", requires = "folder", conflicts_with_all = ["format", "speed", "seed", "games", "after",
        "begin", "taught", "rate", "halving", "lambda", "exploration", "guided", "ahead", "looked_at",
        "siblings", "well", "caution",
        "garbage", "by_weights", "passes", "average", "memory", "checkpoint", "resume", "out", "report"])]
    plan: Option<PathBuf>,
    /// With --plan: the folder for the nets and checkpoints of the stages.
    #[arg(long, value_name = "FOLDER", requires = "plan")]
    folder: Option<PathBuf>,
    /// Stop after N rounds in total; with --plan, N rounds of this run.
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Stop after the round in which M minutes have passed [default: 10; with --plan, never].
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    minutes: Option<u64>,
    /// Threads to play on [default: all processors]. One learns.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the net.
    #[arg(long, value_name = "OUT.net")]
    out: Option<PathBuf>,
    /// Draw the mean points of the games by round.
    #[arg(long, value_name = "OUT.svg|OUT.png")]
    report: Option<PathBuf>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// The levels with which the speeds begin.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum SpeedName {
    #[value(name = "18")]
    L18,
    #[value(name = "19")]
    L19,
    #[value(name = "29")]
    L29,
    #[value(name = "39")]
    L39,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    if let Some(path) = &arguments.plan {
        return plan::run(arguments, path);
    }
    if let Some(path) = &arguments.report {
        drawing::check_name(path)?;
    }
    let checkpoint = arguments.checkpoint.as_deref().unwrap_or(Path::new(""));
    let outputs = [
        ("--checkpoint", Some(checkpoint)),
        ("--out", arguments.out.as_deref()),
        ("--report", arguments.report.as_deref()),
    ];
    let mut after: Vec<_> = arguments.after.iter().map(|path| ("--after", Some(&**path))).collect();
    after.push(("--begin", arguments.begin.as_deref()));
    image_file::check_outputs(&after, &outputs)?;
    let _lock = lock(checkpoint)?;
    let mut learner = begin(arguments, checkpoint)?;
    let (after, hashes) = read_nets(&arguments.after)?;
    let pool = trial::threads(arguments.threads)?;
    let interrupt = Interrupt::listen();
    let (begun, limit) = (Instant::now(), Duration::from_secs(60 * arguments.minutes.unwrap_or(MINUTES)));
    let mut checkpoint = Checkpoint::new(checkpoint);
    while !interrupt.asked()
        && begun.elapsed() < limit
        && arguments.rounds.is_none_or(|rounds| learner.history().len() < rounds)
    {
        let played = pool.install(|| round(&learner, &after)).map_err(AiError::from)?;
        learner.learn(&played);
        checkpoint.after_round(&learner)?;
        if !arguments.quiet {
            tell("round", &learner, begun);
        }
    }
    checkpoint.finish(&learner)?;
    let bytes = learner.net().to_bytes(&learner.provenance(&Learner::notes(&hashes)));
    if let Some(path) = &arguments.out {
        Draft::write_file(path, &bytes)?;
    }
    if let Some(path) = &arguments.report {
        drawing::write(path, &Course(&learner))?;
    }
    let score = learner.history().last().map_or(0.0, |round| round.score);
    output::text(&format!(
        "{} rounds, net {:016x}, last round's mean {score:.0} points\n",
        learner.history().len(),
        fnv(&bytes)
    ))?;
    Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Minutes of a training that is not told how long it may take.
const MINUTES: u64 = 10;

/// How long a training plays and learns between two checkpoints: a large memory takes as long to
/// write as a tenth of a round, or more where the disk is slow.
const BETWEEN: Duration = Duration::from_secs(20);

/// The file in which a training is kept while it goes on.
struct Checkpoint<'a> {
    path: &'a Path,
    /// When it was written last, in this run.
    written: Option<Instant>,
    /// Rounds since then.
    rounds: u32,
}

impl<'a> Checkpoint<'a> {
    const fn new(path: &'a Path) -> Self {
        Self { path, written: None, rounds: 0 }
    }

    /// Writes the training after a round, if its time has come. The first round of a run is always
    /// written, so a folder that cannot hold it is known at once.
    fn after_round(&mut self, learner: &Learner) -> Result<(), Error> {
        self.rounds += 1;
        if self.written.is_none_or(|written| written.elapsed() >= BETWEEN) {
            self.finish(learner)?;
        }
        Ok(())
    }

    /// Writes the training unless the file has its last round.
    fn finish(&mut self, learner: &Learner) -> Result<(), Error> {
        if self.rounds > 0 {
            Draft::write_file(self.path, &learner.to_bytes())?;
            (self.written, self.rounds) = (Some(Instant::now()), 0);
        }
        Ok(())
    }
}

/// Tells of the last round.
fn tell(what: &str, learner: &Learner, begun: Instant) {
    if let Some(last) = learner.history().last() {
        tty::tell!(
            "{what} {:>4}, {:>6.1} s: {:>7} samples, {:>9.0} points, {:>5.1} % reach the end, loss {:.5}",
            learner.history().len(),
            begun.elapsed().as_secs_f64(),
            last.samples,
            last.score,
            100.0 * last.survived,
            last.loss
        );
    }
}

/// The games of a round, on the threads of the pool.
fn round(learner: &Learner, after: &Nets) -> Result<Vec<Experience>, TaskError> {
    let actor = Actor::new(&learner.assignment(), after);
    let tasks = learner.tasks();
    tasks.into_par_iter().map_init(|| actor.clone(), |actor, task| actor.play(&task)).collect()
}

/// Points that are a number.
fn points(text: &str) -> Result<f32, Unexpected> {
    let points = text.parse().ok().filter(|points: &f32| points.is_finite());
    points.ok_or(Unexpected::new("a number of points"))
}

fn weight(text: &str) -> Result<f32, Unexpected> {
    let weight = text.parse().ok().filter(|weight: &f32| (0.0..=100.0).contains(weight));
    weight.ok_or(Unexpected::new("a number from 0 to 100"))
}

fn garbage(text: &str) -> Result<f32, Unexpected> {
    let rows = text.parse().ok().filter(|rows: &f32| (0.0..=4.0).contains(rows));
    rows.ok_or(Unexpected::new("a number of rows from 0 to 4"))
}

fn begin(arguments: &Arguments, path: &Path) -> Result<Learner, Error> {
    if arguments.resume {
        return plan::read_checkpoint(path);
    }
    if path.exists() {
        return Err(AiError::CheckpointThere(path.into()).into());
    }
    let speed = Speed::ALL[arguments.speed as usize];
    let plan = Plan::new(arguments.format, speed, arguments.seed);
    let share = |given: Option<f32>, usual: f32| given.map_or(usual, |share| share.clamp(0.0, 1.0));
    let plan = Plan {
        games: arguments.games.unwrap_or(plan.games),
        taught: arguments.taught.unwrap_or(plan.taught),
        rate: share(arguments.rate, plan.rate),
        halving: arguments.halving.unwrap_or(plan.halving).max(1.0),
        lambda: share(arguments.lambda, plan.lambda),
        exploration: share(arguments.exploration, plan.exploration),
        guided: arguments.guided.unwrap_or(plan.guided),
        average: arguments.average.unwrap_or(plan.average).clamp(1.0, 1e6),
        memory: arguments.memory.unwrap_or(plan.memory),
        passes: arguments.passes.unwrap_or(plan.passes),
        ahead: arguments.ahead.unwrap_or(plan.ahead),
        looked_at: arguments.looked_at.unwrap_or(plan.looked_at),
        well: arguments.well.unwrap_or(plan.well),
        caution: arguments.caution.unwrap_or(plan.caution),
        garbage: arguments.garbage.unwrap_or(plan.garbage),
        siblings: arguments.siblings.unwrap_or(plan.siblings),
        by_weights: arguments.by_weights,
        ..plan
    };
    Ok(match &arguments.begin {
        Some(path) => Learner::from_net(plan, (*read_net(path)?.net).clone()),
        None => Learner::new(plan),
    })
}

/// Points by round.
struct Course<'a>(&'a Learner);

impl Drawing for Course<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let history = self.0.history();
        let most = history.iter().map(|round| round.score).fold(1.0, f64::max);
        let mut chart = drawing::chart(area, "mean points of a round's games")?
            .build_cartesian_2d(0.0..history.len().max(2) as f64, 0.0..1.05 * most)?;
        chart.configure_mesh().x_desc("round").label_style((FONT, 16)).draw()?;
        let points = history.iter().enumerate().map(|(at, round)| (at as f64 + 1.0, round.score));
        chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
        Ok(())
    }
}
