//! 64 KiB of RAM that writes down every access, with interrupt lines set by the cycle.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use std::ops::Range;

use nes_cpu::{Access, Bus, Cpu, Lines, Status, Unstable};

pub struct TestBus {
    pub memory: Vec<u8>,
    /// One line a cycle: `opcode 8000`, or for a write `data 0010:=FF`.
    pub trace: Vec<String>,
    /// Cycles, counted from 0, in which IRQ is asserted.
    pub irq: Range<usize>,
    /// The cycle in which an NMI edge is latched.
    pub nmi: Option<usize>,
    /// The cycle before which a DMA holds RDY.
    pub dma: Option<usize>,
}

impl TestBus {
    /// `program` at $8000. NMI goes to $9000, reset to $8000, IRQ to $A000.
    pub fn new(program: &[u8]) -> Self {
        let mut memory = vec![0; 0x10000];
        memory[0x8000..0x8000 + program.len()].copy_from_slice(program);
        memory[0xFFFA..].copy_from_slice(&[0x00, 0x90, 0x00, 0x80, 0x00, 0xA0]);
        Self { memory, trace: Vec::new(), irq: 0..0, nmi: None, dma: None }
    }

    pub fn cycles(&self) -> usize {
        self.trace.len()
    }
}

impl Bus for TestBus {
    fn read(&mut self, address: u16, access: Access) -> u8 {
        self.trace.push(format!("{access:?} {address:04X}").to_lowercase());
        self.memory[usize::from(address)]
    }

    fn write(&mut self, address: u16, value: u8, access: Access) {
        self.trace.push(format!("{access:?} {address:04X}:={value:02X}").to_lowercase());
        self.memory[usize::from(address)] = value;
    }

    fn lines(&mut self) -> Lines {
        let Some(sampled) = self.cycles().checked_sub(2) else { return Lines::empty() };
        let mut lines = Lines::empty();
        lines.set(Lines::IRQ, self.irq.contains(&sampled));
        lines.set(Lines::NMI, self.nmi.is_some_and(|edge| edge <= sampled));
        lines
    }

    fn acknowledge_nmi(&mut self) {
        self.nmi = None;
    }

    fn held(&self) -> bool {
        self.dma == Some(self.cycles() - 1)
    }
}

/// A CPU about to run $8000, with SP at $FD, I clear and the registers zero.
pub fn cpu() -> Cpu {
    let mut cpu = Cpu::new(Unstable::default());
    cpu.pc = 0x8000;
    cpu.sp = 0xFD;
    cpu.p = Status::U;
    cpu
}
