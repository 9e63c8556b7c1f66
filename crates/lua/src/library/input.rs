//! `input`: keys and pointer; `zapper`: where the pointer is, as a light gun.

use mlua::{Lua, Table};
use nes::{Aim, Devices};

use crate::host::{Input, host};

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

/// `zapper.read`: where the console's light gun points, of a movie that plays too; without one the
/// pointer, as in FCEUX.
pub(super) fn zapper(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let read = lua.create_function(|lua, ()| {
        let host = host(lua)?;
        let (x, y, fire) = if host.devices() == Devices::Zapper {
            let Aim { x, y, trigger } = host.player.extra.aim();
            (x.into(), y.into(), trigger)
        } else {
            let Input { pointer: (x, y), held } = &host.input;
            (*x, *y, held.iter().any(|name| name == "leftclick"))
        };
        drop(host);
        let state = lua.create_table()?;
        state.raw_set("x", x)?;
        state.raw_set("y", y)?;
        state.raw_set("fire", u8::from(fire))?;
        Ok(state)
    })?;
    table.set("read", read)?;
    Ok(table)
}
