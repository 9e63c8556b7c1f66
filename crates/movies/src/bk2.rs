//! BizHawk's movies (`.bk2`): an archive with a header, settings as JSON and an input log.
//!
//! ```text
//! LogKey:#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|
//! |..|........|
//! |..|....S...|
//! ```
//!
//! The key names the columns; a dot is a button that is up, any other character one that is held.
//!
//! Line *i*, counted from 0, is the console's frame *i*: NesHawk begins with a frame of 241 lines
//! in which the PPU is dead, which ends with the first vertical blank, as frame 0 does here. A
//! command is carried out when the next line begins (source: BizHawk, `NES.Core.cs` and
//! `PPU.run.cs`; that both stay in step was not measured). RAM is what FCEUX has at power-on unless
//! the settings name a pattern.

use std::io::{Cursor, Write};

use fm2::{Commands, FrameInput, Movie, Origin, RamInit};
use nes_controller::{Buttons, Devices};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::archive::Archive;
use crate::error::{MovieError, quote};

/// The file with the input.
pub(crate) const INPUT: &str = "Input Log.txt";
const HEADER: &str = "Header.txt";
const COMMENTS: &str = "Comments.txt";
const SUBTITLES: &str = "Subtitles.txt";
const SETTINGS: &str = "SyncSettings.json";

const KEY: &str = "LogKey:";
/// Columns of a pad as they are written, with the letter of each.
const PAD: [(&str, char, Buttons); 8] = [
    ("Up", 'U', Buttons::UP),
    ("Down", 'D', Buttons::DOWN),
    ("Left", 'L', Buttons::LEFT),
    ("Right", 'R', Buttons::RIGHT),
    ("Start", 'S', Buttons::START),
    ("Select", 's', Buttons::SELECT),
    ("B", 'B', Buttons::B),
    ("A", 'A', Buttons::A),
];
/// A movie has no more columns: four pads have 32.
const MOST_COLUMNS: usize = 200;
const RECORD_AGAIN: &str = "record the movie from power-on with NesHawk and two standard pads";

/// What a character of a line says.
enum Column {
    Button(usize, Buttons),
    Command(Commands),
    /// Something that this machine does not have.
    Other(String),
}

pub(crate) fn read(archive: &mut Archive<'_>) -> Result<Movie, MovieError> {
    let header = archive.needed(HEADER)?;
    let mut movie = Movie { ram: RamInit::Stripes, origin: Origin::NesHawk, ..Movie::default() };
    read_header(&mut movie, &header)?;
    read_settings(&mut movie, &archive.text(SETTINGS)?)?;
    let comments = archive.text(COMMENTS)?;
    let lines = comments.lines().map(str::trim).filter(|line| !line.is_empty());
    movie.comments.extend(lines.map(str::to_owned));
    movie.frames = read_log(&archive.text(INPUT)?)?;
    Ok(movie)
}

fn unsupported(place: impl Into<String>, found: impl Into<String>) -> MovieError {
    MovieError::Unsupported { place: place.into(), found: found.into(), remedy: RECORD_AGAIN }
}

fn read_header(movie: &mut Movie, text: &str) -> Result<(), MovieError> {
    for (number, line) in (1..).zip(text.lines()) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let (value, place) = (value.trim(), format!("{HEADER}, line {number}"));
        let is_on = value.eq_ignore_ascii_case("true") || value == "1";
        match key {
            "Platform" if value != "NES" => return Err(unsupported(place, format!("a movie of {value:?}"))),
            "Core" => match value {
                "NesHawk" => {}
                "QuickNes" | "quicknes" => movie.origin = Origin::QuickNes,
                "SubNESHawk" | "SubNesHawk" => {
                    return Err(unsupported(place, "input and resets within a frame (SubNESHawk)"));
                }
                _ => return Err(unsupported(place, format!("the core {value:?}"))),
            },
            "StartsFromSavestate" if is_on => {
                return Err(unsupported(place, "a start from a savestate of BizHawk's"));
            }
            "StartsFromSaveRam" if is_on => {
                return Err(unsupported(place, "a start from a battery save"));
            }
            "GameName" => value.clone_into(&mut movie.rom_filename),
            "SHA1" => movie.rom_sha1 = digits(value, 40),
            "MD5" => {
                let md5 = digits(value, 32);
                if !md5.is_empty() {
                    movie.rom_checksum = format!("0x{md5}");
                }
            }
            "PAL" => movie.pal = is_on,
            "rerecordCount" => movie.rerecord_count = value.parse().unwrap_or_default(),
            "Author" if !value.is_empty() => movie.comments.push(format!("author {value}")),
            _ => {}
        }
    }
    Ok(())
}

