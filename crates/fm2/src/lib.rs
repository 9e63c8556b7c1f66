//! FCEUX movies (`.fm2`): a header of keys, then one line of input a frame, as text or as bytes.
//!
//! ```text
//! version 3
//! romFilename game
//! port0 1
//! port1 1
//! port2 0
//! |0|........|........||      one line: commands, first pad, second pad, expansion port
//! |1|R..U...A|.......A||      reset button; Right, Up and A held
//! ```
//!
//! With `fourscore 1` a line has four pads, and with `port1 2` the Zapper's field is column, line,
//! buttons of the mouse, frames for which the trigger is still pulled, and a time stamp of FCEUX's.
//! With `microphone 1` the second pad's `T` is the microphone of a Famicom.
//!
//! A pad is eight columns, `RLDUTSBA`; a dot or a space is a button that is up, any other letter
//! one that is held. With `binary 1`, a bar follows the header and then one byte for the commands
//! and one for each pad of each line, `A` in bit 0. Sources: FCEUX documentation, "FM2 file
//! format"; FCEUX 2.6.5 itself, by `cargo xtask accuracy --fceux`.
//!
//! A line of the file is a frame of FCEUX's, which is not always a frame of the console's:
//! `alignment.rs` has the difference, for everything that reads or writes movies. [`Movie::frames`]
//! are the console's.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod alignment;
mod checksum;
mod error;
mod input;
mod origin;
mod parse;
mod ram;
mod warning;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

use bitflags::bitflags;
pub use error::{Fm2Error, Location};
pub use origin::Origin;
pub use ram::RamInit;
pub use warning::{RomHashes, Warning};

use nes_controller::{Buttons, Devices, Extra};

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
    /// What is held on the movie's other devices.
    pub extra: Extra,
}

/// A recorded sequence of input from power-on, one entry for each of the console's frames. Displays
/// as the text of its file, which says that Maxout wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movie {
    /// Name of the game's file as the recording machine knew it, without meaning to this one.
    pub rom_filename: String,
    /// `base64:` and the MD5 of PRG-ROM and CHR-ROM, as found in the file; empty if it has none.
    pub rom_checksum: String,
    /// SHA-1 of the cartridge in hexadecimal, in lower case, as movies of other programs have it;
    /// empty if it is not known. FM2 has no place for it.
    pub rom_sha1: String,
    /// The program that recorded it, as far as that is known. FM2 does not say.
    pub origin: Origin,
    /// How often the author went back and recorded again.
    pub rerecord_count: u64,
    /// It was recorded on a PAL console (`palFlag`).
    pub pal: bool,
    /// What was plugged into the ports.
    pub devices: Devices,
    /// What RAM holds at power-on. A file that does not say means [`RamInit::Stripes`].
    pub ram: RamInit,
    /// Comments in their order (often `author …`).
    pub comments: Vec<String>,
    /// Every other key and its value, in their order: subtitles, the GUID, FCEUX's version.
    pub fields: Vec<(String, String)>,
    /// The input, frame by frame of the console's.
    pub frames: Vec<FrameInput>,
    /// A Maxout before this rule wrote the file: its lines were the console's frames, and so they
    /// were read. What is written from it is an ordinary movie.
    pub older: bool,
}

impl Movie {
    /// Reads a movie, text or binary. Takes no more memory than some six times `bytes` and a few
    /// MiB, whatever they say.
    ///
    /// # Errors
    /// The first thing found wrong, with its place; also whatever this machine cannot play, by its
    /// name: a start from a savestate, disks, coins, and devices other than [`Devices`] has.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fm2Error> {
        parse::movie(bytes)
    }

    /// The input of frame `frame`, counted from 0; nothing is held past the end.
    pub fn frame(&self, frame: u64) -> FrameInput {
        usize::try_from(frame).ok().and_then(|frame| self.frames.get(frame)).copied().unwrap_or_default()
    }

    /// The line of the file, counted from 0, that each of the frames is in: FCEUX's number for it.
    /// Any file's, unless an older Maxout wrote it.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        alignment::places(&self.frames)
    }

    /// How a file names the cartridge whose PRG-ROM and CHR-ROM have this MD5: the value of
    /// `romChecksum`.
    pub fn checksum_of(md5: [u8; 16]) -> String {
        checksum::write(md5)
    }

    /// The MD5 of PRG-ROM and CHR-ROM that the movie names; `None` if it names none.
    pub fn md5(&self) -> Option<[u8; 16]> {
        checksum::read(&self.rom_checksum)
    }

    /// Returns what to know before it is played on the cartridge with these hashes, most important
    /// first.
    pub fn warnings(&self, cartridge: &RomHashes) -> Vec<Warning> {
        warning::all(self, cartridge)
    }
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
