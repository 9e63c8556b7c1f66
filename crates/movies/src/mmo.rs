//! Mesen's movies (`.mmo`, version 2 of the format): an archive with settings and input.
//!
//! ```text
//! |..|........|........        the reset button and the power switch, first pad, second pad
//! |R.|....S...|........
//! ```
//!
//! A pad is eight columns, `UDLRSsBA`. Line *i* is read where line 241 begins, and is held from
//! there on: it is the console's frame *i* + 1, and nothing is held in frame 0. A command is
//! carried out when its frame is over (source: Mesen2, `MesenMovie.cpp`, `MovieRecorder.cpp`,
//! `NesPpu.cpp`; that both stay in step was not measured).

use fm2::{Commands, FrameInput, Movie, Origin, RamInit};
use nes_controller::Buttons;

use crate::archive::Archive;
use crate::error::{MovieError, quote};

/// The file with the input.
pub(crate) const INPUT: &str = "Input.txt";
const SETTINGS: &str = "GameSettings.txt";
/// The first version of the format that is read.
const VERSION: u32 = 2;

/// Columns of a pad.
const PAD: [Buttons; 8] = [
    Buttons::UP,
    Buttons::DOWN,
    Buttons::LEFT,
    Buttons::RIGHT,
    Buttons::START,
    Buttons::SELECT,
    Buttons::B,
    Buttons::A,
];
const RECORD_AGAIN: &str = "record the movie from power-on, without save data, with two standard pads";

fn unsupported(place: impl Into<String>, found: impl Into<String>) -> MovieError {
    MovieError::Unsupported { place: place.into(), found: found.into(), remedy: RECORD_AGAIN }
}

pub(crate) fn read(archive: &mut Archive<'_>) -> Result<Movie, MovieError> {
    let settings = archive.needed(SETTINGS)?;
    if archive.has("SaveState.mss") {
        return Err(unsupported("SaveState.mss", "a start from a savestate of Mesen's"));
    }
    if archive.has_any("Battery") {
        return Err(unsupported("the archive", "a start from a battery save"));
    }
    let mut movie = Movie { ram: RamInit::Zeros, origin: Origin::Mesen, ..Movie::default() };
    read_settings(&mut movie, &settings)?;
    let input = archive.text(INPUT)?;
    let lines = (1..).zip(input.lines()).filter(|(_, line)| line.starts_with('|'));
    let lines = lines.map(|(number, line)| read_line(line, number)).collect::<Result<Vec<_>, _>>()?;
    movie.frames = crate::shifted([FrameInput::default()].into_iter().chain(lines));
    Ok(movie)
}

fn read_settings(movie: &mut Movie, text: &str) -> Result<(), MovieError> {
    for (number, line) in (1..).zip(text.lines()) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let (value, place) = (value.trim(), format!("{SETTINGS}, line {number}"));
        match key {
            "MovieFormatVersion" if value.parse::<u32>().is_ok_and(|version| version < VERSION) => {
                return Err(MovieError::Unsupported {
                    place,
                    found: format!("version {value} of the format"),
                    remedy: "record the movie again with a current Mesen",
                });
            }
            "GameFile" => value.clone_into(&mut movie.rom_filename),
            "SHA1" | "Sha1" => {
                let is_one = value.len() == 40 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
                if is_one {
                    movie.rom_sha1 = value.to_ascii_lowercase();
                }
            }
            "Region" => movie.pal = value.eq_ignore_ascii_case("PAL"),
            "Cheat" => return Err(unsupported(place, "a cheat")),
            // 0 random, 1 zeros, 2 ones.
            "nes.ramPowerOnState" if value == "2" => movie.ram = RamInit::Ones,
            "emu.consoleType" if !matches!(value, "2" | "Nes") => {
                return Err(unsupported(place, "a movie of another console"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_line(line: &str, number: usize) -> Result<FrameInput, MovieError> {
    let wrong = |expected: &str| MovieError::Line {
        name: INPUT,
        line: number,
        expected: expected.to_owned(),
        found: quote(line),
    };
    let mut fields = line.trim_end()[1..].split('|');
    let mut input = FrameInput::default();
    let console = fields.next().unwrap_or_default().as_bytes();
    let &[reset, power] = console else { return Err(wrong("|RP|, the two buttons of the console")) };
    input.commands.set(Commands::RESET, reset != b'.');
    input.commands.set(Commands::POWER, power != b'.');
    for (pad, field) in fields.enumerate() {
        let is_free = field.bytes().all(|byte| byte == b'.');
        let Some(held) = input.pads.get_mut(pad) else {
            if is_free {
                continue;
            }
            return Err(unsupported(format!("{INPUT}, line {number}"), "a third device"));
        };
        let Some(columns) = field.as_bytes().first_chunk::<8>().filter(|_| field.len() <= PAD.len() + 1)
        else {
            return Err(wrong("eight columns UDLRSsBA for each pad"));
        };
        if field.len() > PAD.len() && !field.ends_with('.') {
            return Err(unsupported(format!("{INPUT}, line {number}"), "the microphone"));
        }
        for (button, _) in PAD.iter().zip(columns).filter(|&(_, &byte)| byte != b'.') {
            *held |= *button;
        }
    }
    Ok(input)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const SETTINGS_TEXT: &str = "MesenVersion 2.0.0\nMovieFormatVersion 2\nGameFile Tetris (USA).nes\n\
                                 SHA1 0123456789ABCDEF0123456789ABCDEF01234567\nRegion PAL\nnes.ramPowerOnState 2\n";

    fn read(settings: &str, input: &str, more: &[&str]) -> Result<Movie, MovieError> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let files = [(INPUT, input), (SETTINGS, settings)];
        for (name, text) in files.into_iter().chain(more.iter().map(|name| (*name, ""))) {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        crate::read(&zip.finish().unwrap().into_inner())
    }

    #[test]
    fn a_line_is_the_frame_after_its_own_and_a_reset_comes_with_the_next() {
        let movie =
            read(SETTINGS_TEXT, "|..|....S...|........\n|R.|.......A|U.......\n|..|........|........\n", &[]);
        let movie = movie.unwrap();
        let input =
            |commands, first, second| FrameInput { commands, pads: [first, second], ..FrameInput::default() };
        let (none, quiet) = (Buttons::empty(), Commands::empty());
        let frames = [
            input(quiet, none, none),
            input(quiet, Buttons::START, none),
            input(quiet, Buttons::A, Buttons::UP),
            input(Commands::RESET, none, none),
        ];
        assert_eq!(movie.frames, frames);
        assert_eq!((movie.rom_filename.as_str(), movie.pal), ("Tetris (USA).nes", true));
        assert_eq!(movie.rom_sha1, "0123456789abcdef0123456789abcdef01234567");
        assert_eq!((movie.ram, movie.origin), (RamInit::Ones, Origin::Mesen));
    }

    #[test]
    fn what_this_machine_does_not_have_is_refused_by_name() {
        for (settings, input, more, named) in [
            ("MovieFormatVersion 1", "", &[][..], "line 1: version 1 of the format"),
            ("Cheat 1 2", "", &[], "a cheat"),
            ("", "", &["SaveState.mss"], "a start from a savestate"),
            ("", "", &["Battery.sav"], "a start from a battery save"),
            ("", "|..|........|........|A\n", &[], "Input.txt, line 1: a third device"),
            ("", "|..|........|........M\n", &[], "the microphone"),
            ("", "|..|12 34 .|........\n", &[], "expected eight columns UDLRSsBA"),
            ("", "\n|.|\n", &[], "Input.txt, line 2: expected |RP|"),
        ] {
            let error = read(settings, input, more).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
