//! From the bytes of a movie to its header, and on to its lines.

use alloc::string::String;

use super::input::{self, Format, Port};
use super::write::MARK;
use super::{Fm2Error, Location, Movie, RamInit};

/// The one version of the format.
pub(super) const VERSION: u32 = 3;

/// The most lines of a header that are kept: a stored key takes many times the memory of its text.
const HEADER_LINES: usize = 10_000;

/// How much of a wrong line an error quotes, in bytes.
const QUOTE_LEN: usize = 40;

/// How the lines after the version opened when Maxout's lines were the console's frames. FCEUX has
/// another order.
const OLDER: [&[u8]; 6] =
    [b"rerecordCount ", b"palFlag 0", b"port0 1", b"port1 1", b"port2 0", b"romFilename "];

/// FCEUX's number for the adapter of a Famicom, and what else there is at the expansion port.
pub(super) const ADAPTER: i64 = 3;
const EXPANSION: &str = "a device at the expansion port";

/// What the header says of the lines.
#[derive(Default)]
struct Header {
    format: Format,
    binary: bool,
    /// The most lines that count.
    length: Option<usize>,
    ram_option: i64,
    ram_seed: u32,
    /// A Maxout wrote it that says so.
    marked: bool,
}

pub(super) fn movie(bytes: &[u8]) -> Result<Movie, Fm2Error> {
    let mut movie = Movie::default();
    let mut header = Header::default();
    let mut rest = bytes;
    let first = next_line(&mut rest).unwrap_or_default();
    version(first)?;
    let older = is_older(rest);
    let mut number = 1;
    while !rest.is_empty() && !rest.starts_with(b"|") {
        number += 1;
        let line = next_line(&mut rest).unwrap_or_default();
        if line.is_empty() {
            continue; // FCEUX ends its files with a line break.
        }
        if number > HEADER_LINES {
            return Err(Fm2Error::LongHeader { limit: HEADER_LINES });
        }
        header.key(&mut movie, number, line)?;
    }
    if let (Some(line), false) = (header.format.adapter, header.format.four_score) {
        let (found, remedy) = (EXPANSION, "FCEUX records its pads with fourscore 1 alone");
        return Err(Fm2Error::Unsupported { place: Location::Line(line), found, remedy });
    }
    movie.devices = header.format.devices();
    movie.older = older && !header.marked;
    // What an older Maxout played on was its own.
    let ram = RamInit::of_numbers(header.ram_option, header.ram_seed);
    movie.ram = if movie.older { RamInit::Zeros } else { ram.unwrap_or_default() };
    let length = header.length.unwrap_or(usize::MAX);
    movie.frames = if header.binary {
        input::binary(rest.strip_prefix(b"|").unwrap_or_default(), header.format, length)?
    } else {
        input::text(rest, number + 1, header.format, length, movie.older)?
    };
    Ok(movie)
}

/// The first line, which makes the bytes a movie.
fn version(first: &[u8]) -> Result<(), Fm2Error> {
    match split(first) {
        (b"version", value) if number::<u32>(value) == Some(VERSION) => Ok(()),
        (b"version", value) => Err(Fm2Error::Version { line: 1, found: quote(value) }),
        _ => Err(Fm2Error::NotAMovie { found: quote(first) }),
    }
}

/// Whether the header, from its second line on, is laid out as older ones of Maxout were.
fn is_older(mut rest: &[u8]) -> bool {
    OLDER.iter().all(|open| next_line(&mut rest).is_some_and(|line| line.starts_with(open)))
}

impl Header {
    /// A line of the header.
    fn key(&mut self, movie: &mut Movie, line: usize, bytes: &[u8]) -> Result<(), Fm2Error> {
        let (key, value) = split(bytes);
        let integer = |key: &'static str| {
            number::<i64>(value).ok_or_else(|| Fm2Error::Number { line, key, found: quote(value) })
        };
        let off = |key: &'static str, found, remedy| match integer(key)? {
            0 => Ok(()),
            _ => Err(Fm2Error::Unsupported { place: Location::Line(line), found, remedy }),
        };
        match key {
            b"savestate" => {
                return Err(Fm2Error::Unsupported {
                    place: Location::Line(line),
                    found: "a start from a savestate of FCEUX's",
                    remedy: "record the movie from power-on (in FCEUX: Record From, Start)",
                });
            }
            b"palFlag" => movie.pal = integer("palFlag")? != 0,
            b"FDS" => off("FDS", "a Famicom Disk System movie", "use a movie of a cartridge")?,
            b"fourscore" => self.format.four_score = integer("fourscore")? != 0,
            b"port2" if integer("port2")? == ADAPTER => self.format.adapter = Some(line),
            b"port2" => off("port2", EXPANSION, "use a movie of pads")?,
            b"port0" => self.format.ports[0] = port(line, 0, integer("port0")?)?,
            b"port1" => self.format.ports[1] = port(line, 1, integer("port1")?)?,
            b"binary" => self.binary = integer("binary")? != 0,
            b"microphone" => self.format.microphone = integer("microphone")? != 0,
            // Negative: the end is where the file ends.
            b"length" => self.length = usize::try_from(integer("length")?).ok(),
            b"RAMInitOption" => {
                let option = integer("RAMInitOption")?;
                RamInit::of_numbers(option, 0).ok_or(Fm2Error::RamInit { line, found: option })?;
                self.ram_option = option;
            }
            // FCEUX writes it with or without a sign.
            b"RAMInitSeed" => self.ram_seed = integer("RAMInitSeed")? as u32,
            b"rerecordCount" => {
                let count = number(value);
                movie.rerecord_count = count.ok_or_else(|| Fm2Error::Number {
                    line,
                    key: "rerecordCount",
                    found: quote(value),
                })?;
            }
            b"romFilename" => movie.rom_filename = text(value),
            b"romChecksum" => movie.rom_checksum = text(value),
            b"comment" if value.starts_with(MARK.as_bytes()) => self.marked = true,
            b"comment" => movie.comments.push(text(value)),
            // A key that ends with a carriage return is another than the one without.
            _ => movie.fields.push((String::from_utf8_lossy(key).into_owned(), text(value))),
        }
        Ok(())
    }
}

/// What port `number` has.
fn port(line: usize, number: usize, device: i64) -> Result<Port, Fm2Error> {
    let (found, remedy) = match (device, number) {
        (0, _) => return Ok(Port::Empty),
        (1, _) => return Ok(Port::Pad),
        (2, 1) => return Ok(Port::Zapper),
        (2, _) => ("the Zapper in the first port", "use a movie that has it in the second (port1 2)"),
        _ => ("a device other than a pad or the Zapper", "use a movie of two standard pads"),
    };
    Err(Fm2Error::Unsupported { place: Location::Line(line), found, remedy })
}

/// The next line of `rest`, without its end; none after the last.
pub(super) fn next_line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    if rest.is_empty() {
        return None;
    }
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let line = &rest[..end];
    *rest = rest.get(end + 1..).unwrap_or_default();
    Some(without_return(line))
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

pub(super) fn number<T: core::str::FromStr>(bytes: &[u8]) -> Option<T> {
    core::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

/// Names of files may be in any encoding.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(without_return(bytes)).into_owned()
}

pub(super) fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTE_LEN)]).into_owned()
}
