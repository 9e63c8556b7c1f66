//! Kept games, read.

use nes::Buttons;
use tetris::{HEIGHT, WIDTH};

use super::{
    AFTER, BACK, BEFORE, BOTH_PADS, BUTTONS, CHANCE, END, FORMAT, HEADER, Header, MAGIC, OLDEST, POSITION,
    RISE, STATE,
};
use crate::{Options, Position, Rise};

/// Where a kept game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The power is switched on.
    #[default]
    PowerOn,
    /// A saved state of the console, and what the session remembered then.
    State {
        /// See [`nes::Console::save`].
        console: Vec<u8>,
        /// See [`crate::Session::save`].
        session: Vec<u8>,
    },
}

/// A game that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What it was played with.
    pub header: Header,
    /// Where it begins.
    pub start: Start,
    /// The buttons of both pads, frame by frame from its start, as they counted in the end.
    pub frames: Vec<[Buttons; 2]>,
    /// Frames before which the game was put into a position.
    pub positions: Vec<(u64, Position)>,
    /// Frames before which the random number register was written, and with what.
    pub chances: Vec<(u64, u16)>,
    /// Frames before which rows came up from below.
    pub rises: Vec<(u64, Rise)>,
    /// How often pieces were taken back.
    pub backs: u32,
    /// How it ended, name by name; empty if the program was stopped before.
    pub result: Vec<(String, String)>,
    /// Bytes at the end that are no whole block.
    pub lost: usize,
}

/// Why bytes are no kept game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeptError {
    /// They do not begin as one.
    #[error("not a kept game: expected it to begin with MXGAME, found {found:02X?}")]
    Magic {
        /// The first bytes.
        found: Vec<u8>,
    },
    /// Another version wrote them.
    #[error("format {found} of kept games: this build reads formats {OLDEST} to {FORMAT}")]
    Format {
        /// The format.
        found: u8,
    },
    /// The header is damaged or says nothing.
    #[error("the header of the game: expected {expected}, found {found:?}")]
    Header {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
}

/// The most frames that a game may have: a week. Three bytes of a file stand for up to 65,535 of
/// them.
const MOST_FRAMES: usize = 7 * 24 * 3600 * 61;

