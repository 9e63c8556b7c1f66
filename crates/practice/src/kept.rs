//! Kept games: a file that grows while the game is played, and is whole up to its last second
//! whenever that ends.
//!
//! ```text
//! "MXGAME" and the format, a byte
//! blocks: kind u8, length u32, payload, CRC32 of all three
//!   1 header    lines of text: mode, options, cartridge, crc32, begun; pieces, if others are dealt than the game's own; score, if it is known when the file begins
//!   2 buttons   runs: how many frames u16, the player's buttons u8
//!   3 back      u64: only so many frames count, the others were taken back
//!   4 end       lines of text: how it ended
//!   5 chance    u64: before the frame that comes next the random number register got this value in its low 16 bits
//!   6 position  a line of text: before the frame that comes next the game was put into this position
//!   7 state     length u32, a saved state of so many bytes, what the session remembered: the game begins from there
//!   8 buttons   as 2, with the second pad's buttons, a byte, after the first's
//!   9 rows      u8 and u8: before the frame that comes next so many rows came up from below, with a hole in this column
//! ```
//! Numbers are little-endian. Frames are the console's from power-on, or from the saved state if
//! there is one. A reader takes every block that is whole and leaves what follows a damaged one.
//! Format 1 has no blocks beyond 5, format 2 none beyond 8.

mod condense;
mod read;

use std::fmt::Write as _;

use nes::Buttons;
use tetris::{HEIGHT, WIDTH};

pub use condense::condensed;
pub use read::{Kept, KeptError, Start};

use crate::{Log, Mode, Options, Position, Rise, Session, Statistics, TapTable};

const MAGIC: &[u8; 6] = b"MXGAME";
/// The format that is written, and the oldest that is read.
const FORMAT: u8 = 3;
const OLDEST: u8 = 1;
const HEADER: u8 = 1;
const BUTTONS: u8 = 2;
const BACK: u8 = 3;
const END: u8 = 4;
const CHANCE: u8 = 5;
const POSITION: u8 = 6;
const STATE: u8 = 7;
const BOTH_PADS: u8 = 8;
const RISE: u8 = 9;
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
    /// What deals the pieces in place of the game, as [`crate::sequence`] takes it; `None` for the
    /// game itself.
    pub pieces: Option<String>,
    /// Score of the game when its file began, if it is known: more than 0 in a file that begins in
    /// the middle of a game.
    pub score: Option<u32>,
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
pub fn result(session: &Session, log: &Log, state: u64) -> [(&'static str, String); 9] {
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
        ("taps", TapTable::of(log).to_string()),
        ("board", log.pieces.last().map_or_else(String::new, |played| board_text(&played.rows))),
        ("state", format!("{state:016x}")),
    ]
}

/// Digits of a row in a board's text.
const DIGITS: usize = 3;

/// Returns a field as a text: three hexadecimal digits a row, bit 0 the leftmost cell, from the
/// floor up to the highest row that is not empty.
pub fn board_text(rows: &[u16; HEIGHT]) -> String {
    let height = rows.iter().position(|row| *row != 0).map_or(0, |top| HEIGHT - top);
    let mut text = String::new();
    for row in rows.iter().rev().take(height) {
        let _ = write!(text, "{row:03X}");
    }
    text
}

/// Returns the field of such a text, from the top; `None` if it is none.
pub fn board_of(text: &str) -> Option<[u16; HEIGHT]> {
    if text.len() > DIGITS * HEIGHT || !text.len().is_multiple_of(DIGITS) {
        return None;
    }
    let mut rows = [0; HEIGHT];
    for (row, digits) in rows.iter_mut().rev().zip(text.as_bytes().chunks(DIGITS)) {
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let bits = u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        *row = Some(bits).filter(|bits| *bits < 1 << WIDTH)?;
    }
    Some(rows)
}

/// Writes a game as bytes to be appended to a file.
#[derive(Clone, Debug)]
pub struct Recorder {
    runs: Vec<(u16, [u8; 2])>,
    pending: u32,
    frames: u64,
}

impl Recorder {
    /// A game that begins. Out also: the first bytes of its file.
    pub fn new(header: &Header) -> (Self, Vec<u8>) {
        let Header { mode, options, cartridge, crc32, begun, pieces, score } = header;
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let cartridge = line(cartridge);
        let mut text = format!(
            "mode {mode}\noptions {options}\ncartridge {cartridge}\ncrc32 {crc32:08X}\nbegun {begun}\n"
        );
        if let Some(pieces) = pieces {
            let _ = writeln!(text, "pieces {}", line(pieces));
        }
        if let Some(score) = score {
            let _ = writeln!(text, "score {score}");
        }
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        bytes.extend(block(HEADER, text.as_bytes()));
        (Self { runs: Vec::new(), pending: 0, frames: 0 }, bytes)
    }

    /// Frames so far, those that were taken back not counted.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The game begins from a saved state of the console, with what the session remembered: see
    /// [`Session::save`]. Out: bytes to append, before any frame.
    pub fn begin_from(console: &[u8], session: &[u8]) -> Vec<u8> {
        let mut payload = (console.len() as u32).to_le_bytes().to_vec();
        payload.extend(console);
        payload.extend(session);
        block(STATE, &payload)
    }

