//! Puzzles in a file.
//!
//! ```text
//! "MXPUZZLE" and the format, a byte
//! number of puzzles u32, then of each 41 bytes:
//!   board 25, piece u8, next u8, level u8, lines u16, taps a second u8,
//!   best place of the piece 3, of the next one 3, themes u16, rating u16
//! CRC32 of all before it
//! ```
//! Numbers are little-endian. A place is column, row and orientation.

use notation::lines::rests;
use notation::link::{Link, Subject, board_bytes, board_of_bytes};
use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator;
use tetris::{Piece, Placement, Playfield};

use crate::maker::Position;
use crate::theme::{Theme, Themes};

const MAGIC: &[u8; 8] = b"MXPUZZLE";
const FORMAT: u8 = 1;
const RECORD: usize = 41;
/// Puzzles of a bank, at most.
const MOST: usize = 100_000;

/// A puzzle and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// Taps a second of the hands that place the pieces.
    pub hertz: u8,
    /// The best place of the piece.
    pub best: Placement,
    /// The best place of the next piece after it.
    pub then: Placement,
    /// What it is about.
    pub themes: Themes,
    /// How hard it is, as a first guess: a rating of Glicko-2.
    pub rating: u16,
}

impl Puzzle {
    /// A number by which it is known, the same on every machine.
    pub fn id(&self) -> u32 {
        crc32fast::hash(&self.record()[..31])
    }

    /// A link that carries it.
    pub fn link(&self) -> Link {
        let Position { board, piece, next, level, lines } = self.position;
        let lines = lines.min(u16::MAX.into()) as u16;
        Link { subject: Subject::Puzzle, board, piece, next: Some(next), level, lines, hertz: self.hertz }
    }

    fn record(&self) -> [u8; RECORD] {
        let Position { board, piece, next, level, lines } = &self.position;
        let mut record = Vec::with_capacity(RECORD);
        record.extend(board_bytes(board));
        record.extend([*piece as u8, *next as u8, *level]);
        record.extend((*lines as u16).to_le_bytes());
        record.push(self.hertz);
        for place in [self.best, self.then] {
            record.extend(<[u8; 3]>::from(place));
        }
        record.extend(self.themes.0.to_le_bytes());
        record.extend(self.rating.to_le_bytes());
        let mut bytes = [0; RECORD];
        bytes.copy_from_slice(&record);
        bytes
    }

    fn of_record(record: &[u8; RECORD]) -> Option<Self> {
        let board = board_of_bytes(&record[..25])?;
        let [piece, next, level, low, high, hertz, rest @ ..] = &record[25..] else { return None };
        let piece = Piece::from_number(*piece)?;
        let next = Piece::from_number(*next)?;
        let [x, y, id, then_x, then_y, then_id, themes @ ..] = rest else { return None };
        let place = |board: &Playfield, piece: Piece, numbers: [u8; 3]| {
            let place = Placement::try_from(numbers).ok()?;
            (place.orientation.piece() == Some(piece) && rests(board, place)).then_some(place)
        };
        let best = place(&board, piece, [*x, *y, *id])?;
        let mut after = board;
        after.lock(best);
        let then = place(&after, next, [*then_x, *then_y, *then_id])?;
        let [low_theme, high_theme, low_rating, high_rating] = themes else { return None };
        Some(Self {
            position: Position {
                board,
                piece,
                next,
                level: *level,
                lines: u16::from_le_bytes([*low, *high]).into(),
            },
            hertz: *hertz,
            best,
            then,
            themes: Themes(u16::from_le_bytes([*low_theme, *high_theme])),
            rating: u16::from_le_bytes([*low_rating, *high_rating]),
        })
    }
}

