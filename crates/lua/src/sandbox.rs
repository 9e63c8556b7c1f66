//! Lua with nothing in reach but the interface, a bounded memory, and so many instructions a frame.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use mlua::chunk::ChunkMode;
use mlua::{HookTriggers, Lua, LuaOptions, LuaString, MultiValue, StdLib, Value, VmState};

/// How much a script may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of Lua from one frame to the next.
    pub instructions: u64,
    /// Bytes of memory.
    pub memory: usize,
}

impl Default for Limits {
    /// A billion instructions, which take some ten seconds, and 256 MiB.
    fn default() -> Self {
        Self { instructions: 1_000_000_000, memory: 256 << 20 }
    }
}

/// Instructions between two looks at the meter.
const STRIDE: u32 = 1000;

/// Functions that reach beyond a script, or let bytes be run that are no source.
const REMOVED: &[&str] = &["dofile", "loadfile", "load", "require", "module", "newproxy"];

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
    limit: AtomicU64,
    interrupt: Arc<AtomicBool>,
}

impl Meter {
    pub(crate) fn new(instructions: u64, interrupt: Arc<AtomicBool>) -> Self {
        Self { used: AtomicU64::new(0), limit: AtomicU64::new(instructions), interrupt }
    }

    /// A new frame.
    pub(crate) fn reset(&self) {
        self.used.store(0, Ordering::Relaxed);
    }
}

/// A Lua of the libraries that only calculate.
pub(crate) fn lua(limits: Limits) -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    let globals = lua.globals();
    for name in REMOVED {
        globals.set(*name, Value::Nil)?;
    }
    globals.get::<mlua::Table>("string")?.set("dump", Value::Nil)?;
    let loadstring = lua.create_function(|lua, (source, name): (LuaString, Option<String>)| {
        let name = name.unwrap_or_else(|| "=loadstring".to_owned());
        // Compiled code is not checked by Lua 5.1 and could do anything.
        match lua.load(&source.as_bytes()[..]).set_name(name).set_mode(ChunkMode::Text).into_function() {
            Ok(function) => Ok(MultiValue::from_iter([Value::Function(function)])),
            Err(error) => {
                let message = lua.create_string(error.to_string())?;
                Ok(MultiValue::from_iter([Value::Nil, Value::String(message)]))
            }
        }
    })?;
    globals.set("loadstring", loadstring)?;
    lua.set_memory_limit(limits.memory)?;
    Ok(lua)
}

/// Has the meter count what every coroutine of `lua` runs.
pub(crate) fn watch(lua: &Lua, meter: &Arc<Meter>) -> mlua::Result<()> {
    hook(lua, meter, STRIDE)
}

fn hook(lua: &Lua, meter: &Arc<Meter>, stride: u32) -> mlua::Result<()> {
    let meter = Arc::clone(meter);
    lua.set_global_hook(HookTriggers::new().every_nth_instruction(stride), move |lua, debug| {
        let used = meter.used.fetch_add(u64::from(stride), Ordering::Relaxed) + u64::from(stride);
        let interrupted = meter.interrupt.load(Ordering::Relaxed);
        if used <= meter.limit.load(Ordering::Relaxed) && !interrupted {
            return Ok(VmState::Continue);
        }
        let source = debug.source();
        let source = source.short_src.as_deref().unwrap_or("?");
        let place = debug.current_line().map_or_else(|| source.to_owned(), |line| format!("{source}:{line}"));
        let stop = if interrupted { Stop::Interrupted { place } } else { Stop::Endless { place } };
        if lua.app_data_ref::<Stop>().is_none() {
            let _ = lua.try_set_app_data(stop);
        }
        // Whoever catches the error and goes on is stopped at the next instruction.
        if stride > 1 {
            hook(lua, &meter, 1)?;
        }
        Err(mlua::Error::runtime("stopped"))
    })
}
