//! Commands that read and write files.

use std::io;

use nes::Palette;
use nes::cartridge::patch;

use super::words::Words;
use super::{CommandError, CommandSession, Desk, FileError, Reply};
use crate::Space;
use crate::symbols::{Format as SymbolFormat, Part};
use crate::view::{self, Cover, Picture};

/// The file's name, which is the next word.
pub(super) fn name<'a>(words: &mut Words<'a>, command: &'static str) -> Result<&'a str, CommandError> {
    let column = words.column();
    words.word().ok_or(CommandError::Usage { column, expected: "the name of a file", command })
}

fn put(desk: &mut Desk, name: &str, bytes: &[u8]) -> Result<(), FileError> {
    desk.files.write(name, &mut |out: &mut dyn io::Write| out.write_all(bytes))
}

fn wrote(name: &str) -> Reply {
    Reply::text(format!("{name} is written"))
}

pub(super) fn symbols(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    match words.word() {
        None => Ok(Reply::text(format!("{} symbols", session.debugger.symbols.len()))),
        Some("load") => load_symbols(session, name(words, "symbols")?, desk),
        Some("save") => save_symbols(session, words, desk),
        Some("list") => {
            let wanted = words.rest();
            let labels = session.debugger.symbols.labels().filter(|label| label.name.contains(wanted));
            let lines: Vec<String> = labels
                .map(|label| {
                    let length = if label.bytes > 1 { format!("/{}", label.bytes) } else { String::new() };
                    let place = label.place.map_or_else(String::new, |place| format!("prg[${place:05X}] "));
                    let about = label.about.replace('\n', " ");
                    let line = format!("${:04X}{length:<5} {:<24} {place}{about}", label.address, label.name);
                    line.trim_end().to_owned()
                })
                .collect();
            Ok(Reply::text(lines.join("\n")))
        }
        Some(_) => {
            let expected = "load FILE, save FILE, list [PART], or nothing";
            Err(CommandError::Usage { column, expected, command: "symbols" })
        }
    }
}

/// Takes over the symbols of a file. A `*` in the name of FCEUX's stands for every part of which
/// there is one.
fn load_symbols(session: &mut CommandSession, name: &str, desk: &mut Desk) -> Result<Reply, CommandError> {
    let prg_rom = session.debugger.console().board.cartridge().prg_rom().len();
    let (mut count, mut missing) = (0, None);
    for name in parts(name, prg_rom).map_or_else(|| vec![name.to_owned()], |parts| parts.1) {
        let bytes = match desk.files.read(&name) {
            Ok(bytes) => bytes,
            Err(error) => {
                missing.get_or_insert(error);
                continue;
            }
        };
        count += session
            .load_symbols(&name, &String::from_utf8_lossy(&bytes), desk.files)
            .map_err(|source| CommandError::Symbols { name, source })?;
    }
    match missing {
        Some(error) if count == 0 => Err(CommandError::File(error)),
        _ => Ok(Reply::text(format!("{count} symbols"))),
    }
}

fn save_symbols(session: &CommandSession, words: &mut Words, desk: &mut Desk) -> Result<Reply, CommandError> {
    let column = words.column();
    let name = name(words, "symbols")?;
    let expected = "a name that ends in .lbl, .dbg, .nl or .mlb";
    let usage = CommandError::Usage { column, expected, command: "symbols" };
    let format = SymbolFormat::of_name(name).ok_or(usage)?;
    let symbols = &session.debugger.symbols;
    let prg_rom = session.debugger.console().board.cartridge().prg_rom().len();
    let parts = match (parts(name, prg_rom), Part::of_name(name)) {
        (Some((parts, names)), _) => parts.into_iter().zip(names).collect(),
        (None, Some(part)) => vec![(part, name.to_owned())],
        (None, None) => {
            put(desk, name, format.write(symbols, prg_rom).as_bytes())?;
            return Ok(wrote(name));
        }
    };
    let mut written = Vec::new();
    for (part, name) in parts {
        if let Some(text) = part.write(symbols, prg_rom) {
            put(desk, &name, text.as_bytes())?;
            written.push(name);
        }
    }
    Ok(Reply::text(match written.as_slice() {
        [] => "no symbols: nothing is written".to_owned(),
        [name] => format!("{name} is written"),
        names => format!("{} are written", names.join(", ")),
    }))
}

