//! Kept games: a file that grows while the game is played, and is whole up to its last second whenever that ends.
//!
//! ```text
//! "MXGAME" and the format, a byte
//! blocks: kind u8, length u32, payload, CRC32 of all three
//!   1 header   lines of text: mode, options, cartridge, crc32, ram
//!   2 buttons  runs: how many frames u16, the player's buttons u8
//!   3 back     u64: only so many frames count, the others were taken back
//!   4 end      lines of text: how it ended
//!   5 chance   u64: before the frame that comes next the random number register got this value in its low 16 bits
//! ```
//! Numbers are little-endian. Frames are the console's from power-on. A reader takes every block that is whole and leaves
//! what follows a damaged one.

use std::fmt::Write as _;

use nes::Buttons;

use crate::{Log, Mode, Options, Session, Statistics};

const MAGIC: &[u8; 6] = b"MXGAME";
const FORMAT: u8 = 1;
const HEADER: u8 = 1;
const BUTTONS: u8 = 2;
const BACK: u8 = 3;
const END: u8 = 4;
const CHANCE: u8 = 5;
/// Kind and length; the checksum.
const BEFORE: usize = 5;
const AFTER: usize = 4;
/// Frames of a block of buttons: less than a second.
const FRAMES_A_BLOCK: u32 = 30;

/// What a kept game was played with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The mode.
    pub mode: Mode,
    /// The options.
    pub options: Options,
    /// The cartridge's name.
    pub cartridge: String,
    /// CRC32 of its PRG-ROM and CHR-ROM.
    pub crc32: u32,
    /// When the game began, in seconds since 1970; 0 if nobody said.
    pub begun: u64,
}

impl Header {
    /// Its file's name without a number and an ending: when it began, and its mode.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.begun, self.mode.to_string().replace('=', "-"))
    }
}

/// The ending of a kept game's file.
pub const EXTENSION: &str = "mxgame";

