//! `savestate`: states in memory, in ten slots, and as files.

use mlua::{AnyUserData, Function, Lua, LuaString, Table, UserData, Value};

use super::{define, integer, number, replace};
use crate::host::{Film, host};
use crate::meter;

/// What saving or loading a state is worth, in instructions.
const STATE_WORK: u64 = 5_000;

/// A state as a script holds it. Its bytes are its user value: a string of Lua's, which counts as
/// memory of the script.
struct SaveState {
    /// The name of its slot; `None` for one that only the script knows.
    slot: Option<String>,
}

impl UserData for SaveState {}

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    // Of the two numberings the older one begins with slot 0; in the newer one 10 is slot 0.
    table.set("create", lua.create_function(|lua, which| create(lua, &which, |number| number - 1))?)?;
    table.set("object", lua.create_function(|lua, which| create(lua, &which, |number| number % 10))?)?;
    table.set("save", lua.create_function(|lua, state: AnyUserData| save(lua, &state))?)?;
    table.set("load", lua.create_function(|lua, state: AnyUserData| load(lua, &state))?)?;
    define(lua, &table, &["registersave"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.saved, function))
    })?;
    define(lua, &table, &["registerload"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.loaded, function))
    })?;
    table.set("persist", lua.create_function(|lua, state: AnyUserData| persist(lua, &state))?)?;
    Ok(table)
}

fn create(lua: &Lua, which: &Value, slot: fn(i64) -> i64) -> mlua::Result<AnyUserData> {
    let slot = match (which, number(which).map(integer)) {
        (Value::Nil, _) => return lua.create_userdata(SaveState { slot: None }),
        (_, Some(number @ 1..=10)) => format!("slot-{}", slot(number)),
        (Value::String(name), None) => name.to_string_lossy(),
        _ => {
            let found =
                number(which).map_or_else(|| which.type_name().to_owned(), |number| number.to_string());
            return Err(mlua::Error::runtime(format!("expected a slot of 1 to 10 or a name, found {found}")));
        }
    };
    let mut host = host(lua)?;
    if !host.slots.contains_key(&slot)
        && let Some(bytes) = host.folder.as_ref().and_then(|folder| folder.read_state(&file(&slot)).ok())
    {
        host.keep(&slot, bytes)?;
    }
    drop(host);
    lua.create_userdata(SaveState { slot: Some(slot) })
}

fn file(slot: &str) -> String {
    format!("{slot}.state")
}

fn save(lua: &Lua, state: &AnyUserData) -> mlua::Result<()> {
    let slot = state.borrow::<SaveState>()?.slot.clone();
    let bytes = host(lua)?.console()?.save();
    meter::charge(lua, STATE_WORK)?;
    match slot {
        Some(slot) => host(lua)?.keep(&slot, bytes),
        None => state.set_user_value(lua.create_string(bytes)?),
    }
}

fn load(lua: &Lua, state: &AnyUserData) -> mlua::Result<()> {
    let empty = || mlua::Error::runtime("nothing was saved in this state");
    let slot = state.borrow::<SaveState>()?.slot.clone();
    let bytes = match slot {
        Some(slot) => host(lua)?.slots.get(&slot).cloned().ok_or_else(empty)?,
        None => state.user_value::<Option<LuaString>>()?.ok_or_else(empty)?.as_bytes().to_vec(),
    };
    meter::charge(lua, STATE_WORK)?;
    let mut host = host(lua)?;
    if host.film.as_ref().is_some_and(Film::has_switched) {
        let message = "no state can be loaded in a movie in which the power was switched off and on";
        return Err(mlua::Error::runtime(message));
    }
    host.meddle()?.load(&bytes).map_err(|error| mlua::Error::runtime(error.to_string()))?;
    let counts = host.counts_rerecords;
    if let Some(Film { movie, recording: true, .. }) = &mut host.film {
        movie.rerecord_count += u64::from(counts);
    }
    Ok(())
}

/// A state with a slot or a name becomes a file; one without lasts as long as the script has it.
fn persist(lua: &Lua, state: &AnyUserData) -> mlua::Result<()> {
    let slot = state.borrow::<SaveState>()?.slot.clone();
    let work = {
        let mut host = host(lua)?;
        if let Some((bytes, slot)) = slot.and_then(|slot| Some((host.slots.get(&slot)?.clone(), slot))) {
            host.write_file(&file(&slot), &bytes)?;
        }
        core::mem::take(&mut host.work)
    };
    meter::charge(lua, work)
}
