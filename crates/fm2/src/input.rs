//! The lines of a movie, as text and as bytes.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::parse::{next_line, number, quote};
use super::{Commands, Fm2Error, FrameInput, Location, alignment};
use crate::Buttons;

/// What the header says of each line.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Which ports have a pad; in a binary movie the others have no byte.
    pub(super) ports: [bool; 2],
    /// The second pad's Start is a Famicom's microphone.
    pub(super) microphone: bool,
}

impl Default for Format {
    fn default() -> Self {
        Self { ports: [true; 2], microphone: false }
    }
}

/// Commands of FCEUX's that no cartridge of this machine has a use for: bit, name, what to do.
const OTHER_COMMANDS: [(u32, &str, &str); 3] = [
    (4, "a disk that is put in (command 4)", "use a movie of a cartridge"),
    (8, "a disk that is turned over (command 8)", "use a movie of a cartridge"),
    (16, "a coin for a VS. System (command 16)", "use a movie of a cartridge"),
];

/// The frames of lines of text, the first of which has the number `first` in the file. The first
/// `length` lines count. With `as_frames`, each line is a frame of the console's.
pub(super) fn text(
    mut rest: &[u8],
    first: usize,
    format: Format,
    length: usize,
    as_frames: bool,
) -> Result<Vec<FrameInput>, Fm2Error> {
    let mut reader = alignment::Reader::default();
    let (mut frames, mut lines) = (Vec::new(), 0);
    for number in first.. {
        let Some(line) = next_line(&mut rest) else { break };
        if line.is_empty() {
            continue;
        }
        let Some(input) = line.strip_prefix(b"|") else {
            return Err(Fm2Error::NotInput { line: number, found: quote(line) });
        };
        let input = text_line(number, input, format)?;
        if lines < length {
            if as_frames {
                frames.push(input);
            } else {
                reader.line(input);
            }
            lines += 1;
        }
    }
    Ok(if as_frames { frames } else { reader.finish() })
}

/// The frames of a binary movie, of which a part of a record at the end is none.
pub(super) fn binary(bytes: &[u8], format: Format, length: usize) -> Result<Vec<FrameInput>, Fm2Error> {
    let mut reader = alignment::Reader::default();
    let size = 1 + format.ports.iter().filter(|&&pad| pad).count();
    for (number, record) in (1..).zip(bytes.chunks_exact(size)).take(length) {
        let place = Location::Record(number);
        let mut record = record.iter().copied();
        let found = record.next().unwrap_or_default();
        let commands = commands(Some(found.into()), place, &[])?;
        let pads = format.ports.map(|pad| if pad { record.next().unwrap_or_default() } else { 0 });
        // FCEUX has A in bit 0 and Right in bit 7.
        let pads = pads.map(|pad| Buttons::from_bits_retain(pad.reverse_bits()));
        reader.line(checked(FrameInput { commands, pads }, format, place)?);
    }
    Ok(reader.finish())
}

/// A line of text without its first bar.
fn text_line(line: usize, input: &[u8], format: Format) -> Result<FrameInput, Fm2Error> {
    let mut fields = input.split(|&byte| byte == b'|');
    let bits = fields.next().unwrap_or_default();
    let commands = commands(number(bits), Location::Line(line), bits)?;
    let mut pads = [Buttons::empty(); 2];
    for (index, buttons) in pads.iter_mut().enumerate() {
        // A port without a pad has an empty field.
        let columns = fields.next().unwrap_or_default();
        if !columns.is_empty() {
            *buttons = pad(columns).ok_or(Fm2Error::Pad { line, pad: index + 1, found: columns.len() })?;
        }
    }
    match fields.find(|field| !field.is_empty()) {
        None => checked(FrameInput { commands, pads }, format, Location::Line(line)),
        Some(field) => Err(Fm2Error::Expansion { line, found: quote(field) }),
    }
}

/// The commands of this machine in `bits`, which the file writes as `text`.
fn commands(bits: Option<u32>, place: Location, text: &[u8]) -> Result<Commands, Fm2Error> {
    let found = || bits.map_or_else(|| quote(text), |bits| bits.to_string());
    let wrong = || Fm2Error::Commands { place, found: found() };
    let bits = bits.filter(|&bits| bits < 32).ok_or_else(wrong)?;
    match OTHER_COMMANDS.iter().find(|(bit, ..)| bits & bit != 0) {
        Some(&(_, found, remedy)) => Err(Fm2Error::Unsupported { place, found, remedy }),
        None => Ok(Commands::from_bits_truncate(bits as u8)),
    }
}

/// `input`, unless it needs what this machine does not have.
fn checked(input: FrameInput, format: Format, place: Location) -> Result<FrameInput, Fm2Error> {
    if format.microphone && input.pads[1].contains(Buttons::START) {
        let found = "the microphone of a Famicom's second pad";
        return Err(Fm2Error::Unsupported { place, found, remedy: "use a movie without it" });
    }
    Ok(input)
}

/// The columns of a pad.
fn pad(columns: &[u8]) -> Option<Buttons> {
    let columns: [u8; 8] = columns.try_into().ok()?;
    let held = |(bit, column): (usize, u8)| u8::from(!matches!(column, b'.' | b' ')) << bit;
    Some(Buttons::from_bits_retain(columns.into_iter().enumerate().map(held).sum()))
}
