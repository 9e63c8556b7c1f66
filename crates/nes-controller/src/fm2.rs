//! FCEUX movies in their text form (`.fm2`): a header of keys, then one line of input a frame.
//!
//! ```text
//! version 3
//! romFilename game
//! port0 1
//! port1 1
//! port2 0
//! |0|........|........||      one frame: commands, first pad, second pad, expansion port
//! |1|R..U...A|........||      reset button; Right, Up and A held
//! ```
//!
//! A pad is eight columns, `RLDUTSBA`; a dot or a space is a button that is up, any other letter
//! one that is held. Source: FCEUX documentation, "FM2 file format".

use alloc::string::String;
use alloc::vec::Vec;

mod error;
mod parse;

use core::fmt;

use bitflags::bitflags;
pub use error::Fm2Error;

use crate::Buttons;

/// The columns of a pad, in the order of the bits of [`Buttons`] from bit 0 up.
const COLUMNS: [char; 8] = ['R', 'L', 'D', 'U', 'T', 'S', 'B', 'A'];

bitflags! {
    /// What happens to the console itself at the start of a frame.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Commands: u8 {
        /// The reset button is pressed.
        const RESET = 1;
        /// The power is switched off and on.
        const POWER = 2;
    }
}

/// The input of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameInput {
    /// Reset and power, to be carried out before the frame runs.
    pub commands: Commands,
    /// Buttons held on the first and second pad.
    pub pads: [Buttons; 2],
}

/// A recorded sequence of input from power-on, one entry a frame. Displays as the text of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movie {
    /// Name of the game's file as the recording machine knew it, without meaning to this one.
    pub rom_filename: String,
    /// `base64:` and the MD5 of PRG-ROM and CHR-ROM, as found in the file; empty if it has none.
    pub rom_checksum: String,
    /// How often the author went back and recorded again.
    pub rerecord_count: u64,
    /// Comments in their order (often `author …`).
    pub comments: Vec<String>,
    /// Every other key and its value, in their order.
    pub fields: Vec<(String, String)>,
    /// The input, frame by frame.
    pub frames: Vec<FrameInput>,
}

impl Movie {
    /// Reads a movie. Takes no more memory than `bytes` and a few MiB, whatever they say.
    ///
    /// # Errors
    /// The first thing found wrong, with its line; also whatever this machine cannot play: binary
    /// input, a start from a savestate, PAL, and devices other than two standard pads.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fm2Error> {
        parse::movie(bytes)
    }

    /// The input of frame `frame`, counted from 0; nothing is held past the end.
    pub fn frame(&self, frame: u64) -> FrameInput {
        usize::try_from(frame).ok().and_then(|frame| self.frames.get(frame)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Movie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rom_filename, rom_checksum, rerecord_count, comments, fields, frames } = self;
        writeln!(f, "version {}", parse::VERSION)?;
        writeln!(f, "rerecordCount {rerecord_count}")?;
        writeln!(f, "palFlag 0\nport0 1\nport1 1\nport2 0")?;
        writeln!(f, "romFilename {}", one_line(rom_filename))?;
        writeln!(f, "romChecksum {}", one_line(rom_checksum))?;
        for (key, value) in fields {
            writeln!(f, "{} {}", one_line(key), one_line(value))?;
        }
        for comment in comments {
            writeln!(f, "comment {}", one_line(comment))?;
        }
        frames.iter().try_for_each(|frame| writeln!(f, "{frame}"))
    }
}

impl fmt::Display for FrameInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = |pad: Buttons, bit: usize| if pad.bits() >> bit & 1 == 1 { COLUMNS[bit] } else { '.' };
        write!(f, "|{}|", self.commands.bits())?;
        for pad in self.pads {
            (0..COLUMNS.len()).try_for_each(|bit| write!(f, "{}", column(pad, bit)))?;
            f.write_str("|")?;
        }
        f.write_str("|")
    }
}

/// `text` without the line breaks that would end it early.
fn one_line(text: &str) -> String {
    text.trim_end_matches('\r').replace('\n', " ")
}
