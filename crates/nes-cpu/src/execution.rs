//! From the opcode to the accesses that it makes: one jump, every access in the order of the
//! hardware (NESdev: CPU; 6502 cycle times).

use crate::opcode::opcodes;
use crate::{Access, Bus, Cpu, Mode};

/// What the fourth column of the listing means. Whatever does not return is polled afterwards,
/// which is as good as right after its last access: nothing moves time in between.
macro_rules! execute {
    (read $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        let value = $cpu.read($bus, Mode::$mode);
        $cpu.$operation(value);
    }};
    (write $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        let address = $cpu.address($bus, Mode::$mode, Fixup::Always);
        $bus.write(address, $cpu.$operation(), Access::Data);
    }};
    (modify $cpu:ident $bus:ident $operation:ident Accumulator) => {{
        $cpu.idle($bus);
        $cpu.a = $cpu.$operation($cpu.a);
    }};
    (modify $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        // Written back unchanged while the ALU works.
        let address = $cpu.address($bus, Mode::$mode, Fixup::Always);
        let value = $bus.read(address, Access::Data);
        $bus.write(address, value, Access::Dummy);
        let result = $cpu.$operation(value);
        $bus.write(address, result, Access::Data);
    }};
    (high_and $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        let (value, mask) = $cpu.$operation();
        $cpu.high_and($bus, Mode::$mode, value, mask);
    }};
    (implied $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        $cpu.idle($bus);
        $cpu.$operation();
    }};
    (push $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        $cpu.idle($bus);
        let value = $cpu.$operation();
        $cpu.push($bus, value);
    }};
    (pull $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        $cpu.idle($bus);
        let value = $cpu.pull_first($bus);
        $cpu.$operation(value);
    }};
    (jump $cpu:ident $bus:ident $operation:ident $mode:ident) => {
        $cpu.$operation($bus, Mode::$mode)
    };
    (control $cpu:ident $bus:ident $operation:ident $mode:ident) => {
        $cpu.$operation($bus)
    };
    (own_poll $cpu:ident $bus:ident $operation:ident $mode:ident) => {{
        $cpu.$operation($bus);
        return;
    }};
    (branch $cpu:ident $bus:ident $condition:ident $mode:ident) => {{
        let condition = $cpu.$condition();
        $cpu.branch($bus, condition);
        return;
    }};
}

macro_rules! dispatch {
    (
        ($cpu:ident $bus:ident $opcode:ident)
        $($code:literal $mnemonic:ident $mode:ident $access:ident $status:ident)*
    ) => {
        match $opcode {
            $($code => execute!($access $cpu $bus $mnemonic $mode),)*
        }
    };
}

impl Cpu {
    /// Fetches and executes one instruction, and polls the interrupts where it does: what a step is
    /// if no interrupt is pending and the CPU has not jammed.
    ///
    /// It is inlined throughout, so that the registers of a CPU nobody else points to can live in
    /// the host's, and so can the fields of `bus`.
    #[inline(always)]
    pub fn instruction<B: Bus>(&mut self, bus: &mut B) {
        let opcode = bus.read(self.pc, Access::Opcode);
        self.pc = self.pc.wrapping_add(1);
        let cpu = self;
        opcodes!(dispatch cpu bus opcode);
        cpu.poll(bus);
    }

    /// Reads the operand's value.
    #[inline(always)]
    fn read<B: Bus>(&mut self, bus: &mut B, mode: Mode) -> u8 {
        match mode {
            Mode::Implied => self.idle(bus),
            Mode::Immediate => self.operand(bus),
            _ => {
                let address = self.address(bus, mode, Fixup::IfCrossed);
                bus.read(address, Access::Data)
            }
        }
    }

    /// The stores SHA, SHS, SHX and SHY of `value`; `mask` is what the high byte of the address
    /// meets when the index crosses a page.
    ///
    /// The value meets the high byte of the base plus 1 in an AND: that byte is on the internal bus
    /// for the fixup of the address; a DMA that holds RDY before the dummy read gives that byte the
    /// time to leave it (NESdev: CPU unofficial opcodes; AccuracyCoin).
    #[inline(always)]
    fn high_and<B: Bus>(&mut self, bus: &mut B, mode: Mode, value: u8, mask: u8) {
        let (base, index) = match mode {
            Mode::AbsoluteX => (self.operand_word(bus), self.x),
            Mode::AbsoluteY => (self.operand_word(bus), self.y),
            _ => (self.pointer_at_operand(bus), self.y),
        };
        let address = base.wrapping_add(u16::from(index));
        let _ = bus.read(same_page(base, address), Access::Dummy);
        let held = bus.held();
        let high = (base >> 8) as u8;
        let value = if held { value } else { value & high.wrapping_add(1) };
        let address = if crosses(base, address) { address & (u16::from(mask) << 8 | 0xFF) } else { address };
        bus.write(address, value, Access::Data);
    }

