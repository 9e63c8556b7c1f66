//! The position editor: a field, a piece and all that decides how a game goes on from there.

use practice::{Kind, Mode, Options, Position, PositionError};
use tetris::{HEIGHT, Piece, WIDTH};

use crate::messages::command::PracticeCommand;

/// A part of a position that has a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Piece,
    Next,
    Level,
    Lines,
    Score,
    Das,
    /// The random number register.
    Register,
    /// How many pieces were picked since reset.
    Spawns,
}

impl Part {
    /// All of them, in the order of the page.
    pub(crate) const ALL: [Self; 8] = [
        Self::Piece,
        Self::Next,
        Self::Level,
        Self::Lines,
        Self::Score,
        Self::Das,
        Self::Register,
        Self::Spawns,
    ];

    /// Returns its name.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Piece => "Piece",
            Self::Next => "Next piece",
            Self::Level => "Level",
            Self::Lines => "Lines",
            Self::Score => "Score",
            Self::Das => "DAS counter",
            Self::Register => "Random number register",
            Self::Spawns => "Pieces since reset",
        }
    }

    /// Returns what is to be known of it.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Self::Register => {
                "determines the next pieces, with the frame count · digits: type it · R or Select: random"
            }
            Self::Spawns => "determines the next pieces, with the frame count · digits: type it",
            Self::Das => "the auto shift comes at 16",
            Self::Score => "digits: type it · left and right: ten thousand fewer or more",
            Self::Piece | Self::Next => "left and right: change",
            _ => "digits: type it · left and right: change",
        }
    }
}

/// What else is done on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// Begins a game from the position.
    Begin,
    /// Writes its line of text to the clipboard.
    Copy,
    /// Reads one from there.
    Paste,
    /// Takes all blocks out.
    Clear,
}

/// What a score is changed by, and where it ends.
const SCORE: i64 = 10_000;
const MOST_SCORE: i64 = 999_999_999;
const MOST_LINES: i64 = 25_599;

/// The position that is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Editor {
    pub(crate) position: Position,
    /// What the pointer does to the cells that it is drawn over.
    pub(crate) painting: Option<bool>,
    /// The cell that the pointer was on while it was pressed.
    painted: Option<(usize, usize)>,
}

impl Default for Editor {
    fn default() -> Self {
        let position = Position {
            rows: [0; HEIGHT],
            piece: Piece::T,
            next: Piece::I,
            level: 18,
            lines: 0,
            score: 0,
            das: 16,
            lfsr: 0x8988,
            spawns: 0,
            frame: 0,
        };
        Self { position, painting: None, painted: None }
    }
}

impl Editor {
    /// Returns whether a cell is taken.
    pub(crate) fn is_taken(&self, column: usize, row: usize) -> bool {
        self.position.rows.get(row).is_some_and(|bits| bits >> column & 1 == 1)
    }

    /// Puts a block into a cell, or takes it out.
    pub(crate) fn set(&mut self, column: usize, row: usize, taken: bool) {
        if let Some(bits) = self.position.rows.get_mut(row).filter(|_| column < WIDTH) {
            *bits = *bits & !(1 << column) | u16::from(taken) << column;
        }
    }

    /// The pointer is pressed on a cell: all cells on the way from the last one become the same as
    /// the first did.
    pub(crate) fn paint(&mut self, column: usize, row: usize) {
        let taken = *self.painting.get_or_insert(!self.is_taken(column, row));
        let (from_column, from_row) = self.painted.replace((column, row)).unwrap_or((column, row));
        let steps = column.abs_diff(from_column).max(row.abs_diff(from_row));
        let between = |from: usize, to: usize, step: usize| {
            (from * (steps - step) + to * step + steps / 2).checked_div(steps).unwrap_or(to)
        };
        for step in 0..=steps {
            self.set(between(from_column, column, step), between(from_row, row, step), taken);
        }
    }

    /// The pointer is released.
    pub(crate) fn end_painting(&mut self) {
        (self.painting, self.painted) = (None, None);
    }

    /// Returns a part as it stands.
    pub(crate) fn value(&self, part: Part) -> String {
        let Position { piece, next, level, lines, score, das, lfsr, spawns, .. } = self.position;
        match part {
            Part::Piece => piece.to_string(),
            Part::Next => next.to_string(),
            Part::Level => level.to_string(),
            Part::Lines => lines.to_string(),
            Part::Score => score.to_string(),
            Part::Das => das.to_string(),
            Part::Register => format!("{lfsr:04X}"),
            Part::Spawns => spawns.to_string(),
        }
    }

