//! A question: board, pieces, level, lines and hands, as words of an address.

use tetris::rules::frames_per_row;
use tetris::{Orientation, Piece, Playfield};
use value::{Format, Pace, Speed, Taps};

use cli::unexpected::Unexpected;

/// A board's cells in a word of an address.
const CELLS: usize = 200;
/// Frames in which any piece has locked.
const LONGEST: u32 = 63;

/// What is asked about.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) board: Playfield,
    /// The board after a placement that is to be rated.
    pub(super) second: Option<Playfield>,
    pub(super) piece: Piece,
    pub(super) next: Option<Piece>,
    pub(super) level: u32,
    pub(super) lines: u32,
    /// `X` for a frame with a tap, `.` for one without.
    timeline: String,
    /// Frames until the next piece is known.
    pub(super) reaction: u32,
    /// A piece that is under way already: shifts to the right, rows and turns since it appeared,
    /// frames.
    x: i32,
    y: i32,
    turns: u32,
    elapsed: u32,
    /// May it be tapped in the frame that comes?
    taps_at_once: bool,
}

impl Position {
    /// Of the words after an address's `?`. Words that nobody knows are left out.
    pub(super) fn parse(query: &str) -> Result<Self, Unexpected> {
        let (mut board, mut second, mut piece, mut next) = (None, None, None, None);
        let (mut level, mut lines, mut timeline) = (None, None, None);
        let (mut reaction, mut x, mut y, mut turns, mut elapsed, mut taps_at_once) = (0, 0, 0, 0, 0, false);
        for (name, value) in query.split('&').filter_map(|word| word.split_once('=')) {
            let value: String = value.replace("%20", "").replace('+', "");
            let number = |from: i32, to: i32| {
                let found = value.parse().ok().filter(|number| (from..=to).contains(number));
                found.ok_or_else(|| Unexpected::new(format!("{from} to {to}")).at(name).found(shown(&value)))
            };
            match name {
                "board" => board = Some(cells(name, &value)?),
                "secondBoard" => second = Some(cells(name, &value)?),
                "currentPiece" => piece = Some(letter(name, &value)?),
                "nextPiece" if value != "null" => next = Some(letter(name, &value)?),
                "level" => level = Some(number(0, 254)? as u32),
                "lines" => lines = Some(number(0, 9_999)? as u32),
                "inputFrameTimeline" => timeline = Some(value.replace('-', ".")),
                "reactionTime" => reaction = number(0, 60)? as u32,
                "existingXOffset" => x = number(-9, 9)?,
                "existingYOffset" => y = number(0, 19)?,
                "existingRotation" => turns = number(0, 3)? as u32,
                "existingFramesElapsed" => elapsed = number(0, 999)? as u32,
                "arrWasReset" => taps_at_once = matches!(&*value, "true" | "TRUE" | "1"),
                _ => {}
            }
        }
        let missing = |name: &str| Unexpected::new("it").at(name).found("none");
        let timeline: String = timeline.ok_or_else(|| missing("inputFrameTimeline"))?;
        if Taps::of_timeline(&timeline).is_none() {
            let found = shown(&timeline);
            return Err(Unexpected::new("up to 60 of X and .").at("inputFrameTimeline").found(found));
        }
        Ok(Self {
            board: board.ok_or_else(|| missing("board"))?,
            second,
            piece: piece.ok_or_else(|| missing("currentPiece"))?,
            next,
            level: level.ok_or_else(|| missing("level"))?,
            lines: lines.ok_or_else(|| missing("lines"))?,
            timeline,
            reaction,
            x,
            y,
            turns,
            elapsed,
            taps_at_once,
        })
    }

    /// The same without a next piece.
    pub(super) fn without_next(&self) -> Self {
        Self { next: None, ..self.clone() }
    }

    /// The format of its taps, and lines at which the format has its speed.
    pub(super) fn terms(&self, double_at_39: bool) -> (Format, u32) {
        let taps = Taps::of_timeline(&self.timeline).unwrap_or(Taps::Hertz(30));
        let (last, [_, from_19, from_29, from_39]) = (430, Speed::LINES);
        let lines = match self.level {
            ..=18 => Pace::of(self.level as u8, self.lines, frames_per_row).lines,
            19..29 => self.lines.clamp(from_19, from_29 - 1),
            29..39 => self.lines.clamp(from_29, from_39 - 1),
            _ => self.lines.clamp(from_39, last - 1),
        };
        (Format { taps, delay: self.reaction, lines: last, double_at_39 }, lines)
    }

    /// Orientation, column and row of the piece; out also the frames towards its next row.
    pub(super) fn at(&self, frames_per_row: u32) -> (Orientation, (i32, i32), u32) {
        let spawned = Orientation::spawn(self.piece);
        let orientation = (0..self.turns).fold(spawned, |turned, _| turned.clockwise());
        (orientation, (5 + self.x, self.y), self.elapsed % frames_per_row)
    }

    /// Frames until it may be tapped, and the taps from then on.
    pub(super) fn taps(&self) -> (u32, Taps) {
        let frames = self.timeline.len() as u32;
        let from = if self.taps_at_once || self.elapsed == 0 { 0 } else { self.elapsed % frames };
        let waits = (0..frames)
            .find(|wait| self.timeline.as_bytes()[((from + wait) % frames) as usize] == b'X')
            .unwrap_or(LONGEST);
        let (before, after) = self.timeline.split_at(((from + waits) % frames) as usize);
        (waits, Taps::of_timeline(&format!("{after}{before}")).unwrap_or(Taps::Hertz(30)))
    }

    /// Level and lines after a clear, in a game from level 18, 19 or 29.
    pub(super) fn after(&self, cleared: u32) -> (u32, u32) {
        let lines = self.lines + cleared;
        let stays = matches!((self.level, lines), (18, ..130) | (19, ..140) | (29, ..200));
        let rises = !stays && lines / 10 > self.lines / 10;
        (self.level + u32::from(rises), lines)
    }
}

fn cells(name: &str, text: &str) -> Result<Playfield, Unexpected> {
    if text.len() != CELLS || text.bytes().any(|cell| !b"01".contains(&cell)) {
        let expected = Unexpected::new(format!("{CELLS} of 0 and 1, row by row"));
        return Err(expected.at(name).found(shown(text)));
    }
    let mut rows = [0u16; 20];
    for (at, cell) in text.bytes().enumerate() {
        rows[at / 10] |= u16::from(cell == b'1') << (at % 10);
    }
    Ok(Playfield::from_rows(&rows))
}

/// The first letters of what was found.
fn shown(text: &str) -> String {
    text.chars().take(24).collect()
}

fn letter(name: &str, text: &str) -> Result<Piece, Unexpected> {
    let wanted = text.to_ascii_uppercase();
    Piece::ALL
        .into_iter()
        .find(|piece| wanted.len() == 1 && wanted.starts_with(piece.letter()))
        .ok_or_else(|| Unexpected::new("one of I, O, L, J, T, S, Z").at(name).found(shown(text)))
}

/// Cells row by row, as they are asked with.
pub(super) fn written(board: &Playfield) -> String {
    let rows = board.rows();
    (0..CELLS).map(|at| if rows[at / 10] >> (at % 10) & 1 == 1 { '1' } else { '0' }).collect()
}
