//! A placement of a game, with what was known when it was made.

use tetris::{Piece, Placement, Playfield};

use crate::link::{Link, Subject};

/// A shift of a piece, as far as frames tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// Milliseconds since the piece came in.
    pub ms: u32,
    /// Columns, to the right if positive.
    pub columns: i8,
}

/// A piece that locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Counted from 1.
    pub number: u32,
    /// The board before it.
    pub board: Playfield,
    /// The piece.
    pub piece: Piece,
    /// The next piece; `None` if it is not known.
    pub next: Option<Piece>,
    /// Level before it.
    pub level: u8,
    /// Lines before it.
    pub lines: u32,
    /// Score before it; `None` if it is not known.
    pub score: Option<u32>,
    /// Where it locked.
    pub place: Placement,
    /// Rows that it cleared.
    pub cleared: u32,
    /// Milliseconds of its spawn and of its lock since the game began; 0 if they are not known.
    pub ms: [u32; 2],
    /// Its shifts; none if they are not known.
    pub shifts: Vec<Shift>,
}

impl Turn {
    /// A link that carries it, for hands of so many taps a second.
    pub fn link(&self, hertz: u8) -> Link {
        Link {
            subject: Subject::Placement(self.place),
            board: self.board,
            piece: self.piece,
            next: self.next,
            level: self.level,
            lines: self.lines.min(u16::MAX.into()) as u16,
            hertz,
        }
    }

    /// The board after it, full rows gone.
    pub fn after(&self) -> Playfield {
        let mut board = self.board;
        board.lock(self.place);
        board
    }
}
