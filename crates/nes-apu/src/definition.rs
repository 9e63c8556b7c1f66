//! The unit by its definition, for whoever measures the stretches by it.

use crate::apu::{Apu, Sink};

impl Apu {
    /// As [`Apu::run_until`], but cycle by cycle: the definition that the other is measured by.
    pub fn run_by_cycles<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            self.run_cycle(sink);
        }
        self.announce();
    }

    /// One cycle by the definition, and how long nothing happens after it.
    pub(crate) fn run_cycle<S: Sink>(&mut self, sink: &mut S) {
        self.catch_up();
        self.tick();
        if S::LISTENS {
            sink.outputs(self.cycle - 1, self.outputs());
        }
        let put = self.is_put(self.cycle);
        self.tick_due = self.cycle + self.frame_counter.idle_cycles().min(self.dmc.idle_cycles(put));
        self.change = if S::LISTENS { self.cycle } else { 0 };
    }
}
