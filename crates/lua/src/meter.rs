//! How much a script has used of a frame, and the end of one that used too much.
//!
//! Lua's instructions are counted by a hook. A function that does more in one call than an
//! instruction charges for it ([`Meter::charge`]), so that no call keeps Lua busy for longer than
//! its count says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use mlua::{HookTriggers, Lua, VmState};

use crate::sandbox::Limits;

/// Instructions between two looks at the meter, while the script uses little memory.
const STRIDE: u32 = 500;

/// Bytes in use up to which a single instruction is quick, whatever it does. One that copies or
/// compares strings, or moves a table, takes time in proportion to the memory that there is: beyond
/// this the looks come closer together.
const LITTLE: usize = 8 << 20;

/// The names of the chunks that are not the script's.
const OURS: &[&str] = &["prelude", "modules", "standard"];

/// Why the meter stopped a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Endless { place: String },
    Interrupted { place: String },
}

/// Counts instructions, and looks whether somebody wants the script to stop.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    used: AtomicU64,
    limit: u64,
    interrupt: Arc<AtomicBool>,
    /// Instructions to the next look.
    stride: AtomicU32,
    /// Bytes that the script may have.
    memory: usize,
    /// Bytes in use from which garbage is collected.
    collects_at: AtomicUsize,
}

impl Meter {
    pub(crate) fn new(limits: Limits, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            used: AtomicU64::new(0),
            limit: limits.instructions,
            interrupt,
            stride: AtomicU32::new(STRIDE),
            memory: limits.memory,
            collects_at: AtomicUsize::new(full(limits.memory)),
        }
    }

    /// A new frame.
    pub(crate) fn reset(&self) {
        self.used.store(0, Ordering::Relaxed);
    }

    /// Counts `work`, in instructions. Returns whether the script may go on.
    pub(crate) fn charge(&self, work: u64) -> bool {
        let used = self.used.load(Ordering::Relaxed).saturating_add(work);
        self.used.store(used, Ordering::Relaxed);
        used <= self.limit && !self.interrupt.load(Ordering::Relaxed)
    }

    /// Has every coroutine of `lua` counted.
    pub(crate) fn watch(self: &Arc<Self>, lua: &Lua) -> mlua::Result<()> {
        self.hook(lua, STRIDE)
    }

    fn hook(self: &Arc<Self>, lua: &Lua, stride: u32) -> mlua::Result<()> {
        let meter = Arc::clone(self);
        self.stride.store(stride, Ordering::Relaxed);
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(stride), move |lua, _| {
            if !meter.charge(u64::from(stride)) {
                return Err(meter.stop(lua));
            }
            meter.collect(lua)?;
            let next = stride_at(lua.used_memory());
            if next != stride {
                meter.hook(lua, next)?;
            }
            Ok(VmState::Continue)
        })
    }

    /// Collects garbage before the memory is full: Lua 5.1 itself waits until twice as much is in
    /// use as after the last time, and does not collect when there is no room.
    fn collect(self: &Arc<Self>, lua: &Lua) -> mlua::Result<()> {
        let used = lua.used_memory();
        if used < self.collects_at.load(Ordering::Relaxed) {
            return Ok(());
        }
        lua.gc_collect()?;
        // Where much is alive, a part of what is left comes first.
        let alive = lua.used_memory();
        let next = alive + self.memory.saturating_sub(alive) / 4;
        self.collects_at.store(next.max(full(self.memory)), Ordering::Relaxed);
        if self.charge(used as u64 / 16) { Ok(()) } else { Err(self.stop(lua)) }
    }

    /// Ends the script where it is: the error to be raised. Whoever catches it and goes on is
    /// stopped at the next instruction.
    pub(crate) fn stop(self: &Arc<Self>, lua: &Lua) -> mlua::Error {
        if lua.app_data_ref::<Stop>().is_none() {
            let place = place(lua);
            let interrupted = self.interrupt.load(Ordering::Relaxed);
            let stop = if interrupted { Stop::Interrupted { place } } else { Stop::Endless { place } };
            let _ = lua.try_set_app_data(stop);
        }
        if self.stride.load(Ordering::Relaxed) > 1
            && let Err(error) = self.hook(lua, 1)
        {
            return error;
        }
        mlua::Error::runtime("stopped")
    }
}

/// Bytes of `memory` in use from which it counts as full: four fifths.
fn full(memory: usize) -> usize {
    memory / 5 * 4
}

/// Instructions to the next look, with so many bytes in use: a power of two's part of [`STRIDE`].
fn stride_at(bytes: usize) -> u32 {
    (0..6).find(|halvings| bytes <= LITTLE << halvings).map_or(STRIDE >> 6, |halvings| STRIDE >> halvings)
}

/// Charges for work that one call does.
///
/// # Errors
/// When the script has used up its frame, or is to stop.
pub(crate) fn charge(lua: &Lua, work: u64) -> mlua::Result<()> {
    let meter = Arc::clone(&*lua.app_data_ref::<Arc<Meter>>().expect("set with the script"));
    if meter.charge(work) { Ok(()) } else { Err(meter.stop(lua)) }
}

/// The innermost place in the script itself, as `name:line`.
fn place(lua: &Lua) -> String {
    let look = |level| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source();
            let name = source.short_src.as_deref().unwrap_or("?").to_owned();
            debug
                .current_line()
                .filter(|_| !OURS.contains(&name.as_str()))
                .map(|line| format!("{name}:{line}"))
        })
    };
    (0..250).map_while(look).flatten().next().unwrap_or_else(|| "?".to_owned())
}
