//! The 6502 core of the 2A03: every bus access is one cycle.

mod bus;
mod cpu;
mod status;
mod unstable;

pub use bus::{Access, Bus, Lines};
pub use cpu::{Cpu, Step};
pub use status::Status;
pub use unstable::Unstable;
