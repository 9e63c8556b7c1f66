//! A position as one line of text, and a real game from it.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use nes::Console;
use tetris::ram::{self, play_state};
use tetris::{HEIGHT, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::Session;
use crate::ram_access::RamAccess;
use crate::tiles::{TILE, Tiles};

/// All that decides how a game goes on from a spawn.
///
/// Printed as one line, which is parsed again:
/// `1 field piece next level lines score das lfsr spawns frame check`, the field in hexadecimal,
/// five digits for two rows, from the top, rows of nothing at the top left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The taken cells of each row from the top, bit 0 the leftmost.
    pub rows: [u16; HEIGHT],
    /// The piece that comes in, and the next.
    pub piece: Piece,
    /// The next.
    pub next: Piece,
    /// The level.
    pub level: u8,
    /// Lines, up to 25,599.
    pub lines: u32,
    /// The score, without a limit.
    pub score: u32,
    /// Counter of the auto shift, 0–16.
    pub das: u8,
    /// The random number register.
    pub lfsr: u16,
    /// Pieces picked since reset, modulo 256.
    pub spawns: u8,
    /// The frame counter, whose last bits decide the animations.
    pub frame: u16,
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Words are missing, or there are more.
    #[error(
        "a position: expected 12 words (1 field piece next level lines score das lfsr spawns frame check), found {found}"
    )]
    Words {
        /// How many there are.
        found: usize,
    },
    /// A word is none.
    #[error("a position, {name}: expected {expected}, found `{found}`")]
    Word {
        /// Which.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// The last word does not belong to the others.
    #[error("a position: expected the check word {expected}, found `{found}`: a letter is wrong or missing")]
    Check {
        /// What belongs there.
        expected: String,
        /// What was found.
        found: String,
    },
    /// No piece can come in there.
    #[error("a position: expected room for the {piece} where it comes in, found blocks")]
    NoRoom {
        /// The piece.
        piece: Piece,
    },
}

impl Position {
    /// The position of a game in which a piece has just come in; `None` where none is in play.
    pub fn of(session: &Session) -> Option<Self> {
        let view = session.view();
        if !(session.is_playing() && view.in_play() && view.play_state() == play_state::ACTIVE) {
            return None;
        }
        Some(Self {
            rows: view.rows(),
            piece: view.piece()?,
            next: view.next()?,
            level: view.level(),
            lines: view.lines(),
            score: session.score(),
            das: view.das().min(16),
            lfsr: view.lfsr(),
            spawns: view.byte(ram::SPAWN_COUNT),
            frame: view.frame_counter(),
        })
    }

    /// Refuses a position in which the piece has no room.
    fn checked(self) -> Result<Self, PositionError> {
        if Playfield::from_rows(&self.rows).fits(Placement::spawn(self.piece)) {
            Ok(self)
        } else {
            Err(PositionError::NoRoom { piece: self.piece })
        }
    }

    /// Returns the tiles of the playfield, row by row from the top.
    pub fn tiles(&self) -> [u8; HEIGHT * WIDTH] {
        std::array::from_fn(|cell| {
            if self.rows[cell / WIDTH] >> (cell % WIDTH) & 1 == 1 { TILE } else { ram::EMPTY }
        })
    }

    /// Returns the variables of one byte that a position decides, but for the level, with their
    /// values.
    pub fn variables(&self) -> [(ram::Variable, u8); 12] {
        let next = Orientation::spawn(self.next).id();
        [
            (ram::PIECE_X, 5),
            (ram::PIECE_Y, 0),
            (ram::ORIENTATION, Orientation::spawn(self.piece).id()),
            (ram::NEXT_PIECE, next),
            (ram::LAST_PIECE, next),
            (ram::PLAY_STATE, play_state::ACTIVE),
            (ram::FALL_TIMER, 0),
            (ram::DOWN_REPEAT, 0),
            (ram::SOFT_DROP_ROWS, 0),
            (ram::LINES_COMPLETED, 0),
            (ram::DAS, self.das),
            (ram::SPAWN_COUNT, self.spawns),
        ]
    }

    fn words(&self) -> String {
        let mut field = String::new();
        for pair in self.rows.chunks_exact(2) {
            let bits = u32::from(pair[0] & 0x3FF) | u32::from(pair[1] & 0x3FF) << 10;
            let _ = write!(field, "{bits:05X}");
        }
        let field = field.trim_start_matches("00000");
        let field = if field.is_empty() { "0" } else { field };
        let Self { piece, next, level, lines, score, das, lfsr, spawns, frame, .. } = self;
        format!("1 {field} {piece} {next} {level} {lines} {score} {das} {lfsr:04X} {spawns} {frame}")
    }
}

