//! `maxout tetris watch`: a game as a stream of events.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use serde_json::Value;
use tetris::Feature;
use tetris::events::{Record, Watcher};

use super::replay::Replay;
use crate::error::Error;
use crate::output;

/// Print what happens in a game: pieces, shifts, locks, lines, scores, frame by frame.
///
/// Reads only the console's RAM, so a movie, a saved state and a game left alone (which shows its demo) give the same
/// stream. A game that crashes ends it, with an event `crash` and the exit status 3. With --json each line is one JSON object; docs/events.md describes them.
#[derive(clap::Args)]
#[command(mut_arg("frames", |frames| frames.help("Frames to run [default: the movie's length, or 7200]")))]
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
    #[command(flatten)]
    replay: Replay,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

const DEFAULT_FRAMES: u64 = 7_200;

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let mut game = arguments.replay.begin(Feature::Events)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut watcher = Watcher::default();
    watcher.observe(0, &game.memory());
    let mut last = 0;
    let played = game.play(DEFAULT_FRAMES, |frame, _, memory| {
        last = frame;
        let mut records = watcher.observe(frame, memory).into_iter();
        records.try_for_each(|record| print(&mut out, &record, arguments.json)).map_err(Error::Output)
    });
    if let Some(crash) = game.crash {
        let record = Record { frame: last, ..crash.record() };
        print(&mut out, &record, arguments.json).map_err(Error::Output)?;
    }
    out.flush().map_err(Error::Output)?;
    played.map(|()| ExitCode::SUCCESS)
}

/// A line: JSON, or the frame, the event and its fields.
fn print(out: &mut impl Write, record: &Record, json: bool) -> std::io::Result<()> {
    if json {
        return output::json_line(out, record);
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
