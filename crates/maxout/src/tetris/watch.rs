//! `maxout tetris watch`: a game as a stream of events.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;
use tetris::events::{Record, Watcher};

use super::game::{Known, known};
use crate::error::Error;
use crate::machine::PowerOn;
use crate::session::{Session, run_frame};

/// Print what happens in a game: pieces, shifts, locks, lines, scores, frame by frame.
///
/// Reads only the console's RAM, so a movie, a saved state and a game left alone (which shows its demo) give the same
/// stream. With --json each line is one JSON object; docs/events.md describes them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris watch --frames 4000                    the built-in cartridge's demo
  maxout tetris watch --movie game.fm2 --json
  maxout tetris watch hack.nes --profile hack.toml --movie game.fm2

A profile says where another cartridge keeps things; what it leaves out is where Tetris (US) has it:
  name = \"A hack\"
  sha1 = [\"…\"]           of the file, or of what follows its header
  [ram]
  level = 0x64
  [hooks]
  spawn = 0x98BA")]
pub(crate) struct Arguments {
    /// Cartridge image; without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Frames to run [default: 7200, or the movie's length].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Movie in FCEUX's text format to play.
    #[arg(long, value_name = "FILE.fm2")]
    movie: Option<PathBuf>,
    /// Begin from a saved state instead of power-on.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Where this cartridge keeps things, if it is not a known one.
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    power_on: PowerOn,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

const DEFAULT_FRAMES: u64 = 7_200;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Known { cartridge, profile, .. } = known(arguments.rom.as_deref(), arguments.profile.as_deref())?;
    let config = arguments.power_on.config(None);
    let (movie, state) = (arguments.movie.as_deref(), arguments.load_state.as_deref());
    let mut session = Session::begin(cartridge, config, movie, state)?;
    let frames = arguments.frames.or(session.length()).unwrap_or(DEFAULT_FRAMES);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut watcher = Watcher::default();
    watcher.observe(0, &profile.as_mapped(session.console.ram()));
    session.play(frames, |console, frame, pads| {
        run_frame(console, pads);
        for record in watcher.observe(frame + 1, &profile.as_mapped(console.ram())) {
            print(&mut out, &record, arguments.json).map_err(Error::Output)?;
        }
        Ok(())
    })?;
    out.flush().map_err(Error::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// A line: JSON, or the frame, the event and its fields.
fn print(out: &mut impl Write, record: &Record, json: bool) -> std::io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, record)?;
        return writeln!(out);
    }
    let Value::Object(fields) = serde_json::to_value(record)? else { return Ok(()) };
    write!(out, "{:>7}  {:<10}", record.frame, fields["event"].as_str().unwrap_or_default())?;
    for (name, value) in fields.iter().filter(|(name, _)| *name != "frame" && *name != "event") {
        match value {
            Value::String(text) => write!(out, " {name}={text}")?,
            _ => write!(out, " {name}={value}")?,
        }
    }
    writeln!(out)
}
