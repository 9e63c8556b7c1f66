//! The 6502 core of the 2A03: all 256 opcodes, in which every bus access is one cycle.
//!
//! The CPU has no cycle table. It reads or writes a [`Bus`], dummy accesses included, and the bus
//! moves time; it asks for the interrupt lines where the hardware polls them. The crate is cut at
//! that trait: the core knows no memory map, no DMA and no other chip, so that it runs on the
//! console's board and on a test bus of 50 lines alike. One listing of the opcodes, [`OPCODES`],
//! makes both the executor's jump and the disassembler.
//!
//! ```
//! use nes_cpu::{Access, Bus, Cpu, Lines, Step, Unstable, disassemble};
//!
//! struct Board { ram: [u8; 0x10000], cycle: u64 }
//!
//! impl Bus for Board {
//!     fn read(&mut self, address: u16, _: Access) -> u8 { self.cycle += 1; self.ram[usize::from(address)] }
//!     fn write(&mut self, address: u16, value: u8, _: Access) { self.cycle += 1; self.ram[usize::from(address)] = value; }
//!     fn lines(&mut self) -> Lines { Lines::empty() }
//!     fn acknowledge_nmi(&mut self) {}
//!     fn held(&self) -> bool { false }
//! }
//!
//! let mut board = Board { ram: [0; 0x10000], cycle: 0 };
//! board.ram[..3].copy_from_slice(&[0xFE, 0x10, 0x02]);
//! let mut cpu = Cpu::new(Unstable::default());
//! cpu.reset(&mut board);
//! assert_eq!(disassemble(cpu.pc, |address| board.ram[usize::from(address)]).to_string(), "INC $0210,X");
//! assert_eq!(cpu.step(&mut board), Step::Instruction);
//! assert_eq!((board.ram[0x210], board.cycle), (1, 7 + 7));
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

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

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
