//! What the CPU sees of the board: one access a cycle, and the two interrupt lines.

use bitflags::bitflags;

/// Why the CPU touches the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The first byte of an instruction.
    Opcode,
    /// A later byte of an instruction.
    Operand,
    /// Memory that the instruction works on, pointers in it included.
    Data,
    /// An access whose value nobody uses: the bus has no idle cycles.
    Dummy,
    /// A push to the stack or a pull from it.
    Stack,
    /// An interrupt vector, $FFFA-$FFFF.
    Vector,
}

bitflags! {
    /// The interrupt inputs, as the CPU's detectors hold them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Lines: u8 {
        /// The edge latch of NMI: set by an edge, until acknowledged.
        const NMI = 1;
        /// The level of IRQ.
        const IRQ = 2;
    }
}

/// The board around the CPU. Each access is one cycle and moves time by itself.
pub trait Bus {
    /// Reads `address`: one cycle, or more if a DMA holds RDY first.
    fn read(&mut self, address: u16, access: Access) -> u8;

    /// Writes `value` to `address`: one cycle.
    fn write(&mut self, address: u16, value: u8, access: Access);

    /// The lines as sampled in the cycle before the most recent access.
    fn lines(&mut self) -> Lines;

    /// The CPU takes the NMI vector, for an NMI or for a BRK or IRQ that it hijacks: clears the
    /// edge latch.
    fn acknowledge_nmi(&mut self);

    /// The CPU has jammed: [`Cpu::jammed`](crate::Cpu) is set. For a board that does not look after
    /// each instruction.
    #[inline(always)]
    fn jam(&mut self) {}

    /// Did a DMA hold RDY right before the most recent read?
    fn held(&self) -> bool;
}
