//! An attachment that says beforehand what it wants to see must see what one does that watches
//! everything, and the run must be the same, whoever else is attached.

use std::ops::ControlFlow;

use nes::{Access, Attachment, Break, BusEvent, Buttons, Console, Cpu, Mainboard, Observer, cpu};
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

/// The same attachment on the path of builds for users (`true`), or of those with debug assertions.
struct By<'a, const COMPILED: bool, A>(&'a mut A);

impl<const COMPILED: bool, A: Attachment> Attachment for By<'_, COMPILED, A> {
    const WATCHES: bool = A::WATCHES;
    const SELECTS: bool = A::SELECTS;
    const ACTS: bool = A::ACTS;
    const COMPILED: bool = COMPILED;

    fn due(&self) -> bool {
        self.0.due()
    }

    fn selects_step(&self, pc: u16) -> bool {
        self.0.selects_step(pc)
    }

    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.0.selects_bus(address, write)
    }

    fn may_act(&self, pc: u16) -> bool {
        self.0.may_act(pc)
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        self.0.step(console)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }
}

#[test]
fn what_was_selected_is_seen_as_by_an_observer_of_everything() {
    select::<true>();
    select::<false>();
}

fn select<const COMPILED: bool>() {
    let (mut steps, mut accesses) = (0, 0);
    for seed in 65..=80 {
        let (mut fast, _) = console(seed);
        let mut slow = fast.clone();
        let hooks = Hooks::new(&mut SplitMix64::new(seed));
        let (mut chosen, mut everything) = (Chosen(hooks.clone()), Everything(hooks));
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        while fast.frame_number() < 8 {
            let ends = fast.run_frame(&mut pads, &mut By::<COMPILED, _>(&mut chosen));
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

/// Changes registers and RAM before some instructions, by what it finds there, and goes back to a
/// saved state at times.
#[derive(Clone)]
struct Meddler<const WATCHES: bool> {
    steps: Vec<u16>,
    acted: u64,
    saved: Option<Vec<u8>>,
}

impl<const WATCHES: bool> Meddler<WATCHES> {
    fn new(random: &mut SplitMix64) -> Self {
        let steps = (0..40).map(|_| (0xC000 + random.below(0x400)) as u16).collect();
        Self { steps, acted: 0, saved: None }
    }
}

impl<const WATCHES: bool> Attachment for Meddler<WATCHES> {
    const WATCHES: bool = WATCHES;
    const SELECTS: bool = true;

    fn selects_step(&self, pc: u16) -> bool {
        self.steps.contains(&pc)
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if !self.steps.contains(&console.cpu.pc) || console.cpu.interrupt_pending() {
            return ControlFlow::Continue(());
        }
        self.acted += 1;
        console.cpu.y = console.cpu.y.wrapping_add(self.acted as u8 | 1);
        console.ram_mut()[0x40 + (self.acted & 0x3F) as usize] ^= console.cpu.a;
        match self.acted % 64 {
            7 => self.saved = Some(console.save()),
            // As often as not into an earlier frame.
            40 => {
                if let Some(saved) = self.saved.take() {
                    console.load(&saved).expect("a state of this console");
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn what_an_attachment_changes_is_the_same_whether_it_selects_or_watches_and_whoever_else_watches() {
    meddle::<true>();
    meddle::<false>();
}

fn meddle<const COMPILED: bool>() {
    let (mut acted, mut breaks) = (0, 0);
    for seed in 33..=48 {
        let (mut first, _) = console(seed);
        let mut random = SplitMix64::new(seed);
        let (mut watched, mut stopped, mut optional) = (first.clone(), first.clone(), first.clone());
        let meddler = Meddler::<false>::new(&mut random);
        let hooks = Hooks::new(&mut random);
        let Meddler { steps, .. } = meddler.clone();
        let mut watching = Meddler::<true> { steps, acted: 0, saved: None };
        let (mut selecting, mut paired, mut attached) = (meddler.clone(), meddler.clone(), meddler);
        let mut chosen = Chosen(hooks);
        let mut pads = [Buttons::A | Buttons::UP, Buttons::B];
        for _ in 0..12 {
            assert!(first.run_frame(&mut pads, &mut By::<false, _>(&mut selecting)).is_continue());
            assert!(watched.run_frame(&mut pads, &mut watching).is_continue());
            // Both pairs are of one type: the machine takes seconds to compile for each.
            let (mut breaker, mut changer) = (Some(&mut chosen), Some(&mut paired));
            // Who breaks comes first.
            let mut pair = (&mut breaker, &mut changer);
            while stopped.run_frame(&mut pads, &mut By::<COMPILED, _>(&mut pair)).is_break() {
                breaks += 1;
            }
            let (mut breaker, mut changer) = (None, Some(&mut attached));
            let mut pair: (&mut Option<&mut Chosen>, _) = (&mut breaker, &mut changer);
            assert!(optional.run_frame(&mut pads, &mut By::<COMPILED, _>(&mut pair)).is_continue());
            for other in [&watched, &stopped, &optional] {
                assert!(first == *other, "seed {seed}, cycle {}", first.cycle());
            }
        }
        assert_eq!([watching.acted, paired.acted, attached.acted], [selecting.acted; 3], "seed {seed}");
        acted += selecting.acted;
    }
    assert!(acted > 1_000 && breaks > 1_000, "{acted} changes and {breaks} breaks: nothing was attached");
}
