//! The fast paths of a run: each leaves the very console that single steps leave.
//!
//! [`crate::Reference`] is the definition. `cargo xtask prove` compares the two on ROMs and random
//! programs, and a part of it runs with the tests (`tools/prove/tests/`). An observer that watches
//! everything never comes here.

mod idle;
mod jam;
mod page_loop;
mod stretch;

pub use page_loop::takes_in_laps;
pub(crate) use stretch::run;
