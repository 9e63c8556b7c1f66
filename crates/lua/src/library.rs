//! The functions that a script finds, table by table.

mod bits;
mod debugger;
mod emu;
mod gui;
mod input;
mod joypad;
mod memory;
mod movie;
mod rom;
mod savestate;
mod sound;
mod strings;

use mlua::{FromLuaMulti, Function, IntoLua, IntoLuaMulti, Lua, MaybeSend, Table, Value};

use crate::host::{Host, host};
use crate::meter;

/// Text that Lua's side of the interface is written in.
const PRELUDE: &str = include_str!("prelude.lua");

/// Lua's own functions, within bounds.
const STANDARD: &str = include_str!("standard.lua");

/// Puts every table of the interface into the globals.
pub(crate) fn install(lua: &Lua) -> mlua::Result<()> {
    lua.load(STANDARD).set_name("=standard").call::<()>(strings::table(lua)?)?;
    host(lua)?.hooks.set_table(lua.create_table()?);
    let globals = lua.globals();
    globals.set("memory", memory::table(lua)?)?;
    globals.set("joypad", joypad::table(lua)?)?;
    globals.set("emu", emu::table(lua)?)?;
    globals.set("savestate", savestate::table(lua)?)?;
    globals.set("movie", movie::table(lua)?)?;
    globals.set("gui", gui::table(lua)?)?;
    globals.set("rom", rom::table(lua)?)?;
    globals.set("bit", bits::table(lua)?)?;
    globals.set("input", input::table(lua)?)?;
    globals.set("zapper", input::zapper(lua)?)?;
    globals.set("sound", sound::table(lua)?)?;
    globals.set("debugger", debugger::table(lua)?)?;
    crate::modules::install(lua)?;
    lua.load(PRELUDE).set_name("=prelude").exec()
}

/// Gives `table` the functions of the host by their names.
fn define<A, R, F>(lua: &Lua, table: &Table, names: &[&str], function: F) -> mlua::Result<()>
where
    A: FromLuaMulti,
    R: IntoLuaMulti,
    F: Fn(&mut Host, A) -> mlua::Result<R> + MaybeSend + 'static,
{
    let function = lua.create_function(move |lua, arguments| {
        let (result, work) = {
            let mut host = host(lua)?;
            let result = function(&mut host, arguments);
            (result, core::mem::take(&mut host.work))
        };
        if work > 0 {
            meter::charge(lua, work)?;
        }
        result
    })?;
    names.iter().try_for_each(|name| table.set(*name, &function))
}

/// A number as an integer: what is behind the point is cut off, as Lua 5.1 does it.
fn integer(number: f64) -> i64 {
    number as i64
}

/// A value that is a number, not a text that could be one.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// A place on the picture, or far beyond it.
fn place(number: f64) -> i32 {
    number.clamp(-1e6, 1e6) as i32
}

/// Bytes that a script receives as a string.
struct Bytes(Vec<u8>);

impl IntoLua for Bytes {
    fn into_lua(self, lua: &Lua) -> mlua::Result<Value> {
        lua.create_string(self.0).map(Value::String)
    }
}

/// Registers a function, or none, in the place of another, which is given back.
fn replace(place: &mut Option<Function>, function: Option<Function>) -> Option<Function> {
    core::mem::replace(place, function)
}
