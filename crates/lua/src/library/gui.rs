//! `gui`: what is drawn over the picture, for one frame.

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, LuaString, MultiValue, Table, Value};
use nes::Frame;
use nes_script::Rgba;

use super::{Bytes, define, integer, number, place, replace};
use crate::colour::{self, WHITE};
use crate::error::quoted;
use crate::gd::{self, Picture};
use crate::host::{Host, host};

/// The ground of text, and the inside of a box, where the script names no colour.
const GROUND: Rgba = [27, 18, 105, 0xFF];
const INSIDE: Rgba = [0xFF, 0xFF, 0xFF, 63];

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    drawing(lua, &table, &["pixel", "drawpixel", "setpixel", "writepixel"], pixel)?;
    drawing(lua, &table, &["line", "drawline"], line)?;
    drawing(lua, &table, &["box", "drawbox", "rect", "drawrect"], rectangle)?;
    drawing(lua, &table, &["text", "drawtext"], text)?;
    drawing(lua, &table, &["image", "drawimage", "gdoverlay"], picture)?;
    drawing(lua, &table, &["parsecolor"], |lua, value: Value| {
        let [r, g, b, a] = colour(lua, &value, [0; 4])?;
        Ok((r, g, b, a))
    })?;
    define(lua, &table, &["getpixel"], |host, (x, y): (f64, f64)| {
        let pixel = host.canvas.at(place(x), place(y));
        let [r, g, b, a] = pixel.ok_or_else(|| {
            mlua::Error::runtime(format!("expected a pixel of 0-255 x 0-239, found {x}, {y}"))
        })?;
        Ok((r, g, b, a))
    })?;
    define(lua, &table, &["opacity"], |host, opacity: f64| {
        host.opacity = opacity.clamp(0.0, 255.0);
        Ok(())
    })?;
    define(lua, &table, &["transparency"], |host, strength: f64| {
        host.opacity = ((4.0 - strength) / 4.0).clamp(0.0, 255.0);
        Ok(())
    })?;
    define(lua, &table, &["register"], |host, function: Option<Function>| {
        Ok(replace(&mut host.callbacks.gui, function))
    })?;
    define(lua, &table, &["gdscreenshot"], |host, ()| {
        host.work += 100_000;
        Ok(Bytes(gd::encode(&host.picture()?)))
    })?;
    define(lua, &table, &["savescreenshot"], |host, ()| {
        host.screenshots += 1;
        let name = format!("{}-{}.png", host.name.trim_end_matches(".lua"), host.screenshots);
        screenshot(host, &name)
    })?;
    define(lua, &table, &["savescreenshotas"], |host, name: String| screenshot(host, &name))?;
    Ok(table)
}

/// Gives `table` a function that looks at values before it takes the host: a colour may be a table
/// of the script.
fn drawing<A, R>(
    lua: &Lua,
    table: &Table,
    names: &[&str],
    function: fn(&Lua, A) -> mlua::Result<R>,
) -> mlua::Result<()>
where
    A: FromLuaMulti + 'static,
    R: IntoLuaMulti + 'static,
{
    let function = lua.create_function(function)?;
    names.iter().try_for_each(|name| table.set(*name, &function))
}

fn pixel(lua: &Lua, (x, y, ink): (f64, f64, Value)) -> mlua::Result<()> {
    let ink = colour(lua, &ink, WHITE)?;
    let mut host = host(lua)?;
    let ink = faded(&host, ink);
    host.canvas.pixel(place(x), place(y), ink);
    Ok(())
}

fn line(
    lua: &Lua,
    (x1, y1, x2, y2, ink, skip_first): (f64, f64, f64, f64, Value, Option<bool>),
) -> mlua::Result<()> {
    let ink = optional(lua, &ink, WHITE)?;
    let mut host = host(lua)?;
    let ink = faded(&host, ink);
    let (from, to) = ((place(x1), place(y1)), (place(x2), place(y2)));
    host.canvas.line(from, to, ink, skip_first.unwrap_or(false));
    Ok(())
}

fn rectangle(
    lua: &Lua,
    (x1, y1, x2, y2, inside, frame): (f64, f64, f64, f64, Value, Value),
) -> mlua::Result<()> {
    let inside = optional(lua, &inside, INSIDE)?;
    let [r, g, b, _] = inside;
    let frame = optional(lua, &frame, [r, g, b, 0xFF])?;
    let mut host = host(lua)?;
    let (inside, frame) = (faded(&host, inside), faded(&host, frame));
    host.canvas.rectangle((place(x1), place(y1)), (place(x2), place(y2)), inside, frame);
    Ok(())
}

