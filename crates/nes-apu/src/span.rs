//! Stretches of time in which only the channels' timers move, run at once.

use crate::apu::{Apu, NEGATE, Sink};
use crate::mixer::mix;

/// A channel's next expiry that can be heard, in cycles from the start of the stretch, and its period.
#[derive(Clone, Copy)]
struct Steps {
    next: u64,
    period: u64,
}

const NEVER: Steps = Steps { next: u64::MAX, period: 0 };

impl Apu {
    /// Executes the unit's cycles before `cycle`, telling `sink` every level that is new in them. The state
    /// afterwards does not depend on the sink or on how the way there was divided.
    pub fn run_until<S: Sink>(&mut self, cycle: u64, sink: &mut S) {
        while self.cycle < cycle {
            match self.idle_cycles().min(cycle - self.cycle) {
                0 => {
                    self.tick();
                    if S::LISTENS {
                        sink.level(self.cycle - 1, self.level());
                    }
                }
                cycles => self.skip(cycles, sink),
            }
        }
    }

    /// How many cycles from now pass in which nothing happens that [`Apu::skip`] does not do.
    fn idle_cycles(&self) -> u64 {
        if self.unsettled {
            return 0;
        }
        self.frame_counter.idle_cycles().min(self.dmc.idle_cycles(self.is_put(self.cycle)))
    }

    /// Runs so many idle cycles: channels that can be heard step by step, the others by arithmetic.
    fn skip<S: Sink>(&mut self, cycles: u64, sink: &mut S) {
        let first_get = u64::from(self.is_put(self.cycle));
        let gets = (cycles + 1 - first_get) / 2;

        let volumes = [0, 1].map(|index| self.pulses[index].volume(NEGATE[index]));
        let noise_volume = self.noise.volume();
        let heard = if S::LISTENS {
            [volumes[0] > 0, volumes[1] > 0, noise_volume > 0, self.triangle.is_audible()]
        } else {
            [false; 4]
        };
        if heard != [false; 4] {
            self.sound(cycles, first_get, heard, volumes, noise_volume, sink);
        }

        for (pulse, heard) in self.pulses.iter_mut().zip(heard) {
            let steps = pulse.timer.advance(gets);
            if !heard {
                pulse.step(steps);
            }
        }
        let steps = self.noise.timer.advance(gets);
        if !heard[2] {
            self.noise.step(steps);
        }
        let steps = self.triangle.timer.advance(cycles);
        if !heard[3] && self.triangle.is_running() {
            self.triangle.step(steps);
        }
        self.dmc.skip(gets);
        self.frame_counter.skip(cycles);
        self.cycle += cycles;
    }

    /// Steps the sequencers that are heard, in the order of time, and tells the levels.
    fn sound<S: Sink>(
        &mut self,
        cycles: u64,
        first_get: u64,
        heard: [bool; 4],
        volumes: [u8; 2],
        noise_volume: u8,
        sink: &mut S,
    ) {
        let on_gets = [&self.pulses[0].timer, &self.pulses[1].timer, &self.noise.timer];
        let mut steps = [NEVER; 4];
        for (steps, timer) in steps.iter_mut().zip(on_gets) {
            *steps = Steps {
                next: first_get + 2 * u64::from(timer.count),
                period: 2 * (u64::from(timer.reload) + 1),
            };
        }
        let timer = &self.triangle.timer;
        steps[3] = Steps { next: u64::from(timer.count), period: u64::from(timer.reload) + 1 };
        for (steps, heard) in steps.iter_mut().zip(heard) {
            if !heard {
                *steps = NEVER;
            }
        }

        let dmc = self.dmc.output();
        loop {
            let next = steps[0].next.min(steps[1].next).min(steps[2].next).min(steps[3].next);
            if next >= cycles {
                break;
            }
            for (pulse, steps) in self.pulses.iter_mut().zip(&mut steps[..2]) {
                if steps.next == next {
                    pulse.step(1);
                    steps.next += steps.period;
                }
            }
            if steps[2].next == next {
                self.noise.step(1);
                steps[2].next += steps[2].period;
            }
            if steps[3].next == next {
                self.triangle.step(1);
                steps[3].next += steps[3].period;
            }
            let pulses = [0, 1].map(|index| if self.pulses[index].is_high() { volumes[index] } else { 0 });
            let noise = if self.noise.is_high() { noise_volume } else { 0 };
            sink.level(self.cycle + next, mix(pulses, self.triangle.output(), noise, dmc));
        }
    }
}