impl Session {
    /// Puts the game that is on, with a piece in play, into a position: a game like any other goes
    /// on from there.
    ///
    /// # Errors
    /// When the position has no room for its piece; nothing has changed then.
    pub fn enter(&mut self, console: &mut Console, position: &Position) -> Result<(), PositionError> {
        let position = position.checked()?;
        let profile = self.profile().clone();
        let mut hands = RamAccess::new(&profile, console);
        hands.set_field(&Tiles { cells: position.tiles() });
        position.variables().into_iter().for_each(|(variable, value)| hands.set(variable, value));
        hands.set_bytes(ram::LFSR, &position.lfsr.to_be_bytes());
        hands.set_bytes(ram::FRAME_COUNTER, &position.frame.to_le_bytes());
        hands.set_level(position.level);
        hands.set_lines(position.lines);
        hands.set_score(position.score);
        self.take_over(position.score, position.level, position.das, Orientation::spawn(position.next).id());
        self.resync(console);
        Ok(())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.words();
        write!(f, "{words} {:08X}", crc32fast::hash(words.as_bytes()))
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let words: Vec<&str> = text.split_whitespace().take(13).collect();
        let &[version, field, piece, next, level, lines, score, das, lfsr, spawns, frame, check] =
            words.as_slice()
        else {
            return Err(PositionError::Words { found: words.len() });
        };
        let wrong =
            |name, expected, found: &str| PositionError::Word { name, expected, found: found.to_owned() };
        if version != "1" {
            return Err(wrong("version", "1", version));
        }
        let letter = |name, text: &str| {
            let mut letters = text.chars();
            let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
            piece.ok_or_else(|| wrong(name, "a letter of TJZOSLI", text))
        };
        let number = |name, expected, text: &str, most: u32| {
            let digits = text.len() <= 9 && text.bytes().all(|digit| digit.is_ascii_digit());
            let number = digits.then(|| text.parse::<u32>().ok()).flatten();
            number.filter(|&number| number <= most).ok_or_else(|| wrong(name, expected, text))
        };
        let register = (lfsr.len() == 4).then(|| u16::from_str_radix(lfsr, 16).ok()).flatten();
        let position = Self {
            rows: rows(field)
                .ok_or_else(|| wrong("field", "hexadecimal digits, five for two rows, at most 50", field))?,
            piece: letter("piece", piece)?,
            next: letter("next", next)?,
            level: number("level", "0 to 255", level, 255)? as u8,
            lines: number("lines", "0 to 25599", lines, 25_599)?,
            score: number("score", "0 to 999999999", score, 999_999_999)?,
            das: number("das", "0 to 16", das, 16)? as u8,
            lfsr: register.ok_or_else(|| wrong("lfsr", "four hexadecimal digits", lfsr))?,
            spawns: number("spawns", "0 to 255", spawns, 255)? as u8,
            frame: number("frame", "0 to 65535", frame, 65_535)? as u16,
        };
        let whole = position.to_string();
        let expected = whole.rsplit(' ').next().unwrap_or_default();
        if !check.eq_ignore_ascii_case(expected) {
            return Err(PositionError::Check { expected: expected.to_owned(), found: check.to_owned() });
        }
        position.checked()
    }
}

fn rows(text: &str) -> Option<[u16; HEIGHT]> {
    let mut rows = [0; HEIGHT];
    if text == "0" {
        return Some(rows);
    }
    let digits = text.as_bytes();
    if digits.is_empty() || digits.len() > 5 * HEIGHT / 2 || !digits.len().is_multiple_of(5) {
        return None;
    }
    let first = HEIGHT / 2 - digits.len() / 5;
    for (pair, digits) in (first..).zip(digits.chunks_exact(5)) {
        let text =
            std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let bits = u32::from_str_radix(text, 16).ok()?;
        rows[2 * pair] = (bits & 0x3FF) as u16;
        rows[2 * pair + 1] = (bits >> 10) as u16;
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> Position {
        let mut rows = [0; HEIGHT];
        (rows[17], rows[18], rows[19]) = (0x201, 0x1FF, 0x3FE);
        Position {
            rows,
            piece: Piece::T,
            next: Piece::I,
            level: 19,
            lines: 134,
            score: 1_234_567,
            das: 10,
            lfsr: 0x8988,
            spawns: 7,
            frame: 513,
        }
    }

    #[test]
    fn a_position_is_read_as_it_is_written() {
        let text = position().to_string();
        assert!(text.starts_with("1 "), "{text}");
        assert_eq!(text.parse(), Ok(position()));
        let mut empty = position();
        empty.rows = [0; HEIGHT];
        assert_eq!(empty.to_string().parse(), Ok(empty));
    }

    #[test]
    fn every_wrong_letter_is_noticed() {
        let text = position().to_string();
        for at in 0..text.len() {
            for letter in [b'0', b'Z', b' ', b'-'] {
                let mut bytes = text.clone().into_bytes();
                if bytes[at] == letter {
                    continue;
                }
                bytes[at] = letter;
                let found = String::from_utf8(bytes).unwrap().parse::<Position>();
                assert!(found.is_err(), "{at}: {found:?}");
            }
            assert!(text[..at].parse::<Position>().is_err());
        }
        let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
        assert!(error("1 0 Q I 0 0 0 0 8988 0 0 0").contains("piece: expected a letter of TJZOSLI"));
        assert!(error("").contains("12 words"));
        let mut full = position();
        full.rows[0] = 0x3FF;
        assert!(error(&full.to_string()).contains("room for the T"));
    }
}
