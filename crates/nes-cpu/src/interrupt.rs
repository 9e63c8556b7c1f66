//! BRK, IRQ, NMI and reset: one sequence of seven cycles (NESdev: CPU interrupts).

use crate::{Access, Bus, Cpu, Lines, Status, Step};

const NMI_VECTOR: u16 = 0xFFFA;
const RESET_VECTOR: u16 = 0xFFFC;
const IRQ_VECTOR: u16 = 0xFFFE;

impl Cpu {
    /// Looks for an interrupt, as the last cycle of most instructions does.
    #[inline(always)]
    pub(crate) fn poll<B: Bus>(&mut self, bus: &mut B) {
        let lines = bus.lines();
        self.interrupt =
            lines.contains(Lines::NMI) || (lines.contains(Lines::IRQ) && !self.p.contains(Status::I));
    }

    /// What a step does in place of an instruction: the sequence of an interrupt that was found,
    /// or a cycle of a jammed CPU.
    #[cold]
    #[inline(never)]
    pub(crate) fn instead_of_instruction<B: Bus>(&mut self, bus: &mut B) -> Step {
        if self.jammed {
            let _ = bus.read(0xFFFF, Access::Dummy);
            return Step::Jam;
        }
        // The opcode at PC is fetched, and thrown away.
        self.idle(bus);
        self.idle(bus);
        match self.sequence(bus, self.p) {
            NMI_VECTOR => Step::Nmi,
            _ => Step::Irq,
        }
    }

    #[inline(always)]
    pub(crate) fn brk<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        self.pc = self.pc.wrapping_add(1);
        self.sequence(bus, self.p.union(Status::B));
    }

    /// The last five cycles, with `pushed` as P on the stack; returns the vector taken.
    ///
    /// The vector is chosen after the push of P: an NMI found then takes over a BRK or an IRQ.
    /// The sequence ends without a poll, so that one instruction of the handler always runs.
    #[inline(always)]
    fn sequence<B: Bus>(&mut self, bus: &mut B, pushed: Status) -> u16 {
        let [low, high] = self.pc.to_le_bytes();
        self.push(bus, high);
        self.push(bus, low);
        self.push(bus, pushed.bits());
        let vector = if bus.lines().contains(Lines::NMI) {
            bus.acknowledge_nmi();
            NMI_VECTOR
        } else {
            IRQ_VECTOR
        };
        self.take(bus, vector);
        vector
    }

    /// The reset sequence of 7 cycles, at power-on and at the press of the button: the stack is
    /// read where an interrupt would push, so that SP ends 3 lower ($00 to $FD at power-on).
    pub fn reset<B: Bus>(&mut self, bus: &mut B) {
        self.jammed = false;
        self.idle(bus);
        self.idle(bus);
        for _ in 0..3 {
            let _ = bus.read(self.stack(), Access::Stack);
            self.sp = self.sp.wrapping_sub(1);
        }
        self.take(bus, RESET_VECTOR);
    }

    #[inline(always)]
    fn take<B: Bus>(&mut self, bus: &mut B, vector: u16) {
        self.interrupt = false;
        self.p.insert(Status::I);
        let low = bus.read(vector, Access::Vector);
        let high = bus.read(vector + 1, Access::Vector);
        self.pc = u16::from_le_bytes([low, high]);
    }
}