/// Why bytes are no bank.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BankError {
    /// It begins with something else.
    #[error("expected a bank of puzzles, which begins with MXPUZZLE")]
    NoBank,
    /// A format that is not known.
    #[error("expected a bank of format {FORMAT}, found format {0}")]
    Format(u8),
    /// It is cut, or a byte is wrong.
    #[error("the bank of puzzles is damaged")]
    Damaged,
    /// A puzzle that cannot be.
    #[error("puzzle {0} of the bank cannot be")]
    Puzzle(usize),
}

/// Puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bank {
    /// In the order of the file.
    pub puzzles: Vec<Puzzle>,
}

/// How many puzzles a bank has of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Of what.
    pub name: String,
    /// How many.
    pub puzzles: usize,
}

impl Bank {
    /// The bank that comes with the program.
    pub fn built_in() -> Self {
        // The file is a part of the sources, and a test reads it.
        Self::read(include_bytes!("../bank.bin")).unwrap_or_default()
    }

    /// Reads a bank.
    ///
    /// # Errors
    /// [`BankError`].
    pub fn read(bytes: &[u8]) -> Result<Self, BankError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(BankError::NoBank)?;
        let (&format, rest) = rest.split_first().ok_or(BankError::NoBank)?;
        if format != FORMAT {
            return Err(BankError::Format(format));
        }
        let (count, rest) = rest.split_first_chunk::<4>().ok_or(BankError::Damaged)?;
        let count = u32::from_le_bytes(*count) as usize;
        let (records, sum) = rest.split_last_chunk::<4>().ok_or(BankError::Damaged)?;
        let is_whole = crc32fast::hash(&bytes[..bytes.len() - 4]) == u32::from_le_bytes(*sum);
        if !is_whole || count > MOST || records.len() != count * RECORD {
            return Err(BankError::Damaged);
        }
        let (records, _) = records.as_chunks::<RECORD>();
        let puzzle = |(number, record)| Puzzle::of_record(record).ok_or(BankError::Puzzle(number + 1));
        Ok(Self { puzzles: records.iter().enumerate().map(puzzle).collect::<Result<_, _>>()? })
    }

    /// The bank as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        bytes.extend((self.puzzles.len() as u32).to_le_bytes());
        self.puzzles.iter().for_each(|puzzle| bytes.extend(puzzle.record()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The puzzle of a number.
    pub fn by_id(&self, id: u32) -> Option<&Puzzle> {
        self.puzzles.iter().find(|puzzle| puzzle.id() == id)
    }

    /// The puzzle of a day, counted from 1 January 1970: the same for all who have this bank, and
    /// no puzzle comes again before all have been.
    pub fn daily(&self, day: u32) -> Option<&Puzzle> {
        let count = self.puzzles.len() as u64;
        // A step that shares no divisor with the count goes through all of them.
        let first = count * 3 / 5 + 1;
        let step = (first..first + count.max(1)).find(|&step| divisor(step, count) == 1)?;
        let at = (u64::from(day) * step).checked_rem(count)?;
        self.puzzles.get(at as usize)
    }

    /// How many puzzles there are of each theme.
    pub fn by_theme(&self) -> Vec<Count> {
        let of = |theme: Theme| self.puzzles.iter().filter(|puzzle| puzzle.themes.has(theme)).count();
        Theme::iter().map(|theme| Count { name: theme.to_string(), puzzles: of(theme) }).collect()
    }

    /// How many puzzles there are of each two hundred points of rating.
    pub fn by_rating(&self) -> Vec<Count> {
        let class = |puzzle: &&Puzzle| puzzle.rating / 200;
        let classes = self.puzzles.iter().map(|puzzle| puzzle.rating / 200);
        let (least, most) = classes.fold((u16::MAX, 0), |(least, most), of| (least.min(of), most.max(of)));
        let of = |number: u16| Count {
            name: format!("{}-{}", number * 200, number * 200 + 199),
            puzzles: self.puzzles.iter().filter(|puzzle| class(puzzle) == number).count(),
        };
        (least..=most).map(of).collect()
    }
}

/// The greatest common divisor.
const fn divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { divisor(other, one % other) }
}
