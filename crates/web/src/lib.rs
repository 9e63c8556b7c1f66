//! Maxout for a page in a browser: what JavaScript drives is a [`Machine`], one object with
//! numbers, bytes and JSON.
//!
//! The crate is thin. Console, practice, events, the computer player, replays, coach and the
//! debugger's views are the crates that the window and the command line have; here they are put
//! behind one another, without a clock, a file or a thread. The page lies beside the sources, in
//! `www`: it draws, sounds, reads keys and keeps files. `binding.rs` alone knows of JavaScript, and
//! everything else is tested natively.
//!
//! ```
//! let mut machine = web::Machine::new(48_000);
//! machine.practise("seed=101010", "level=18", "", "", 0)?;
//! machine.frame([0, 0]);
//! assert!(machine.status().contains(r#""level":18"#));
//! # Ok::<(), web::Error>(())
//! ```

#![forbid(unsafe_code)]

mod binding;
mod colours;
mod error;
mod game;
mod machine;
mod planning;
mod puzzles;
mod reviewing;
mod searching;
mod status;
mod viewer;
mod views;

pub use binding::PagePlayer;
pub use error::Error;
pub use machine::Machine;

/// The picture's width, and its height.
pub const WIDTH: usize = 256;
/// See [`WIDTH`].
pub const HEIGHT: usize = 240;
