//! The lines of a movie, as text and as bytes.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::parse::{next_line, number, quote};
use super::{Commands, Fm2Error, FrameInput, Location, alignment};
use crate::{Buttons, Devices, Extra};
use nes_controller::Aim;

/// What the header says of each line.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// What the ports have; in a binary movie an empty one has no byte.
    pub(super) ports: [Port; 2],
    /// The second pad's Start is a Famicom's microphone.
    pub(super) microphone: bool,
    /// There are four pads, whatever the ports have.
    pub(super) four_score: bool,
    /// The line that has the adapter of a Famicom at the expansion port.
    pub(super) adapter: Option<usize>,
}

/// What a port has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Port {
    Empty,
    Pad,
    Zapper,
}

impl Default for Format {
    fn default() -> Self {
        Self { ports: [Port::Pad; 2], microphone: false, four_score: false, adapter: None }
    }
}

impl Format {
    /// What is plugged in. FCEUX's movies have no pads of the adapter: where one says Four Score as
    /// well, the four pads are its.
    pub(super) fn devices(&self) -> Devices {
        match (self.four_score, self.ports[1]) {
            (true, _) if self.adapter.is_some() => Devices::FamicomFour,
            (true, _) => Devices::FourScore,
            (false, Port::Zapper) => Devices::Zapper,
            (false, _) if self.microphone => Devices::Famicom,
            (false, _) => Devices::Pads,
        }
    }

    /// Bytes of a binary record.
    fn record(&self) -> usize {
        let port = |port: &Port| match port {
            Port::Empty => 0,
            Port::Pad => 1,
            Port::Zapper => 4 + STAMP,
        };
        1 + if self.four_score { 4 } else { self.ports.iter().map(port).sum() }
    }
}

/// Bytes of the time stamp that FCEUX writes for a Zapper, and does not read.
const STAMP: usize = 8;

/// The button of the mouse with which FCEUX's Zapper points past the screen.
const PAST_THE_SCREEN: u8 = 2;

/// A Zapper by FCEUX's numbers.
fn zapper(x: u8, y: u8, mouse: u8, pulled: bool) -> Aim {
    Aim { x, y: if mouse & PAST_THE_SCREEN == 0 { y } else { 0xFF }, trigger: pulled }
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
    for (number, record) in (1..).zip(bytes.chunks_exact(format.record())).take(length) {
        let place = Location::Record(number);
        let mut record = record.iter().copied();
        let mut byte = || record.next().unwrap_or_default();
        let commands = commands(Some(byte().into()), place, &[])?;
        let mut input = FrameInput { commands, ..FrameInput::default() };
        // FCEUX has A in bit 0 and Right in bit 7.
        let pad = |byte: u8| Buttons::from_bits_retain(byte.reverse_bits());
        if format.four_score {
            input.pads = [pad(byte()), pad(byte())];
            input.extra = Extra::Pads([pad(byte()), pad(byte())]);
        } else {
            for (port, buttons) in format.ports.into_iter().zip(&mut input.pads) {
                match port {
                    Port::Empty => {}
                    Port::Pad => *buttons = pad(byte()),
                    Port::Zapper => {
                        let [x, y, mouse, pulled] = [byte(), byte(), byte(), byte()];
                        input.extra = Extra::Zapper(zapper(x, y, mouse, pulled > 0));
                        (0..STAMP).for_each(|_| {
                            byte();
                        });
                    }
                }
            }
        }
        reader.line(checked(input, format, place)?);
    }
    Ok(reader.finish())
}

/// A line of text without its first bar.
fn text_line(line: usize, input: &[u8], format: Format) -> Result<FrameInput, Fm2Error> {
    let mut fields = input.split(|&byte| byte == b'|');
    let bits = fields.next().unwrap_or_default();
    let commands = commands(number(bits), Location::Line(line), bits)?;
    let mut input = FrameInput { commands, ..FrameInput::default() };
    let mut pads = [Buttons::empty(); 4];
    let count = if format.four_score { 4 } else { 2 };
    for (index, buttons) in pads.iter_mut().enumerate().take(count) {
        // A port without a pad has an empty field.
        let columns = fields.next().unwrap_or_default();
        let is_zapper = !format.four_score && format.ports[index & 1] == Port::Zapper;
        if columns.is_empty() {
        } else if is_zapper {
            let aim = aim(columns).ok_or_else(|| Fm2Error::Zapper { line, found: quote(columns) })?;
            input.extra = Extra::Zapper(aim);
        } else {
            *buttons = pad(columns).ok_or(Fm2Error::Pad { line, pad: index + 1, found: columns.len() })?;
        }
    }
    let [first, second, third, fourth] = pads;
    input.pads = [first, second];
    if format.four_score {
        input.extra = Extra::Pads([third, fourth]);
    }
    match fields.find(|field| !field.is_empty()) {
        None => checked(input, format, Location::Line(line)),
        Some(field) => Err(Fm2Error::Expansion { line, found: quote(field) }),
    }
}

/// The field of a Zapper: column, line, buttons of the mouse, frames of the trigger, time stamp.
/// Old movies have the first three alone.
fn aim(field: &[u8]) -> Option<Aim> {
    let mut numbers = field.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).map(number::<u64>);
    let mut next = || numbers.next().unwrap_or(Some(0));
    let [x, y, mouse] = [next()?, next()?, next()?].map(|value| value.min(0xFF) as u8);
    let pulled = match numbers.next() {
        Some(frames) => frames? > 0,
        None => mouse & !PAST_THE_SCREEN != 0,
    };
    Some(zapper(x, y, mouse, pulled))
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

/// `input` as this machine has it, unless it needs what that does not have.
fn checked(mut input: FrameInput, format: Format, place: Location) -> Result<FrameInput, Fm2Error> {
    let devices = format.devices();
    if format.microphone && input.pads[1].contains(Buttons::START) {
        if devices != Devices::Famicom {
            let found = "the microphone beside other devices";
            return Err(Fm2Error::Unsupported { place, found, remedy: "use a movie without it" });
        }
        input.pads[1] -= Buttons::START;
        input.extra = Extra::Microphone;
    }
    input.extra = input.extra.on(devices);
    Ok(input)
}

/// The columns of a pad.
fn pad(columns: &[u8]) -> Option<Buttons> {
    let columns: [u8; 8] = columns.try_into().ok()?;
    let held = |(bit, column): (usize, u8)| u8::from(!matches!(column, b'.' | b' ')) << bit;
    Some(Buttons::from_bits_retain(columns.into_iter().enumerate().map(held).sum()))
}
