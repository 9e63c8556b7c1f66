//! Maxout as a core of libretro: the console in `RetroArch` and other front ends of that interface.
//!
//! [`Core`] is a running game as a front end needs it: pads in, picture and sound out, states of
//! one size, memories at places that stay. `ffi.rs` is the interface in C, and the one file of the
//! workspace with unsafe code. No binding is used: those on crates.io have not been kept since
//! 2017, and the part of the interface that a core needs is twenty functions and ten structs.
//!
//! ```
//! use maxout_libretro::{Core, Options};
//!
//! let mut core = Core::load(None, "", &Options::default())?;
//! core.frame([Default::default(); 2]);
//! assert_eq!(core.picture().len(), core.width() * core.height());
//! let state = core.save();
//! core.frame([Default::default(); 2]);
//! assert!(core.restore(&state));
//! # Ok::<(), maxout_libretro::CoreError>(())
//! ```

mod core;
pub mod ffi;
mod options;

pub use core::{Core, CoreError, SAMPLE_RATE};
pub use options::{Colours, Option, Options, PALETTE_FILE};
