//! Lua with nothing in reach but the interface, a bounded memory, and so many instructions a frame.

use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, LuaString, MultiValue, StdLib, Value};

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

/// Functions that reach beyond a script, or let bytes be run that are no source.
const REMOVED: &[&str] = &["dofile", "loadfile", "load", "require", "module", "newproxy"];

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
                let message = lua.create_string(crate::error::bounded(error.to_string()))?;
                Ok(MultiValue::from_iter([Value::Nil, Value::String(message)]))
            }
        }
    })?;
    globals.set("loadstring", loadstring)?;
    lua.set_app_data(limits);
    lua.set_memory_limit(limits.memory)?;
    Ok(lua)
}
