//! The proof that the fast console is the slow one.
//!
//! [`nes::Console`] takes every shortcut that there is, [`nes::Reference`] takes none. Here both
//! are run side by side: on public test ROMs, on the built-in cartridge under random input, on
//! random programs, at every phase of CPU, PPU and APU. They must see the same bus, cycle for
//! cycle, and be equal after every frame: state, picture, samples, bit for bit. A case is made by
//! its kind and its seed, so that a difference can be looked at again; random programs are made
//! smaller first. The crate is apart from the tests because the same harness runs in them for a
//! minute and by `cargo xtask prove` for hours.
//!
//! ```
//! use maxout_prove::{End, Kind, Roms, Tally, case, compare_case};
//!
//! let case = case(Kind::Pokes, 1, &Roms::default())?;
//! let mut tally = Tally::default();
//! let end = compare_case(&case, &mut tally, &|| true);
//! assert!(matches!(end, End::Equal), "{end:?}");
//! assert!(tally.frames > 0 && tally.accesses > 29_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod case;
mod code;
mod coverage;
mod difference;
mod differential;
mod fuzz;
mod pads;
mod program;
mod source;
mod strategy;
mod wait;

pub use case::{Case, Kind, Power, Wanted};
pub use coverage::Coverage;
pub use difference::Difference;
pub use differential::{End, Tally, compare_case};
pub use fuzz::{Figures, Plan, Summary, run};
pub use pads::{Input, PadGenerator};
pub use program::{Board, Op, Program};
pub use source::{Roms, case};
pub use wait::Wait;
