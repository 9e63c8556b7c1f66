//! The unit by its definition, for whoever measures the stretches by it.

use crate::apu::{Apu, Sink};

impl Apu {
    /// As [`Apu::run_until`], but cycle by cycle: the definition that the other is measured by.
    pub fn run_by_cycles<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            self.tick();
            if S::LISTENS {
                sink.level(self.cycle - 1, self.level());
            }
        }
    }
}
