//! The whole of a game in a line, for whoever comes late.

use serde::Serialize;
use tetris::events::{GameType, Letter, Mode};
use tetris::ram::{self, play_state};
use tetris::{Piece, View};

use crate::screen::{self, CELLS, COLUMNS};

/// What the game is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// No game is on.
    None,
    /// A piece is in play.
    Active,
    /// A piece locks, and rows are looked at.
    Lock,
    /// Completed rows vanish.
    Clear,
    /// Lines and points are counted, the next piece is about to come.
    Count,
    /// The curtain falls.
    Curtain,
    /// The game is over.
    Ended,
}

/// How often each piece came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[expect(missing_docs, reason = "the pieces by their letters")]
#[serde(rename_all = "UPPERCASE")]
pub struct Counts {
    pub t: u32,
    pub j: u32,
    pub z: u32,
    pub o: u32,
    pub s: u32,
    pub l: u32,
    pub i: u32,
}

impl From<[u32; 7]> for Counts {
    fn from([t, j, z, o, s, l, i]: [u32; 7]) -> Self {
        Self { t, j, z, o, s, l, i }
    }
}

/// Everything that an overlay shows.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct State {
    /// The screen.
    pub mode: Mode,
    /// What the game is at.
    pub phase: Phase,
    /// Is the game paused?
    pub paused: bool,
    /// A-type or B-type.
    pub game_type: GameType,
    /// Twenty rows of ten cells as the player sees them, without the piece in play: `.` free, `1`
    /// the tile of T, O and I, `2` that of J and S, `3` that of Z and L, `#` another, as the
    /// curtain's.
    pub field: Vec<String>,
    /// The piece in play; `?` while none is shown.
    pub piece: Letter,
    /// The game's number for its orientation, 0–18.
    pub orientation: Option<u8>,
    /// Row and column of its cells within the field.
    pub cells: Vec<[u8; 2]>,
    /// The next piece.
    pub next: Letter,
    /// Has Select hidden it?
    pub next_hidden: bool,
    /// The counter of the auto shift, 0–16, now and when the piece came in.
    pub das: u8,
    /// See `das`; `null` if it was not seen.
    pub spawn_das: Option<u8>,
    /// The score.
    pub score: u32,
    /// The lines.
    pub lines: u32,
    /// The level.
    pub level: u8,
    /// The level of the start.
    pub start_level: u8,
    /// How often each piece came.
    pub counts: Counts,
    /// Buttons held: A 128, B 64, Select 32, Start 16, Up 8, Down 4, Left 2, Right 1.
    pub held: u8,
}

impl State {
    /// The state that RAM holds, `field` being the tiles that the player sees.
    pub(crate) fn of(view: View, field: &[u8; CELLS], score: u32, spawn_das: Option<u8>) -> Self {
        let on = view.in_play() || view.is_paused();
        let shown = on && matches!(view.play_state(), play_state::ACTIVE | play_state::LOCK);
        let piece = view.piece().filter(|_| shown);
        Self {
            mode: view.game_mode().into(),
            phase: if on { phase(view.play_state()) } else { Phase::None },
            paused: view.is_paused(),
            game_type: view.byte(ram::GAME_TYPE).into(),
            field: field.chunks(COLUMNS).map(|row| row.iter().copied().map(letter).collect()).collect(),
            piece: piece.into(),
            orientation: piece.map(|_| view.byte(ram::ORIENTATION)),
            cells: if shown { screen::piece_cells(view) } else { Vec::new() },
            next: view.next().filter(|_| on).into(),
            next_hidden: view.byte(ram::HIDE_NEXT) != 0,
            das: view.das(),
            spawn_das,
            score,
            lines: view.lines(),
            level: view.level(),
            start_level: view.byte(ram::START_LEVEL),
            counts: view.piece_counts().into(),
            held: view.held(),
        }
    }
}

fn letter(tile: u8) -> char {
    match tile {
        ram::EMPTY.. => '.',
        0x7B => '1',
        0x7D => '2',
        0x7C => '3',
        _ => '#',
    }
}

fn phase(play_state: u8) -> Phase {
    match play_state {
        play_state::ENDED => Phase::Ended,
        play_state::ACTIVE => Phase::Active,
        play_state::LOCK | play_state::ROW_CHECK => Phase::Lock,
        play_state::CLEAR => Phase::Clear,
        play_state::CURTAIN => Phase::Curtain,
        _ => Phase::Count,
    }
}

const _: () = assert!(Piece::ALL.len() == 7, "counts has a field for each piece");

impl From<Counts> for [u32; 7] {
    fn from(Counts { t, j, z, o, s, l, i }: Counts) -> Self {
        [t, j, z, o, s, l, i]
    }
}
