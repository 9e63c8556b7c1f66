//! `emu`: frames, power, speed, and functions that are called at certain times. `emu.frameadvance`
//! is Lua's own `coroutine.yield`, in the prelude.

use mlua::{Function, Lua, Table};

use super::{define, integer, place, replace};
use crate::error::quoted;
use crate::host::{Host, Output, Speed};

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    define(lua, &table, &["framecount"], |host, ()| Ok(host.frame_number()))?;
    define(lua, &table, &["lagcount"], |host, ()| Ok(host.lag))?;
    define(lua, &table, &["lagged"], |host, ()| Ok(host.lagged))?;
    define(lua, &table, &["setlagflag"], |host, lagged: bool| {
        host.lagged = lagged;
        Ok(())
    })?;
    define(lua, &table, &["poweron"], |host, ()| host.power_on())?;
    define(lua, &table, &["softreset"], |host, ()| host.reset())?;
    define(lua, &table, &["pause"], |host, ()| {
        host.paused = true;
        Ok(())
    })?;
    define(lua, &table, &["unpause"], |host, ()| {
        host.paused = false;
        Ok(())
    })?;
    define(lua, &table, &["paused"], |host, ()| Ok(host.paused))?;
    define(lua, &table, &["emulating"], |host, ()| Ok(host.console.is_some()))?;
    define(lua, &table, &["speedmode"], |host, mode: String| {
        host.speed = match mode.as_str() {
            "normal" => Speed::Normal,
            "nothrottle" | "turbo" => Speed::Turbo,
            "maximum" => Speed::Maximum,
            other => {
                let modes = "normal, nothrottle, turbo or maximum";
                return Err(mlua::Error::runtime(format!("expected {modes}, found {}", quoted(other))));
            }
        };
        Ok(())
    })?;
    define(lua, &table, &["message"], |host, text: mlua::LuaString| {
        host.room_for(text.as_bytes().len())?;
        host.say(Output::Message(text.to_string_lossy()))
    })?;
    define(lua, &table, &["write_line"], |host, text: mlua::LuaString| {
        host.room_for(text.as_bytes().len())?;
        host.say(Output::Line(text.to_string_lossy()))
    })?;
    define(lua, &table, &["exit"], |host, status: Option<f64>| -> mlua::Result<()> {
        host.exit = Some(integer(status.unwrap_or(0.0)).clamp(0, 255) as u8);
        Err(mlua::Error::runtime("emu.exit"))
    })?;
    define(lua, &table, &["getscreenpixel"], screen_pixel)?;
    define(lua, &table, &["registerbefore"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.before, function))
    })?;
    define(lua, &table, &["registerafter"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.after, function))
    })?;
    define(lua, &table, &["registerexit"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.exit, function))
    })?;
    Ok(table)
}

/// Red, green, blue and palette index of a pixel; with what the script drew unless the third
/// argument is true.
fn screen_pixel(host: &mut Host, (x, y, bare): (f64, f64, Option<bool>)) -> mlua::Result<(u8, u8, u8, u16)> {
    let (x, y) = (place(x), place(y));
    let Some([above @ .., opacity]) = host.canvas.at(x, y) else {
        return Err(mlua::Error::runtime(format!("expected a pixel of 0-255 x 0-239, found {x}, {y}")));
    };
    let pixel = host.console()?.picture().line(y as usize)[x as usize];
    let mut rgb = host.palette.rgb(pixel);
    if !bare.unwrap_or(false) {
        for (below, above) in rgb.iter_mut().zip(above) {
            let mixed =
                u32::from(above) * u32::from(opacity) + u32::from(*below) * (255 - u32::from(opacity));
            *below = ((mixed + 127) / 255) as u8;
        }
    }
    let [r, g, b] = rgb;
    Ok((r, g, b, pixel & 0x3F))
}
