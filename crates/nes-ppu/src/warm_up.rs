//! The time after a reset in which four registers take no writes: until the flags are cleared at
//! the end of the first vertical blank (NESdev: PPU power up state).

use alloc::boxed::Box;

/// Writes that the chip ignored because it was warming up. Those of 0 are not counted: the reset
/// has put that into each of the registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IgnoredWrites {
    /// The register that the first of them was for: 0, 1, 5 or 6.
    pub register: u16,
    /// Its value.
    pub value: u8,
    /// Tick at which its cycle began.
    pub tick: u64,
    /// How many there were.
    pub count: u32,
}

/// What has been ignored since power-on or the last reset: told to people, and no part of the
/// chip's state. It is neither saved nor compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored(pub(crate) Option<Box<IgnoredWrites>>);

impl Ignored {
    /// A write of `value` to `register` (0–7) in the cycle that begins at `tick` is ignored.
    #[cold]
    pub(crate) fn note(&mut self, register: u16, value: u8, tick: u64) {
        if value != 0 {
            let first = IgnoredWrites { register, value, tick, count: 0 };
            let writes = self.0.get_or_insert_with(|| Box::new(first));
            writes.count = writes.count.saturating_add(1);
        }
    }
}

impl PartialEq for Ignored {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Ignored {}
