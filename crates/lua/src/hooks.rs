//! Functions of the script that the machine calls: at instructions and at accesses, without a cost elsewhere.

use core::ops::ControlFlow;
use std::collections::HashMap;

use mlua::Function;
use nes::{Access, Break, BusEvent, Console, Cpu, Mainboard, Observer, cpu};

use crate::joypads::Polled;

/// What a function is registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Read,
    Write,
    Execute,
}

/// The longest instruction, in bytes.
const LONGEST: u16 = 3;

/// Something that a function is registered for has happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) kind: Kind,
    pub(crate) address: u16,
    pub(crate) value: u8,
}

/// Which functions are registered, and what has been hit since they were last called.
#[derive(Default)]
pub(crate) struct Hooks {
    functions: HashMap<(Kind, u16), Function>,
    watch: Watch,
}

impl Hooks {
    /// Registers a function for `length` addresses, or none for them.
    pub(crate) fn register(&mut self, kind: Kind, first: u16, length: u32, function: Option<&Function>) {
        let end = u32::from(first).saturating_add(length).min(0x1_0000);
        for address in u32::from(first)..end {
            let key = (kind, address as u16);
            match function {
                Some(function) => self.functions.insert(key, function.clone()),
                None => self.functions.remove(&key),
            };
        }
        let only_writes = self.functions.keys().all(|(kind, _)| *kind == Kind::Write);
        self.watch.marks = Marks { only_writes, ..Marks::default() };
        for &(kind, address) in self.functions.keys() {
            self.watch.marks.insert(kind, address);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    pub(crate) fn function(&self, hit: Hit) -> Option<Function> {
        self.functions.get(&(hit.kind, hit.address)).cloned()
    }

    /// Runs to the end of the frame, or to something that was hit.
    pub(crate) fn run_frame(&mut self, console: &mut Console, pads: &mut Polled) -> ControlFlow<Break> {
        let watch = &mut self.watch;
        if watch.marks.only_writes {
            // Nearly every script, and 13 % of a frame's time to spare.
            console.run_frame(pads, &mut WatchWrites(watch))
        } else {
            console.run_frame(pads, watch)
        }
    }

    /// What has been hit, in its order; forgotten here.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        core::mem::take(&mut self.watch.hits)
    }
}

/// A set of addresses.
#[derive(Clone, PartialEq, Eq)]
struct Addresses(Box<[u64; 0x400]>);

impl Default for Addresses {
    fn default() -> Self {
        Self(Box::new([0; 0x400]))
    }
}

impl Addresses {
    #[inline(always)]
    fn contains(&self, address: u16) -> bool {
        self.0[usize::from(address >> 6)] >> (address & 63) & 1 != 0
    }

    fn insert(&mut self, address: u16) {
        self.0[usize::from(address >> 6)] |= 1 << (address & 63);
    }
}

/// The addresses that the machine has to look out for.
#[derive(Default)]
struct Marks {
    reads: Addresses,
    writes: Addresses,
    executed: Addresses,
    /// Instructions that have to be looked at: those that are hooked, and those that may hold a byte which is.
    steps: Addresses,
    /// Nothing but writes has to be looked out for.
    only_writes: bool,
}

impl Marks {
    fn insert(&mut self, kind: Kind, address: u16) {
        match kind {
            Kind::Read => {
                self.reads.insert(address);
                (0..LONGEST).for_each(|behind| self.steps.insert(address.wrapping_sub(behind)));
            }
            Kind::Write => self.writes.insert(address),
            Kind::Execute => {
                self.executed.insert(address);
                self.steps.insert(address);
            }
        }
    }
}

/// The observer: stops the run before an instruction that is hooked, and after one that made a hooked access.
#[derive(Default)]
struct Watch {
    marks: Marks,
    hits: Vec<Hit>,
    /// The function of the next instruction has been called: now it is to be executed.
    passed: bool,
    /// The next step has to be seen, wherever it is.
    due: bool,
}

impl Watch {
    fn hit(&mut self, kind: Kind, address: u16, value: u8) {
        self.hits.push(Hit { kind, address, value });
        self.due = true;
    }
}

impl Observer for Watch {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.due | self.marks.steps.contains(pc)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        if write { self.marks.writes.contains(address) } else { self.marks.reads.contains(address) }
    }

    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        if !self.hits.is_empty() {
            return ControlFlow::Break(Break);
        }
        // An interrupt comes first: then the instruction is another time's.
        let executed = self.marks.executed.contains(cpu.pc) && !cpu.interrupt_pending() && !cpu.jammed;
        if executed && !self.passed {
            self.passed = true;
            self.hit(Kind::Execute, cpu.pc, 0);
            return ControlFlow::Break(Break);
        }
        self.passed = false;
        self.due = false;
        ControlFlow::Continue(())
    }

    fn bus(&mut self, event: BusEvent) {
        // What the hardware does with a value that nobody uses, and a DMA, are no accesses of the program.
        if event.access.is_dma() || event.access == Access::Cpu(cpu::Access::Dummy) {
            return;
        }
        if self.selects_bus(event.address, event.write) {
            self.hit(if event.write { Kind::Write } else { Kind::Read }, event.address, event.value);
        }
    }
}

/// The same where only writes are hooked: instructions and reads are not even looked up.
struct WatchWrites<'a>(&'a mut Watch);

impl Observer for WatchWrites<'_> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects_step(&self, _: u16) -> bool {
        self.0.due
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        write && self.0.marks.writes.contains(address)
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        self.0.step(cpu, board)
    }

    fn bus(&mut self, event: BusEvent) {
        self.0.bus(event);
    }
}
