//! What the places mean that hold one of a few numbers.

/// A cell of [`PLAYFIELD`](super::PLAYFIELD) from this value up is free; this very one is a hole in
/// a row.
pub const EMPTY: u8 = 0xEF;

/// What [`GAME_MODE`](super::GAME_MODE) holds.
pub mod game_mode {
    /// The first screen.
    pub const LEGAL: u8 = 0;
    /// The title.
    pub const TITLE: u8 = 1;
    /// The menu of game type and music.
    pub const TYPE_MENU: u8 = 2;
    /// The menu of level and height.
    pub const LEVEL_MENU: u8 = 3;
    /// Games, endings and name entry.
    pub const PLAY: u8 = 4;
    /// The demo.
    pub const DEMO: u8 = 5;
    /// The demo is about to begin.
    pub const START_DEMO: u8 = 6;
}

/// What [`MODE_STATE`](super::MODE_STATE) holds while a game or the demo is on.
pub mod mode_state {
    /// The screen is to be drawn.
    pub const SCREEN: u8 = 0;
    /// Counters, field and pieces of a new game are set up.
    pub const GAME: u8 = 1;
    /// A frame of play begins with the counters.
    pub const COUNTERS: u8 = 2;
    /// Is the game over?
    pub const GAME_OVER: u8 = 3;
    /// The first player's piece, and what its end leads to.
    pub const PLAYER_1: u8 = 4;
    /// Is Start pressed, for a pause?
    pub const PAUSE: u8 = 7;
}

/// What [`RENDER_MODE`](super::RENDER_MODE) holds: what the interrupt draws.
pub mod render_mode {
    /// First screen and title: nothing.
    pub const STILL: u8 = 0;
    /// The menus.
    pub const MENU: u8 = 1;
    /// The high scores and the name that is entered.
    pub const SCORES: u8 = 2;
    /// A game or the demo.
    pub const PLAY: u8 = 3;
    /// An ending.
    pub const ENDING: u8 = 4;
}

/// What [`PLAY_STATE`](super::PLAY_STATE) holds: what the player's play is at.
pub mod play_state {
    /// No play; at the end of a game.
    pub const ENDED: u8 = 0;
    /// A piece is in play.
    pub const ACTIVE: u8 = 1;
    /// A piece locks.
    pub const LOCK: u8 = 2;
    /// Four rows are looked at, one a frame.
    pub const ROW_CHECK: u8 = 3;
    /// Cleared rows vanish.
    pub const CLEAR: u8 = 4;
    /// Lines, level and score are counted.
    pub const LINES: u8 = 5;
    /// The B-type's goal is looked at.
    pub const B_GOAL: u8 = 6;
    /// Rows from the other player come up.
    pub const GARBAGE: u8 = 7;
    /// The next piece comes in.
    pub const SPAWN: u8 = 8;
    /// The curtain falls over a lost game.
    pub const CURTAIN: u8 = 10;
    /// Leads to the next number, and no more.
    pub const NEXT: u8 = 11;
}
