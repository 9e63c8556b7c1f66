//! Practice on an unmodified cartridge: modes, options, undo, kept games, statistics, trainers, a
//! coach.
//!
//! A [`Session`] is a mode attached to a running console: it writes to RAM between two frames,
//! looks at four addresses of the program within them, and says what is to be shown as plain data.
//! What it remembers is a value, which is saved and rewound with the console. The crate reads no
//! file and no clock, and draws nothing but rectangles into a picture that it is given; a front end
//! does the rest.
//!
//! ```
//! use nes::{Buttons, Cartridge, Config, Console};
//! use practice::{Mode, Options, Session};
//!
//! let image = include_bytes!("../../../roms/maxout.nes");
//! let mode: Mode = "seed=101010".parse()?;
//! let mut session = Session::of_image(image, mode, Options { level: 18, ..Options::default() })?;
//! let mut console = Console::new(Cartridge::from_bytes(image)?, Config { video: false, ..Config::default() });
//! let buttons = practice::begin(&mut console, &mut session, 0)?; // power-on, screens, menus
//! assert!(session.is_playing() && buttons.len() < 2_000);
//! session.frame(&mut console, Buttons::LEFT);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod begin;
mod charge;
mod coach;
mod duel;
mod finesse;
mod groups;
mod holes;
mod kept;
mod log;
mod mode;
mod modes;
mod needed;
mod odds;
mod options;
mod overlay;
mod plan;
mod points;
mod position;
mod ram_access;
mod replay;
mod rise;
mod score;
mod sequence;
mod session;
mod stack;
mod standing;
mod state;
mod statistics;
mod steer;
mod tiles;
mod trainer;
mod turns;
mod undo;

pub use begin::{NoGame, begin, way_in};
pub use charge::{CHARGED, Charges};
pub use coach::{Coach, Review, misdrop_odds, worst};
pub use duel::{Happened, Side};
pub use finesse::Finesse;
pub use groups::{GROUPS, Group};
pub use holes::{HOLE_AGES, Holes};
pub use kept::{
    EXTENSION, Header, Kept, KeptError, Recorder, Start, board_of, board_text, condensed, result,
};
pub use log::{Change, Charge, Log, Played, Shift};
pub use mode::{Kind, Mode, ModeError};
pub use needed::{Needed, TapRow, TapTable, TapTableError, needed_by, needed_table, needed_tenths, pace_of};
pub use odds::{odds_after, odds_of_an_i};
pub use options::{CapAt, CapEffect, Crash, OptionError, Options, ScoreForm};
pub use overlay::{Item, Rectangle, Slot, Tone, draw, rectangle};
pub use plan::{Advice, PastGame, Reason, TapSide, seed_of_day};
pub use points::{Loss, PointsCoach, Unrated};
pub use position::{Position, PositionError};
pub use replay::{Replay, ReplayError, Step};
pub use rise::{Rise, raise};
pub use score::{pace_target, score_text};
pub use sequence::{SequenceError, sequence};
pub use session::Session;
pub use stack::Stack;
pub use standing::{BegunFrom, COMPUTER, PlayedBy, Standing};
pub use state::Outcome;
pub use statistics::{Statistics, Taps, last_taps, taps};
pub use steer::{Press, Reached, TapHands, places, steer};
pub use trainer::{Burst, Trainer};
pub use undo::{History, Luck, Mark, UndoError};
