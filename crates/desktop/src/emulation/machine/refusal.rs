//! Why the machine does not do what the interface asks it to.

use std::path::PathBuf;

use draft::ReadError;
use emulator::LoadError;
use nes::StateError;
use practice::{KeptError, PositionError, SequenceError, UndoError};
use review::NoNets;
use tetris::Unsupported;
use thiserror::Error;

use crate::DesktopError;
use crate::debugger::DebuggerError;
use crate::emulation::battery::BatteryError;
use crate::emulation::network::MatchRefused;
use crate::emulation::slots::SlotError;
use crate::emulation::streaming::StreamError;
use crate::record::recorder::RecordError;

/// Why a command was not carried out. Each message is one line, which says what to do where
/// something can be done.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// Another player is there, who cannot be paused, rewound or left behind.
    #[error("not available in {0}")]
    Barred(&'static str),
    /// The debugger runs the console itself.
    #[error("{0} under the debugger: close it first (F1)")]
    UnderDebugger(&'static str),
    /// The cartridge is not known well enough.
    #[error("{}", refused.about(subject))]
    Unsupported {
        /// What does not work: a key, or a feature.
        subject: &'static str,
        /// What the profile lacks.
        refused: Unsupported,
    },
    /// Rewind to before a crash without a crash.
    #[error("the game has not crashed")]
    NotCrashed,
    /// The crash was too long ago.
    #[error("rewind does not reach back to before the crash")]
    CrashTooLongAgo,
    /// The way into a game needs menus that this cartridge does not have.
    #[error("no game could be started through this cartridge's menus; it is at its title now")]
    NoWayIn,
    /// The pad is the movie's.
    #[error("a movie plays: stop it first (Record, Stop the movie)")]
    MoviePlays,
    /// One movie is recorded at a time.
    #[error("a movie is being recorded: stop it first")]
    MovieIsRecorded,
    /// A movie of buttons alone would play to something else.
    #[error(
        "the debugger or a script has changed this game, and a movie holds button presses only: record one from power-on"
    )]
    Changed,
    /// A movie of buttons alone would begin elsewhere.
    #[error(
        "this game was started with battery RAM, and a movie starts without it: record one from power-on"
    )]
    StartedWithBattery,
    /// There is no place for a movie.
    #[error("cannot record {}: {source}; is the folder there and writable?", path.display())]
    CannotRecord {
        /// The movie's file.
        path: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
    /// Reload before any script was run.
    #[error("no script has been run yet: open one")]
    NoScript,
    /// A match in a room wants both.
    #[error("expected the code and the room's server, as bado-kimu-tapi-zolu@example.org")]
    NoRoom,
    /// The words before the room's server are no code.
    #[error(transparent)]
    Code(#[from] netplay::NoCode),
    /// One match at a time.
    #[error("a match is already running: leave it first")]
    InMatch,
    /// Undo, marks and attempts belong to practice.
    #[error("undo and marks work in practice only: Esc, Another mode")]
    NoPractice,
    /// A mark before the first piece.
    #[error("there is no piece to mark yet")]
    NothingToMark,
    /// A review before the first piece.
    #[error("there is no game to review")]
    NothingToReview,
    /// Seeking, or taking over, without a kept game.
    #[error("no kept game is playing")]
    NoKeptGame,
    /// Games are kept nowhere.
    #[error("there is no folder of kept games")]
    NoGames,
    /// A saved state is another cartridge's, or damaged.
    #[error("cannot load {name}: {source}")]
    Load {
        /// The slot or the file.
        name: String,
        /// What was expected and found.
        source: LoadError,
    },
    /// A kept game cannot be played.
    #[error("cannot play {}: {source}", path.display())]
    Play {
        /// The game's file.
        path: PathBuf,
        /// What was expected and found.
        source: PlayError,
    },
    /// Undo, marks: there is nothing to go back to.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// A text is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The stronger player has no nets.
    #[error(transparent)]
    Nets(#[from] NoNets),
    /// The battery's file cannot be used.
    #[error(transparent)]
    Battery(#[from] BatteryError),
    /// A slot cannot be written or read.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// A match over the network cannot begin.
    #[error(transparent)]
    Match(#[from] MatchRefused),
    /// The stream cannot begin.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A file of sound or pictures cannot be made.
    #[error(transparent)]
    Recording(#[from] RecordError),
    /// The debugger cannot be attached.
    #[error(transparent)]
    Debugger(#[from] DebuggerError),
    /// A file, a movie, a script, a state: what is wrong with it.
    #[error(transparent)]
    Desktop(#[from] DesktopError),
}

/// Why a kept game cannot be played.
#[derive(Debug, Error)]
pub(crate) enum PlayError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is no kept game, or a damaged one.
    #[error(transparent)]
    Kept(#[from] KeptError),
    /// It needs the cartridge that it was played on.
    #[error(
        "it was played on {cartridge} (CRC32 {crc32:08X}), but this cartridge has {found:08X}: open the other one first"
    )]
    OtherCartridge {
        /// The name of the cartridge that it was played on.
        cartridge: String,
        /// That cartridge's CRC32.
        crc32: u32,
        /// The CRC32 of the cartridge that is in.
        found: u32,
    },
    /// Its pieces cannot be dealt.
    #[error(transparent)]
    Pieces(#[from] SequenceError),
    /// It begins with a state of console or practice that cannot be gone back to.
    #[error(transparent)]
    State(#[from] StateError),
    /// The same, once the cartridge is in.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The cartridge cannot be practised on.
    #[error("{}", .0.about("practice"))]
    Unsupported(#[from] Unsupported),
}

impl Refusal {
    /// Returns a function that says which `subject` does not work on a cartridge.
    pub(crate) fn of(subject: &'static str) -> impl FnOnce(Unsupported) -> Self {
        move |refused| Self::Unsupported { subject, refused }
    }
}
