//! Games that were kept.

use std::fs;
use std::path::{Path, PathBuf};

use practice::{Kept, Standing, TapTable};
use serde::Serialize;
use tetris::Feature;

use cli::error::{Error, reading, wrong};
use cli::game::{Choice, Known};
use cli::interrupt::Interrupt;
use cli::kept::play;
use cli::written::Kind;
use cli::{image_file, output};

/// List the games of a folder, latest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout practice games games --json")]
pub(super) struct Games {
    /// Folder of kept games.
    folder: PathBuf,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

/// Replay a kept game and print its result.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout practice replay games/GAME.mxgame --json")]
pub(super) struct Replay {
    /// The game's file.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    file: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    begun: u64,
    mode: String,
    options: String,
    cartridge: String,
    frames: usize,
    outcome: Option<String>,
    level: Option<String>,
    lines: Option<String>,
    score: Option<String>,
    trt: Option<String>,
    /// How it ended against the computer, and the lines of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_lines: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_score: Option<String>,
    /// Frames that the computer played.
    #[serde(skip_serializing_if = "Option::is_none")]
    computer: Option<String>,
    /// Who played it, and from where.
    #[serde(flatten)]
    standing: Standing,
    lost_bytes: usize,
}

pub(super) fn games(arguments: &Games) -> Result<(), Error> {
    let mut listed: Vec<Listed> =
        in_folder(&arguments.folder, is_kept)?.iter().map(|path| of(path)).collect();
    listed.sort_by(|one, other| (other.begun, &other.file).cmp(&(one.begun, &one.file)));
    output::print(&listed, arguments.json, |out| {
        writeln!(
            out,
            "{:<28} {:>6} {:>6} {:>9} {:>6} {:>8}  outcome  file",
            "mode", "level", "lines", "score", "TRT", "frames"
        )?;
        for game in &listed {
            let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
            let mut outcome = game.error.clone().unwrap_or_else(|| known(&game.outcome));
            if let (Some(versus), Some(lines)) = (&game.versus, &game.opponent_lines) {
                outcome = format!("{outcome}, {versus} against the computer's {lines} lines");
            }
            if let Some(note) = game.standing.note() {
                outcome = format!("{outcome}, {note}");
            }
            writeln!(
                out,
                "{:<28} {:>6} {:>6} {:>9} {:>6} {:>8}  {outcome}  {}",
                game.mode,
                known(&game.level),
                known(&game.lines),
                known(&game.score),
                known(&game.trt),
                game.frames,
                game.file.display()
            )?;
        }
        Ok(())
    })
}

fn is_kept(path: &Path) -> bool {
    Kind::of(path) == Some(Kind::Kept)
}

/// The games of a folder, in the order of their names.
pub(super) fn in_folder(folder: &Path, is_game: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(|error| reading(folder, error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| is_game(path)).collect();
    paths.sort();
    Ok(paths)
}

fn of(path: &Path) -> Listed {
    let read = image_file::read(path).and_then(|bytes| Kept::read(&bytes).map_err(wrong(path)));
    let game = read.as_ref().ok();
    let result = |name| game.and_then(|game| game.result_of(name)).map(str::to_owned);
    Listed {
        file: path.into(),
        error: read.as_ref().err().map(ToString::to_string),
        begun: game.map_or(0, |game| game.header.begun),
        mode: game.map_or_else(String::new, |game| game.header.mode.to_string()),
        options: game.map_or_else(String::new, |game| game.header.options.to_string()),
        cartridge: game.map_or_else(String::new, |game| game.header.cartridge.clone()),
        frames: game.map_or(0, |game| game.frames.len()),
        outcome: result("outcome"),
        level: result("level"),
        lines: result("lines"),
        score: result("score"),
        trt: result("trt"),
        versus: result("versus"),
        opponent_lines: result("opponent-lines"),
        opponent_score: result("opponent-score"),
        computer: result("computer"),
        standing: game.map_or_else(Standing::default, Kept::standing),
        lost_bytes: game.map_or(0, |game| game.lost),
    }
}

/// Taps that the placements of a game needed and got: as its file has it, or else by playing it
/// again. `None` for a game that does not count as the player's.
pub(super) fn taps(
    path: &Path,
    cartridges: &[Known],
    interrupt: &Interrupt,
) -> Result<Option<TapTable>, Error> {
    let game = Kept::read(&image_file::read(path)?).map_err(wrong(path))?;
    if !game.standing().counts() {
        return Ok(None);
    }
    match game.result_of("taps").map(str::parse) {
        Some(Ok(taps)) => Ok(Some(taps)),
        _ => play(path, cartridges, interrupt).map(|played| Some(TapTable::of(&played.log))),
    }
}

pub(super) fn replay(arguments: &Replay) -> Result<(), Error> {
    let known = [arguments.cartridge.known(Feature::Games)?];
    let played = play(&arguments.game, &known, &Interrupt::listen())?;
    let outcomes = played.outcomes;
    output::print(&outcomes, arguments.json, |out| out.write_all(outcomes.text().as_bytes()))
}