/// Returns a hash of so many hexadecimal digits in lower case; empty if the text is none.
fn digits(text: &str, count: usize) -> String {
    let text = text.rsplit(':').next().unwrap_or_default().trim();
    let is_one = text.len() == count && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_one { text.to_ascii_lowercase() } else { String::new() }
}

/// Reads what RAM holds at power-on, and the region if it is not the cartridge's.
fn read_settings(movie: &mut Movie, text: &str) -> Result<(), MovieError> {
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else { return Ok(()) };
    let wrong = |error: serde_json::Error| MovieError::Line {
        name: SETTINGS,
        line: error.line(),
        expected: "settings as JSON".to_owned(),
        found: quote(line),
    };
    let settings: Value = serde_json::from_str(line).map_err(wrong)?;
    let settings = settings.get("o").unwrap_or(&settings);
    // 0 automatic, 1 NTSC, 2 PAL, 3 Dendy.
    match settings.get("RegionOverride").and_then(Value::as_u64) {
        Some(2) => movie.pal = true,
        Some(3) => return Err(unsupported(SETTINGS, "a Dendy")),
        _ => {}
    }
    let Some(pattern) = settings.get("InitialWRamStatePattern").and_then(Value::as_array) else {
        return Ok(());
    };
    let pattern: Vec<u64> = pattern.iter().filter_map(Value::as_u64).collect();
    movie.ram = match &pattern[..] {
        [] => RamInit::Stripes,
        all if all.iter().all(|&byte| byte == 0) => RamInit::Zeros,
        all if all.iter().all(|&byte| byte == 0xFF) => RamInit::Ones,
        [0, 0, 0, 0, 255, 255, 255, 255] => RamInit::Stripes,
        _ => return Err(unsupported(SETTINGS, "another pattern of RAM at power-on")),
    };
    Ok(())
}

fn read_log(text: &str) -> Result<Vec<FrameInput>, MovieError> {
    let wrong = |line: usize, expected: &str, found: &str| MovieError::Line {
        name: INPUT,
        line,
        expected: expected.to_owned(),
        found: quote(found),
    };
    let mut columns = None;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(key) = line.strip_prefix(KEY) {
            columns = Some(read_key(key, number)?);
        } else if line.starts_with('|') {
            let columns = columns.as_deref().ok_or_else(|| wrong(number, "LogKey: and columns", line))?;
            lines.push(read_line(columns, line, number)?);
        }
    }
    if columns.is_none() {
        return Err(wrong(1, "LogKey: and columns", text.lines().next().unwrap_or_default()));
    }
    Ok(crate::shifted(lines))
}

fn read_key(key: &str, line: usize) -> Result<Vec<Column>, MovieError> {
    let names: Vec<&str> = key.split(['#', '|']).filter(|name| !name.is_empty()).collect();
    if names.len() > MOST_COLUMNS {
        let expected = format!("at most {MOST_COLUMNS} columns");
        return Err(MovieError::Line { name: INPUT, line, expected, found: quote(key) });
    }
    let column = |name: &&str| match name.trim() {
        "Reset" => Ok(Column::Command(Commands::RESET)),
        "Power" => Ok(Column::Command(Commands::POWER)),
        "Reset Cycle" => {
            Err(unsupported(format!("{INPUT}, line {line}"), "resets within a frame (Reset Cycle)"))
        }
        name if [" X", " Y", " Paddle"].iter().any(|end| name.ends_with(end)) => Err(unsupported(
            format!("{INPUT}, line {line}"),
            format!("a device other than a pad ({})", quote(name)),
        )),
        name => {
            let pad = ["P1 ", "P2 "].iter().position(|pad| name.starts_with(pad));
            let button = pad.and_then(|pad| Some((pad, PAD.iter().find(|known| known.0 == &name[3..])?.2)));
            Ok(button.map_or_else(|| Column::Other(quote(name)), |(pad, button)| Column::Button(pad, button)))
        }
    };
    names.iter().map(column).collect()
}

