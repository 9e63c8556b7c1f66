//! `joypad`: what the player holds, and what the game gets.

use mlua::{IntoLua, Lua, Table, Value};
use nes::Buttons;

use super::{define, integer};
use crate::error::bounded;
use crate::host::Host;
use crate::joypads::{NAMES, Will, Wish};

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let all = ["get", "read", "getimmediate", "readimmediate"];
    define(lua, &table, &all, |host, port: f64| {
        Ok(Held { buttons: player(host, port)?, down: true, up: true })
    })?;
    define(lua, &table, &["getdown", "readdown"], |host, port: f64| {
        Ok(Held { buttons: player(host, port)?, down: true, up: false })
    })?;
    define(lua, &table, &["getup", "readup"], |host, port: f64| {
        Ok(Held { buttons: player(host, port)?, down: false, up: true })
    })?;
    // The table is read before the host is taken: it may have a metatable that calls the script.
    let set = lua.create_function(|lua, (port, buttons): (f64, Table)| {
        let mut wish = Wish::default();
        for (name, button) in NAMES {
            let will = match buttons.get::<Value>(name).map_err(short)? {
                Value::Nil => Will::Player,
                Value::Boolean(false) => Will::Off,
                Value::String(_) => Will::Invert,
                _ => Will::On,
            };
            wish.set(button, will);
        }
        let mut host = crate::host::host(lua)?;
        let port = number(port)?;
        if let Some(place) = host.wishes.get_mut(port) {
            *place = wish;
        }
        Ok(())
    })?;
    table.set("set", &set)?;
    table.set("write", &set)?;
    Ok(table)
}

/// An error of the script's own metamethod, on its way through.
fn short(error: mlua::Error) -> mlua::Error {
    match error {
        mlua::Error::RuntimeError(message) => mlua::Error::RuntimeError(bounded(message)),
        other => other,
    }
}

/// A port, counted from 0; scripts count from 1.
fn number(port: f64) -> mlua::Result<usize> {
    match integer(port) {
        port @ 1..=4 => Ok(port as usize - 1),
        port => Err(mlua::Error::runtime(format!("expected a pad of 1 to 4, found {port}"))),
    }
}

fn player(host: &Host, port: f64) -> mlua::Result<Buttons> {
    let ([first, second], [third, fourth]) = (host.player.pads, host.player.extra.pads());
    Ok([first, second, third, fourth].get(number(port)?).copied().unwrap_or_default())
}

/// The table of buttons that a script receives.
struct Held {
    buttons: Buttons,
    /// Are those that are down in it, and those that are up?
    down: bool,
    up: bool,
}

impl IntoLua for Held {
    fn into_lua(self, lua: &Lua) -> mlua::Result<Value> {
        let table = lua.create_table_with_capacity(0, NAMES.len())?;
        for (name, button) in NAMES {
            let held = self.buttons.contains(button);
            if if held { self.down } else { self.up } {
                table.raw_set(name, held)?;
            }
        }
        Ok(Value::Table(table))
    }
}
