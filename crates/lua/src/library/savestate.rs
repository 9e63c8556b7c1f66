//! `savestate`: states in memory, in ten slots, and as files.

use mlua::{Lua, LuaString, Table, UserData, UserDataRefMut, Value};

use super::integer;
use crate::host::{Film, host};

/// Slots and names of states, at most.
const SLOTS: usize = 256;

/// A state as a script holds it. Its bytes are Lua's, so that they count as memory of the script.
struct SaveState {
    /// The name of its slot; `None` for one that only the script knows.
    slot: Option<String>,
    bytes: Option<LuaString>,
}

impl UserData for SaveState {}

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    // Of the two numberings the older one begins with slot 0; in the newer one 10 is slot 0.
    table.set("create", lua.create_function(|lua, which| create(lua, &which, |number| number - 1))?)?;
    table.set("object", lua.create_function(|lua, which| create(lua, &which, |number| number % 10))?)?;
    table.set("save", lua.create_function(save)?)?;
    table.set("load", lua.create_function(load)?)?;
    table.set("persist", lua.create_function(persist)?)?;
    Ok(table)
}

fn create(lua: &Lua, which: &Value, slot: fn(i64) -> i64) -> mlua::Result<SaveState> {
    let number = which.as_number().or_else(|| which.as_integer().map(|number| number as f64));
    let slot = match (which, number.map(integer)) {
        (Value::Nil, _) => return Ok(SaveState { slot: None, bytes: None }),
        (_, Some(number @ 1..=10)) => format!("slot-{}", slot(number)),
        (Value::String(name), None) => name.to_string_lossy(),
        _ => {
            let message = format!("expected a slot of 1 to 10 or a name, found {}", which.to_string()?);
            return Err(mlua::Error::runtime(message));
        }
    };
    let bytes = {
        let mut host = host(lua)?;
        if !host.slots.contains_key(&slot)
            && let Some(bytes) = host.folder.as_ref().and_then(|folder| folder.read(&file(&slot)).ok())
        {
            host.slots.insert(slot.clone(), bytes);
        }
        host.slots.get(&slot).cloned()
    };
    let bytes = bytes.map(|bytes| lua.create_string(bytes)).transpose()?;
    Ok(SaveState { slot: Some(slot), bytes })
}

fn file(slot: &str) -> String {
    format!("{slot}.state")
}

fn save(lua: &Lua, mut state: UserDataRefMut<SaveState>) -> mlua::Result<()> {
    let bytes = {
        let mut host = host(lua)?;
        let bytes = host.console()?.save();
        if let Some(slot) = &state.slot {
            if host.slots.len() >= SLOTS && !host.slots.contains_key(slot) {
                return Err(mlua::Error::runtime(format!("more than {SLOTS} states with names")));
            }
            host.slots.insert(slot.clone(), bytes.clone());
        }
        bytes
    };
    state.bytes = Some(lua.create_string(bytes)?);
    Ok(())
}

fn load(lua: &Lua, state: UserDataRefMut<SaveState>) -> mlua::Result<()> {
    let mut host = host(lua)?;
    let slot = state.slot.as_ref().and_then(|slot| host.slots.get(slot).cloned());
    let bytes = match (&slot, &state.bytes) {
        (Some(bytes), _) => bytes.clone(),
        (None, Some(bytes)) => bytes.as_bytes().to_vec(),
        (None, None) => return Err(mlua::Error::runtime("nothing was saved in this state")),
    };
    host.console()?.load(&bytes).map_err(|error| mlua::Error::runtime(error.to_string()))?;
    let counts = host.counts_rerecords;
    if let Some(Film { movie, recording: true, .. }) = &mut host.film {
        movie.rerecord_count += u64::from(counts);
    }
    Ok(())
}

fn persist(lua: &Lua, state: UserDataRefMut<SaveState>) -> mlua::Result<()> {
    match (&state.slot, &state.bytes) {
        (Some(slot), Some(bytes)) => host(lua)?.write_file(&file(slot), &bytes.as_bytes()),
        // A state without a name lasts as long as the script has it.
        _ => Ok(()),
    }
}
