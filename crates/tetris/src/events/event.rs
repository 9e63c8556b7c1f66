//! The kinds of events, and their form as JSON.

use serde::{Deserialize, Serialize};

use crate::{Orientation, Piece, ram};

/// An event and the frame after which RAM showed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// Frames since power-on, the first being 1.
    pub frame: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened. Rows and columns are counted from 0 at the top left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::VariantNames)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Event {
    /// Another screen.
    Mode {
        /// The one before.
        from: Mode,
        /// The one now.
        to: Mode,
    },
    /// Start was accepted, or the demo begins. What decides all pieces to come is here.
    GameStart {
        /// A-type or B-type.
        game_type: GameType,
        /// Is it the demo, whose pieces are recorded?
        demo: bool,
        /// The level, 0–19 by the menu.
        start_level: u8,
        /// Height of the B-type's garbage, 0–5.
        start_height: u8,
        /// 0–2 the tunes, 3 silence.
        music: u8,
        /// The random number register.
        lfsr: u16,
        /// Pieces picked since reset, modulo 256.
        spawn_count: u8,
        /// The frame counter modulo 4, which the line clears keep to.
        frame_phase: u8,
    },
    /// Other buttons are held.
    Input {
        /// Held now, in the pad's order of bits.
        held: u8,
        /// Newly pressed.
        pressed: u8,
    },
    /// A piece came in.
    Spawn {
        /// Counted from 1 in this game.
        number: u32,
        /// The piece in play.
        piece: Letter,
        /// The next.
        next: Letter,
        /// Pieces since the last I before this one; 0 for an I.
        drought: u32,
        /// The shift counter it starts with, 0–16.
        das: u8,
        /// The random number register after the pick.
        lfsr: u16,
    },
    /// The piece moved sideways.
    Shift {
        /// Column of its pivot.
        column: u8,
        /// -1 left, 1 right.
        direction: i8,
        /// By itself, the direction being held, and not by a new press.
        auto: bool,
    },
    /// The piece turned.
    Rotate {
        /// The game's number for its orientation.
        orientation: u8,
        /// A's way and not B's.
        clockwise: bool,
    },
    /// The piece went down a row.
    Drop {
        /// Row of its pivot.
        row: u8,
        /// By Down and not by gravity.
        soft: bool,
    },
    /// The piece became part of the playfield.
    Lock {
        /// The piece.
        piece: Letter,
        /// The game's number for its orientation.
        orientation: u8,
        /// Column of its pivot.
        column: u8,
        /// Row of its pivot.
        row: u8,
        /// Rows of the soft drop that ended here.
        soft_rows: u8,
    },
    /// Rows were completed.
    Clear {
        /// How many.
        count: u8,
        /// Which, from the top. Row 0 does not note itself.
        rows: Vec<u8>,
    },
    /// The score changed.
    Score {
        /// The points won.
        points: i64,
        /// The score now.
        score: u32,
    },
    /// The count of lines changed: up in the A-type, down in the B-type.
    Lines {
        /// Lines now.
        lines: u32,
    },
    /// The level changed.
    Level {
        /// The level now.
        level: u8,
    },
    /// A piece came in where there was no room: the curtain falls.
    TopOut {
        /// Row of its pivot.
        row: u8,
    },
    /// The play is over: the curtain is down, or the B-type's goal is reached.
    GameOver {
        /// Was the goal reached?
        goal: bool,
        /// The score.
        score: u32,
        /// The lines.
        lines: u32,
        /// The level.
        level: u8,
    },
    /// The game was paused, or goes on.
    Pause {
        /// Paused?
        on: bool,
    },
    /// Select hid the next box, or showed it.
    NextBox {
        /// Hidden?
        hidden: bool,
    },
    /// The music follows the height of the stack.
    FastMusic {
        /// Fast?
        on: bool,
    },
    /// An ending began.
    Ending {
        /// A-type or B-type.
        game_type: GameType,
    },
    /// The score has a place among the best.
    HighScore {
        /// 0–2.
        place: u8,
        /// The score.
        score: u32,
        /// The level.
        level: u8,
    },
    /// A, B, Select and Start led back to the first screen; RAM stays as it is.
    Reset {},
    /// The main thread was late for the interrupt: the frame took two.
    Lag {},
    /// The game has crashed; nothing comes after it. RAM alone does not show it: whoever runs the
    /// console adds it.
    Crash {
        /// The level that RAM holds.
        level: u8,
        /// The program counter at the end of the frame.
        pc: u16,
        /// How it showed itself.
        cause: CrashKind,
        /// The jump through a table that went wild, if one was seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jump: Option<Jump>,
    },
}

/// How a crash shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CrashKind {
    /// The CPU has executed an opcode that stops it.
    Jammed,
    /// A jump through a table led elsewhere.
    Jump,
    /// The game does not come back to its wait for the interrupt.
    NoReturn,
    /// RAM holds what it never does while the game waits.
    Impossible,
}

/// A jump through a table that an interrupt has sent elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Jump {
    /// Address of the jump.
    pub from: u16,
    /// Where it was to lead.
    pub meant: u16,
    /// Where it led.
    pub went: u16,
}

/// Where the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The first screen.
    Legal,
    /// The title.
    Title,
    /// A-type or B-type, music.
    TypeMenu,
    /// Level and height.
    LevelMenu,
    /// A game, its ending, name entry.
    Game,
    /// The demo.
    Demo,
    /// The frame that winds the demo back.
    StartDemo,
    /// A number that is no mode.
    Unknown,
}

impl From<u8> for Mode {
    fn from(number: u8) -> Self {
        match number {
            0 => Self::Legal,
            1 => Self::Title,
            2 => Self::TypeMenu,
            3 => Self::LevelMenu,
            4 => Self::Game,
            5 => Self::Demo,
            6 => Self::StartDemo,
            _ => Self::Unknown,
        }
    }
}

/// The two kinds of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameType {
    /// Until the top is reached.
    A,
    /// 25 lines.
    B,
}

impl From<u8> for GameType {
    fn from(number: u8) -> Self {
        if number == 0 { Self::A } else { Self::B }
    }
}

/// A piece by its letter; `?` where RAM has no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Letter(char);

impl Letter {
    /// The piece; `None` where RAM had none.
    pub fn piece(self) -> Option<Piece> {
        Piece::from_letter(self.0)
    }
}

impl From<Option<Piece>> for Letter {
    fn from(piece: Option<Piece>) -> Self {
        Self(piece.map_or('?', Piece::letter))
    }
}

/// The piece of a byte that holds an orientation.
pub(super) fn letter_at(view: crate::View, place: ram::Variable) -> Letter {
    Orientation::from_id(view.byte(place)).and_then(Orientation::piece).into()
}
