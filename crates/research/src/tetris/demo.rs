//! `maxout tetris demo`: your own game in place of the cartridge's demo.

mod cabinet;
mod error;
mod recording;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use draft::Draft;
use nes::cartridge::patch::{self, Kind};
use tetris::Feature;

use self::cabinet::Cabinet;
use self::error::DemoError;
use self::recording::{PAIRS, Recording};
use super::replay::Replay;
use cli::error::{Error, wrong};
use cli::game::{Choice, Known};
use cli::image_file;
use cli::output;

/// Record a demo from a movie, and put it into a copy of the cartridge.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  maxout tetris demo record --movie game.fm2 --out demo.json
  maxout tetris demo replace demo.json --out demo.bps")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Record(Record),
    Replace(Replace),
}

/// Record the first game of a movie as a demo.
///
/// The game has to be of A-type at level 0, as every demo is, and without a pause. It is played
/// once more as a demo, with its own pieces: where rows are cleared the demo may take a frame or
/// three more or less, as its clock runs otherwise, and the recording follows. What comes of it is
/// compared with the movie's game.
#[derive(clap::Args)]
#[command(mut_arg("movie", |movie| movie.required(true)))]
#[command(after_help = "\
Examples:
  maxout tetris demo record --movie game.fm2 --out demo.json
  maxout ai run --lines 12 --movie-out game.fm2          a movie of such a game, played by the computer
  maxout tetris demo replace demo.json --out demo.bps    what to do with the demo")]
struct Record {
    #[command(flatten)]
    replay: Replay,
    /// Where to write the demo, as JSON: pairs of buttons and frames, and the pieces.
    #[arg(long, value_name = "OUT.json")]
    out: PathBuf,
}

/// Write a patch, or a patched copy, whose demo is another.
///
/// The cartridge's own file is left alone. The patched copy is run, and has to hold the buttons of
/// the demo frame by frame.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris demo replace demo.json --out demo.bps
  maxout tetris demo replace demo.json game.nes --out demo.ips
  maxout tetris demo replace demo.json game.nes --out other.nes    the whole cartridge")]
struct Replace {
    /// The demo that `record` wrote.
    demo: PathBuf,
    #[command(flatten)]
    cartridge: Choice,
    /// Where to write: .bps, .ips and .ups are patches, .nes is the whole cartridge.
    #[arg(long, value_name = "OUT.bps|OUT.ips|OUT.ups|OUT.nes")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Record(arguments) => record(arguments),
        Command::Replace(arguments) => replace(arguments),
    }
}

fn record(arguments: &Record) -> Result<ExitCode, Error> {
    let movie = arguments.replay.movie.as_deref().unwrap_or(Path::new(""));
    let failed = wrong(movie);
    let mut game = arguments.replay.begin(Feature::Demo)?;
    let mut played = recording::Played::default();
    game.play(0, |_, pads, memory| {
        played.take(pads[0].bits(), memory);
        Ok(())
    })?;
    let taken = played.finish().map_err(failed)?;
    let mut cabinet = Cabinet::open(&game.known, &Recording::idle(taken.pieces())).map_err(failed)?;
    let (recording, rest) = taken.as_demo(&mut cabinet).map_err(failed)?;
    let text = serde_json::to_string(&recording).map_err(|error| Error::Output(error.into()))?;
    Draft::write_file(&arguments.out, format!("{text}\n").as_bytes())?;
    let Recording { buttons, pieces, score, lines } = &recording;
    let (pairs, frames, pieces) = (buttons.len(), recording.frames(), pieces.len());
    let full = match rest {
        0 => String::new(),
        _ => format!("a demo has room for {PAIRS} pairs: the game's last {rest} frames are left out\n"),
    };
    output::text(&format!(
        "{pairs} pairs, {frames} frames, {pieces} pieces, score {score}, {lines} lines\n{full}"
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn replace(arguments: &Replace) -> Result<ExitCode, Error> {
    let game = arguments.cartridge.known(Feature::Demo)?;
    let failed = wrong(&arguments.demo);
    let format = Format::of(&arguments.out)?;
    if let Some(rom) =
        arguments.cartridge.rom.as_deref().filter(|rom| image_file::is_same(rom, &arguments.out))
    {
        return Err(Error::InPlace(rom.into()));
    }
    let text = image_file::read(&arguments.demo)?;
    let recording: Recording =
        serde_json::from_slice(&text).map_err(|error| failed(DemoError::from(error)))?;
    recording.check().map_err(failed)?;
    let (image, score, lines) = Cabinet::proved(&game, &recording).map_err(failed)?;
    let bytes = format.bytes(&game, image, &arguments.out)?;
    Draft::write_file(&arguments.out, &bytes)?;
    let (frames, pairs) = (recording.frames(), recording.buttons.len());
    output::text(&format!(
        "{pairs} pairs, {frames} frames: the demo ends with score {score}, {lines} lines\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What to write.
#[derive(Clone, Copy)]
enum Format {
    Patch(Kind),
    Image,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match Kind::of_extension(extension) {
            Some(kind) => Ok(Self::Patch(kind)),
            None if extension.eq_ignore_ascii_case("nes") => Ok(Self::Image),
            None => Err(Error::PatchName(path.into())),
        }
    }

    fn bytes(self, game: &Known, image: Vec<u8>, path: &Path) -> Result<Vec<u8>, Error> {
        match self {
            Self::Patch(kind) => patch::write(kind, &game.image, &image).map_err(wrong(path)),
            Self::Image => Ok(image),
        }
    }
}
