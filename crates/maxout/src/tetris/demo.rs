//! `maxout tetris demo`: a game of one's own in place of the cartridge's demo.

mod cabinet;
mod recording;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use draft::Draft;
use nes::Config;
use nes::cartridge::patch::{bps, ips};

use self::cabinet::Cabinet;
use self::recording::Recording;
use super::game::{Known, known};
use crate::error::Error;
use crate::image_file;
use crate::machine::PowerOn;
use crate::session::{Session, run_frame};

/// Record a demo from a movie, and put it into a copy of the cartridge.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
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
/// The game has to be of A-type at level 0, as every demo is, and without a pause. It is played once more as a demo, with its
/// own pieces: where rows are cleared the demo may take a frame or three more or less, as its clock runs otherwise, and
/// the recording follows. What comes of it is compared with the movie's game.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout tetris demo record --movie game.fm2 --out demo.json
  maxout tetris demo replace demo.json --out demo.bps")]
struct Record {
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Movie in FCEUX's text format to play.
    #[arg(long, value_name = "FILE.fm2")]
    movie: PathBuf,
    /// Begin from a saved state instead of power-on.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Where to write the demo, as JSON: pairs of buttons and frames, and the pieces.
    #[arg(long, value_name = "OUT.json")]
    out: PathBuf,
    /// Where this cartridge keeps things, if it is not a known one.
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    power_on: PowerOn,
}

/// Write a patch, or a patched copy, whose demo is another.
///
/// The cartridge's own file is left alone. The patched copy is run, and has to hold the buttons of the demo frame by frame.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris demo replace demo.json --out demo.bps
  maxout tetris demo replace demo.json game.nes --out demo.ips
  maxout tetris demo replace demo.json game.nes --out other.nes    the whole cartridge")]
struct Replace {
    /// The demo that `record` wrote.
    demo: PathBuf,
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Where to write: .bps and .ips are patches, .nes is the whole cartridge.
    #[arg(long, value_name = "OUT.bps|OUT.ips|OUT.nes")]
    out: PathBuf,
    /// Where this cartridge keeps things, if it is not a known one.
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Record(arguments) => record(arguments),
        Command::Replace(arguments) => replace(arguments),
    }
}

fn record(arguments: &Record) -> Result<ExitCode, Error> {
    let game = known(arguments.rom.as_deref(), arguments.profile.as_deref())?;
    let failed = |reason| Error::Demo { path: arguments.movie.clone(), reason };
    let config = Config { video: false, ..arguments.power_on.config(None) };
    let (movie, state) = (Some(arguments.movie.as_path()), arguments.load_state.as_deref());
    let mut session = Session::begin(game.cartridge.clone(), config, movie, state)?;
    let frames = session.length().unwrap_or_default();
    let mut played = recording::Played::default();
    session.play(frames, |console, _, pads| {
        run_frame(console, pads);
        played.take(pads[0].bits(), &game.profile.as_mapped(console.ram()));
        Ok(())
    })?;
    let taken = played.finish().map_err(failed)?;
    let mut cabinet = Cabinet::open(&game, &Recording::idle(taken.pieces()), 0).map_err(failed)?;
    let (recording, rest) = taken.as_demo(&mut cabinet).map_err(failed)?;
    let text = serde_json::to_string(&recording).map_err(|error| Error::Output(error.into()))?;
    Draft::write_file(&arguments.out, format!("{text}\n").as_bytes())?;
    let mut out = std::io::stdout().lock();
    let Recording { buttons, pieces, score, lines } = &recording;
    writeln!(
        out,
        "{} pairs, {} frames, {} pieces, score {score}, {lines} lines",
        buttons.len(),
        recording.frames(),
        pieces.len()
    )
    .map_err(Error::Output)?;
    if rest > 0 {
        writeln!(
            out,
            "a demo has room for {} pairs: the game's last {rest} frames are left out",
            recording::PAIRS
        )
        .map_err(Error::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn replace(arguments: &Replace) -> Result<ExitCode, Error> {
    let game = known(arguments.rom.as_deref(), arguments.profile.as_deref())?;
    let failed = |reason| Error::Demo { path: arguments.demo.clone(), reason };
    let format = Format::of(&arguments.out)?;
    if let Some(rom) = arguments.rom.as_deref().filter(|rom| same_file(rom, &arguments.out)) {
        return Err(Error::InPlace(rom.into()));
    }
    let text = image_file::read(&arguments.demo)?;
    let recording: Recording = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    recording.check().map_err(failed)?;
    let (image, score, lines) = Cabinet::proved(&game, &recording).map_err(failed)?;
    let bytes = format.bytes(&game, image, &arguments.out)?;
    Draft::write_file(&arguments.out, &bytes)?;
    let (frames, pairs) = (recording.frames(), recording.buttons.len());
    writeln!(
        std::io::stdout(),
        "{pairs} pairs, {frames} frames: the demo ends with score {score}, {lines} lines"
    )
    .map_err(Error::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// What to write.
#[derive(Clone, Copy)]
enum Format {
    Bps,
    Ips,
    Image,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "bps" => Ok(Self::Bps),
            "ips" => Ok(Self::Ips),
            "nes" => Ok(Self::Image),
            _ => Err(Error::PatchName(path.into())),
        }
    }

    fn bytes(self, game: &Known, image: Vec<u8>, path: &Path) -> Result<Vec<u8>, Error> {
        match self {
            Self::Bps => Ok(bps::write(&game.image, &image)),
            Self::Ips => {
                ips::write(&game.image, &image).map_err(|source| Error::Patch { path: path.into(), source })
            }
            Self::Image => Ok(image),
        }
    }
}

/// Are both names of one file that is there?
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
