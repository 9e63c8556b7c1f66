//! Functions of the script that the machine calls: at instructions and at accesses, without a cost
//! elsewhere.

use core::ops::ControlFlow;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bitflags::bitflags;
use mlua::{Function, Table};
use nes::{Access, Attachment, Break, BusEvent, Console, cpu};

use crate::Script;

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

/// Which functions are registered. They are in a table of Lua's: a handle for each would take a
/// place on a stack of Lua's that has 8,000.
#[derive(Default)]
pub(crate) struct Hooks {
    functions: Option<Table>,
    hooked: HashSet<(Kind, u16)>,
    marks: Arc<Marks>,
    /// Every instruction is looked at, to be counted.
    counts: bool,
}

/// Where the function of an address is in the table.
fn key(kind: Kind, address: u16) -> u32 {
    (kind as u32) << 16 | u32::from(address)
}

impl Hooks {
    /// Registers a function for `length` addresses, or none for them.
    pub(crate) fn register(
        &mut self,
        kind: Kind,
        first: u16,
        length: u32,
        function: Option<&Function>,
    ) -> mlua::Result<()> {
        let end = u32::from(first).saturating_add(length).min(0x1_0000);
        for address in u32::from(first)..end {
            let address = address as u16;
            let hooked = (kind, address);
            if function.is_some() {
                self.hooked.insert(hooked)
            } else {
                self.hooked.remove(&hooked)
            };
            if let Some(functions) = &self.functions {
                functions.raw_set(key(kind, address), function)?;
            }
        }
        let marks = Arc::make_mut(&mut self.marks);
        marks.clear();
        if self.counts {
            marks.insert_every_step();
        }
        for &(kind, address) in &self.hooked {
            marks.insert(kind, address);
        }
        Ok(())
    }

    /// Gives the functions a table to be in.
    pub(crate) fn set_table(&mut self, table: Table) {
        self.functions = Some(table);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hooked.is_empty()
    }

    /// Has every instruction be looked at from here on.
    pub(crate) fn count(&mut self) {
        if !self.counts {
            self.counts = true;
            Arc::make_mut(&mut self.marks).insert_every_step();
        }
    }

    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    pub(crate) fn function(&self, hit: Hit) -> Option<Function> {
        self.functions.as_ref()?.raw_get(key(hit.kind, hit.address)).ok()
    }

    pub(crate) fn marks(&self) -> Arc<Marks> {
        Arc::clone(&self.marks)
    }
}

bitflags! {
    /// What the machine has to look out for at an address.
    #[derive(Clone, Copy)]
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
#[derive(Clone)]
pub(crate) struct Marks {
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
    fn clear(&mut self) {
        self.of_each.fill(Mark::empty());
        self.used = Mark::empty();
    }

    fn insert_every_step(&mut self) {
        self.of_each.iter_mut().for_each(|mark| mark.insert(Mark::STEP));
        self.used.insert(Mark::STEP);
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

/// A script attached to a run: it calls what is registered for an instruction before that, and what
/// is registered for an access behind the instruction that made it.
pub struct ScriptHooks<'a> {
    script: &'a mut Script,
    marks: Arc<Marks>,
    /// Where instructions are counted, if the script asks for that.
    counted: Option<Arc<AtomicU64>>,
}

impl<'a> ScriptHooks<'a> {
    pub(crate) fn new(script: &'a mut Script, marks: Arc<Marks>, counted: Option<Arc<AtomicU64>>) -> Self {
        Self { script, marks, counted }
    }

    #[inline(always)]
    fn marked(&self, address: u16, mark: Mark) -> bool {
        self.marks.used.intersects(mark) && self.marks.of_each[usize::from(address)].intersects(mark)
    }

    /// The script runs; it may register something else, or fail.
    fn call(&mut self, console: &mut Console, hits: &[Hit]) {
        self.marks = self.script.call_hooks(console, hits);
    }
}

impl Attachment for ScriptHooks<'_> {
    const WATCHES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn due(&self) -> bool {
        !self.script.hits.is_empty()
    }

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        self.marked(pc, Mark::STEP)
    }

    #[inline(always)]
    fn selects_bus(&self, address: u16, write: bool) -> bool {
        self.marked(address, if write { Mark::WRITE } else { Mark::READ })
    }

    fn step(&mut self, console: &mut Console) -> ControlFlow<Break> {
        if self.due() {
            let hits = core::mem::take(&mut self.script.hits);
            self.call(console, &hits);
        }
        let Console { cpu, .. } = console;
        let place = cpu.pc;
        let is_hooked = self.marked(place, Mark::EXECUTE);
        // An interrupt comes first: then the instruction is another time's.
        if !is_hooked && self.counted.is_none() || cpu.interrupt_pending() || cpu.jammed {
            return ControlFlow::Continue(());
        }
        if let Some(counted) = &self.counted {
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

    #[inline(always)]
    fn bus(&mut self, event: BusEvent) {
        let BusEvent { address, value, write, access, .. } = event;
        // Dummy reads and DMA are no accesses of the program. The
        // first of the two writes of INC, DEC and shifts is one, in FCEUX, but in the zero page.
        let counts = |access| access != cpu::Access::Dummy || write && address >= 0x100;
        if self.selects_bus(address, write) && matches!(access, Access::Cpu(access) if counts(access)) {
            let kind = if write { Kind::Write } else { Kind::Read };
            self.script.hits.push(Hit { kind, address, value });
        }
    }
}
