//! What of a script the machine calls: at instructions and at accesses, without a cost elsewhere.

use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bitflags::bitflags;
use nes::{Access, Attachment, Break, BusEvent, Console, cpu};

use crate::FrameScript;

/// What a function is registered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An instruction reads.
    Read,
    /// An instruction writes.
    Write,
    /// An instruction begins.
    Execute,
}

/// The longest instruction, in bytes.
const LONGEST: u16 = 3;

/// Something that a function is registered for has happened.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// What has happened.
    pub kind: Kind,
    /// Where.
    pub address: u16,
    /// What was read or written; 0 at instructions.
    pub value: u8,
}

/// What a script has hooked.
#[derive(Clone, Debug)]
pub struct Hooked {
    /// The addresses.
    pub marks: Arc<Marks>,
    /// Where instructions are counted, if the script asks for that.
    pub counted: Option<Arc<AtomicU64>>,
}

bitflags! {
    /// What the machine has to look out for at an address.
    #[derive(Clone, Copy, Debug)]
    struct Mark: u8 {
        const READ = 1;
        const WRITE = 2;
        const EXECUTE = 4;
        /// An instruction that begins here has to be looked at: it is hooked, or may hold a byte
        /// that is.
        const STEP = 8;
    }
}

/// The marks of each address, a byte for each: a look is one comparison.
#[derive(Clone, Debug)]
pub struct Marks {
    of_each: Box<[Mark]>,
    /// Those that any address has: what nothing is hooked on is not even looked up.
    used: Mark,
}

impl Default for Marks {
    fn default() -> Self {
        Self { of_each: vec![Mark::empty(); 0x1_0000].into(), used: Mark::empty() }
    }
}

impl Marks {
    /// Removes all marks.
    pub fn clear(&mut self) {
        self.of_each.fill(Mark::empty());
        self.used = Mark::empty();
    }

    /// Marks every address as one where an instruction is looked at.
    pub fn insert_every_step(&mut self) {
        self.of_each.iter_mut().for_each(|mark| mark.insert(Mark::STEP));
        self.used.insert(Mark::STEP);
    }

    /// Marks an address as hooked.
    pub fn insert(&mut self, kind: Kind, address: u16) {
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

/// A script attached to a run: it calls what is registered for an instruction before that, and what
/// is registered for an access behind the instruction that made it.
pub struct ScriptHooks<'a> {
    script: &'a mut dyn FrameScript,
    hooked: Hooked,
    /// See [`FrameScript::hits`]; the script has them again when this is dropped.
    hits: Vec<Hit>,
}

impl<'a> ScriptHooks<'a> {
    /// Returns what a script has hooked, to be attached to the run of a frame; nothing if it has
    /// hooked nothing.
    pub fn of(script: &'a mut dyn FrameScript) -> Option<Self> {
        let hooked = script.hooked()?;
        let hits = core::mem::take(script.hits());
        Some(Self { script, hooked, hits })
    }

    // The page runs no scripts, so its machine must not grow by a copy of this at each access; nor
    // by one of `step` and `bus`.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn marked(&self, address: u16, mark: Mark) -> bool {
        let marks = &self.hooked.marks;
        marks.used.intersects(mark) && marks.of_each[usize::from(address)].intersects(mark)
    }

    /// The script runs; it may register something else, or fail.
    fn call(&mut self, console: &mut Console, hits: &[Hit]) {
        self.hooked.marks = self.script.call_hooks(console, hits);
    }
}

impl Drop for ScriptHooks<'_> {
    fn drop(&mut self) {
        *self.script.hits() = core::mem::take(&mut self.hits);
    }
}

impl Attachment for ScriptHooks<'_> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn due(&self) -> bool {
        !self.hits.is_empty()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.marked(pc, Mark::STEP)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.marked(address, if write { Mark::WRITE } else { Mark::READ })
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if self.due() {
            let hits = core::mem::take(&mut self.hits);
            self.call(console, &hits);
        }
        let Console { cpu, .. } = console;
        let place = cpu.pc;
        let is_hooked = self.marked(place, Mark::EXECUTE);
        // An interrupt comes first: then the instruction is another time's.
        if !is_hooked && self.hooked.counted.is_none() || cpu.interrupt_pending() || cpu.jammed {
            return ControlFlow::Continue(());
        }
        if let Some(counted) = &self.hooked.counted {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        if is_hooked {
            let hit = Hit { kind: Kind::Execute, address: place, value: 0 };
            let (cycle, opcode) = (console.cycle(), console.peek(place));
            self.call(console, &[hit]);
            // As in FCEUX, which has read the opcode before it calls.
            if console.cpu.pc != place && console.cycle() == cycle {
                console.keep_opcode(place, opcode);
            }
        }
        ControlFlow::Continue(())
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { address, value, write, access, .. } = event;
        // Dummy reads and DMA are no accesses of the program. The
        // first of the two writes of INC, DEC and shifts is one, in FCEUX, but in the zero page.
        let counts = |access| access != cpu::Access::Dummy || write && address >= 0x100;
        if self.selects_bus(address, write) && matches!(access, Access::Cpu(access) if counts(access)) {
            let kind = if write { Kind::Write } else { Kind::Read };
            self.hits.push(Hit { kind, address, value });
        }
    }
}
