//! `maxout tetris watch`: a game as a stream of events.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value;
use tetris::Feature;
use tetris::events::{Record, Watcher};

use super::replay::Replay;
use cli::error::Error;
use cli::output;

/// Print the events of a game: pieces, shifts, locks, lines, scores, frame by frame.
///
/// Reads only the console's RAM, so a movie, a saved state and the demo give the same stream. A
/// game that crashes ends it, with an event `crash` and the exit status 3. With --json each line is
/// one JSON object; docs/events.md describes them.
#[derive(clap::Args)]
#[command(mut_arg("frames", |frames| frames.help("Frames to run [default: the movie's length, or 7200]")))]
#[command(after_help = "\
Examples:
  maxout tetris watch --frames 4000                    the built-in cartridge's demo
  maxout tetris watch --movie game.fm2 --json
  maxout tetris watch hack.nes --profile hack.toml --movie game.fm2

A profile is the memory map of another cartridge; what it leaves out is as in Tetris (US):
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
    if let Some(crash) = game.crash() {
        let record = Record { frame: last, ..crash.record() };
        print(&mut out, &record, arguments.json).map_err(Error::Output)?;
    }
    out.flush().map_err(Error::Output)?;
    played.map(|()| ExitCode::SUCCESS)
}

/// Buttons from bit 7 down.
const BUTTONS: [&str; 8] = ["A", "B", "Select", "Start", "Up", "Down", "Left", "Right"];

/// The orientations by their numbers. T, J and L point to where their odd cell is as seen from the
/// long side's middle.
const ORIENTATIONS: [&str; 19] = [
    "T up",
    "T right",
    "T down",
    "T left",
    "J left",
    "J up",
    "J right",
    "J down",
    "Z horizontal",
    "Z vertical",
    "O",
    "S horizontal",
    "S vertical",
    "L right",
    "L down",
    "L left",
    "L up",
    "I vertical",
    "I horizontal",
];

/// A record with the names of what is a number in it.
#[derive(Serialize)]
struct Named<'a> {
    #[serde(flatten)]
    record: &'a Record,
    #[serde(flatten)]
    names: BTreeMap<String, String>,
}

/// What a player calls the value of a field; `None` where the value says it.
fn name(field: &str, value: &Value) -> Option<String> {
    let number = usize::try_from(value.as_u64()?).ok()?;
    match field {
        "held" | "pressed" if number == 0 => Some("none".to_owned()),
        "held" | "pressed" => {
            let held = BUTTONS.iter().enumerate().filter(|(bit, _)| number & 0x80 >> bit != 0);
            Some(held.map(|(_, name)| *name).collect::<Vec<_>>().join("+"))
        }
        "orientation" => ORIENTATIONS.get(number).map(|name| (*name).to_owned()),
        _ => None,
    }
}

/// A line: JSON, or the frame, the event and its fields.
fn print(out: &mut impl Write, record: &Record, json: bool) -> std::io::Result<()> {
    let Value::Object(fields) = serde_json::to_value(record)? else { return Ok(()) };
    if json {
        let names =
            fields.iter().filter_map(|(field, value)| Some((format!("{field}_name"), name(field, value)?)));
        return output::json_line(out, &Named { record, names: names.collect() });
    }
    write!(out, "{:>7}  {:<10}", record.frame, fields["event"].as_str().unwrap_or_default())?;
    for (field, value) in fields.iter().filter(|(field, _)| *field != "frame" && *field != "event") {
        let text = name(field, value).unwrap_or_else(|| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        write!(out, " {field}={text}")?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use tetris::{Orientation, Piece};

    use super::*;

    #[test]
    fn buttons_and_orientations_have_their_names() {
        assert_eq!(name("held", &129.into()).unwrap(), "A+Right");
        assert_eq!(name("pressed", &0.into()).unwrap(), "none");
        assert_eq!(name("row", &3.into()), None);
        for (number, text) in (0..).zip(ORIENTATIONS) {
            let piece = Orientation::from_id(number).and_then(Orientation::piece).unwrap();
            assert!(text.starts_with(piece.letter()), "{number}: {text}");
        }
        assert_eq!(ORIENTATIONS[usize::from(Orientation::spawn(Piece::J).id())], "J down");
    }
}