/// FCEUX's name lists of a cartridge, if a `*` stands for their part in the name.
fn parts(name: &str, prg_rom: usize) -> Option<(Vec<Part>, Vec<String>)> {
    let stem = name.strip_suffix(".*.nl")?;
    Some(Part::all(prg_rom).map(|part| (part, format!("{stem}.{}.nl", part.text()))).unzip())
}

pub(super) fn save(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let name = name(words, "save")?;
    put(desk, name, &session.debugger.console().save())?;
    Ok(wrote(name))
}

pub(super) fn load(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let name = name(words, "load")?;
    let bytes = desk.files.read(name)?;
    session.debugger.load(&bytes).map_err(|source| CommandError::State { name: name.to_owned(), source })?;
    session.cursor = session.debugger.console().cpu.pc;
    Ok(Reply::text(view::stop(&session.debugger, &crate::Stop::Done)))
}

pub(super) fn movie(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let name = name(words, "movie")?;
    if name == "off" {
        session.debugger.input.set_movie(None);
        return Ok(Reply::default());
    }
    let bytes = desk.files.read(name)?;
    let movie =
        movies::read(&bytes).map_err(|source| CommandError::Movie { name: name.to_owned(), source })?;
    let frames = movie.frames.len();
    let warnings = session.debugger.play(movie);
    let warnings = warnings.iter().map(|warning| format!("warning: {name} {warning}"));
    let lines: Vec<String> =
        std::iter::once(format!("{frames} frames, from power-on")).chain(warnings).collect();
    Ok(Reply::text(lines.join("\n")))
}

pub(super) fn cdl(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let cover = Cover::of(&session.debugger);
    if let Some(name) = words.word() {
        put(desk, name, &cover.bytes())?;
    }
    Ok(Reply::text(cover.summary()))
}

pub(super) fn picture(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let expected = "screen, patterns [PALETTE], nametables, sprites, palettes, events or scopes, and the name of a PNG file";
    let usage = CommandError::Usage { column: words.column(), expected, command: "picture" };
    let (debugger, palette) = (&session.debugger, Palette::ntsc());
    let (picture, text): (Picture, String) = match words.word() {
        Some("screen") => (view::screen(debugger, &palette), String::new()),
        Some("patterns") => {
            let number = words.number().map(|number| number as usize & 7);
            (view::patterns(debugger, number, &palette).enlarged(2), String::new())
        }
        Some("nametables") => (view::nametables(debugger, &palette), String::new()),
        Some("sprites") => {
            let (picture, text) = view::sprites(debugger, &palette);
            (picture.enlarged(4), text)
        }
        Some("palettes") => view::palettes(debugger, &palette),
        Some("events") => (view::event_picture(debugger, &palette), String::new()),
        Some("scopes") => view::scope_picture(debugger),
        _ => return Err(usage),
    };
    let Some(name) = words.word() else {
        return if text.is_empty() { Err(usage) } else { Ok(Reply::text(text)) };
    };
    desk.files.picture(name, &picture)?;
    Ok(wrote(name))
}

pub(super) fn patch(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let name = name(words, "patch")?;
    let (old, new) = (&session.image, edited(session));
    let kind = name.rsplit_once('.').and_then(|(_, ending)| patch::Kind::of_extension(ending));
    let Some(kind) = kind else {
        let expected = "a name that ends in .ips, .bps or .ups";
        return Err(CommandError::Usage { column, expected, command: "patch" });
    };
    let bytes = patch::write(kind, old, &new).map_err(|error| CommandError::Patch(error.to_string()))?;
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    put(desk, name, &bytes)?;
    Ok(Reply::text(format!("{name}: {changed} bytes of the image differ")))
}

/// The image with PRG-ROM and CHR-ROM as they are now.
fn edited(session: &CommandSession) -> Vec<u8> {
    const HEADER: usize = 16;
    const TRAINER: usize = 512;
    let mut image = session.image.clone();
    let console = session.debugger.console();
    let info = console.board.cartridge().info();
    let prg = HEADER + if info.trainer { TRAINER } else { 0 };
    let chr = prg + info.prg_rom;
    let parts = [(Space::Prg, prg, info.prg_rom), (Space::Chr, chr, info.chr_rom)];
    for (space, at, length) in parts {
        if length > 0
            && let Some(place) = image.get_mut(at..at + length)
        {
            let bytes = space.bytes(console);
            place.iter_mut().zip(bytes).for_each(|(old, new)| *old = new);
        }
    }
    image
}
