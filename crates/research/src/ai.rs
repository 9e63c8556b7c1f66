//! `maxout ai`: the player, one position at a time or whole games.

mod analyse;
mod choices;
mod deal;
mod fitness;
mod games;
mod lines;
mod perpetual_demo;
mod play;
mod run;
mod search;
mod seed_board;
mod serve;
mod stats;
mod train;
mod trial;
mod value;
mod watch;

use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use cli::error::Error;
use draft::WriteLock;

/// The computer players: search positions, play and analyse games, train, serve.
///
/// `value`, `analyse` and `serve` belong to the player for points, the others to the player of
/// "Applying AI to Nintendo Tetris".
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  echo '{\"rows\": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], \"cur\":4,\"next\":6}' | maxout ai search --json
  maxout ai play --pieces 100000 --randomizer uniform
  maxout ai play --games 8 --filter well --json
  maxout ai run --level 18 --games 10")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Search(search::Arguments),
    Play(play::Arguments),
    Run(run::Arguments),
    Train(train::Arguments),
    Fitness(fitness::Arguments),
    Stats(stats::Arguments),
    PerpetualDemo(perpetual_demo::Arguments),
    Value(value::Arguments),
    Analyse(analyse::Arguments),
    Serve(serve::Arguments),
}

/// Carries out a command of `maxout ai`.
///
/// # Errors
/// What the command refuses, and Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Search(arguments) => search::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Train(arguments) => return train::run(arguments),
        Command::Value(arguments) => return value::run(arguments),
        Command::Serve(arguments) => return serve::run(arguments),
        Command::Analyse(arguments) => analyse::run(arguments),
        Command::Fitness(arguments) => fitness::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::PerpetualDemo(arguments) => perpetual_demo::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What the player's commands refuse.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AiError {
    #[error(
        "--movie-out: expected a play of buttons alone, which is --mode gamepad, a level up to 19 and no --guard: a movie cannot repeat writes to RAM"
    )]
    MovieOfWrites,
    #[error("{option}: expected one game, found --games {games}")]
    OneOfMany { option: &'static str, games: u32 },
    #[error("cannot read standard input: {0}")]
    Input(io::Error),
    #[error(
        "standard input, line {line}: expected {{\"rows\": [20 numbers from 0 to 1023], \"cur\": 0 to 6, \"next\": 0 to 6}}: {source}"
    )]
    Position { line: usize, source: serde_json::Error },
    #[error("standard input, line {line}: more than {limit} bytes: expected one JSON value a line")]
    LongLine { line: usize, limit: u64 },
    #[error("{}: expected 20 rows from the top, each a number from 0 to 1023: {source}", .path.display())]
    BoardNumbers { path: PathBuf, source: serde_json::Error },
    #[error(
        "{}, line {line}: expected ten cells, `.` free and `#` solid, found {found:?}", .path.display()
    )]
    BoardLine { path: PathBuf, line: usize, found: String },
    #[error("{}: expected 1 to 20 rows of ten cells, found {rows}", .path.display())]
    BoardRows { path: PathBuf, rows: usize },
    #[error("{0}; or a file that ends in .toml, of measures and weights")]
    Evaluator(::ai::UnknownEvaluator),
    #[error("{}, {source}", .path.display())]
    Formula { path: PathBuf, source: ::ai::FormulaError },
    #[error("{0}; or pattern: and the name of a PNG file of 10 by 20 pixels")]
    Filter(::ai::UnknownFilter),
    #[error("{}: expected a PNG file of 10 by 20 pixels, white where a cell is: {source}", .path.display())]
    Picture { path: PathBuf, source: image::ImageError },
    #[error(
        "{}: expected 10 by 20 pixels, white where a cell is, found {width} by {height}", .path.display()
    )]
    PictureSize { path: PathBuf, width: u32, height: u32 },
    #[error("cannot start threads: {0}")]
    Threads(String),
    #[error("the training's own {0}")]
    Task(#[from] ::value::TaskError),
    #[error(
        "standard input, line {line}: expected six numbers, [lines, lock_height, wells, holes, col_trans, row_trans], or {{\"weights\": [...]}}"
    )]
    WeightsLine { line: usize },
    #[error("{}: there is one already: add --resume to go on with it, or name another file", .0.display())]
    CheckpointThere(PathBuf),
    #[error(
        "{}: another program is writing this file: wait until it has ended, or name another file", .0.display()
    )]
    InUse(PathBuf),
    #[error("{}: expected a checkpoint of `maxout ai train`: {reason}", .path.display())]
    Checkpoint { path: PathBuf, reason: String },
    #[error("{}: expected a name that ends in .html or .svg", .0.display())]
    ReportName(PathBuf),
    #[error(
        "`{command}`: {reason}; expected a line of fitness for each line of weights, as `maxout ai fitness` writes them"
    )]
    Elsewhere { command: String, reason: String },
    #[error("{}, line {line}: expected a row from 0 to 19 and its percentage, as `6 0.0000512`, found {found:?}", .path.display())]
    Table { path: PathBuf, line: usize, found: String },
    #[error("{}: expected lines of a row and its percentage, as `6 0.0000512`, found none", .0.display())]
    NoRows(PathBuf),
    #[error("{}: expected what `maxout ai play --json` prints: {source}", .path.display())]
    Counted { path: PathBuf, source: serde_json::Error },
    #[error(
        "--shortest {shortest} --longest {longest}: expected the shortest round to be no longer than the longest"
    )]
    RoundLengths { shortest: u32, longest: u32 },
    #[error(
        "no game of {shortest} to {longest} pieces that repeats itself among {tries} seeds, {unplayable} of them not playable by buttons alone: widen --shortest and --longest, or raise --tries"
    )]
    NoCircle { shortest: u32, longest: u32, tries: u64, unplayable: u64 },
    #[error(
        "--watch: expected a terminal to show the game in: run it in one that shows true colour, or take --screenshot"
    )]
    NoTerminal,
    #[error("{}: expected a plan of training: {reason}", .path.display())]
    Plan { path: PathBuf, reason: String },
    #[error(
        "{}: the checkpoint is of another plan, or of a stage that began with other nets: remove it, or name another folder", .path.display()
    )]
    OtherPlan { path: PathBuf },
    #[error("{}, line {line}: expected a seed from 512 to 16777215, found {found:?}", .path.display())]
    SeedLine { path: PathBuf, line: usize, found: String },
    #[error("{}: expected one seed or more, found none", .0.display())]
    NoSeeds(PathBuf),
    #[error("--games {0}: expected at most 10000 without --tuning or --seeds: a report has no more seeds")]
    TooManyGames(u32),
    #[error(
        "--until {until}: expected more lines than --from, which is {from}, and at most {most}, the end of the format"
    )]
    Until { until: u32, from: u32, most: u32 },
    #[error(
        "{}: expected the {games} games that are already played, found {found} lines: name another file", .path.display()
    )]
    HistoryShort { path: PathBuf, games: usize, found: usize },
    #[error("{}: {source}", .path.display())]
    ValueFile { path: PathBuf, source: ::value::FileError },
    #[error("{}: expected weights as `maxout ai value tune --out` writes them: {source}", .path.display())]
    ValueWeights { path: PathBuf, source: ::value::WeightsError },
    #[error("{}: expected a checkpoint of `maxout ai value tune`: {source}", .path.display())]
    ValueTuning { path: PathBuf, source: serde_json::Error },
    #[error("{}: version {found} of a checkpoint of `maxout ai value tune`, expected 1", .path.display())]
    TuningVersion { path: PathBuf, found: u32 },
    #[error(
        "--player value: expected --level 18, the A-type and the gamepad, as its points are counted from there"
    )]
    PlayerForPoints,
    #[error("{}: expected a game with at least one placement that can be rated, found none{reasons}", .path.display())]
    NoPlacements { path: PathBuf, reasons: String },
    #[error("{}: expected text", .path.display())]
    NoText { path: PathBuf },
    #[error("{}: expected games as `maxout ai value play --out` writes them: {source}", .path.display())]
    Games { path: PathBuf, source: serde_json::Error },
    #[error("{}: the games are of another format, player or start: name another file", .path.display())]
    OtherTerms { path: PathBuf },
    #[error("--watch: the terminal fails: {0}")]
    Terminal(io::Error),
}

/// Keeps other programs of ours from writing a file that grows or is replaced over hours, until the
/// lock is dropped; `None` where the system locks no files, and for what is not a file.
///
/// # Errors
/// [`AiError::InUse`].
fn lock(path: &Path) -> Result<Option<WriteLock>, Error> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    match WriteLock::take(path) {
        Err(TryLockError::WouldBlock) => Err(AiError::InUse(path.into()).into()),
        lock => Ok(lock.ok()),
    }
}

impl From<AiError> for Error {
    fn from(error: AiError) -> Self {
        Self::Command(Box::new(error))
    }
}
