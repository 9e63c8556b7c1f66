//! From a movie to the text of its file.

use alloc::string::String;
use core::fmt;

use super::{COLUMNS, FrameInput, Movie, alignment, parse};
use crate::{Buttons, Devices, Extra};

/// Begins the comment by which Maxout knows its own movies, beside its version.
pub(super) const MARK: &str = "emulator Maxout ";

impl fmt::Display for Movie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rom_filename, rom_checksum, rerecord_count, pal, devices, ram, comments, .. } = self;
        let (option, seed) = ram.numbers();
        writeln!(f, "version {}", parse::VERSION)?;
        writeln!(f, "rerecordCount {rerecord_count}")?;
        writeln!(f, "palFlag {}", u8::from(*pal))?;
        writeln!(f, "romFilename {}", one_line(rom_filename))?;
        if !rom_checksum.is_empty() {
            writeln!(f, "romChecksum {}", one_line(rom_checksum))?;
        }
        writeln!(f, "fourscore {}", u8::from(devices.has_four_pads()))?;
        writeln!(f, "microphone {}", u8::from(*devices == Devices::Famicom))?;
        writeln!(f, "port0 1\nport1 {}", if *devices == Devices::Zapper { 2 } else { 1 })?;
        writeln!(f, "port2 {}\nFDS 0", if *devices == Devices::FamicomFour { parse::ADAPTER } else { 0 })?;
        writeln!(f, "RAMInitOption {option}\nRAMInitSeed {seed}")?;
        for (key, value) in &self.fields {
            writeln!(f, "{} {}", key.replace('\n', " "), one_line(value))?;
        }
        writeln!(f, "comment {MARK}{}", env!("CARGO_PKG_VERSION"))?;
        for comment in comments {
            writeln!(f, "comment {}", one_line(comment))?;
        }
        alignment::lines(&self.frames).try_for_each(|input| {
            line(f, input, *devices)?;
            f.write_str("\n")
        })
    }
}

/// The line of two standard pads.
impl fmt::Display for FrameInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(f, *self, Devices::Pads)
    }
}

/// A line of a movie with these devices.
fn line(f: &mut fmt::Formatter<'_>, input: FrameInput, devices: Devices) -> fmt::Result {
    let FrameInput { commands, pads: [first, mut second], extra } = input;
    write!(f, "|{}|", commands.bits())?;
    pad(f, first)?;
    match devices {
        Devices::Zapper => {
            let aim = extra.aim();
            let pulled = u8::from(aim.trigger);
            // The trigger of FCEUX is the number of frames for which it is still pulled.
            write!(f, "{:03} {:03} {pulled} {pulled} 0|", aim.x, aim.y)?;
        }
        Devices::Famicom => {
            second -= Buttons::SELECT | Buttons::START;
            second.set(Buttons::START, extra == Extra::Microphone);
            pad(f, second)?;
        }
        Devices::Pads => pad(f, second)?,
        Devices::FourScore | Devices::FamicomFour => {
            pad(f, second)?;
            extra.pads().into_iter().try_for_each(|buttons| pad(f, buttons))?;
        }
    }
    f.write_str("|")
}

/// The columns of a pad, and the bar behind them.
fn pad(f: &mut fmt::Formatter<'_>, pad: Buttons) -> fmt::Result {
    let column = |bit: usize| if pad.bits() >> bit & 1 == 1 { COLUMNS[bit] } else { '.' };
    (0..COLUMNS.len()).try_for_each(|bit| write!(f, "{}", column(bit)))?;
    f.write_str("|")
}

/// `text` without the line breaks that would end it early.
fn one_line(text: &str) -> String {
    text.trim_end_matches('\r').replace('\n', " ")
}
