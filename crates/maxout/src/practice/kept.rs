//! Games that were kept.

use std::fs;
use std::path::{Path, PathBuf};

use draft::Draft;
use nes::Buttons;
use nes::Config;
use nes::controller::fm2::{FrameInput, Movie};
use practice::{Kept, Log};
use serde::Serialize;
use tetris::Feature;

use super::play::Outcomes;
use super::refused;
use crate::error::{Error, reading, wrong};
use crate::interrupt::Interrupt;
use crate::tetris::game::{Choice, Known};
use crate::{image_file, output};

/// List the games of a folder, the latest first.
#[derive(clap::Args)]
pub(super) struct Games {
    /// The folder that games were kept in.
    folder: PathBuf,
    /// Print a JSON array.
    #[arg(long)]
    json: bool,
}

/// Play a kept game again and print what came of it.
#[derive(clap::Args)]
pub(super) struct Replay {
    /// The game's file.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Write a kept game as a movie that FCEUX plays as well.
///
/// Only games that buttons alone can repeat: those in which the mode and the options write nothing into the console.
#[derive(clap::Args)]
pub(super) struct Export {
    /// The game's file.
    game: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Where to write it.
    #[arg(long, value_name = "OUT.fm2")]
    out: PathBuf,
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
    lost_bytes: usize,
}

pub(super) fn games(arguments: &Games) -> Result<(), Error> {
    let folder = fs::read_dir(&arguments.folder).map_err(|error| reading(&arguments.folder, error))?;
    let paths = folder.flatten().map(|entry| entry.path());
    let files = paths.filter(|path| path.extension().is_some_and(|ending| ending == "mxgame"));
    let mut listed: Vec<Listed> = files.map(|path| of(&path)).collect();
    listed.sort_by(|one, other| (other.begun, &other.file).cmp(&(one.begun, &one.file)));
    output::print(&listed, arguments.json, |out| {
        writeln!(
            out,
            "{:<28} {:>6} {:>6} {:>9} {:>6} {:>8}  outcome  file",
            "mode", "level", "lines", "score", "TRT", "frames"
        )?;
        for game in &listed {
            let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
            let outcome = game.error.clone().unwrap_or_else(|| known(&game.outcome));
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
        lost_bytes: game.map_or(0, |game| game.lost),
    }
}

/// A game that was played again.
pub(super) struct Played {
    pub(super) game: Kept,
    pub(super) log: Log,
    pub(super) outcomes: Outcomes,
    delivered: Vec<Buttons>,
    writes: bool,
    known: Known,
}

/// Reads the game of a file and plays it again.
pub(super) fn play(path: &Path, cartridge: &Choice) -> Result<Played, Error> {
    let game = Kept::read(&image_file::read(path)?).map_err(wrong(path))?;
    if game.lost > 0 {
        eprintln!(
            "warning: {}: its last {} bytes are no whole block and are left out",
            path.display(),
            game.lost
        );
    }
    let known = cartridge.known(Feature::Practice)?;
    let found = known.cartridge.crc32();
    if found != game.header.crc32 {
        let wanted = &game.header;
        let text = format!(
            "recorded on {} (CRC32 {:08X}), found {} ({found:08X}): name its ROM after the game",
            wanted.cartridge, wanted.crc32, known.profile.name
        );
        return Err(wrong(path)(text));
    }
    let config = Config { video: false, ..Config::default() };
    let replay = practice::Replay::new(&game, known.cartridge.clone(), known.profile.clone(), config);
    let mut replay = replay.map_err(refused)?;
    let (mut log, mut delivered) = (Log::default(), Vec::new());
    let interrupt = Interrupt::listen();
    while let Some((records, buttons)) = replay.step() {
        log.observe(replay.console().frame_number(), replay.session(), &records);
        delivered.push(buttons);
        if delivered.len().is_multiple_of(256) {
            interrupt.check()?;
        }
    }
    let outcomes = Outcomes::of(replay.console(), replay.session(), &log);
    let writes = replay.session().writes() || !game.chances.is_empty();
    Ok(Played { game, log, outcomes, delivered, writes, known })
}

pub(super) fn replay(arguments: &Replay) -> Result<(), Error> {
    let played = play(&arguments.game, &arguments.cartridge)?;
    let outcomes = played.outcomes;
    output::print(&outcomes, arguments.json, |out| out.write_all(outcomes.text().as_bytes()))
}

pub(super) fn export(arguments: &Export) -> Result<(), Error> {
    let inputs =
        [("the game", Some(arguments.game.as_path())), ("the cartridge", arguments.cartridge.rom.as_deref())];
    image_file::check_outputs(&inputs, &[("--out", Some(arguments.out.as_path()))])?;
    let played = play(&arguments.game, &arguments.cartridge)?;
    if played.writes {
        let mode = played.game.header.mode;
        let text = format!("{mode} writes into the console, so that buttons alone cannot repeat the game");
        return Err(wrong(&arguments.game)(text));
    }
    let frame = |pad| FrameInput { pads: [pad, Buttons::empty()], ..FrameInput::default() };
    let movie = Movie {
        rom_filename: played.known.profile.name.clone(),
        rom_checksum: Movie::checksum_of(played.known.cartridge.info().md5.0),
        comments: vec![format!("author maxout practice {}", played.game.header.mode)],
        frames: played.delivered.into_iter().map(frame).collect(),
        ..Movie::default()
    };
    Draft::write_file(&arguments.out, movie.to_string().as_bytes())?;
    output::text(&format!("{} frames\n", movie.frames.len()))
}
