//! Stretches of time in which only the channels' timers move, run at once.

use crate::apu::{Apu, NEGATE, Sink};
use crate::timer::Timer;

/// When a channel's output changes next, in cycles from the start of the stretch, and how many
/// cycles a step of its sequencer takes.
#[derive(Clone, Copy)]
struct Change {
    next: u64,
    period: u64,
}

impl Change {
    /// Never, for a channel that cannot be heard.
    const NEVER: Self = Self { next: u64::MAX, period: 0 };

    /// After `run` steps of a timer whose first clock comes in cycle `first` and the others every
    /// `clock` cycles.
    fn of(timer: &Timer, first: u64, clock: u64, run: u32) -> Self {
        let period = clock * (u64::from(timer.reload) + 1);
        Self { next: first + clock * u64::from(timer.count) + u64::from(run - 1) * period, period }
    }

    /// Once more, after `run` steps.
    fn again(&mut self, run: u32) {
        self.next += u64::from(run) * self.period;
    }
}

impl Apu {
    /// Executes the unit's cycles before `cycle`, telling `sink` all outputs that are new in them.
    /// The state afterwards does not depend on the sink or on how the way there was divided, and
    /// equals that of [`Apu::run_by_cycles`].
    ///
    /// It costs a compare if nothing happens before `cycle` that the CPU or the sink could notice.
    /// A sink that comes after cycles run for `()` is told the outputs as they are by then.
    #[inline]
    pub fn run_until<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        let uneventful = if S::LISTENS { self.change } else { self.tick_due };
        if cycle <= uneventful {
            self.cycle = self.cycle.max(cycle);
        } else {
            self.run_on(cycle, sink);
        }
    }

    /// Runs to `cycle` by ticks where something happens and by stretches where nothing does.
    #[inline(never)]
    fn run_on<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            // A sink hears at once what it missed while nobody listened.
            if self.cycle >= self.tick_due || S::LISTENS && self.change < self.cycle {
                self.run_cycle(sink);
                continue;
            }
            let end = self.tick_due.min(cycle);
            if S::LISTENS {
                self.sound(end, sink);
            }
            self.cycle = end;
        }
        self.announce();
    }

    /// Whatever was worked out about the cycles ahead is void. The timers have caught up.
    pub(crate) fn unsettle(&mut self) {
        self.unsettled = true;
        self.tick_due = 0;
        self.change = 0;
    }

    /// Moves the timers up to the present: of the cycles that they lack, none is a tick's.
    pub(crate) fn catch_up(&mut self) {
        let cycles = self.cycle - self.timers_at;
        if cycles == 0 {
            return;
        }
        let gets = self.gets(cycles);
        for pulse in &mut self.pulses {
            let steps = pulse.timer.advance(gets);
            pulse.step(steps);
        }
        let steps = self.noise.timer.advance(gets);
        self.noise.shift_register.step(steps);
        let steps = self.triangle.timer.advance(cycles);
        if self.triangle.is_running() {
            self.triangle.sequencer.step(steps);
        }
        self.dmc.skip(gets);
        self.frame_counter.skip(cycles);
        self.timers_at = self.cycle;
    }

    /// How many of so many cycles from where the timers stand are get cycles.
    fn gets(&self, cycles: u64) -> u64 {
        if self.is_put(self.timers_at) { cycles / 2 } else { cycles.div_ceil(2) }
    }

    /// Tells the outputs of the idle cycles before `end`, from one change of them to the next.
    fn sound<S: Sink>(&mut self, end: u64, sink: &mut S) {
        let start = self.timers_at;
        let first_get = u64::from(self.is_put(start));
        let Self { pulses: [pulse1, pulse2], triangle, noise, .. } = &*self;
        let volumes = [pulse1.volume(NEGATE[0]), pulse2.volume(NEGATE[1]), noise.volume()];
        let (mut wave1, mut wave2) = (pulse1.wave(), pulse2.wave());
        let (mut shift_register, mut sequencer) = (noise.shift_register, triangle.sequencer);

        let change = |heard: bool, timer: &Timer, run: u32| {
            if heard { Change::of(timer, first_get, 2, run) } else { Change::NEVER }
        };
        let mut change1 = change(volumes[0] > 0, &pulse1.timer, wave1.run());
        let mut change2 = change(volumes[1] > 0, &pulse2.timer, wave2.run());
        let mut change3 = change(volumes[2] > 0, &noise.timer, shift_register.run());
        let mut change4 =
            if triangle.is_audible() { Change::of(&triangle.timer, 0, 1, 1) } else { Change::NEVER };

        let through = |high: bool, volume: u8| if high { volume } else { 0 };
        let mut outputs = [
            through(wave1.is_high(), volumes[0]),
            through(wave2.is_high(), volumes[1]),
            triangle.output(),
            through(shift_register.is_high(), volumes[2]),
            self.dmc.output(),
        ];
        let mut told = false;
        loop {
            let next = change1.next.min(change2.next).min(change3.next.min(change4.next));
            if next >= end - start {
                self.change = start.saturating_add(next).min(self.tick_due);
                break;
            }
            told = true;
            if next == change1.next {
                wave1.step(wave1.run());
                outputs[0] = through(wave1.is_high(), volumes[0]);
                change1.again(wave1.run());
            }
            if next == change2.next {
                wave2.step(wave2.run());
                outputs[1] = through(wave2.is_high(), volumes[1]);
                change2.again(wave2.run());
            }
            if next == change3.next {
                shift_register.step(u64::from(shift_register.run()));
                outputs[3] = through(shift_register.is_high(), volumes[2]);
                change3.again(shift_register.run());
            }
            if next == change4.next {
                sequencer.step(1);
                outputs[2] = sequencer.output();
                change4.again(1);
            }
            sink.outputs(start + next, outputs);
        }
        if told {
            self.cycle = end;
            self.catch_up();
        }
    }
}

#[cfg(test)]
mod tests;