impl Kept {
    /// Reads a kept game, as far as it is whole.
    ///
    /// # Errors
    /// When it is none, or its header is damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, KeptError> {
        let found = || bytes[..bytes.len().min(MAGIC.len())].to_vec();
        let rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(|| KeptError::Magic { found: found() })?;
        let (&format, mut rest) = rest.split_first().ok_or_else(|| KeptError::Magic { found: found() })?;
        if !(OLDEST..=FORMAT).contains(&format) {
            return Err(KeptError::Format { found: format });
        }
        let wrong = |expected, found: &str| KeptError::Header { expected, found: found.to_owned() };
        let (kind, payload, after) = whole(rest).ok_or_else(|| wrong("a whole block", "less"))?;
        if kind != HEADER {
            return Err(wrong("a block of kind 1", &kind.to_string()));
        }
        let header = header(&String::from_utf8_lossy(payload))?;
        let mut game = Self {
            header,
            start: Start::PowerOn,
            frames: Vec::new(),
            positions: Vec::new(),
            chances: Vec::new(),
            rises: Vec::new(),
            backs: 0,
            result: Vec::new(),
            lost: 0,
        };
        rest = after;
        while let Some((kind, payload, after)) = whole(rest) {
            if !game.take(kind, payload) {
                break;
            }
            rest = after;
        }
        game.lost = rest.len();
        Ok(game)
    }

    /// A block. Out: does it make sense?
    fn take(&mut self, kind: u8, payload: &[u8]) -> bool {
        let number = || payload.try_into().ok().map(u64::from_le_bytes);
        match kind {
            BUTTONS => self.take_runs::<3>(payload),
            BOTH_PADS => self.take_runs::<4>(payload),
            BACK => number().is_some_and(|frames| {
                self.frames.truncate(usize::try_from(frames).unwrap_or(usize::MAX));
                self.chances.retain(|&(frame, _)| frame < frames);
                self.positions.retain(|&(frame, _)| frame < frames);
                self.rises.retain(|&(frame, _)| frame < frames);
                // It was over, and is not any more.
                self.result.clear();
                self.backs = self.backs.saturating_add(1);
                true
            }),
            CHANCE => number().is_some_and(|lfsr| {
                self.chances.push((self.frames.len() as u64, lfsr as u16));
                true
            }),
            END => {
                let text = String::from_utf8_lossy(payload);
                let lines = text.lines().filter_map(|line| line.split_once(' '));
                self.result = lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                true
            }
            POSITION => {
                std::str::from_utf8(payload).ok().and_then(|text| text.parse().ok()).is_some_and(|position| {
                    self.positions.push((self.frames.len() as u64, position));
                    true
                })
            }
            RISE => match *payload {
                [rows, hole] if (1..=HEIGHT).contains(&rows.into()) && usize::from(hole) < WIDTH => {
                    self.rises.push((self.frames.len() as u64, Rise { rows, hole }));
                    true
                }
                _ => false,
            },
            STATE if self.frames.is_empty() => {
                payload.split_first_chunk::<4>().is_some_and(|(length, bytes)| {
                    let split = bytes.split_at_checked(u32::from_le_bytes(*length) as usize);
                    split.is_some_and(|(console, session)| {
                        self.start = Start::State { console: console.to_vec(), session: session.to_vec() };
                        true
                    })
                })
            }
            _ => false,
        }
    }

    /// Runs of frames, `SIZE` bytes each. Out: do they make sense?
    fn take_runs<const SIZE: usize>(&mut self, payload: &[u8]) -> bool {
        let (runs, rest) = payload.as_chunks::<SIZE>();
        for run in runs {
            let count = usize::from(u16::from_le_bytes([run[0], run[1]]));
            if self.frames.len() + count > MOST_FRAMES {
                return false;
            }
            let pads = [run[2], run.get(3).copied().unwrap_or(0)].map(Buttons::from_bits_retain);
            self.frames.extend(std::iter::repeat_n(pads, count));
        }
        rest.is_empty()
    }

    /// What the result says of something.
    pub fn result_of(&self, name: &str) -> Option<&str> {
        self.result.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The first block, if it is whole, and what follows it.
pub(super) fn whole(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let length = u32::from_le_bytes(bytes.get(1..BEFORE)?.try_into().ok()?) as usize;
    let end = length.checked_add(BEFORE)?;
    let checksum = u32::from_le_bytes(bytes.get(end..end.checked_add(AFTER)?)?.try_into().ok()?);
    (crc32fast::hash(&bytes[..end]) == checksum)
        .then(|| (bytes[0], &bytes[BEFORE..end], &bytes[end + AFTER..]))
}

fn header(text: &str) -> Result<Header, KeptError> {
    let line = |name: &'static str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        found.ok_or(KeptError::Header { expected: name, found: text.to_owned() })
    };
    let wrong = |expected, found: &str| KeptError::Header { expected, found: found.to_owned() };
    let mode = line("mode")?;
    let mut options = Options::default();
    let words = line("options")?;
    words.split_whitespace().try_for_each(|word| options.set(word)).map_err(|_| wrong("options", words))?;
    let crc32 = line("crc32")?;
    let begun = line("begun")?;
    Ok(Header {
        mode: mode.parse().map_err(|_| wrong("a mode", mode))?,
        options,
        cartridge: line("cartridge")?.to_owned(),
        crc32: u32::from_str_radix(crc32, 16).map_err(|_| wrong("a CRC32", crc32))?,
        begun: begun.parse().map_err(|_| wrong("seconds", begun))?,
        pieces: line("pieces").ok().map(str::to_owned),
        score: line("score")
            .ok()
            .map(|score| score.parse().map_err(|_| wrong("a score", score)))
            .transpose()?,
    })
}
