//! `input`: keys and pointer; `zapper`: where the pointer is, as a light gun.

use mlua::{Lua, Table};

use crate::host::host;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let get = lua.create_function(|lua, ()| {
        let input = host(lua)?.input.clone();
        let state = lua.create_table()?;
        state.raw_set("xmouse", input.pointer.0)?;
        state.raw_set("ymouse", input.pointer.1)?;
        input.held.iter().try_for_each(|name| state.raw_set(name.as_str(), true))?;
        Ok(state)
    })?;
    table.set("get", &get)?;
    table.set("read", &get)?;
    Ok(table)
}

/// `zapper.read`: as FCEUX has it, the pointer, whether a light gun is connected or not.
pub(super) fn zapper(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let read = lua.create_function(|lua, ()| {
        let input = host(lua)?.input.clone();
        let state = lua.create_table()?;
        state.raw_set("x", input.pointer.0)?;
        state.raw_set("y", input.pointer.1)?;
        state.raw_set("fire", u8::from(input.held.iter().any(|name| name == "leftclick")))?;
        Ok(state)
    })?;
    table.set("read", read)?;
    Ok(table)
}
