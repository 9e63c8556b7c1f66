//! `maxout puzzle`: two pieces to place, judged by the nets.

pub(crate) mod board;
mod check;
mod history;
mod make;
mod solve;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use ::puzzle::{Bank, Progress, Store, Theme, day_of};
use clap::Subcommand;

use cli::error::{Error, wrong};
use cli::image_file;

/// Solve puzzles: find the best placements of a piece and the next one.
///
/// In a terminal you place the pieces by keys; elsewhere the puzzle is printed, and --answer takes
/// your placements. Puzzles near your rating come first, and failed ones return after a day, three
/// days, a week and three weeks. Your rating (Glicko-2), history and streak stay on this machine.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Keys: Left and Right choose the column, Up and Z turn, Tab goes to another place in the same column (a tuck), Space places, Backspace
takes the first piece back, H shows the answer's themes, Q ends.

Themes: tetris, burn-or-wait, dig, right-well, i-dependency, drought, tuck, level29, level39, transition, hands, stacking.

Examples:
  maxout puzzle
  maxout puzzle --daily
  maxout puzzle --theme dig
  maxout puzzle --from games/GAME.mxgame         puzzles of a game of yours
  maxout puzzle history
  maxout puzzle --json
  maxout puzzle maxout:AgAA… --answer 3,18,2 --answer 5,17,10 --json")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// A puzzle's or a position's link.
    link: Option<String>,
    /// The puzzle of the day, the same for everyone.
    #[arg(long, conflicts_with_all = ["link", "theme", "from"])]
    daily: bool,
    /// Only puzzles of this theme.
    #[arg(long, value_name = "THEME", conflicts_with = "link")]
    theme: Option<Theme>,
    /// Puzzles of this game: .mxgame, .fm2, .ngf, .ngf.gz, .csv or .jsonl.
    #[arg(long, value_name = "GAME", conflicts_with = "link")]
    from: Option<PathBuf>,
    /// Puzzles of this bank [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Placement of a piece: column, row and orientation. Give it once for each piece.
    #[arg(long, value_name = "X,Y,O", value_parser = solve::place)]
    answer: Vec<[u8; 3]>,
    /// Print your rating, streak and last answers, as `maxout puzzle history` does.
    #[arg(long, conflicts_with_all = ["link", "daily", "answer"])]
    history: bool,
    /// File of rating and history [default: in your data folder].
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Networks: a file, once for each speed, or a folder.
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    nets: Vec<PathBuf>,
    /// Print one JSON object: the puzzle, or the result of the answer.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    History(history::Arguments),
    Make(make::Arguments),
    Check(check::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Some(Command::History(arguments)) => history::run(arguments),
        Some(Command::Make(arguments)) => make::run(arguments),
        Some(Command::Check(arguments)) => check::run(arguments),
        None if arguments.history => history::of_store(arguments.store.as_ref(), arguments.json),
        None => solve::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with a word of the command line, or with what it leads to.
fn refused(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Command(error.into())
}

/// The bank of a file, or the one that comes with the program.
fn bank(path: Option<&PathBuf>) -> Result<Bank, Error> {
    match path {
        None => Ok(Bank::built_in()),
        Some(path) => Bank::read(&image_file::read(path)?).map_err(wrong(path)),
    }
}

/// The file of progress that an argument names, or that of the player's data folder.
fn store(named: Option<&PathBuf>) -> Result<Store, Error> {
    let store = named.cloned().map(Store::at).or_else(of_player);
    store.ok_or_else(|| refused("--store: name a file: this build knows no data folder"))
}

#[cfg(feature = "window")]
fn of_player() -> Option<Store> {
    desktop::Folders::of_player().games.as_deref().map(Store::beside)
}

#[cfg(not(feature = "window"))]
const fn of_player() -> Option<Store> {
    None
}

/// The day, counted from 1 January 1970, UTC.
fn today() -> u32 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| day_of(time.as_secs()))
}

/// What a store keeps.
fn progress(store: &Store) -> Result<Progress, Error> {
    store.read().map_err(refused)
}