    /// The address that the operand names.
    #[inline(always)]
    fn address<B: Bus>(&mut self, bus: &mut B, mode: Mode, fixup: Fixup) -> u16 {
        match mode {
            Mode::ZeroPage => u16::from(self.operand(bus)),
            Mode::ZeroPageX => self.zero_page_indexed(bus, self.x),
            Mode::ZeroPageY => self.zero_page_indexed(bus, self.y),
            Mode::AbsoluteX => {
                let base = self.operand_word(bus);
                Self::indexed(bus, base, self.x, fixup)
            }
            Mode::AbsoluteY => {
                let base = self.operand_word(bus);
                Self::indexed(bus, base, self.y, fixup)
            }
            Mode::IndirectX => {
                let pointer = self.zero_page_indexed(bus, self.x);
                Self::pointer(bus, pointer as u8)
            }
            Mode::IndirectY => {
                let base = self.pointer_at_operand(bus);
                Self::indexed(bus, base, self.y, fixup)
            }
            // The listing pairs every other mode with a way that asks for no address.
            Mode::Absolute
            | Mode::Indirect
            | Mode::Implied
            | Mode::Accumulator
            | Mode::Immediate
            | Mode::Relative => self.operand_word(bus),
        }
    }

    /// The byte at PC, which moves on.
    #[inline(always)]
    pub(crate) fn operand<B: Bus>(&mut self, bus: &mut B) -> u8 {
        let value = bus.read(self.pc, Access::Operand);
        self.pc = self.pc.wrapping_add(1);
        value
    }

    /// The two bytes at PC, low one first.
    #[inline(always)]
    pub(crate) fn operand_word<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let low = self.operand(bus);
        let high = self.operand(bus);
        u16::from_le_bytes([low, high])
    }

    /// The byte at PC, read while the CPU does something else; PC stays.
    #[inline(always)]
    pub(crate) fn idle<B: Bus>(&mut self, bus: &mut B) -> u8 {
        bus.read(self.pc, Access::Dummy)
    }

    /// Reads the operand's address while the index is added to it; no carry leaves the page.
    #[inline(always)]
    fn zero_page_indexed<B: Bus>(&mut self, bus: &mut B, index: u8) -> u16 {
        let base = self.operand(bus);
        let _ = bus.read(u16::from(base), Access::Dummy);
        u16::from(base.wrapping_add(index))
    }

    /// The pointer in the zero page that the operand names.
    #[inline(always)]
    fn pointer_at_operand<B: Bus>(&mut self, bus: &mut B) -> u16 {
        let pointer = self.operand(bus);
        Self::pointer(bus, pointer)
    }

    /// The pointer at `address` of the zero page, whose high byte may wrap around to $00.
    #[inline(always)]
    fn pointer<B: Bus>(bus: &mut B, address: u8) -> u16 {
        let low = bus.read(u16::from(address), Access::Data);
        let high = bus.read(u16::from(address.wrapping_add(1)), Access::Data);
        u16::from_le_bytes([low, high])
    }

    /// `base` plus `index`. The low byte is on the bus a cycle before the carry has reached the
    /// high one.
    #[inline(always)]
    fn indexed<B: Bus>(bus: &mut B, base: u16, index: u8, fixup: Fixup) -> u16 {
        let address = base.wrapping_add(u16::from(index));
        if fixup == Fixup::Always || crosses(base, address) {
            let _ = bus.read(same_page(base, address), Access::Dummy);
        }
        address
    }
}

/// When an indexed access spends the cycle in which the high byte is corrected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixup {
    /// A read of the right page is good as it is.
    IfCrossed,
    /// A write waits until the page is known.
    Always,
}

#[inline(always)]
pub(crate) const fn crosses(base: u16, address: u16) -> bool {
    (base ^ address) & 0xFF00 != 0
}

/// `address` with the page of `base`: what the bus carries before the fixup.
#[inline(always)]
pub(crate) const fn same_page(base: u16, address: u16) -> u16 {
    (base & 0xFF00) | (address & 0x00FF)
}
