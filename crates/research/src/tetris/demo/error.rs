//! Why a game cannot become a demo, or a demo cannot be played.

use nes::cartridge::RomError;
use nes_debug::Crash;
use tetris::events::GameType;

use super::recording::{LONGEST, LONGEST_CLEAR, PAIRS, PIECES};

#[derive(Debug, thiserror::Error)]
pub(super) enum DemoError {
    #[error("expected 1 to {PAIRS} pairs of buttons and frames, found {found}")]
    Pairs { found: usize },
    #[error("pair {number}: expected 1 to {LONGEST} frames, found 0")]
    NoFrames { number: usize },
    #[error("pair {number}: found Start in ${held:02X}: it would end the demo")]
    Start { number: usize, held: u8 },
    #[error("expected 2 to {PIECES} letters of TJZOSLI, found {found:?}")]
    Pieces { found: String },
    #[error("expected a demo as `maxout tetris demo record` writes it: {0}")]
    File(#[from] serde_json::Error),
    #[error(
        "expected a game of A-type at level 0, found {game_type:?}-type at level {level}: `maxout ai run --movie-out` plays one"
    )]
    OtherGame { game_type: GameType, level: u8 },
    #[error("frame {frame}: the game is paused: a demo cannot be; record a movie without a pause")]
    Paused { frame: u64 },
    #[error("expected a movie in which a game begins, found none: `maxout ai run --movie-out` records one")]
    NoGame,
    #[error(
        "frame {frame} of the game: expected the demo's cleared rows to vanish within {LONGEST_CLEAR} frames, they do \
         not: this cartridge cannot show the game as a demo"
    )]
    Clearing { frame: usize },
    #[error(
        "frame {frame} of {frames} of the game: ${address:04X} {place}: expected ${expected:02X}, found ${found:02X} as \
         a demo"
    )]
    Differs { frame: usize, frames: usize, address: usize, place: &'static str, expected: u8, found: u8 },
    #[error("as a demo, {0}")]
    Crashed(Crash),
    #[error("the cartridge with the demo: {0}")]
    Cartridge(#[from] RomError),
    #[error(
        "expected the cartridge to show its demo within {frames} frames, it does not: take another cartridge"
    )]
    NotShown { frames: u32 },
    #[error("expected a demo of {expected} frames, it ends in frame {found}")]
    Ends { expected: usize, found: usize },
    #[error("frame {frame} of the demo: expected ${expected:02X} to be held, found ${found:02X}")]
    Held { frame: usize, expected: u8, found: u8 },
    #[error("expected room for a demo where the cartridge's profile has it, found the image's end")]
    NoRoom,
}
