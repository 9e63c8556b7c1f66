//! What a turn of a match has done.

use super::consoles::Consoles;
use crate::LastFrames;

/// What a turn has done.
#[derive(Debug, Default)]
pub struct Turn {
    /// Whether a frame was run.
    pub frame: bool,
    /// Whether the match has begun with it.
    pub begun: bool,
    /// What has become certain with it, in its order: nothing of this is taken back.
    pub certain: Vec<CertainFrame>,
    /// Messages for the player.
    pub said: Vec<String>,
    /// Whether a game is over with it.
    pub game_over: bool,
    /// Why the match is over.
    pub over: Option<Over>,
}

/// What both consoles hold after a frame that is certain.
#[derive(Debug, Clone)]
pub struct CertainFrame {
    /// By player: the console's frame, and its RAM.
    pub consoles: [(u64, Box<[u8; 0x800]>); 2],
    /// The end of the way into the game, if another game has begun.
    pub begins: Option<LastFrames>,
}

impl CertainFrame {
    pub(super) fn of(game: &Consoles, begins: bool) -> Self {
        let of = |player| {
            let console = game.duel().console(player);
            (console.frame_number(), Box::new(*console.ram()))
        };
        Self { consoles: [of(0), of(1)], begins: begins.then(|| game.way_in()) }
    }
}

/// Why a match is over.
#[derive(Debug, PartialEq, Eq)]
pub enum Over {
    /// It has come to its last frame, as was asked for.
    Done,
    /// For this reason.
    Ended(String),
}
