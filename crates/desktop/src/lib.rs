//! The window: picture, sound, keyboard and pads of a console that runs in real time.
//!
//! This is the only crate that meets a screen, a sound card and the wall clock, and the crates of
//! the machine know nothing of it: it asks them for frames. Four threads share the work. The
//! window's thread draws the newest picture and hears the keys; the console's thread runs frames
//! when [`Pace`] says so and asks for the buttons when the game raises the strobe; the sound device
//! takes samples from a ring, whose level keeps the console in step with the device's clock; the
//! pads have a thread of their own. A slow screen delays nothing but pictures, and without a sound
//! device a timer keeps the time.
//!
//! ```
//! use std::time::Duration;
//! use desktop::{FRAME_RATE, Pace};
//!
//! let mut pace = Pace::new(Duration::ZERO);
//! let mut now = Duration::ZERO;
//! for _ in 0..601 {
//!     now += pace.wait(now).unwrap_or_default();
//!     pace.frame(now, None); // no sound device: the timer alone
//! }
//! assert!((now.as_secs_f64() - 600.0 / FRAME_RATE).abs() < 1e-6); // 9.98 s
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod audio;
mod config;
mod debugger;
mod emulation;
mod error;
#[doc(hidden)]
pub mod hostile;
mod input;
mod messages;
mod options;
mod record;
mod spare;
mod terminal;
mod ui;
mod video;

pub use ::emulator::{Pieces, Versus};
pub use config::folders::Folders;
pub use config::settings::{ComputerStyle, MatchStyle, TetrisSettings};
pub use emulation::latency::{Latency, latency_test};
pub use emulation::pacing::{FRAME_RATE, Pace};
pub use emulation::running::{PlaySummary, Running};
pub use emulation::slots::state_cartridge;
pub use error::DesktopError;
pub use messages::command::Command;
pub use messages::status::{Notice, RunState};
pub use options::{NetworkOptions, NetworkRole, Options, StreamOptions};
pub use record::export::{ExportError, export_game};
pub use record::recorder::{RecordError, Stuck};
pub use terminal::{has_terminal, play_in_terminal};
pub use ui::session::play;
pub use ui::shortcut::keys;

/// Dots a line of the picture.
pub const PICTURE_WIDTH: u32 = nes::Frame::WIDTH as u32;

/// Lines of the picture.
pub const PICTURE_HEIGHT: u32 = nes::Frame::HEIGHT as u32;

/// Samples a second that the console makes; devices at other rates get them resampled.
pub const SAMPLE_RATE: u32 = 48_000;
