//! A running game: what every front end drives.
//!
//! An [`Emulator`] owns a console and everything that goes along with it: the cartridge, the dealer
//! of other pieces, the computer player at the first pad, the practice session with its log, the
//! rewind buffer, the movie, the crash watch and the frames run ahead. [`Emulator::frame`] is the
//! one place in which they meet, in an order that does not depend on the front end.
//!
//! The crate has no clock, no thread, no file and no window, and it compiles to WebAssembly. A
//! front end decides when a frame runs, samples its pads, shows the picture, plays the sound and
//! writes the files.
//!
//! ```
//! use emulator::{Attached, Emulator, RewindLimits};
//! use nes::{Buttons, Cartridge, Config};
//!
//! let image = include_bytes!("../../../roms/maxout.nes");
//! let cartridge = Cartridge::from_bytes(image)?;
//! let mut emulator = Emulator::new(cartridge, Config::default(), RewindLimits::default());
//! let mut pads = [Buttons::START, Buttons::empty()];
//! for _ in 0..60 {
//!     emulator.frame(&mut pads, Attached::default());
//! }
//! assert_eq!(emulator.frame_number(), 60);
//! assert!(emulator.step_back(), "a frame back");
//! assert_eq!(emulator.frame_number(), 59);
//! # Ok::<(), nes::RomError>(())
//! ```
//!
//! A [`NetworkMatch`] is a match over the network by the crate `netplay`: a front end brings the
//! way to the other player.
//!
//! A script can be attached to a frame: any `nes_script::FrameScript`.

mod computer;
mod emulator;
mod input_display;
mod kept;
mod last_frames;
mod movie;
mod network;
mod pieces;
mod practice;
mod rewind;
mod saved;
mod versus;

pub use crate::computer::Computer;
pub use crate::emulator::{Attached, Drawn, Edit, Emulator, FrameOutcome, LoadError, MOST_AHEAD};
pub use crate::input_display::{draw_input, input_display};
pub use crate::kept::GameRecorder;
pub use crate::last_frames::LastFrames;
pub use crate::movie::{
    MovieMetadata, MovieProgress, MovieRecorder, log_bytes, log_from_bytes, movie_pieces,
};
pub use crate::network::{
    CertainFrame, Consoles, MatchStatus, MatchWay, NetworkError, NetworkMatch, NetworkSeat, NetworkStatus,
    NoMatch, Over, RoomWay, Turn,
};
pub use crate::pieces::Pieces;
pub use crate::practice::{Act, Played, Practice, Taken};
pub use crate::rewind::{Moment, Rewind, RewindLimits};
pub use crate::saved::{SavedPractice, SavedState, SavedStateError, saved_picture};
pub use crate::versus::{
    BestOf, Both, Duel, DuelRules, GameResult, Match, MatchError, MatchFile, MatchHeader, MatchKind,
    MatchRecorder, MatchRules, Stage, Standing, UnknownMatchKind, Verification, Versus, VersusEvent,
    VersusOutcome, VersusStatus,
};
