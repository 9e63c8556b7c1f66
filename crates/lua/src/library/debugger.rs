//! `debugger`: how much the CPU has done.

use std::sync::atomic::Ordering;

use mlua::{Lua, Table};

use super::define;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    define(lua, &table, &["getcyclescount"], |host, ()| {
        let cycle = host.console()?.cycle();
        // A state that was loaded, or the power, may lead to before the count began.
        if cycle < host.cycles_from {
            host.cycles_from = 0;
        }
        Ok((cycle - host.cycles_from) as f64)
    })?;
    define(lua, &table, &["resetcyclescount"], |host, ()| {
        host.cycles_from = host.console()?.cycle();
        Ok(())
    })?;
    define(lua, &table, &["getinstructionscount"], |host, ()| {
        host.hooks.count();
        Ok(host.instructions.load(Ordering::Relaxed) as f64)
    })?;
    define(lua, &table, &["resetinstructionscount"], |host, ()| {
        host.hooks.count();
        host.instructions.store(0, Ordering::Relaxed);
        Ok(())
    })?;
    Ok(table)
}
