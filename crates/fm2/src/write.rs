//! From a movie to the text of its file.

use alloc::string::String;
use core::fmt;

use super::{COLUMNS, FrameInput, Movie, alignment, parse};
use crate::Buttons;

/// Begins the comment by which Maxout knows its own movies, beside its version.
pub(super) const MARK: &str = "emulator Maxout ";

impl fmt::Display for Movie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rom_filename, rom_checksum, rerecord_count, pal, ram, comments, fields, frames, .. } =
            self;
        let (option, seed) = ram.numbers();
        writeln!(f, "version {}", parse::VERSION)?;
        writeln!(f, "rerecordCount {rerecord_count}")?;
        writeln!(f, "palFlag {}", u8::from(*pal))?;
        writeln!(f, "romFilename {}", one_line(rom_filename))?;
        if !rom_checksum.is_empty() {
            writeln!(f, "romChecksum {}", one_line(rom_checksum))?;
        }
        writeln!(f, "fourscore 0\nmicrophone 0\nport0 1\nport1 1\nport2 0\nFDS 0")?;
        writeln!(f, "RAMInitOption {option}\nRAMInitSeed {seed}")?;
        for (key, value) in fields {
            writeln!(f, "{} {}", key.replace('\n', " "), one_line(value))?;
        }
        writeln!(f, "comment {MARK}{}", env!("CARGO_PKG_VERSION"))?;
        for comment in comments {
            writeln!(f, "comment {}", one_line(comment))?;
        }
        alignment::lines(frames).try_for_each(|line| writeln!(f, "{line}"))
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
