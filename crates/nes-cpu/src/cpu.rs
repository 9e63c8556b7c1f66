//! The registers, and the step from one instruction to the next.

use nes_state::{Fields, State, StateError};

use crate::{Bus, Status, Unstable};

/// What one [`Cpu::step`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// One instruction. A BRK is one, hijacked or not.
    Instruction,
    /// The sequence of an NMI, or of an IRQ that an NMI hijacked.
    Nmi,
    /// The sequence of an IRQ.
    Irq,
    /// One more cycle of a CPU that has jammed.
    Jam,
}

/// The 6502 core of the 2A03, between two instructions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cpu {
    /// Program counter.
    pub pc: u16,
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Stack pointer; the stack is at $0100-$01FF and grows down.
    pub sp: u8,
    /// Status register: bit B clear, bit 5 set.
    pub p: Status,
    /// A JAM opcode has stopped the CPU: only a reset helps.
    pub jammed: bool,
    /// The last poll found an interrupt: the next step runs its sequence.
    pub(crate) interrupt: bool,
    pub(crate) unstable: Unstable,
}

impl Cpu {
    /// A CPU at power-on, before its reset sequence. `unstable` fixes what differs between dies.
    pub fn new(unstable: Unstable) -> Self {
        Self {
            pc: 0,
            a: 0,
            x: 0,
            y: 0,
            sp: 0,
            p: Status::I.union(Status::U),
            jammed: false,
            interrupt: false,
            unstable,
        }
    }

    /// Has the last poll found an interrupt, so that the next step runs its sequence?
    pub const fn interrupt_pending(&self) -> bool {
        self.interrupt
    }

    /// One instruction, or one interrupt sequence, or one cycle of a jammed CPU.
    #[inline]
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Step {
        if self.interrupt | self.jammed {
            return self.instead_of_instruction(bus);
        }
        self.instruction(bus);
        Step::Instruction
    }
}

impl State for Cpu {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { pc, a, x, y, sp, p, jammed, interrupt, unstable } = self;
        fields.u16(pc)?;
        fields.u8(a)?;
        fields.u8(x)?;
        fields.u8(y)?;
        fields.u8(sp)?;
        let mut status = Status::pulled(p.bits()).bits();
        fields.u8(&mut status)?;
        *p = Status::pulled(status);
        fields.check("status register", u64::from(status), p.bits() == status)?;
        fields.bool(jammed)?;
        fields.bool(interrupt)?;
        unstable.walk(fields)
    }
}
