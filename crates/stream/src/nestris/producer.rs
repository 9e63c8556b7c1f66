//! Which moments of a game are sent.

use tetris::Piece;
use tetris::events::{Event, Mode};

use super::{CELLS, Frame, Pieces};
use crate::Update;
use crate::state::{Phase, State};

/// Frames after which a moment is sent again although nothing has changed: a quarter of a second.
const REMINDER: u64 = 15;
/// Frames for which a new game's counts are waited for.
const SETTLING: u32 = 120;

/// Makes frames of a player's game.
///
/// The site takes score, lines and level one frame after the score has changed, and a piece one
/// frame after the counts have: so such a frame is never sent alone. It counts a piece where the
/// field has four blocks more than before, and begins with the blocks of the game's first frame: so
/// that one is sent without the piece in play, of which only a part may be in sight. The site has
/// no word for going back: a rewind begins another game.
#[derive(Clone, Debug)]
pub struct Producer {
    game: u16,
    /// Frames since a game has begun whose first piece is not counted yet.
    settling: Option<u32>,
    last: Option<Frame>,
    sent: u64,
    /// Has what the site takes a frame later changed?
    again: bool,
    /// Has no frame of the present game been made yet?
    fresh: bool,
}

impl Producer {
    /// A producer whose first game has this number. It should differ from one start of the program
    /// to the next, so that the site does not go on with an old game.
    pub fn new(first_game: u16) -> Self {
        Self { game: first_game, settling: None, last: None, sent: 0, again: false, fresh: true }
    }

    /// The frame to send after an update, if any, `ctime` being the milliseconds since the producer
    /// began.
    pub fn take(&mut self, update: &Update, ctime: u32) -> Option<Frame> {
        if update.sought {
            self.begin();
        }
        if update.lines.iter().any(|line| matches!(line.event(), Some(Event::GameStart { demo: false, .. })))
        {
            self.settling = Some(0);
        }
        let frame = self.frame(&update.state, ctime);
        let same = self.last.as_ref().is_some_and(|last| last.shows_the_same(&frame));
        let counted = self.last.as_ref().is_none_or(|last| {
            (last.score, last.lines, last.level, last.counts, last.game)
                != (frame.score, frame.lines, frame.level, frame.counts, frame.game)
        });
        let again = std::mem::replace(&mut self.again, counted);
        // Frame numbers go back, too.
        let due = update.frame.abs_diff(self.sent) >= REMINDER;
        self.last = Some(frame.clone());
        if same && !again && !due {
            return None;
        }
        self.sent = update.frame;
        Some(frame)
    }

    /// Another game begins.
    fn begin(&mut self) {
        self.settling = None;
        self.game = self.game.wrapping_add(1);
        self.fresh = true;
    }

    fn frame(&mut self, state: &State, ctime: u32) -> Frame {
        let counts: [u32; 7] = state.counts.into();
        if let Some(frames) = self.settling {
            let begun = state.phase != Phase::None && counts.iter().sum::<u32>() == 1;
            if begun || frames >= SETTLING {
                self.begin();
            } else {
                self.settling = Some(frames + 1);
            }
        }
        let playing = state.mode == Mode::Game && !matches!(state.phase, Phase::None | Phase::Ended);
        if !playing || self.settling.is_some() {
            return Frame::menu(self.game, ctime);
        }
        let current = state.piece.piece();
        let seen = if std::mem::take(&mut self.fresh) { &[][..] } else { &state.cells[..] };
        Frame {
            game: self.game,
            ctime,
            lines: Some(state.lines),
            level: Some(state.level),
            score: Some(state.score),
            pieces: Pieces {
                das: Some(state.das),
                next: state.next.piece(),
                spawn_das: state.spawn_das,
                current,
            },
            counts: counts.map(Some),
            cells: cells(state, current, seen),
        }
    }
}

/// The cells with those of the piece in play that are `seen` among them.
fn cells(state: &State, current: Option<Piece>, seen: &[[u8; 2]]) -> [u8; CELLS] {
    let mut cells = [0; CELLS];
    for (cell, letter) in cells.iter_mut().zip(state.field.iter().flat_map(|row| row.bytes())) {
        *cell = match letter {
            b'.' => 0,
            b'2' => 2,
            b'3' => 3,
            // The curtain counts as filled, by which the site sees that the game is over.
            _ => 1,
        };
    }
    let own = match current {
        Some(Piece::J | Piece::S) => 2,
        Some(Piece::Z | Piece::L) => 3,
        _ => 1,
    };
    for [row, column] in seen {
        cells[usize::from(*row) * 10 + usize::from(*column)] = own;
    }
    cells
}
