//! An observer that says beforehand what it wants to see must see what one does that watches
//! everything, and the run must be the same.

use std::ops::ControlFlow;

use nes::{Access, Break, BusEvent, Buttons, Cpu, Mainboard, Observer, cpu};
use tetris::SplitMix64;

use super::console;

/// Stops at some instructions, and after the instruction of some accesses.
#[derive(Clone, Default)]
struct Hooks {
    steps: Vec<u16>,
    reads: Vec<u16>,
    writes: Vec<u16>,
    /// Something was seen since the last stop.
    hit: bool,
    /// The stop before this instruction has been made.
    passed: bool,
    /// Cycle, address and value of what was seen; no value for an instruction.
    seen: Vec<(u64, u16, Option<u8>)>,
}

impl Hooks {
    fn new(random: &mut SplitMix64) -> Self {
        let mut addresses = |count, base: u32, size| -> Vec<u16> {
            (0..count).map(|_| (base + random.below(size)) as u16).collect()
        };
        // The loops of these programs poll $10 and $11, and their stack is page 1.
        let mut reads = addresses(2, 0x10, 4);
        reads.extend(addresses(20, 0x8000, 0x8000));
        reads.push(0x2002);
        let mut writes = addresses(1, 0x10, 3);
        writes.extend(addresses(2, 0x1F8, 8));
        Self { steps: addresses(60, 0xC000, 0x400), reads, writes, ..Self::default() }
    }

    fn wants(&self, address: u16, write: bool) -> bool {
        if write { &self.writes } else { &self.reads }.contains(&address)
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let stop = std::mem::take(&mut self.hit);
        if !self.passed && self.steps.contains(&cpu.pc) && !cpu.interrupt_pending() {
            self.seen.push((board.cycle(), cpu.pc, None));
            self.passed = true;
            return ControlFlow::Break(Break);
        }
        if stop {
            return ControlFlow::Break(Break);
        }
        self.passed = false;
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        let Access::Cpu(access) = event.access else { return };
        let meant = matches!(access, cpu::Access::Data | cpu::Access::Stack | cpu::Access::Vector);
        if meant && self.wants(event.address, event.write) {
            self.seen.push((event.cycle, event.address, Some(event.value)));
            self.hit = true;
        }
    }
}

struct Everything(Hooks);

impl Observer for Everything {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.0.step(cpu, board)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }
}

struct Chosen(Hooks);

impl Observer for Chosen {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    fn due(&self) -> bool {
        self.0.hit
    }

    fn selects_step(&self, pc: u16) -> bool {
        self.0.steps.contains(&pc)
    }

    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.0.wants(address, write)
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.0.step(cpu, board)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }
}

#[test]
fn what_was_selected_is_seen_as_by_an_observer_of_everything() {
    let (mut steps, mut accesses) = (0, 0);
    for seed in 65..=96 {
        let (mut fast, _) = console(seed);
        let mut slow = fast.clone();
        let hooks = Hooks::new(&mut SplitMix64::new(seed));
        let (mut chosen, mut everything) = (Chosen(hooks.clone()), Everything(hooks));
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        while fast.frame_number() < 8 {
            let ends = fast.run_frame(&mut pads, &mut chosen);
            assert_eq!(slow.run_frame(&mut pads, &mut everything), ends, "seed {seed}");
            assert_eq!(fast.cycle(), slow.cycle(), "seed {seed}");
            assert_eq!(chosen.0.seen, everything.0.seen, "seed {seed}, cycle {}", fast.cycle());
            assert!(fast == slow, "seed {seed}, cycle {}", fast.cycle());
            steps += everything.0.seen.iter().filter(|(_, _, value)| value.is_none()).count();
            accesses += everything.0.seen.iter().filter(|(_, _, value)| value.is_some()).count();
            chosen.0.seen.clear();
            everything.0.seen.clear();
        }
    }
    assert!(steps > 100 && accesses > 10_000, "{steps} steps and {accesses} accesses: nothing was hooked");
}
