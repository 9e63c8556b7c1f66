//! The stack, jumps, branches, and the flag instructions that race the interrupt poll.

use crate::execution::{crosses, same_page};
use crate::{Access, Bus, Cpu, Mode, Status};

/// The stack, at $0100-$01FF.
impl Cpu {
    #[inline(always)]
    pub(crate) fn push<B: Bus>(&mut self, bus: &mut B, value: u8) {
        bus.write(self.stack(), value, Access::Stack);
        self.sp = self.sp.wrapping_sub(1);
    }

    /// Pulls the first byte: SP is on the bus for a cycle before it is incremented.
    #[inline(always)]
    pub(crate) fn pull_first<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let _ = bus.read(self.stack(), Access::Dummy);
        self.pull(bus)
    }

    #[inline(always)]
    fn pull<B: Bus>(&mut self, bus: &mut B) -> u8 {
        self.sp = self.sp.wrapping_add(1);
        bus.read(self.stack(), Access::Stack)
    }

    #[inline(always)]
    fn pull_word<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.pull(bus);
        let high = self.pull(bus);
        u16::from_le_bytes([low, high])
    }

    #[inline(always)]
    pub(crate) const fn stack(&self) -> u16 {
        0x0100 | self.sp as u16
    }
}

/// Jumps.
impl Cpu {
    #[inline(always)]
    pub(crate) fn jmp<B: Bus>(&mut self, bus: &mut B, mode: Mode) {
        let target = self.operand_word(bus);
        self.pc = if mode == Mode::Indirect {
            let low = bus.read(target, Access::Data);
            let high = bus.read(same_page(target, target.wrapping_add(1)), Access::Data);
            u16::from_le_bytes([low, high])
        } else {
            target
        };
    }

    /// The high byte of the target is fetched last, after the pushes: they may overwrite it.
    #[inline(always)]
    pub(crate) fn jsr<B: Bus>(&mut self, bus: &mut B) {
        let low = self.operand(bus);
        let _ = bus.read(self.stack(), Access::Dummy);
        let [return_low, return_high] = self.pc.to_le_bytes();
        self.push(bus, return_high);
        self.push(bus, return_low);
        let high = self.operand(bus);
        self.pc = u16::from_le_bytes([low, high]);
    }

    #[inline(always)]
    pub(crate) fn rts<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        let _ = bus.read(self.stack(), Access::Dummy);
        self.pc = self.pull_word(bus);
        self.idle(bus);
        self.pc = self.pc.wrapping_add(1);
    }

    /// P is back before the poll, so that an IRQ it allows comes at once.
    #[inline(always)]
    pub(crate) fn rti<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        self.p = Status::pulled(self.pull_first(bus));
        self.pc = self.pull_word(bus);
    }

    /// Reads on for ever: $FFFF, $FFFE twice, then $FFFF, an endless row of them
    /// (Visual6502wiki: 6502 unsupported opcodes).
    #[inline(always)]
    pub(crate) fn jam<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        for address in [0xFFFF, 0xFFFE, 0xFFFE] {
            let _ = bus.read(address, Access::Dummy);
        }
        self.jammed = true;
        bus.jam();
    }
}

/// CLI, SEI and PLP change I after the poll of their last cycle: the instruction that follows
/// runs under the I of before (NESdev: CPU interrupts).
impl Cpu {
    #[inline(always)]
    pub(crate) fn cli<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        self.poll(bus);
        self.p.remove(Status::I);
    }

    #[inline(always)]
    pub(crate) fn sei<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        self.poll(bus);
        self.p.insert(Status::I);
    }

    #[inline(always)]
    pub(crate) fn plp<B: Bus>(&mut self, bus: &mut B) {
        self.idle(bus);
        let value = self.pull_first(bus);
        self.poll(bus);
        self.p = Status::pulled(value);
    }
}

/// Branches.
impl Cpu {
    /// Polls at the operand, as if the branch were not taken, and again in the cycle that
    /// corrects the page. A taken branch has no poll in its third cycle, so that an interrupt
    /// which comes late waits for one more instruction (NESdev: CPU interrupts).
    #[inline(always)]
    pub(crate) fn branch<B: Bus>(&mut self, bus: &mut B, condition: bool) {
        let distance = self.operand(bus);
        self.poll(bus);
        if condition {
            self.idle(bus);
            let target = self.pc.wrapping_add_signed(i16::from(distance as i8));
            if crosses(self.pc, target) {
                let _ = bus.read(same_page(self.pc, target), Access::Dummy);
                let found = self.interrupt;
                self.poll(bus);
                self.interrupt |= found;
            }
            self.pc = target;
        }
    }

    #[inline(always)]
    pub(crate) fn bpl(&self) -> bool {
        !self.p.contains(Status::N)
    }

    #[inline(always)]
    pub(crate) fn bmi(&self) -> bool {
        self.p.contains(Status::N)
    }

    #[inline(always)]
    pub(crate) fn bvc(&self) -> bool {
        !self.p.contains(Status::V)
    }

    #[inline(always)]
    pub(crate) fn bvs(&self) -> bool {
        self.p.contains(Status::V)
    }

    #[inline(always)]
    pub(crate) fn bcc(&self) -> bool {
        !self.p.contains(Status::C)
    }

    #[inline(always)]
    pub(crate) fn bcs(&self) -> bool {
        self.p.contains(Status::C)
    }

    #[inline(always)]
    pub(crate) fn bne(&self) -> bool {
        !self.p.contains(Status::Z)
    }

    #[inline(always)]
    pub(crate) fn beq(&self) -> bool {
        self.p.contains(Status::Z)
    }
}
