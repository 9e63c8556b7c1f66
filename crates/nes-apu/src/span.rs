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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Keeps every level that differs from the one before.
    #[derive(Default, PartialEq, Debug)]
    struct Recorder(Vec<(u64, i32)>);

    impl Sink for Recorder {
        fn level(&mut self, cycle: u64, level: i32) {
            if self.0.last().is_none_or(|last| last.1 != level) {
                self.0.push((cycle, level));
            }
        }
    }

    /// What a CPU does to the unit, and when.
    #[derive(Clone, Debug)]
    enum Access {
        Write(u16, u8),
        Status,
    }

    fn accesses() -> impl Strategy<Value = Vec<(u64, Access)>> {
        let address = prop_oneof![4 => 0x4000..0x4014_u16, 2 => Just(0x4015), 1 => Just(0x4017)];
        let access = prop_oneof![
            8 => (address, any::<u8>()).prop_map(|(address, value)| Access::Write(address, value)),
            1 => Just(Access::Status),
        ];
        let wait = prop_oneof![4 => 1..12_u64, 2 => 1..700_u64, 1 => 1..40_000_u64];
        proptest::collection::vec((wait, access), 1..40)
    }

    /// A unit on a CPU that serves every DMA: `run` brings it to a cycle.
    struct Bench<S> {
        apu: Apu,
        sink: S,
        run: fn(&mut Apu, u64, &mut S),
        /// Cycles that a DMA has held the CPU.
        held: u64,
        /// IRQ line and status bits as seen.
        seen: Vec<(u64, bool, u8)>,
    }

    impl<S: Sink> Bench<S> {
        fn new(alignment: u8, sink: S, run: fn(&mut Apu, u64, &mut S)) -> Self {
            Self { apu: Apu::new(alignment), sink, run, held: 0, seen: Vec::new() }
        }

        /// To `cycle`, from event to event as a mainboard goes.
        fn go(&mut self, cycle: u64) {
            while self.apu.cycle < cycle {
                let next = self.apu.cycle + 1;
                if self.apu.dmc_wants_dma() {
                    self.held += 1;
                    if self.held > 2 && !self.apu.is_put(self.apu.cycle) {
                        self.apu.dmc_fetched(self.apu.dmc_address() as u8 ^ 0x5A);
                    }
                    (self.run)(&mut self.apu, next, &mut self.sink);
                } else {
                    self.held = 0;
                    let until = self.apu.next_event().saturating_add(1).clamp(next, cycle);
                    (self.run)(&mut self.apu, until, &mut self.sink);
                }
            }
        }

        fn play(&mut self, accesses: &[(u64, Access)]) {
            let mut cycle = 0;
            for (wait, access) in accesses {
                cycle += wait;
                self.go(cycle);
                let irq = cycle > 0 && self.apu.irq_at(cycle - 1);
                match access {
                    Access::Write(address, value) => self.apu.write(*address, *value),
                    Access::Status => {
                        let status = self.apu.read_status();
                        self.seen.push((cycle, irq, status));
                    }
                }
            }
            self.go(cycle + 35_000);
        }
    }

    /// Cycle by cycle, by the definition.
    fn by_definition<S: Sink>(apu: &mut Apu, cycle: u64, sink: &mut S) {
        while apu.cycle < cycle {
            apu.tick();
            sink.level(apu.cycle - 1, apu.level());
        }
    }

    /// Cycle by cycle, by the public method.
    fn step_by_step<S: Sink>(apu: &mut Apu, cycle: u64, sink: &mut S) {
        while apu.cycle < cycle {
            apu.run_until(apu.cycle + 1, sink);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn stretches_equal_the_cycle_by_cycle_definition_whoever_listens(
            alignment in 0..4_u8,
            accesses in accesses(),
        ) {
            let mut defined = Bench::new(alignment, Recorder::default(), by_definition);
            defined.play(&accesses);
            let mut heard = Bench::new(alignment, Recorder::default(), Apu::run_until);
            heard.play(&accesses);
            let mut stepped = Bench::new(alignment, Recorder::default(), step_by_step);
            stepped.play(&accesses);
            let mut unheard = Bench::new(alignment, (), Apu::run_until);
            unheard.play(&accesses);

            prop_assert_eq!(&defined.apu, &heard.apu);
            prop_assert_eq!(&defined.apu, &stepped.apu);
            prop_assert_eq!(&defined.apu, &unheard.apu);
            prop_assert_eq!(&defined.sink, &heard.sink);
            prop_assert_eq!(&defined.sink, &stepped.sink);
            prop_assert_eq!(&defined.seen, &heard.seen);
            prop_assert_eq!(&defined.seen, &unheard.seen);
        }

        #[test]
        fn nothing_that_the_cpu_could_notice_happens_before_it_is_announced(
            alignment in 0..4_u8,
            accesses in accesses(),
        ) {
            let mut apu = Apu::new(alignment);
            let mut held = 0;
            for (wait, access) in accesses {
                for _ in 0..wait {
                    let before = (apu.irq_at(apu.cycle), apu.dmc_wants_dma());
                    let announced = apu.next_event();
                    let cycle = apu.cycle;
                    apu.tick();
                    let after = (apu.irq_at(cycle), apu.dmc_wants_dma());
                    prop_assert!(announced >= cycle);
                    prop_assert!(announced == cycle || (after.0 == before.0 && after.1 <= before.1));
                    held = if after.1 { held + 1 } else { 0 };
                    if held > 2 && !apu.is_put(apu.cycle) {
                        apu.dmc_fetched(0xA5);
                    }
                }
                match access {
                    Access::Write(address, value) => apu.write(address, value),
                    Access::Status => drop(apu.read_status()),
                }
            }
        }

        #[test]
        fn a_saved_unit_goes_on_as_it_was(alignment in 0..4_u8, accesses in accesses()) {
            let mut bench = Bench::new(alignment, (), Apu::run_until);
            bench.play(&accesses);
            let bytes = nes_state::Writer::save(&mut bench.apu);
            let mut loaded = Apu::new(0);
            prop_assert_eq!(nes_state::Reader::load(&bytes, &mut loaded), Ok(()));
            prop_assert_eq!(loaded, bench.apu);
        }

        #[test]
        fn damaged_bytes_are_refused_or_run(
            accesses in accesses(),
            damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        ) {
            let mut bench = Bench::new(0, (), Apu::run_until);
            bench.play(&accesses);
            let mut bytes = nes_state::Writer::save(&mut bench.apu);
            for (index, value) in damage {
                let index = index.index(bytes.len() - 8) + 8;
                bytes[index] = value;
            }
            if nes_state::Reader::load(&bytes, &mut bench.apu).is_ok() {
                let until = bench.apu.cycle + 100_000;
                bench.go(until);
            }
        }
    }
}