/// Gives the place behind the last letter.
fn text(lua: &Lua, (x, y, text, ink, ground): (f64, f64, LuaString, Value, Value)) -> mlua::Result<i32> {
    let (ink, ground) = (optional(lua, &ink, WHITE)?, optional(lua, &ground, GROUND)?);
    let mut host = host(lua)?;
    let (ink, ground) = (faded(&host, ink), faded(&host, ground));
    Ok(host.canvas.text(place(x), place(y), &text.as_bytes(), ink, ground))
}

/// `([x, y,] image [, left, top, width, height] [, opacity])`, the image being a string of the
/// library gd.
fn picture(lua: &Lua, arguments: MultiValue) -> mlua::Result<()> {
    let mut numbers = [Vec::new(), Vec::new()];
    let mut image = None;
    for value in arguments {
        match value {
            Value::String(string) if image.is_none() => image = Some(string),
            other => {
                let number = number(&other).ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "expected a number beside the image, found {}",
                        other.type_name()
                    ))
                })?;
                numbers[usize::from(image.is_some())].push(number);
            }
        }
    }
    let image =
        image.ok_or_else(|| mlua::Error::runtime("expected an image as gui.gdscreenshot gives it"))?;
    let bytes = image.as_bytes();
    let picture = Picture::parse(&bytes).map_err(|error| mlua::Error::runtime(error.to_string()))?;
    let [corner, rest] = numbers;
    let at = |index: usize| corner.get(index).map_or(0, |&number| place(number));
    let (part, opacity) = match rest[..] {
        [left, top, width, height, ref opacity @ ..] => {
            (Some([place(left), place(top), place(width), place(height)]), opacity.first())
        }
        ref opacity => (None, opacity.first()),
    };
    let mut host = host(lua)?;
    let opacity = host.opacity * opacity.copied().unwrap_or(1.0);
    picture.draw(&mut host.canvas, (at(0), at(1)), part, opacity);
    Ok(())
}

/// The same where a script may leave the colour out: a text that is none, as "", leaves it out,
/// too, as in FCEUX.
fn optional(lua: &Lua, value: &Value, default: Rgba) -> mlua::Result<Rgba> {
    match value {
        Value::String(text) => {
            Ok(colour::text(&text.to_string_lossy(), &host(lua)?.palette).unwrap_or(default))
        }
        _ => colour(lua, value, default),
    }
}

/// What a script means by a colour: a number, a text, a table, or nothing.
fn colour(lua: &Lua, value: &Value, default: Rgba) -> mlua::Result<Rgba> {
    if let Some(number) = number(value) {
        return Ok(colour::number(integer(number)));
    }
    let text = match value {
        Value::Nil => return Ok(default),
        Value::Table(table) => return components(table),
        Value::String(text) => text.to_string_lossy(),
        other => {
            let found = other.type_name();
            return Err(mlua::Error::runtime(format!("expected a colour, found {found}")));
        }
    };
    colour::text(&text, &host(lua)?.palette).ok_or_else(|| {
        mlua::Error::runtime(format!(
            "expected a colour as \"red\", \"#RRGGBB\" or \"P16\", found {}",
            quoted(&text)
        ))
    })
}

/// A colour as a table: by the names r, g, b, a or by place; opaque if it does not say.
fn components(table: &Table) -> mlua::Result<Rgba> {
    let mut colour = [0, 0, 0, 0xFF];
    for (place, name) in ["r", "g", "b", "a"].into_iter().enumerate() {
        let named: Option<f64> = table.raw_get(name)?;
        let value = if named.is_some() { named } else { table.raw_get(place + 1)? };
        if let Some(value) = value {
            colour[place] = value.clamp(0.0, 255.0) as u8;
        }
    }
    Ok(colour)
}

/// A colour with the opacity that everything is drawn with.
fn faded(host: &Host, [r, g, b, a]: Rgba) -> Rgba {
    [r, g, b, (f64::from(a) * host.opacity).clamp(0.0, 255.0) as u8]
}

fn screenshot(host: &mut Host, name: &str) -> mlua::Result<()> {
    let rgba = host.picture()?;
    let png =
        recording::png(Frame::WIDTH as u32, Frame::HEIGHT as u32, &rgba).map_err(mlua::Error::external)?;
    host.write_file(name, &png)
}
