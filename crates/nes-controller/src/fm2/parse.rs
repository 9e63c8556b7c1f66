//! From the text of a movie to its frames.

use alloc::string::String;

use super::{Commands, Fm2Error, FrameInput, Movie};
use crate::Buttons;

/// The one version of the format.
pub(super) const VERSION: u32 = 3;

/// The most lines of a header that are kept: a stored key takes many times the memory of its text.
const HEADER_LINES: usize = 10_000;

/// How much of a wrong line an error quotes, in bytes.
const QUOTE_LEN: usize = 40;

pub(super) fn movie(bytes: &[u8]) -> Result<Movie, Fm2Error> {
    let mut movie = Movie::default();
    let mut length = None;
    let mut lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    version(&mut lines)?;
    for (number, line) in lines {
        let line = without_return(line);
        if let Some(input) = line.strip_prefix(b"|") {
            movie.frames.push(frame(number, input)?);
        } else if line.is_empty() {
            // FCEUX ends its files with a line break.
        } else if movie.frames.is_empty() {
            if number > HEADER_LINES {
                return Err(Fm2Error::LongHeader { limit: HEADER_LINES });
            }
            key(&mut movie, &mut length, number, line)?;
        } else {
            return Err(Fm2Error::NotInput { line: number, found: quote(line) });
        }
    }
    if let Some(length) = length {
        movie.frames.truncate(length);
    }
    Ok(movie)
}

/// The first line, which makes the bytes a movie.
fn version<'a>(lines: &mut impl Iterator<Item = (usize, &'a [u8])>) -> Result<(), Fm2Error> {
    let (line, first) = lines.next().unwrap_or((1, b""));
    let first = without_return(first);
    match split(first) {
        (b"version", value) if number::<u32>(value) == Some(VERSION) => Ok(()),
        (b"version", value) => Err(Fm2Error::Version { line, found: quote(value) }),
        _ => Err(Fm2Error::NotAMovie { found: quote(first) }),
    }
}

/// A line of the header.
fn key(movie: &mut Movie, length: &mut Option<usize>, line: usize, bytes: &[u8]) -> Result<(), Fm2Error> {
    let (key, value) = split(bytes);
    let off = |key: &'static str| match number::<i64>(value) {
        Some(number) => Ok(number == 0),
        None => Err(Fm2Error::Number { line, key, found: quote(value) }),
    };
    let refuse = |found, remedy| Err(Fm2Error::Unsupported { line, found, remedy });
    match key {
        b"binary" if !off("binary")? => refuse("binary input", "save the movie as text"),
        b"savestate" => refuse("a start from a savestate", "record the movie from power-on"),
        b"palFlag" if !off("palFlag")? => refuse("a PAL movie", "use a movie of the NTSC release"),
        b"FDS" if !off("FDS")? => refuse("a Famicom Disk System movie", "use a movie of a cartridge"),
        b"fourscore" if !off("fourscore")? => refuse("the Four Score", "use a movie of two standard pads"),
        b"port0" | b"port1" if !matches!(number(value), Some(0 | 1)) => {
            refuse("a device other than a standard pad", "use a movie of two standard pads")
        }
        b"port2" if !off("port2")? => {
            refuse("a device at the expansion port", "use a movie of two standard pads")
        }
        b"binary" | b"palFlag" | b"FDS" | b"fourscore" | b"port0" | b"port1" | b"port2" => Ok(()),
        b"length" => {
            // Negative: the end is where the file ends.
            let frames = number::<i64>(value);
            let frames =
                frames.ok_or_else(|| Fm2Error::Number { line, key: "length", found: quote(value) })?;
            *length = usize::try_from(frames).ok();
            Ok(())
        }
        b"rerecordCount" => {
            let count = number(value);
            movie.rerecord_count =
                count.ok_or_else(|| Fm2Error::Number { line, key: "rerecordCount", found: quote(value) })?;
            Ok(())
        }
        b"romFilename" => {
            movie.rom_filename = text(value);
            Ok(())
        }
        b"romChecksum" => {
            movie.rom_checksum = text(value);
            Ok(())
        }
        b"comment" => {
            movie.comments.push(text(value));
            Ok(())
        }
        _ => {
            movie.fields.push((text(key), text(value)));
            Ok(())
        }
    }
}

/// A line of input without its first bar.
fn frame(line: usize, input: &[u8]) -> Result<FrameInput, Fm2Error> {
    let mut fields = input.split(|&byte| byte == b'|');
    let bits = fields.next().unwrap_or_default();
    let commands = number(bits).and_then(Commands::from_bits);
    let commands = commands.ok_or_else(|| Fm2Error::Commands { line, found: quote(bits) })?;
    let mut pads = [Buttons::empty(); 2];
    for (index, buttons) in pads.iter_mut().enumerate() {
        // A port without a pad has an empty field.
        let columns = fields.next().unwrap_or_default();
        if !columns.is_empty() {
            *buttons = pad(columns).ok_or(Fm2Error::Pad { line, pad: index + 1, found: columns.len() })?;
        }
    }
    match fields.find(|field| !field.is_empty()) {
        None => Ok(FrameInput { commands, pads }),
        Some(field) => Err(Fm2Error::Expansion { line, found: quote(field) }),
    }
}

/// The columns of a pad.
fn pad(columns: &[u8]) -> Option<Buttons> {
    let columns: [u8; 8] = columns.try_into().ok()?;
    let held = |(bit, column): (usize, u8)| u8::from(!matches!(column, b'.' | b' ')) << bit;
    Some(Buttons::from_bits_retain(columns.into_iter().enumerate().map(held).sum()))
}

/// A line of the header as key and value.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|&byte| byte == b' ') {
        Some(space) => (&line[..space], &line[space + 1..]),
        None => (line, b""),
    }
}

fn without_return(mut line: &[u8]) -> &[u8] {
    while let Some(shorter) = line.strip_suffix(b"\r") {
        line = shorter;
    }
    line
}

fn number<T: core::str::FromStr>(bytes: &[u8]) -> Option<T> {
    core::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

/// Names of files may be in any encoding.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(without_return(bytes)).into_owned()
}

fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTE_LEN)]).into_owned()
}
