//! The unit on a bench that plays a CPU, against the definition.

use super::*;
use proptest::prelude::*;

/// Keeps all outputs that differ from those before.
#[derive(Default, PartialEq, Debug)]
struct Recorder(Vec<(u64, [u8; 5])>);

impl Sink for Recorder {
    fn outputs(&mut self, cycle: u64, outputs: [u8; 5]) {
        if self.0.last().is_none_or(|last| last.1 != outputs) {
            self.0.push((cycle, outputs));
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

/// Cycle by cycle, by the public method.
fn step_by_step<S: Sink>(apu: &mut Apu, cycle: u64, sink: &mut S) {
    while apu.cycle < cycle {
        apu.run_until(apu.cycle + 1, sink);
    }
}

/// In turns for the sink and for nobody.
fn now_and_then<S: Sink>(apu: &mut Apu, cycle: u64, sink: &mut S) {
    match cycle / 1009 % 2 {
        0 => apu.run_until(cycle, sink),
        _ => apu.run_until(cycle, &mut ()),
    }
}

/// The same by the definition.
fn defined_now_and_then<S: Sink>(apu: &mut Apu, cycle: u64, sink: &mut S) {
    match cycle / 1009 % 2 {
        0 => apu.run_by_cycles(cycle, sink),
        _ => apu.run_by_cycles(cycle, &mut ()),
    }
}

#[test]
fn an_irq_that_a_write_ends_is_an_event_of_the_cycle_that_follows() {
    let mut bench = Bench::new(0, (), Apu::run_until);
    bench.play(&[(10, Access::Write(0x4010, 0x8F)), (2, Access::Write(0x4015, 0x10))]);
    let cycle = bench.apu.cycle();
    assert!(bench.apu.irq_at(cycle - 1));
    bench.apu.write(0x4017, 0x40);
    bench.go(cycle + 10);
    assert!(bench.apu.irq_at(cycle + 9) && bench.apu.next_event() > cycle + 10);
    bench.apu.write(0x4010, 0x0F);
    // To be at a cycle is not to have run it.
    bench.apu.run_until(cycle + 10, &mut ());
    assert_eq!(bench.apu.next_event(), cycle + 10);
    bench.go(cycle + 11);
    assert!(!bench.apu.irq_at(cycle + 10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn stretches_equal_the_cycle_by_cycle_definition_whoever_listens(
        alignment in 0..4_u8,
        accesses in accesses(),
    ) {
        let mut defined = Bench::new(alignment, Recorder::default(), Apu::run_by_cycles);
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
        prop_assert_eq!(defined.apu.next_event(), heard.apu.next_event());
        prop_assert_eq!(defined.apu.next_event(), unheard.apu.next_event());
        prop_assert_eq!(&defined.sink, &heard.sink);
        prop_assert_eq!(&defined.sink, &stepped.sink);
        prop_assert_eq!(&defined.seen, &heard.seen);
        prop_assert_eq!(&defined.seen, &unheard.seen);
    }

    #[test]
    fn a_sink_that_listens_now_and_then_hears_what_the_definition_tells_it(
        alignment in 0..4_u8,
        accesses in accesses(),
    ) {
        let mut defined = Bench::new(alignment, Recorder::default(), defined_now_and_then);
        defined.play(&accesses);
        let mut heard = Bench::new(alignment, Recorder::default(), now_and_then);
        heard.play(&accesses);
        prop_assert_eq!(&defined.apu, &heard.apu);
        prop_assert_eq!(&defined.sink, &heard.sink);
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
                apu.run_by_cycles(cycle + 1, &mut ());
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
            apu.run_until(apu.cycle, &mut ());
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
