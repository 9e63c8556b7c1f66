//! Games that were kept.

use std::fs;
use std::path::{Path, PathBuf};

use nes::Buttons;
use nes::Config;
use nes::Region;
use practice::{Kept, Log, Standing, TapTable};
use serde::Serialize;
use tetris::Feature;

use super::play::Outcomes;
use crate::error::{Error, reading, wrong};
use crate::interrupt::Interrupt;
use crate::tetris::game::{Choice, Known};
use crate::written::Kind;
use crate::{image_file, output};

/// List the games of a folder, the latest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout practice games games --json")]
pub(super) struct Games {
    /// The folder that games were kept in.
    folder: PathBuf,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

/// Play a kept game again and print what came of it.
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

/// A game that was played again.
pub(crate) struct Played {
    pub(crate) game: Kept,
    pub(crate) log: Log,
    pub(super) outcomes: Outcomes,
    pub(super) delivered: Vec<[Buttons; 2]>,
    pub(super) is_a_movie: bool,
    pub(super) md5: [u8; 16],
    pub(super) region: Region,
    pub(super) name: String,
}

impl Played {
    /// Its figures, a line each.
    pub(crate) fn summary(&self) -> String {
        self.outcomes.text()
    }
}

/// Reads the game of a file, and finds the one of `cartridges` that it was played on.
pub(super) fn read<'a>(path: &Path, cartridges: &'a [Known]) -> Result<(Kept, &'a Known), Error> {
    let game = Kept::read(&image_file::read(path)?).map_err(wrong(path))?;
    if game.lost > 0 {
        tty::tell!(
            "warning: {}: its last {} bytes are no whole block and are left out",
            path.display(),
            game.lost
        );
    }
    let wanted = &game.header;
    let known = cartridges.iter().find(|known| known.cartridge.crc32() == wanted.crc32).ok_or_else(|| {
        let found = cartridges
            .iter()
            .map(|known| format!("{} ({:08X})", known.profile.name, known.cartridge.crc32()));
        let found = found.collect::<Vec<_>>().join(", ");
        let text = format!(
            "recorded on {} (CRC32 {:08X}), found {found}: name its ROM after the game",
            wanted.cartridge, wanted.crc32
        );
        wrong(path)(text)
    })?;
    Ok((game, known))
}

/// Reads the game of a file and plays it again.
pub(crate) fn play(path: &Path, cartridges: &[Known], interrupt: &Interrupt) -> Result<Played, Error> {
    let (game, known) = read(path, cartridges)?;
    let config = Config { video: false, ..Config::default() };
    let replay = practice::Replay::new(&game, known.cartridge.clone(), known.profile.clone(), config);
    let mut replay = replay.map_err(wrong(path))?;
    let mut delivered = Vec::new();
    while let Some((_, pads)) = replay.step().map_err(wrong(path))? {
        delivered.push(pads);
        if delivered.len().is_multiple_of(256) {
            interrupt.check()?;
        }
    }
    let outcomes = Outcomes::of(replay.console(), replay.session(), replay.log());
    let (log, is_a_movie) = (replay.log().clone(), game.is_a_movie(replay.session()));
    let (md5, name) = (known.cartridge.info().md5.0, known.profile.name.clone());
    let region = known.cartridge.info().region;
    Ok(Played { game, log, outcomes, delivered, is_a_movie, md5, region, name })
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
