//! `memory`: what the CPU sees, its registers, and functions that are called at accesses.

use mlua::{Function, Lua, Table, Value};
use nes::{Console, cpu::Status};
use nes_script::Kind;

use super::{Bytes, define, integer, number};
use crate::host::Host;

/// What it takes to mark all addresses anew, in instructions.
const HOOK_WORK: u64 = 4_000;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    define(lua, &table, &["readbyte", "readbyteunsigned"], |host, address: f64| byte(host, address))?;
    define(lua, &table, &["readbytesigned"], |host, address: f64| Ok(byte(host, address)? as i8))?;
    define(lua, &table, &["readword", "readwordunsigned"], word)?;
    define(lua, &table, &["readwordsigned"], |host, places| Ok(word(host, places)? as i16))?;
    define(lua, &table, &["readbyterange"], range)?;
    define(lua, &table, &["writebyte"], |host, (address, value): (f64, f64)| {
        if let Ok(address) = u16::try_from(integer(address)) {
            host.meddle()?.write(address, integer(value) as u8);
        }
        Ok(())
    })?;
    define(lua, &table, &["getregister"], |host, name: String| Ok(register(host.console()?, &name)))?;
    define(lua, &table, &["setregister"], |host, (name, value): (String, f64)| {
        set_register(host.meddle()?, &name, integer(value));
        Ok(())
    })?;
    let hooks = [
        (Kind::Read, &["registerread"][..]),
        (Kind::Write, &["registerwrite", "register"]),
        (Kind::Execute, &["registerexec", "registerexecute", "registerrun"]),
    ];
    for (kind, names) in hooks {
        define(lua, &table, names, move |host, arguments: (f64, Value, Value)| hook(host, kind, arguments))?;
    }
    Ok(table)
}

/// What the CPU would read; 0 beyond its addresses, as FCEUX has it.
fn byte(host: &mut Host, address: f64) -> mlua::Result<u8> {
    let console = host.console()?;
    Ok(u16::try_from(integer(address)).map_or(0, |address| console.peek(address)))
}

/// Two bytes, low one first: neighbours, or where the second address says.
fn word(host: &mut Host, (low, high): (f64, Option<f64>)) -> mlua::Result<u16> {
    let (low, high) = (byte(host, low)?, byte(host, high.unwrap_or(low + 1.0))?);
    Ok(u16::from_le_bytes([low, high]))
}

fn range(host: &mut Host, (address, length): (f64, f64)) -> mlua::Result<Bytes> {
    let (first, length) = (integer(address), integer(length).clamp(0, 0x1_0000));
    host.work += length as u64;
    let bytes = (first..first.saturating_add(length)).map(|address| byte(host, address as f64));
    bytes.collect::<mlua::Result<_>>().map(Bytes)
}

fn register(console: &Console, name: &str) -> Option<u16> {
    let cpu = &console.cpu;
    match name.to_ascii_lowercase().as_str() {
        "a" => Some(cpu.a.into()),
        "x" => Some(cpu.x.into()),
        "y" => Some(cpu.y.into()),
        "s" => Some(cpu.sp.into()),
        "p" => Some(cpu.p.bits().into()),
        "pc" => Some(cpu.pc),
        _ => None,
    }
}

/// Another name changes nothing, as in FCEUX.
fn set_register(console: &mut Console, name: &str, value: i64) {
    let cpu = &mut console.cpu;
    match name.to_ascii_lowercase().as_str() {
        "a" => cpu.a = value as u8,
        "x" => cpu.x = value as u8,
        "y" => cpu.y = value as u8,
        "s" => cpu.sp = value as u8,
        "p" => cpu.p = Status::pulled(value as u8),
        "pc" => cpu.pc = value as u16,
        _ => {}
    }
}

/// `(address, [length,] function)`; `nil` in place of the function takes it away. A negative length
/// counts down.
fn hook(host: &mut Host, kind: Kind, arguments: (f64, Value, Value)) -> mlua::Result<()> {
    let (address, second, third) = arguments;
    let mut first = integer(address);
    let (length, last) = number(&second).map_or((1, &second), |length| (integer(length), &third));
    if length < 0 {
        first = first.saturating_add(length);
    }
    let function: Option<&Function> = match last {
        Value::Nil => None,
        Value::Function(function) => Some(function),
        other => {
            let found = other.type_name();
            return Err(mlua::Error::runtime(format!("expected a function or nil, found {found}")));
        }
    };
    let first = u16::try_from(first)
        .map_err(|_| mlua::Error::runtime(format!("expected an address of 0 to 0xFFFF, found {first}")))?;
    let length = u32::try_from(length.unsigned_abs()).unwrap_or(u32::MAX);
    host.work += HOOK_WORK + 32 * u64::from(length.min(0x1_0000));
    host.hooks.register(kind, first, length, function)
}
