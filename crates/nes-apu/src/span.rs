//! Stretches of time in which only the channels' timers move, run at once.

use crate::apu::{Apu, NEGATE, Sink};
use crate::mixer::mix;
use crate::timer::Timer;

/// When a channel's output changes next, in cycles from the start of the stretch, and how many cycles a
/// step of its sequencer takes.
#[derive(Clone, Copy)]
struct Change {
    next: u64,
    period: u64,
}

impl Change {
    /// Never, for a channel that cannot be heard.
    const NEVER: Self = Self { next: u64::MAX, period: 0 };

    /// After `run` steps of a timer whose first clock comes in cycle `first` and the others every `clock`
    /// cycles.
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

    /// Runs so many idle cycles.
    fn skip<S: Sink>(&mut self, cycles: u64, sink: &mut S) {
        let first_get = u64::from(self.is_put(self.cycle));
        let gets = (cycles + 1 - first_get) / 2;
        if S::LISTENS {
            self.sound(cycles, first_get, sink);
        }
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
        self.cycle += cycles;
    }

    /// Tells the levels of so many idle cycles ahead, from one change of an output to the next; the first
    /// get cycle is `first_get`.
    fn sound<S: Sink>(&self, cycles: u64, first_get: u64, sink: &mut S) {
        let Self { pulses: [pulse1, pulse2], triangle, noise, .. } = self;
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
            through(shift_register.is_high(), volumes[2]),
            triangle.output(),
        ];
        let dmc = self.dmc.output();
        loop {
            let next = change1.next.min(change2.next).min(change3.next.min(change4.next));
            if next >= cycles {
                break;
            }
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
                outputs[2] = through(shift_register.is_high(), volumes[2]);
                change3.again(shift_register.run());
            }
            if next == change4.next {
                sequencer.step(1);
                outputs[3] = sequencer.output();
                change4.again(1);
            }
            sink.level(self.cycle + next, mix([outputs[0], outputs[1]], outputs[3], outputs[2], dmc));
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