    /// Changes a part up (`by` 1) or down (-1); numbers stop at their ends, pieces go round.
    pub(crate) fn step(&mut self, part: Part, by: i32) {
        let by = i64::from(by);
        let piece = |piece: Piece| Piece::ALL[(piece as i64 + by).rem_euclid(7) as usize];
        let number = |number: i64, step: i64, most: i64| (number + step * by).clamp(0, most);
        let position = &mut self.position;
        match part {
            Part::Piece => position.piece = piece(position.piece),
            Part::Next => position.next = piece(position.next),
            Part::Level => position.level = number(position.level.into(), 1, 255) as u8,
            Part::Lines => position.lines = number(position.lines.into(), 1, MOST_LINES) as u32,
            Part::Score => position.score = number(position.score.into(), SCORE, MOST_SCORE) as u32,
            Part::Das => position.das = number(position.das.into(), 1, 16) as u8,
            // 0 and 1 are dead.
            Part::Register => position.lfsr = number(position.lfsr.into(), 1, 0xFFFF).max(2) as u16,
            Part::Spawns => position.spawns = number(position.spawns.into(), 1, 255) as u8,
        }
    }

    /// Returns the least, the greatest and the present value of a part that is a number.
    pub(crate) fn number(&self, part: Part) -> Option<(i64, i64, i64)> {
        let Position { level, lines, score, das, lfsr, spawns, .. } = self.position;
        Some(match part {
            Part::Piece | Part::Next => return None,
            Part::Level => (0, 255, level.into()),
            Part::Lines => (0, MOST_LINES, lines.into()),
            Part::Score => (0, MOST_SCORE, score.into()),
            Part::Das => (0, 16, das.into()),
            // 0 and 1 are dead.
            Part::Register => (2, 0xFFFF, lfsr.into()),
            Part::Spawns => (0, 255, spawns.into()),
        })
    }

    /// Gives a part that is a number a value within its ends.
    pub(crate) fn put(&mut self, part: Part, value: i64) {
        let Some((low, high, _)) = self.number(part) else { return };
        let (value, position) = (value.clamp(low, high), &mut self.position);
        match part {
            Part::Piece | Part::Next => {}
            Part::Level => position.level = value as u8,
            Part::Lines => position.lines = value as u32,
            Part::Score => position.score = value as u32,
            Part::Das => position.das = value as u8,
            Part::Register => position.lfsr = value as u16,
            Part::Spawns => position.spawns = value as u8,
        }
    }

    /// Returns the position as a line of text.
    pub(crate) fn text(&self) -> String {
        self.position.to_string()
    }

    /// Takes over the position that a text says.
    ///
    /// # Errors
    /// [`PositionError`]; nothing has changed then.
    pub(crate) fn paste(&mut self, text: &str) -> Result<(), PositionError> {
        // A line that was copied from a report may have more around it than blanks.
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        self.position = line.parse()?;
        Ok(())
    }

    /// Takes all blocks out.
    pub(crate) fn clear(&mut self) {
        self.position.rows = [0; HEIGHT];
    }

    /// Returns what begins a game from the position.
    pub(crate) fn begin(&self, options: Options) -> PracticeCommand {
        let mode: Mode = Kind::Tetris.usual();
        PracticeCommand::Begin { mode, options, position: Some(self.text()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_parts_change_within_their_ends_and_the_text_says_all_of_it() {
        let mut editor = Editor::default();
        editor.set(9, 19, true);
        editor.set(0, 19, true);
        editor.set(0, 19, false);
        editor.set(10, 19, true);
        editor.set(3, 20, true);
        assert!(editor.is_taken(9, 19) && !editor.is_taken(0, 19) && !editor.is_taken(3, 20));
        for (part, by, value) in [
            (Part::Piece, -1, "I"),
            (Part::Next, 1, "T"),
            (Part::Level, 1, "19"),
            (Part::Lines, -1, "0"),
            (Part::Score, 1, "10000"),
            (Part::Das, 1, "16"),
            (Part::Register, 1, "8989"),
            (Part::Spawns, -1, "0"),
        ] {
            editor.step(part, by);
            assert_eq!(editor.value(part), value, "{part:?}");
        }
        let mut other = Editor::default();
        other.paste(&format!("\n  {}  \n", editor.text())).unwrap();
        assert_eq!(other, editor);
        assert!(other.paste("1 nothing").unwrap_err().to_string().contains("12 words"));
        assert_eq!(other, editor, "what is wrong changes nothing");
        other.clear();
        assert_eq!(other.position.rows, [0; HEIGHT]);
        (0..70_000).for_each(|_| other.step(Part::Register, -1));
        assert_eq!(other.value(Part::Register), "0002");
    }
}
