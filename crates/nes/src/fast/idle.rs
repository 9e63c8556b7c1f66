//! Loops that wait: laps without effect, recognised by their state.

use nes_cpu::Cpu;

/// Cycles after which the arrival that is remembered makes room: a waiting loop may jump backwards
/// more than once in a lap, and call subroutines.
const PATIENCE: u64 = 256;

/// The state at a backward jump, to be found again at a later one.
///
/// Nothing is known of the program: if registers and data bus are what they were, and between
/// nothing else changed, no chip was touched and none acted by itself, then the machine can only do
/// the same again, in as many cycles, until a chip acts.
pub(crate) struct IdleLoop {
    cpu: Cpu,
    data_bus: u8,
    cycle: u64,
}

impl IdleLoop {
    /// Nothing is remembered yet.
    pub(crate) fn new(cpu: &Cpu) -> Self {
        Self { cpu: cpu.clone(), data_bus: 0, cycle: 0 }
    }

    /// After a backward jump: the cycles of a lap, if the state is one that was already there.
    /// `changed` tells whether memory or chips may be different since the last arrival.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, cpu: &Cpu, data_bus: u8, cycle: u64, changed: bool) -> Option<u64> {
        if changed || cycle - self.cycle > PATIENCE {
            *self = Self { cpu: cpu.clone(), data_bus, cycle };
            return None;
        }
        (cpu.pc == self.cpu.pc && *cpu == self.cpu && data_bus == self.data_bus).then(|| cycle - self.cycle)
    }
}
