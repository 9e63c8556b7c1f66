//! `maxout practice`: the practice suite without a window.

mod export;
pub(crate) mod kept;
mod list;
mod page;
mod play;
mod press;
mod report;
mod several;
mod taps;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use cli::error::Error;
use cli::game::Choice;

/// Practise on an unmodified cartridge: modes, options, kept games and their statistics.
///
/// The computer plays, by buttons alone, unless a movie or presses are given. The report is the
/// same as for your own games. The window has the same modes.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "\
A mode is its name, or its name and a number: floor=3, seed=12AB34, hard-drop. `--list` has all of them with their numbers,
and the options. A game begins at power-on and goes through the menus; --frames, --pieces and --lines end it early.

Presses are words of buttons, joined by +, each held for a frame or for so many after a colon; a dot is nothing:
  --press \"left:20 .:30 down:40\"     from the first frame of the game on, then nothing is held
A movie (--input) is played from power-on, menus included.

A game that is kept (--keep FOLDER) is written twice a second, so that it is there up to then whenever the program ends. Its
file is replayed, exported and reported:
  maxout practice pace=10 --option level=18 --pieces 200 --keep games
  maxout practice games games
  maxout practice replay games/GAME.mxgame --json
  maxout practice export games/GAME.mxgame --out game.fm2
  maxout practice export games/GAME.mxgame --out game.ngf.gz   for NestrisChamps
  maxout practice report games/GAME.mxgame --html --out game.html
  maxout practice report games --html --out games.html
  maxout practice taps games                 taps that placements needed, and yours

Examples:
  maxout practice --list
  maxout practice garbage=4 --option level=18 --pieces 100
  maxout practice seed=12AB34 --option level=29 --lines 50 --json
  maxout practice killscreen tetris.nes --frames 5000 --screenshot end.png")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The mode, and its number.
    #[arg(value_name = "MODE[=VALUE]", required_unless_present = "list")]
    mode: Option<String>,
    #[command(flatten)]
    cartridge: Choice,
    /// Print the modes, their numbers and the options.
    #[arg(long, conflicts_with_all = ["mode", "rom"])]
    list: bool,
    /// An option of the session, as NAME=VALUE or NAME. Can be repeated; `--list` lists them.
    #[arg(long = "option", value_name = "NAME[=VALUE]")]
    options: Vec<String>,
    /// Stop N frames after power-on.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Stop after N pieces have locked.
    #[arg(long, value_name = "N")]
    pieces: Option<u32>,
    /// Stop at N lines.
    #[arg(long, value_name = "N")]
    lines: Option<u32>,
    /// Play this movie from power-on.
    #[arg(long, visible_alias = "movie", value_name = "MOVIE", conflicts_with = "press")]
    input: Option<PathBuf>,
    /// Hold these buttons from the first frame of the game on.
    #[arg(long, value_name = "WORDS")]
    press: Option<String>,
    /// Start from this position, a line of text as `--json` and reports print it.
    #[arg(long, value_name = "TEXT", conflicts_with = "input")]
    position: Option<String>,
    /// Seed of the game. It sets the time in the level menu, and with it pieces and garbage
    /// [default: random, 0 with --press].
    #[arg(long, value_name = "N", conflicts_with = "input")]
    seed: Option<u32>,
    /// Save the game in this folder, named by date and mode.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print the frame number to standard error every N frames.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    progress: Option<u64>,
    /// Write the last picture, with its overlays.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    Games(kept::Games),
    Replay(kept::Replay),
    Export(export::Export),
    Report(report::Arguments),
    Taps(taps::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Some(Command::Games(arguments)) => kept::games(arguments),
        Some(Command::Replay(arguments)) => kept::replay(arguments),
        Some(Command::Export(arguments)) => export::export(arguments),
        Some(Command::Report(arguments)) => report::run(arguments),
        Some(Command::Taps(arguments)) => taps::run(arguments),
        None if arguments.list => list::print(arguments.json),
        None => play::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with a word of the command line, or with what it leads to.
fn refused(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Command(error.into())
}
