//! An access of the CPU, as breakpoints and conditions see it.

/// A read or a write that a breakpoint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Number of its CPU cycle.
    pub cycle: u64,
    /// Where: an address of the CPU, or of the PPU for a breakpoint there.
    pub address: u16,
    /// What was read or written.
    pub value: u8,
    /// Was it a write?
    pub write: bool,
}
