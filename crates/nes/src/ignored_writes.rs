//! Writes that did not arrive, for people who wonder why the screen is black.

use core::fmt;

/// Writes to `$2000`, `$2001`, `$2005` and `$2006` that the PPU ignored, because less than a frame
/// had passed since the reset, or with `nes_ppu::Quirks::strict_start` since power-on. Writes of 0,
/// which change nothing then, are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IgnoredWrites {
    /// Address of the register that the first of them was for.
    pub register: u16,
    /// The value that it did not take.
    pub value: u8,
    /// The CPU's cycle, counted from power-on.
    pub cycle: u64,
    /// How many there were.
    pub count: u32,
}

impl fmt::Display for IgnoredWrites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { register, value, cycle, count } = self;
        let writes = if *count == 1 { "write" } else { "writes" };
        write!(
            f,
            "the PPU ignored {count} {writes} before the end of its first vertical blank; \
             the first was ${value:02X} to ${register:04X} in cycle {cycle}"
        )
    }
}
