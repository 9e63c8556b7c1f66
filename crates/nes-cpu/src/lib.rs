//! The 6502 core of the 2A03: every bus access is one cycle.

mod bus;
mod control;
mod cpu;
mod disassembly;
mod execution;
mod interrupt;
mod opcode;
mod operation;
mod status;
mod unstable;

pub use bus::{Access, Bus, Lines};
pub use cpu::{Cpu, Step};
pub use disassembly::{Effective, Instruction, disassemble};
pub use opcode::{Mode, OPCODES, Opcode};
pub use status::Status;
pub use unstable::Unstable;
