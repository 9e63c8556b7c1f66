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
//! Source: FCEUX documentation, "FM2 file format".

use std::fmt;
use std::ops::Range;

use bitflags::bitflags;
use thiserror::Error;

use crate::Buttons;

/// The one version of the format.
const VERSION: u32 = 3;

/// The letters of a pad, as a line of input writes them, from bit 0 of [`Buttons`] up.
const LETTERS: [u8; 8] = *b"RLDUTSBA";

/// The bit of [`Buttons`] that each letter stands for.
const BUTTONS: [Buttons; 8] = [
    Buttons::RIGHT,
    Buttons::LEFT,
    Buttons::DOWN,
    Buttons::UP,
    Buttons::START,
    Buttons::SELECT,
    Buttons::B,
    Buttons::A,
];

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

/// A recorded sequence of input, one entry a frame, from power-on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movie {
    /// Name of the game's file as the recording machine knew it, without meaning to this one.
    pub rom_filename: String,
    /// `base64:` and the MD5 of PRG+CHR, as found in the file; empty if it has none.
    pub rom_checksum: String,
    /// How often the author went back and recorded again.
    pub rerecord_count: u64,
    /// Comments, one a line, each an arbitrary text (often `author …`).
    pub comments: Vec<String>,
    /// Every other key and its value, in the order of the file.
    pub fields: Vec<(String, String)>,
    /// The input, frame by frame.
    pub frames: Vec<FrameInput>,
}
/// Why bytes are not a movie that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fm2Error {
    /// The header says that the input is in binary form.
    #[error("line {line}: binary input is not read; save the movie as text (FM2) instead")]
    Binary {
        /// Line number, from 1.
        line: usize,
    },
}

impl Movie {
    /// Reads a movie.
    ///
    /// # Errors
    /// The first thing found wrong, with its line number.
    pub fn parse(_bytes: &[u8]) -> Result<Self, Fm2Error> {
        Ok(Self::default())
    }

    /// The input of frame `frame` (from 0); nothing held past the end.
    pub fn frame(&self, frame: u64) -> FrameInput {
        usize::try_from(frame).ok().and_then(|frame| self.frames.get(frame)).copied().unwrap_or_default()
    }
}