    /// A frame with these buttons of both pads. Out: bytes to append, twice a second.
    pub fn push(&mut self, pads: [Buttons; 2]) -> Option<Vec<u8>> {
        let pads = pads.map(|pad| pad.bits());
        match self.runs.last_mut() {
            Some((count, held)) if *held == pads && *count < u16::MAX => *count += 1,
            _ => self.runs.push((1, pads)),
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
        let both = self.runs.iter().any(|(_, [_, second])| *second != 0);
        let mut payload = Vec::new();
        for (count, [first, second]) in self.runs.drain(..) {
            payload.extend(count.to_le_bytes());
            payload.push(first);
            payload.extend(both.then_some(second));
        }
        self.pending = 0;
        block(if both { BOTH_PADS } else { BUTTONS }, &payload)
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

    /// The game was put into `position` before the frame that comes next. Out: bytes to append.
    pub fn position(&mut self, position: &Position) -> Vec<u8> {
        let mut bytes = self.flush();
        bytes.extend(block(POSITION, position.to_string().as_bytes()));
        bytes
    }

    /// Rows came up from below before the frame that comes next: see [`crate::raise`]. Out: bytes
    /// to append.
    pub fn rise(&mut self, rise: Rise) -> Vec<u8> {
        let mut bytes = self.flush();
        bytes.extend(block(RISE, &[rise.rows, rise.hole]));
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

#[cfg(test)]
pub(super) mod tests {
    use super::read::whole;
    use super::*;

    #[test]
    fn a_board_is_read_as_it_is_written_and_what_is_none_is_refused() {
        let mut rows = [0; HEIGHT];
        assert_eq!((board_text(&rows), board_of("")), (String::new(), Some(rows)));
        rows[19] = 0x3FE;
        rows[17] = 1;
        assert_eq!(board_text(&rows), "3FE000001");
        assert_eq!(board_of("3FE000001"), Some(rows));
        rows = [0x3FF; HEIGHT];
        assert_eq!(board_of(&board_text(&rows)), Some(rows));
        for wrong in ["3F", "400", "3FG", "ä00", "+FF", &"000".repeat(HEIGHT + 1)] {
            assert_eq!(board_of(wrong), None, "{wrong}");
        }
    }

    pub(super) fn recorded() -> (Vec<u8>, Vec<[Buttons; 2]>) {
        let mut options = Options::default();
        options.set("level=18").unwrap();
        let mode = "floor=3".parse().unwrap();
        let header = Header {
            mode,
            options,
            cartridge: "Maxout".to_owned(),
            crc32: 0x1234_ABCD,
            begun: 1_700_000_000,
            pieces: None,
            score: None,
        };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        let mut held = Vec::new();
        for frame in 0..1_000_u32 {
            let second = if frame < 700 { Buttons::empty() } else { Buttons::A };
            let pads = [Buttons::from_bits_retain((frame / 7) as u8), second];
            held.push(pads);
            bytes.extend(recorder.push(pads).unwrap_or_default());
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
        assert_eq!((&game.frames, game.lost, game.backs), (&held, 0, 1));
        assert_eq!(game.chances, [(450, 0x1234)]);
        assert_eq!(game.header.options.to_string(), "level=18");
        assert_eq!((game.header.mode.to_string().as_str(), game.header.crc32), ("floor=3", 0x1234_ABCD));
        assert_eq!(game.result, [("score".into(), "123".into()), ("why".into(), "a b".into())]);
        // Format 2 is the same without rows from below.
        let mut older = bytes.clone();
        older[6] = 2;
        assert_eq!(Kept::read(&older).as_ref(), Ok(&game));
        // Under two bytes a frame, whatever is pressed.
        assert!(bytes.len() < 2_000, "{}", bytes.len());
    }

    #[test]
    fn a_state_a_position_and_other_pieces_are_read_as_they_were_recorded() {
        let position: Position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458".parse().unwrap();
        let header = Header {
            mode: "tetris".parse().unwrap(),
            options: Options::default(),
            cartridge: "Maxout".to_owned(),
            crc32: 1,
            begun: 2,
            pieces: Some("--randomizer tgm3 --seed 7".to_owned()),
            score: Some(4_500),
        };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        bytes.extend(Recorder::begin_from(b"console", b"memory"));
        let held = [Buttons::LEFT, Buttons::empty()];
        for frame in 0..40 {
            if frame == 10 {
                bytes.extend(recorder.position(&position));
            }
            bytes.extend(recorder.push(held).unwrap_or_default());
        }
        bytes.extend(recorder.back(20));
        let rise = Rise { rows: 4, hole: 9 };
        bytes.extend(recorder.rise(rise));
        let game = Kept::read(&bytes).unwrap();
        assert_eq!((game.frames.len(), game.positions.as_slice(), game.lost), (20, &[(10, position)][..], 0));
        assert_eq!(game.rises, [(20, rise)]);
        // Rows and columns that the field does not have are no rise.
        for payload in [[0, 0], [21, 0], [1, 10]] {
            assert!(Kept::read(&[&bytes[..], &block(RISE, &payload)].concat()).unwrap().lost > 0);
        }
        let state = Start::State { console: b"console".to_vec(), session: b"memory".to_vec() };
        assert_eq!((&game.start, &game.header), (&state, &header));
        bytes.extend(recorder.back(10));
        let game = Kept::read(&bytes).unwrap();
        assert_eq!((game.positions.as_slice(), game.rises.as_slice()), (&[][..], &[][..]));
        // A state after frames, and one that claims more bytes than there are, are none.
        for payload in [[0, 0, 0, 0].as_slice(), &[9, 0, 0, 0, 1]] {
            let mut damaged = bytes.clone();
            damaged.extend(block(STATE, payload));
            assert!(Kept::read(&damaged).unwrap().lost > 0);
        }
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