fn read_line(columns: &[Column], line: &str, number: usize) -> Result<FrameInput, MovieError> {
    let held = line.trim_end().chars().filter(|&letter| letter != '|');
    if held.clone().count() != columns.len() {
        let expected = format!("{} columns", columns.len());
        return Err(MovieError::Line { name: INPUT, line: number, expected, found: quote(line) });
    }
    let mut input = FrameInput::default();
    for (column, _) in columns.iter().zip(held).filter(|&(_, letter)| letter != '.') {
        match column {
            Column::Button(pad, button) => input.pads[*pad] |= *button,
            Column::Command(command) => input.commands |= *command,
            Column::Other(name) => return Err(unsupported(format!("{INPUT}, line {number}"), name.clone())),
        }
    }
    Ok(input)
}

/// Writes a movie for BizHawk's NesHawk.
pub(crate) fn write(movie: &Movie) -> Result<Vec<u8>, MovieError> {
    if movie.frames.first().is_some_and(|frame| !frame.commands.is_empty()) {
        return Err(MovieError::Unsupported {
            place: "frame 0".to_owned(),
            found: "a reset before the first frame".to_owned(),
            remedy: "write it as .fm2",
        });
    }
    if movie.devices != Devices::Pads {
        return Err(MovieError::Unsupported {
            place: "the ports".to_owned(),
            found: format!("devices other than two standard pads ({})", movie.devices),
            remedy: "write it as .fm2",
        });
    }
    let failed = |error: &dyn std::fmt::Display| MovieError::Archive(error.to_string());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let comments = movie.comments.join("\n") + "\n";
    let subtitles = "\n".to_owned();
    let files = [
        (HEADER, header(movie)),
        (COMMENTS, comments),
        (SUBTITLES, subtitles),
        (SETTINGS, settings(movie)),
        (INPUT, log(&movie.frames)),
    ];
    for (name, text) in files {
        // No time: the same movie is the same bytes.
        zip.start_file(name, SimpleFileOptions::default()).map_err(|error| failed(&error))?;
        zip.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    }
    Ok(zip.finish().map_err(|error| failed(&error))?.into_inner())
}