/// How a game ended, name by name, for [`Recorder::end`]. `state` is the console's hash.
pub fn result(session: &Session, log: &Log, state: u64) -> [(&'static str, String); 7] {
    let statistics = Statistics::of(log);
    let rate = statistics.tetris_rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
    let outcome: &str = session.outcome().into();
    [
        ("outcome", outcome.to_owned()),
        ("score", session.score().to_string()),
        ("lines", log.last.1.to_string()),
        ("level", session.level().to_string()),
        ("pieces", statistics.pieces.to_string()),
        ("trt", rate),
        ("state", format!("{state:016x}")),
    ]
}

/// Writes a game as bytes to be appended to a file.
#[derive(Clone, Debug)]
pub struct Recorder {
    runs: Vec<(u16, u8)>,
    pending: u32,
    frames: u64,
}

impl Recorder {
    /// A game that begins. Out also: the first bytes of its file.
    pub fn new(header: &Header) -> (Self, Vec<u8>) {
        let Header { mode, options, cartridge, crc32, begun } = header;
        let cartridge = cartridge.replace(['\n', '\r'], " ");
        let text = format!(
            "mode {mode}\noptions {options}\ncartridge {cartridge}\ncrc32 {crc32:08X}\nbegun {begun}\n"
        );
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        bytes.extend(block(HEADER, text.as_bytes()));
        (Self { runs: Vec::new(), pending: 0, frames: 0 }, bytes)
    }

    /// Frames so far, those that were taken back not counted.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// A frame with these buttons of the player. Out: bytes to append, twice a second.
    pub fn push(&mut self, buttons: Buttons) -> Option<Vec<u8>> {
        match self.runs.last_mut() {
            Some((count, held)) if *held == buttons.bits() && *count < u16::MAX => *count += 1,
            _ => self.runs.push((1, buttons.bits())),
        }
        self.frames += 1;
        self.pending += 1;
        (self.pending >= FRAMES_A_BLOCK).then(|| self.flush())
    }

    /// The bytes of the frames that were not written yet; none if there are none.
    pub fn flush(&mut self) -> Vec<u8> {
        if self.runs.is_empty() {
            return Vec::new();
        }
        let runs = self.runs.drain(..);
        let payload: Vec<u8> = runs
            .flat_map(|(count, held)| {
                let [low, high] = count.to_le_bytes();
                [low, high, held]
            })
            .collect();
        self.pending = 0;
        block(BUTTONS, &payload)
    }

    /// All frames behind `frames` are taken back. Out: bytes to append.
    pub fn back(&mut self, frames: u64) -> Vec<u8> {
        let mut bytes = self.flush();
        self.frames = self.frames.min(frames);
        bytes.extend(block(BACK, &self.frames.to_le_bytes()));
        bytes
    }

    /// Another random number register before the frame that comes next. Out: bytes to append.
    pub fn chance(&mut self, lfsr: u16) -> Vec<u8> {
        let mut bytes = self.flush();
        bytes.extend(block(CHANCE, &u64::from(lfsr).to_le_bytes()));
        bytes
    }

    /// The game is over. Out: the last bytes.
    pub fn end(&mut self, result: &[(&str, String)]) -> Vec<u8> {
        let mut bytes = self.flush();
        let mut text = String::new();
        for (name, value) in result {
            let _ = writeln!(text, "{name} {}", value.replace(['\n', '\r'], " "));
        }
        bytes.extend(block(END, text.as_bytes()));
        bytes
    }
}

fn block(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A game that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What it was played with.
    pub header: Header,
    /// The player's buttons, frame by frame from power-on, as they counted in the end.
    pub frames: Vec<Buttons>,
    /// Frames before which the random number register was written, and with what.
    pub chances: Vec<(u64, u16)>,
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
    #[error("format {found} of kept games: this build reads format {FORMAT}")]
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

/// The most frames that a game may have: a week. Three bytes of a file stand for up to 65,535 of them.
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
        if format != FORMAT {
            return Err(KeptError::Format { found: format });
        }
        let wrong = |expected, found: &str| KeptError::Header { expected, found: found.to_owned() };
        let (kind, payload, after) = whole(rest).ok_or_else(|| wrong("a whole block", "less"))?;
        if kind != HEADER {
            return Err(wrong("a block of kind 1", &kind.to_string()));
        }
        let header = header(&String::from_utf8_lossy(payload))?;
        let mut game =
            Self { header, frames: Vec::new(), chances: Vec::new(), backs: 0, result: Vec::new(), lost: 0 };
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
            BUTTONS if payload.len().is_multiple_of(3) => {
                for run in payload.chunks_exact(3) {
                    let count = usize::from(u16::from_le_bytes([run[0], run[1]]));
                    if self.frames.len() + count > MOST_FRAMES {
                        return false;
                    }
                    let buttons = Buttons::from_bits_retain(run[2]);
                    self.frames.extend(std::iter::repeat_n(buttons, count));
                }
                true
            }
            BACK => number().is_some_and(|frames| {
                self.frames.truncate(usize::try_from(frames).unwrap_or(usize::MAX));
                self.chances.retain(|&(frame, _)| frame < frames);
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
            _ => false,
        }
    }

    /// What the result says of something.
    pub fn result_of(&self, name: &str) -> Option<&str> {
        self.result.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The first block, if it is whole, and what follows it.
fn whole(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> (Vec<u8>, Vec<Buttons>) {
        let mut options = Options::default();
        options.set("level=18").unwrap();
        let mode = "floor=3".parse().unwrap();
        let header = Header {
            mode,
            options,
            cartridge: "Maxout".to_owned(),
            crc32: 0x1234_ABCD,
            begun: 1_700_000_000,
        };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        let mut held = Vec::new();
        for frame in 0..1_000_u32 {
            let buttons = Buttons::from_bits_retain((frame / 7) as u8);
            held.push(buttons);
            bytes.extend(recorder.push(buttons).unwrap_or_default());
            if frame == 500 {
                bytes.extend(recorder.back(450));
                held.truncate(450);
                bytes.extend(recorder.chance(0x1234));
            }
        }
        bytes.extend(recorder.end(&[("score", "123".to_owned()), ("why", "a\nb".to_owned())]));
        (bytes, held)
    }

    #[test]
    fn a_game_is_read_as_it_was_recorded() {
        let (bytes, held) = recorded();
        let game = Kept::read(&bytes).unwrap();
        assert_eq!((game.frames, game.lost, game.backs), (held, 0, 1));
        assert_eq!(game.chances, [(450, 0x1234)]);
        assert_eq!(game.header.options.to_string(), "level=18");
        assert_eq!((game.header.mode.to_string().as_str(), game.header.crc32), ("floor=3", 0x1234_ABCD));
        assert_eq!(game.result, [("score".into(), "123".into()), ("why".into(), "a b".into())]);
        // Under two bytes a frame, whatever is pressed.
        assert!(bytes.len() < 2_000, "{}", bytes.len());
    }

    #[test]
    fn a_game_cut_anywhere_is_whole_up_to_its_last_second() {
        let (bytes, held) = recorded();
        let header = bytes.len() - {
            let (_, _, after) = whole(&bytes[7..]).unwrap();
            after.len()
        };
        for length in 0..bytes.len() {
            match Kept::read(&bytes[..length]) {
                Err(_) => assert!(length < header, "{length}"),
                Ok(game) => {
                    let common =
                        game.frames.iter().zip(&held).take_while(|(one, other)| one == other).count();
                    assert!(common == game.frames.len() || game.frames.len() <= 501, "{length}");
                    assert!(game.result.is_empty());
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic_and_a_wrong_byte_is_noticed() {
        let (bytes, _) = recorded();
        let whole = Kept::read(&bytes).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            assert_ne!(Kept::read(&damaged).ok().as_ref(), Some(&whole), "{at}");
        }
        assert!(Kept::read(b"").unwrap_err().to_string().contains("MXGAME"));
        assert!(Kept::read(b"MXGAME\x09").unwrap_err().to_string().contains("format 9"));
    }
}
