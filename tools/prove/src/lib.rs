//! The proof that the fast console is the slow one.
//!
//! [`nes::Console`] takes every shortcut that there is, [`nes::Reference`] takes none. Here both are run side by side: on
//! public test ROMs, on the built-in cartridge under random fingers, on random programs, at every phase of CPU, PPU
//! and APU. They must see the same bus, cycle for cycle, and be equal after every frame: state, picture, samples, bit
//! for bit. A case is made by its kind and its seed, so that a difference can be looked at again; random programs
//! are made smaller first. The crate is apart from the tests because the same harness runs in them for a minute and by
//! `cargo xtask prove` for hours.
//!
//! ```
//! use maxout_prove::{End, Kind, Roms, Tally, case, fight};
//!
//! let case = case(Kind::Pokes, 1, &Roms::default())?;
//! let mut tally = Tally::default();
//! let end = fight(&case, &mut tally, &|| true);
//! assert!(matches!(end, End::Equal), "{end:?}");
//! assert!(tally.frames > 0 && tally.accesses > 29_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod campaign;
mod case;
mod code;
mod dice;
mod difference;
mod duel;
mod fingers;
mod program;
mod reach;
mod source;
mod strategy;
mod wait;

pub use campaign::{Figures, Plan, Summary, report_panics, run};
pub use case::{Case, Kind, Power};
pub use difference::Difference;
pub use duel::{End, Tally, fight};
pub use fingers::{Fingers, Input};
pub use program::{Board, Op, Program};
pub use reach::Reach;
pub use source::{Roms, case};
pub use wait::Wait;
