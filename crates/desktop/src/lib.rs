//! The window: picture, sound, keyboard and pads of a console that runs in real time.
//!
//! This is the only crate that meets a screen, a sound card and the wall clock, and the crates of the machine know
//! nothing of it: it asks them for frames. Four threads share the work. The window's thread draws the newest
//! picture and hears the keys; the console's thread runs frames when [`Pace`] says so and asks for the buttons when
//! the game raises the strobe; the sound device takes samples from a ring, whose level keeps the console in step with
//! the device's clock; the pads have a thread of their own. A slow screen delays nothing but pictures, and without a
//! sound device a timer keeps the time.
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

mod app;
mod battery;
mod beat;
mod bench;
mod bindings;
mod blit;
mod channels;
mod checksum;
mod command;
mod composite;
mod config;
mod deck;
mod duel;
mod engine;
mod error;
mod filter;
mod folders;
mod gamepad;
mod gui;
mod input;
mod latency;
mod look;
mod machine;
mod mailbox;
mod meter;
mod obey;
mod obey_bench;
mod obey_movie;
mod obey_script;
mod options;
mod order;
mod pace;
mod picture;
mod pieces;
mod player;
mod record_gif;
mod record_video;
mod record_wave;
mod recorder;
mod remote;
mod resample;
mod rewind;
mod ring;
mod running;
mod screenshot;
mod script;
mod session;
mod settings;
mod sheet;
mod slots;
mod sound;
mod speaker;
mod status;
mod stretch;
mod surroundings;
mod terminal;
mod ui;
mod view;
mod viewport;

pub use bench::{
    AccessLine, BenchOrder, BreakpointLine, CodeLine, Found, Gaze, MemoryPaper, Panel, Papers, Voice,
};
pub use bindings::{Bindings, Control, PadInput, Side};
pub use command::{Channel, Command, Recording, SLOTS};
pub use config::ConfigFile;
pub use duel::Duel;
pub use error::DesktopError;
pub use filter::Filter;
pub use folders::Folders;
pub use latency::{Latency, latency_test};
pub use look::PictureSettings;
pub use mailbox::{Dots, blank};
pub use nes_lua::Overlay;
pub use options::Options;
pub use pace::{FRAME_RATE, MAX_BEND, Pace};
pub use pieces::Pieces;
pub use remote::Remote;
pub use running::{Running, Session};
pub use script::{ScriptOrder, ScriptStatus};
pub use session::{play, run};
pub use settings::{
    InputSettings, Opposites, PlayerSettings, RecordingSettings, RewindSettings, Settings, SoundSettings,
    Sync, TimeSettings,
};
pub use sheet::Sheet;
pub use status::{
    Message, MessageKind, Motion, MovieStatus, Notice, PadStatus, RecordingStatus, Slot, SoundStatus, Status,
};
pub use terminal::{has_terminal, play_in_terminal};
pub use ui::shortcut::keys;
pub use viewport::{Aspect, Crop, Framing, Scaling, Viewport};

/// Dots a line of the picture.
pub const PICTURE_WIDTH: u32 = nes::Frame::WIDTH as u32;

/// Lines of the picture.
pub const PICTURE_HEIGHT: u32 = nes::Frame::HEIGHT as u32;

/// Samples a second that the console makes; devices at other rates get them resampled.
pub const SAMPLE_RATE: u32 = 48_000;