fn header(movie: &Movie) -> String {
    let version = concat!("Maxout ", env!("CARGO_PKG_VERSION"));
    let author = movie.comments.iter().find_map(|comment| comment.strip_prefix("author "));
    let md5 = movie.md5().map(|md5| md5.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}")));
    let lines = [
        ("MovieVersion", Some("BizHawk v2.0.0".to_owned())),
        ("emuVersion", Some(version.to_owned())),
        ("OriginalEmuVersion", Some(version.to_owned())),
        ("Platform", Some("NES".to_owned())),
        ("Core", Some("NesHawk".to_owned())),
        ("GameName", Some(one_line(&movie.rom_filename))),
        ("SHA1", Some(movie.rom_sha1.to_uppercase()).filter(|sha1| !sha1.is_empty())),
        ("MD5", md5),
        ("Author", author.map(one_line)),
        ("PAL", movie.pal.then(|| "1".to_owned())),
        ("rerecordCount", Some(movie.rerecord_count.to_string())),
    ];
    let given = lines.into_iter().filter_map(|(key, value)| Some(format!("{key} {}\n", value?)));
    given.collect()
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

fn settings(movie: &Movie) -> String {
    let pattern = match movie.ram {
        RamInit::Stripes => Value::Null,
        RamInit::Zeros => json!([0]),
        RamInit::Ones => json!([0xFF]),
        RamInit::Random(_) => json!(movie.ram.bytes().to_vec()),
    };
    let settings = json!({ "o": {
        "$type": "BizHawk.Emulation.Cores.Nintendo.NES.NES+NESSyncSettings, BizHawk.Emulation.Cores",
        "BoardProperties": {},
        "RegionOverride": u8::from(movie.pal) * 2,
        "Controls": {
            "Famicom": false,
            "NesLeftPort": "ControllerNES",
            "NesRightPort": "ControllerNES",
            "FamicomExpPort": "UnpluggedFam",
        },
        "InitialWRamStatePattern": pattern,
        "VSDipswitches": null,
    }});
    format!("{settings}\n")
}

fn log(frames: &[FrameInput]) -> String {
    let mut text = format!("[Input]\n{KEY}#Reset|Power|");
    for pad in 1..=2 {
        text.push('#');
        text.extend(PAD.map(|(name, ..)| format!("P{pad} {name}|")));
    }
    text.push('\n');
    let next = frames.iter().skip(1).map(|frame| frame.commands).chain([Commands::empty()]);
    for (frame, commands) in frames.iter().zip(next) {
        let command = |command: Commands, letter| if commands.contains(command) { letter } else { '.' };
        text.push('|');
        text.extend([command(Commands::RESET, 'r'), command(Commands::POWER, 'P'), '|']);
        for pad in frame.pads {
            text.extend(PAD.map(|(_, letter, button)| if pad.contains(button) { letter } else { '.' }));
            text.push('|');
        }
        text.push('\n');
    }
    text + "[/Input]\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    const LOG: &str = "[Input]\nLogKey:#Power|Reset|#P2 A|P2 Up|#P1 Start|P1 B|P1 Microphone|\n\
                       |..|.U|S..|\n|.r|..|...|\n|..|A.|.B.|\n[/Input]\n";

    fn input(commands: Commands, first: Buttons, second: Buttons) -> FrameInput {
        FrameInput { commands, pads: [first, second], ..FrameInput::default() }
    }

    #[test]
    fn columns_are_those_that_the_key_names_and_a_reset_comes_with_the_next_line() {
        let header = "MovieVersion BizHawk v2.0.0\nPlatform NES\nCore NesHawk\nGameName Tetris\nPAL 1\n\
                      SHA1 SHA1:0123456789ABCDEF0123456789ABCDEF01234567\nrerecordCount 12\nAuthor me\n";
        let settings = "{\"o\":{\"InitialWRamStatePattern\":[255,255]}}";
        let files = [(HEADER, header), (INPUT, LOG), (SETTINGS, settings), (COMMENTS, "\nfast\n")];
        let movie = crate::read(&archive(&files)).unwrap();
        let none = Buttons::empty();
        let frames = [
            input(Commands::empty(), Buttons::START, Buttons::UP),
            input(Commands::empty(), none, none),
            input(Commands::RESET, Buttons::B, Buttons::A),
        ];
        assert_eq!(movie.frames, frames);
        assert_eq!((movie.rom_filename.as_str(), movie.rerecord_count, movie.pal), ("Tetris", 12, true));
        assert_eq!(movie.rom_sha1, "0123456789abcdef0123456789abcdef01234567");
        assert_eq!((movie.ram, movie.origin), (RamInit::Ones, Origin::NesHawk));
        assert_eq!(movie.comments, ["author me", "fast"]);
    }

    #[test]
    fn what_this_machine_does_not_have_is_refused_by_name() {
        let refused = |header: &str, log: &str, settings: &str| {
            let files = [(HEADER, header), (INPUT, log), (SETTINGS, settings)];
            crate::read(&archive(&files)).unwrap_err().to_string()
        };
        let key = |names: &str, line: &str| format!("LogKey:#Reset|Power|#{names}|\n{line}\n");
        for (header, named) in [
            ("Platform SNES", "Header.txt, line 1: a movie of \"SNES\""),
            ("Platform NES\nCore SubNESHawk", "line 2: input and resets within a frame (SubNESHawk)"),
            ("Core Other", "the core \"Other\""),
            ("StartsFromSavestate True", "a start from a savestate"),
            ("StartsFromSaveRam True", "a start from a battery save"),
        ] {
            let error = refused(header, LOG, "");
            assert!(error.contains(named), "{error}");
        }
        for (log, named) in [
            (key("Reset Cycle", "|..|    0,|"), "line 1: resets within a frame (Reset Cycle)"),
            (key("P2 Zapper X", "|..|    0,|"), "a device other than a pad (P2 Zapper X)"),
            (key("P3 A", "|..|A|"), "Input Log.txt, line 2: P3 A is not supported"),
            (key("P1 A", "|..|AA|"), "line 2: expected 3 columns, found \"|..|AA|\""),
            ("|..|\n".to_owned(), "line 1: expected LogKey: and columns"),
            (String::new(), "line 1: expected LogKey: and columns"),
        ] {
            let error = refused("", &log, "");
            assert!(error.contains(named), "{error}");
        }
        assert!(refused("", LOG, "{\"o\":{\"RegionOverride\":3}}").contains("a Dendy"));
        assert!(refused("", LOG, "{\"o\":{\"InitialWRamStatePattern\":[1,2]}}").contains("pattern of RAM"));
        assert!(refused("", LOG, "{").contains("settings as JSON"));
        let error = crate::read(&archive(&[(INPUT, LOG)])).unwrap_err().to_string();
        assert!(error.contains("expected Header.txt in the archive, found Input Log.txt"), "{error}");
        let error = crate::read(&archive(&[("game.nes", "")])).unwrap_err().to_string();
        assert!(error.contains("no movie") && error.contains("found game.nes"), "{error}");
    }

    #[test]
    fn every_pad_that_nobody_holds_may_be_there() {
        let log = "LogKey:#Reset|Power|#P1 A|#P3 A|P3 B|#P4 A|\n|..|A|..|.|\n";
        let movie = crate::read(&archive(&[(HEADER, "Platform NES\nCore QuickNes"), (INPUT, log)])).unwrap();
        assert_eq!(movie.frames, [input(Commands::empty(), Buttons::A, Buttons::empty())]);
        assert_eq!((movie.origin, movie.ram), (Origin::QuickNes, RamInit::Stripes));
    }

    #[test]
    fn a_reset_before_the_first_frame_cannot_be_said() {
        let frames = vec![input(Commands::RESET, Buttons::empty(), Buttons::empty())];
        let error = write(&Movie { frames, ..Movie::default() }).unwrap_err();
        assert!(error.to_string().contains("frame 0: a reset before the first frame"), "{error}");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            held in prop::collection::vec((0..4_u8, any::<[u8; 2]>()), 1..50),
            ram in prop::sample::select(vec![RamInit::Stripes, RamInit::Zeros, RamInit::Ones]),
            pal: bool,
        ) {
            let frames = (0..).zip(held).map(|(frame, (commands, pads))| FrameInput {
                commands: if frame == 0 { Commands::empty() } else { Commands::from_bits_retain(commands) },
                pads: pads.map(Buttons::from_bits_retain),
                ..FrameInput::default()
            });
            let movie = Movie {
                rom_filename: "a\nb".to_owned(),
                rom_checksum: "base64:AAECAwQFBgcICQoLDA0ODw==".to_owned(),
                frames: frames.collect(),
                rerecord_count: 7,
                ram,
                pal,
                ..Movie::default()
            };
            let read = crate::read(&write(&movie).unwrap()).unwrap();
            prop_assert_eq!(&read.frames, &movie.frames);
            prop_assert_eq!((read.ram, read.pal, read.rerecord_count), (ram, pal, 7));
            prop_assert_eq!((read.md5(), read.rom_filename.as_str()), (movie.md5(), "a b"));
        }
    }
}
