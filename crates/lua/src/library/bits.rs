//! `bit`: 32-bit integers, as `LuaBitOp` has them: arguments modulo 2^32, results signed.

use mlua::{Lua, Table, Variadic};

/// Any number as 32 bits; what is behind the point is cut off.
fn bits(number: f64) -> i32 {
    number.rem_euclid(4_294_967_296.0) as u32 as i32
}

/// Gives `table` a function of two numbers.
fn pair(lua: &Lua, table: &Table, name: &str, function: fn(i32, u32) -> i32) -> mlua::Result<()> {
    let function =
        lua.create_function(move |_, (a, b): (f64, f64)| Ok(function(bits(a), bits(b) as u32 & 31)))?;
    table.set(name, function)
}

/// Gives `table` a function that folds all its numbers, of which there is at least one.
fn fold(lua: &Lua, table: &Table, name: &str, function: fn(i32, i32) -> i32) -> mlua::Result<()> {
    let function = lua.create_function(move |_, (first, rest): (f64, Variadic<f64>)| {
        Ok(rest.iter().fold(bits(first), |folded, &number| function(folded, bits(number))))
    })?;
    table.set(name, function)
}

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.set("tobit", lua.create_function(|_, a: f64| Ok(bits(a)))?)?;
    table.set("bnot", lua.create_function(|_, a: f64| Ok(!bits(a)))?)?;
    table.set("bswap", lua.create_function(|_, a: f64| Ok(bits(a).swap_bytes()))?)?;
    table
        .set("tohex", lua.create_function(|_, (a, digits): (f64, Option<f64>)| Ok(hex(bits(a), digits)))?)?;
    fold(lua, &table, "band", |a, b| a & b)?;
    fold(lua, &table, "bor", |a, b| a | b)?;
    fold(lua, &table, "bxor", |a, b| a ^ b)?;
    pair(lua, &table, "lshift", |a, by| ((a as u32) << by) as i32)?;
    pair(lua, &table, "rshift", |a, by| (a as u32 >> by) as i32)?;
    pair(lua, &table, "arshift", |a, by| a >> by)?;
    pair(lua, &table, "rol", i32::rotate_left)?;
    pair(lua, &table, "ror", i32::rotate_right)?;
    Ok(table)
}

/// The lowest digits, eight unless it is said otherwise; in capitals if their number is negative.
fn hex(bits: i32, digits: Option<f64>) -> String {
    let digits = digits.unwrap_or(8.0);
    let count = digits.abs().min(8.0) as usize;
    let all = if digits < 0.0 { format!("{bits:08X}") } else { format!("{bits:08x}") };
    all[8 - count..].to_owned()
}
