//! One line a placement: JSON or CSV, for spreadsheets and other programs.
//!
//! | field | what it is |
//! |---|---|
//! | `number` | placement of the game, counted from 1 |
//! | `board` | the board before it: 200 digits, row by row from the top, 1 for a cell that is taken |
//! | `piece`, `next` | letters of TJZOSLI; `next` is `null` or empty if it is not known |
//! | `level`, `lines`, `score` | before it; `score` is `null` or empty if it is not known |
//! | `column`, `row` | of the pivot of the place, from 0 at the top left |
//! | `orientation` | the game's number for how the piece is turned, 0 to 18 |
//! | `cleared` | rows that it cleared |
//! | `ms` | milliseconds from the beginning of the game to the lock; 0 if they are not known |
//!
//! To be read a line needs `board`, `piece`, `level`, `lines`, `column`, `row` and `orientation`.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use tetris::{HEIGHT, Orientation, Piece, Placement, Playfield, WIDTH};

use crate::Turn;

/// Placements of a file, at most.
const MOST: usize = 200_000;

/// The names of the fields, in the order of CSV.
pub const FIELDS: [&str; 12] = [
    "number",
    "board",
    "piece",
    "next",
    "level",
    "lines",
    "score",
    "column",
    "row",
    "orientation",
    "cleared",
    "ms",
];

/// A placement as text has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    #[serde(default)]
    number: u32,
    board: String,
    piece: char,
    #[serde(default)]
    next: Option<char>,
    level: u8,
    lines: u32,
    #[serde(default)]
    score: Option<u32>,
    column: u8,
    row: u8,
    orientation: u8,
    #[serde(default)]
    cleared: u32,
    #[serde(default)]
    ms: u32,
}

/// Why a text is no game, with the line at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// There is no placement.
    #[error("expected one placement a line, as JSON or as CSV with the line {:?} first, found none", FIELDS.join(","))]
    Empty,
    /// It is no text.
    #[error("expected text in UTF-8 with one placement a line")]
    NoText,
    /// More placements than a game has.
    #[error("expected at most {MOST} placements, found more")]
    TooMany,
    /// A line is no placement.
    #[error("line {line}: {fault}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is no JSON object with the needed fields.
    #[error("{0}")]
    Json(String),
    /// A field has something else than it should.
    #[error("{field}: expected {expected}, found {found:?}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What should be there.
        expected: &'static str,
        /// The beginning of what is there.
        found: String,
    },
    /// The board has another number of cells, or a full row.
    #[error("board: expected 200 digits, 0 for a free cell and another for a taken one, and no full row")]
    Board,
    /// The orientation is none of the piece's.
    #[error("orientation: expected a number of an orientation of {piece}, found {found}")]
    Orientation {
        /// The piece.
        piece: Piece,
        /// What is there.
        found: u8,
    },
    /// The piece does not fit there, or can fall.
    #[error(
        "expected a place where the piece fits and rests, found column {column}, row {row}, orientation {orientation}"
    )]
    Place {
        /// Column of the pivot.
        column: u8,
        /// Its row.
        row: u8,
        /// The number of the orientation.
        orientation: u8,
    },
}

/// What a letter of a piece should be.
const LETTER: &str = "a letter of TJZOSLI";

/// Writes placements as JSON, one object a line.
pub fn json(turns: &[Turn]) -> String {
    let mut text = String::new();
    for turn in turns {
        // Text and numbers cannot fail to be written.
        let _ = writeln!(text, "{}", serde_json::to_string(&Line::of(turn)).unwrap_or_default());
    }
    text
}

/// Writes placements as CSV, with the names of the fields first.
pub fn csv(turns: &[Turn]) -> String {
    let mut text = FIELDS.join(",") + "\n";
    for turn in turns {
        let Line { number, board, piece, next, level, lines, score, column, row, orientation, cleared, ms } =
            Line::of(turn);
        let next = next.map_or_else(String::new, String::from);
        let score = score.map_or_else(String::new, |score| score.to_string());
        let _ = writeln!(
            text,
            "{number},{board},{piece},{next},{level},{lines},{score},{column},{row},{orientation},{cleared},{ms}"
        );
    }
    text
}

/// Reads placements, JSON or CSV.
///
/// # Errors
/// [`LineError`], when a line is no placement: each has to be a lock of its piece on its board.
pub fn read(bytes: &[u8]) -> Result<Vec<Turn>, LineError> {
    let text = std::str::from_utf8(bytes).map_err(|_| LineError::NoText)?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let columns = match lines.peek() {
        None => return Err(LineError::Empty),
        Some((_, line)) if line.trim_start().starts_with('{') => None,
        Some((_, line)) => Some(Columns::of(line).ok_or(LineError::Empty)?),
    };
    if columns.is_some() {
        lines.next();
    }
    let mut turns = Vec::new();
    for (number, text) in lines {
        if turns.len() == MOST {
            return Err(LineError::TooMany);
        }
        let wrong = |fault: Fault| LineError::Line { line: number + 1, fault };
        let line = match &columns {
            None => serde_json::from_str(text).map_err(|error| wrong(Fault::Json(error.to_string())))?,
            Some(columns) => columns.line(text).map_err(wrong)?,
        };
        let turn = line.turn(turns.len() as u32 + 1).map_err(wrong)?;
        turns.push(turn);
    }
    if turns.is_empty() { Err(LineError::Empty) } else { Ok(turns) }
}

