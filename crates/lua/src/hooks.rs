//! Functions of the script that the machine calls: at instructions and at accesses, without a cost elsewhere.

use core::ops::ControlFlow;
use std::collections::HashMap;

use bitflags::bitflags;
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
    marks: Marks,
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
        self.marks.clear();
        for &(kind, address) in self.functions.keys() {
            self.marks.insert(kind, address);
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
        let Self { marks: Marks { of_each: marks, used }, watch, .. } = self;
        // What nothing is hooked on is not even looked up.
        match (used.contains(Mark::READ), used.contains(Mark::EXECUTE)) {
            (true, _) => console.run_frame(pads, &mut Lookout::<true, true> { marks, watch }),
            (false, true) => console.run_frame(pads, &mut Lookout::<true, false> { marks, watch }),
            (false, false) => console.run_frame(pads, &mut Lookout::<false, false> { marks, watch }),
        }
    }

    /// What has been hit, in its order; forgotten here.
    pub(crate) fn take_hits(&mut self) -> Vec<Hit> {
        core::mem::take(&mut self.watch.hits)
    }
}

bitflags! {
    /// What the machine has to look out for at an address.
    #[derive(Clone, Copy)]
    struct Mark: u8 {
        const READ = 1;
        const WRITE = 2;
        const EXECUTE = 4;
        /// An instruction that begins here has to be looked at: it is hooked, or may hold a byte that is.
        const STEP = 8;
    }
}

/// The marks of each address, a byte for each: a look is one comparison.
struct Marks {
    of_each: Box<[Mark; 0x1_0000]>,
    /// Those that any address has.
    used: Mark,
}

impl Default for Marks {
    fn default() -> Self {
        let marks = vec![Mark::empty(); 0x1_0000].into_boxed_slice();
        let of_each = marks.try_into().unwrap_or_else(|_| unreachable!("as many marks as addresses"));
        Self { of_each, used: Mark::empty() }
    }
}

impl Marks {
    fn clear(&mut self) {
        self.of_each.fill(Mark::empty());
        self.used = Mark::empty();
    }

    fn insert(&mut self, kind: Kind, address: u16) {
        let mut mark = |address: u16, mark| {
            self.of_each[usize::from(address)].insert(mark);
            self.used.insert(mark);
        };
        match kind {
            Kind::Read => {
                mark(address, Mark::READ);
                (0..LONGEST).for_each(|behind| mark(address.wrapping_sub(behind), Mark::STEP));
            }
            Kind::Write => mark(address, Mark::WRITE),
            Kind::Execute => mark(address, Mark::EXECUTE | Mark::STEP),
        }
    }
}

/// What was found.
#[derive(Default)]
struct Watch {
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

    /// Before an instruction, which may be hooked.
    fn step(&mut self, cpu: &Cpu, hooked: bool) -> ControlFlow<Break> {
        if !self.hits.is_empty() {
            return ControlFlow::Break(Break);
        }
        // An interrupt comes first: then the instruction is another time's.
        let executed = hooked && !cpu.interrupt_pending() && !cpu.jammed;
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
        if matches!(event.access, Access::Cpu(access) if access != cpu::Access::Dummy) {
            self.hit(if event.write { Kind::Write } else { Kind::Read }, event.address, event.value);
        }
    }
}

/// The observer: stops the run before an instruction that is hooked, and after one that made a hooked access. Writes are
/// always looked up.
struct Lookout<'a, const STEPS: bool, const READS: bool> {
    marks: &'a [Mark; 0x1_0000],
    watch: &'a mut Watch,
}

impl<const STEPS: bool, const READS: bool> Lookout<'_, STEPS, READS> {
    #[inline(always)]
    fn marked(&self, address: u16, mark: Mark) -> bool {
        self.marks[usize::from(address)].intersects(mark)
    }
}

impl<const STEPS: bool, const READS: bool> Observer for Lookout<'_, STEPS, READS> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn due(&self) -> bool {
        self.watch.due
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        STEPS && self.marked(pc, Mark::STEP)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        if write { self.marked(address, Mark::WRITE) } else { READS && self.marked(address, Mark::READ) }
    }

    fn step(&mut self, cpu: &Cpu, _: &Mainboard) -> ControlFlow<Break> {
        self.watch.step(cpu, self.marked(cpu.pc, Mark::EXECUTE))
    }

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        if self.selects_bus(event.address, event.write) {
            self.watch.bus(event);
        }
    }
}
