//! The profiler: cycles by label, frame by frame, and what is left before the next NMI.

use core::ops::ControlFlow;
use std::collections::BTreeMap;

use nes::{Access, Break, BusEvent, Cpu, Mainboard, Observer};

use super::jump::{Jumps, Landing};
use crate::Debugger;
use crate::symbols::place_of;

/// What a frame's cycles went to, from NMI to NMI, or from vblank to vblank where none was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameProfile {
    /// Number of the frame in which it ends.
    pub frame: u64,
    /// Cycle in which it ends.
    pub end: u64,
    /// Cycles in all, those of DMA among them.
    pub cycles: u64,
    /// Cycles in which a DMA held the CPU.
    pub dma: u64,
    /// Cycles at the end in which the program went round and round in a loop until the interrupt:
    /// what it had left.
    pub slack: u64,
    /// Address of the instruction before which the NMI came, and the interrupted program's; `None`
    /// without one.
    pub interrupted: Option<u16>,
    /// Cycles from the last way through a jump table of the game to the end; `None` if there was
    /// none, or the cartridge is no known one.
    pub since_jump: Option<u64>,
    /// The NMI came into the middle of such a way.
    pub landing: Option<Landing>,
    /// Cycles by the address of the instruction, and the byte of PRG-ROM that lay there.
    by_address: BTreeMap<(u16, Option<u32>), u64>,
}

impl FrameProfile {
    /// Cycles by label, the most first. What is not labelled counts by its page.
    pub fn by_label(&self, debugger: &Debugger) -> Vec<(String, u64)> {
        let mut labels: BTreeMap<String, u64> = BTreeMap::new();
        for (&(address, place), &cycles) in &self.by_address {
            let near = debugger.symbols.near_place(address, place).map(|(label, _)| label.name.clone());
            *labels.entry(near.unwrap_or_else(|| format!("${:02X}xx", address >> 8))).or_default() += cycles;
        }
        let mut sorted: Vec<_> = labels.into_iter().collect();
        sorted.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
        sorted
    }
}

/// The last `count` frames that are over, the oldest first.
pub fn profile(debugger: &Debugger, count: usize) -> Vec<FrameProfile> {
    let frame = debugger.console().frame_number();
    let mut done = frames(debugger, frame.saturating_sub(count as u64), u64::MAX);
    let surplus = done.len().saturating_sub(count);
    done.split_off(surplus)
}

/// The frames that ended from frame `first` to a cycle, or to now, the oldest first.
pub(super) fn frames(debugger: &Debugger, first: u64, end: u64) -> Vec<FrameProfile> {
    let first = first.saturating_sub(1);
    let Some(mut replay) = debugger.replay_frame(first) else { return Vec::new() };
    let mut watch = Watch::new(first, Jumps::of(debugger));
    replay.run_to(end.min(debugger.console().cycle()), &mut watch, |_, _| {});
    watch.done
}

struct Watch {
    first: u64,
    frame: u64,
    /// Whether a frame's beginning has been seen.
    begun: Option<u64>,
    pc: u16,
    /// Where in PRG-ROM the instruction at `pc` lies.
    place: Option<u32>,
    cycle: u64,
    now: FrameProfile,
    /// Instructions of the frame: address and cycles.
    path: Vec<(u16, u32)>,
    done: Vec<FrameProfile>,
    /// The step under way takes an NMI.
    nmi: bool,
    jumps: Option<Jumps>,
    /// How many ways through jump tables were under way when an NMI came into the last of them.
    landed: Option<usize>,
}

impl Watch {
    fn new(first: u64, jumps: Option<Jumps>) -> Self {
        Self {
            first,
            frame: 0,
            begun: None,
            pc: 0,
            place: None,
            cycle: 0,
            now: FrameProfile::default(),
            path: Vec::new(),
            done: Vec::new(),
            nmi: false,
            jumps,
            landed: None,
        }
    }

    fn end(&mut self, end: u64, interrupted: Option<u16>) {
        let path = core::mem::take(&mut self.path);
        let now = core::mem::take(&mut self.now);
        let jumps = self.jumps.as_ref();
        let landing = interrupted.zip(jumps).and_then(|(pc, jumps)| jumps.landing(pc));
        self.landed = landing.and(jumps.map(Jumps::depth));
        if self.begun.replace(self.frame).is_some() {
            let slack = slack(&path);
            let since_jump = jumps.and_then(|jumps| end.checked_sub(jumps.last?));
            let since_jump = since_jump.filter(|&since| since < now.cycles);
            let frame = self.frame;
            self.done.push(FrameProfile { frame, end, slack, interrupted, since_jump, landing, ..now });
        }
    }

    /// Ways through jump tables: one that an NMI came into may be over.
    fn jump(&mut self, cpu: &Cpu, board: &Mainboard) {
        let Some(jumps) = &mut self.jumps else { return };
        let went = jumps.step(cpu, board);
        if went.is_some() && self.landed.is_some_and(|landed| jumps.depth() < landed) {
            self.landed = None;
            if let Some(landing) = self.done.last_mut().and_then(|frame| frame.landing.as_mut()) {
                landing.went = went;
            }
        }
    }
}

/// Cycles of the laps of a loop with which a path of instructions ends; the path may end within a
/// lap. Fewer than two laps are none.
fn slack(path: &[(u16, u32)]) -> u64 {
    const LONGEST: usize = 64;
    let address = |from_end: usize| path[path.len() - 1 - from_end].0;
    let mut best = 0;
    for period in 1..=LONGEST.min(path.len() / 2) {
        let laps = (0..path.len() - period).take_while(|&at| address(at) == address(at + period)).count();
        if laps >= period {
            let length = laps + period;
            let cycles = path[path.len() - length..].iter().map(|&(_, cycles)| u64::from(cycles)).sum();
            best = best.max(cycles);
        }
    }
    best
}

impl Observer for Watch {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        let cycles = board.cycle() - self.cycle;
        let frame = board.ppu().frame_number();
        if self.cycle > 0 && frame >= self.first {
            self.now.cycles += cycles;
            *self.now.by_address.entry((self.pc, self.place)).or_default() += cycles;
            self.path.push((self.pc, cycles as u32));
            if core::mem::take(&mut self.nmi) {
                // The interrupt's own sequence belongs to the frame that it begins.
                self.path.pop();
                let interrupted = self.pc;
                self.frame = frame;
                self.end(self.cycle, Some(interrupted));
            } else if frame > self.frame + 1 {
                self.frame = frame;
                self.end(self.cycle, None);
            }
        }
        self.jump(cpu, board);
        (self.pc, self.cycle) = (cpu.pc, board.cycle());
        self.place = place_of(cpu.pc, board.cartridge().prg_banks());
        if self.frame == 0 {
            self.frame = frame;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        match event.access {
            Access::Cpu(nes::cpu::Access::Vector) => self.nmi |= event.address == 0xFFFA,
            Access::Cpu(_) => {}
            _ => self.now.dma += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::slack;

    #[test]
    fn only_laps_at_the_end_of_the_path_are_slack() {
        let path = |addresses: &[u16]| addresses.iter().map(|&address| (address, 3)).collect::<Vec<_>>();
        assert_eq!(slack(&path(&[1, 2, 3, 4, 5])), 0);
        assert_eq!(slack(&path(&[9, 1, 2, 1, 2, 1, 2])), 18);
        // The path ends within a lap.
        assert_eq!(slack(&path(&[9, 1, 2, 3, 1, 2, 3, 1, 2])), 24);
        assert_eq!(slack(&path(&[1, 2, 1, 2, 9])), 0);
        assert_eq!(slack(&[]), 0);
    }
}