/// Where in a line of CSV each field is.
struct Columns([Option<usize>; FIELDS.len()]);

impl Columns {
    /// `None` if the line does not name the fields that are needed.
    fn of(line: &str) -> Option<Self> {
        let names: Vec<&str> = line.split(',').map(|name| name.trim().trim_matches('"')).collect();
        let columns = FIELDS.map(|field| names.iter().position(|name| name.eq_ignore_ascii_case(field)));
        let is_needed = |field: &str| !["number", "next", "score", "cleared", "ms"].contains(&field);
        let complete =
            FIELDS.iter().zip(&columns).all(|(field, column)| column.is_some() || !is_needed(field));
        complete.then_some(Self(columns))
    }

    fn line(&self, text: &str) -> Result<Line, Fault> {
        let cells: Vec<&str> = text.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
        let cell = |name: &'static str| -> &str {
            let column = FIELDS.iter().position(|field| *field == name).and_then(|field| self.0[field]);
            column.and_then(|column| cells.get(column)).copied().unwrap_or_default()
        };
        let wrong = |field: &'static str, expected: &'static str| Fault::Field {
            field,
            expected,
            found: cell(field).chars().take(20).collect(),
        };
        let number = |name: &'static str| -> Result<u32, Fault> {
            cell(name).parse().map_err(|_| wrong(name, "a number"))
        };
        let small = |name: &'static str| -> Result<u8, Fault> {
            cell(name).parse().map_err(|_| wrong(name, "a number from 0 to 255"))
        };
        let usual = |name: &'static str| if cell(name).is_empty() { Ok(0) } else { number(name) };
        let letter = |name: &'static str| cell(name).parse().map_err(|_| wrong(name, LETTER));
        let known = |name: &'static str| !cell(name).is_empty();
        Ok(Line {
            number: usual("number")?,
            board: cell("board").to_owned(),
            piece: letter("piece")?,
            next: known("next").then(|| letter("next")).transpose()?,
            level: small("level")?,
            lines: number("lines")?,
            score: known("score").then(|| number("score")).transpose()?,
            column: small("column")?,
            row: small("row")?,
            orientation: small("orientation")?,
            cleared: usual("cleared")?,
            ms: usual("ms")?,
        })
    }
}

impl Line {
    fn of(turn: &Turn) -> Self {
        let taken = |at: usize| turn.board.columns[at % WIDTH] >> (at / WIDTH) & 1 == 1;
        Self {
            number: turn.number,
            board: (0..WIDTH * HEIGHT).map(|at| if taken(at) { '1' } else { '0' }).collect(),
            piece: turn.piece.letter(),
            next: turn.next.map(Piece::letter),
            level: turn.level,
            lines: turn.lines,
            score: turn.score,
            column: turn.place.x,
            row: turn.place.y,
            orientation: turn.place.orientation.id(),
            cleared: turn.cleared,
            ms: turn.ms[1],
        }
    }

    fn turn(&self, number: u32) -> Result<Turn, Fault> {
        let piece = |field: &'static str, letter: char| {
            let found = || Fault::Field { field, expected: LETTER, found: letter.into() };
            Piece::from_letter(letter).ok_or_else(found)
        };
        let board = board_of_digits(&self.board).ok_or(Fault::Board)?;
        let own = piece("piece", self.piece)?;
        let orientation = Orientation::from_id(self.orientation).filter(|turned| turned.piece() == Some(own));
        let orientation = orientation.ok_or(Fault::Orientation { piece: own, found: self.orientation })?;
        let place = Placement { orientation, x: self.column, y: self.row };
        if !rests(&board, place) {
            let Self { column, row, orientation, .. } = *self;
            return Err(Fault::Place { column, row, orientation });
        }
        let mut after = board;
        let cleared = after.lock(place);
        Ok(Turn {
            number: if self.number == 0 { number } else { self.number },
            board,
            piece: own,
            next: self.next.map(|letter| piece("next", letter)).transpose()?,
            level: self.level,
            lines: self.lines,
            score: self.score,
            place,
            cleared,
            ms: [0, self.ms],
            shifts: Vec::new(),
        })
    }
}

/// The board of 200 digits, row by row from the top. `None` if they are not 200, or a row is full.
pub fn board_of_digits(digits: &str) -> Option<Playfield> {
    let digits = digits.as_bytes();
    if digits.len() != WIDTH * HEIGHT || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut board = Playfield::EMPTY;
    for (at, &digit) in digits.iter().enumerate() {
        board.columns[at % WIDTH] |= u32::from(digit != b'0') << (at / WIDTH);
    }
    (board.full() == 0).then_some(board)
}

/// Returns whether a piece fits in a place, all of it within the field, and cannot fall from there.
pub fn rests(board: &Playfield, place: Placement) -> bool {
    board.rests(place) && place.cells().iter().all(|&(_, y)| y >= 0)
}
