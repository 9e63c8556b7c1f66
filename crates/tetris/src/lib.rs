//! NES Tetris as a library: what the game is, without the machine that runs it.
//!
//! The crate ends where memory ends: it takes bytes of RAM and buttons, never a console, a file or
//! a clock. So the same types serve a running console, a movie, a saved state and the model in
//! Rust.
//!
//! ```
//! use tetris::{Rom, View, buttons, rules::Game};
//!
//! let mut game = Game::power_on(&Rom::MAXOUT);
//! for frame in 0..600 {
//!     game.step(if frame % 6 == 0 { buttons::START } else { 0 });
//! }
//! let memory = game.memory();
//! assert!(View::new(memory.ram()).in_game());
//! ```

pub mod buttons;
pub mod events;
pub mod hooks;
pub mod kill_screen;
pub mod lfsr;
mod orientation;
pub mod parity;
pub mod picker;
mod piece;
mod placement;
mod playfield;
mod profile;
pub mod ram;
mod rom;
pub mod rules;
pub mod scoring;
mod split_mix;
mod tally;
mod view;

pub use orientation::{Cell, Orientation};
pub use piece::Piece;
pub use placement::{Placement, PlacementError};
pub use playfield::{
    ALL_COLUMNS, ALL_ROWS, Cleared, HEIGHT, Playfield, PlayfieldError, WIDTH, clear_window, covered,
};
pub use profile::{Feature, Hashes, Profile, ProfileError, Release, Unsupported};
pub use rom::{DarkFrames, Parade, Rom};
pub use split_mix::SplitMix64;
pub use view::View;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
