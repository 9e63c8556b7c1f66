//! What the functions of `string` that look for patterns do, by Maxout's own matcher, and what
//! others need to stay within their bounds. `standard.lua` puts them into Lua's tables, checks the
//! arguments and raises what is wrong.

use std::ops::RangeInclusive;
use std::sync::Arc;

use mlua::{Error, IntoLua, Lua, LuaString, MultiValue, Table, Value};

use super::Bytes;
use crate::meter::{self, Meter};
use crate::pattern::{self, Capture, Fault, Matcher};
use crate::sandbox::Limits;
use crate::script;

/// Why there are no results.
enum Failure {
    /// A message for the script, at the line that called.
    Words(&'static str),
    /// The end of it, or no memory.
    Lua(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Lua(error)
    }
}

/// The results behind `true`, or `false` and a message: an error that is raised by Lua itself is a
/// string to the script.
type Results = Result<MultiValue, Failure>;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.set("find", lua.create_function(|lua, call| answer(lua, find(lua, call)))?)?;
    table.set("match", lua.create_function(|lua, call| answer(lua, match_once(lua, call)))?)?;
    table.set("scan", lua.create_function(|lua, call| answer(lua, scan(lua, call)))?)?;
    table.set("gsub", lua.create_function(|lua, call| answer(lua, gsub(lua, call)))?)?;
    table.set("charge", lua.create_function(|lua, work: f64| meter::charge(lua, work.max(0.0) as u64))?)?;
    table.set("room", lua.create_function(|lua, bytes: f64| room(lua, bytes))?)?;
    table.set("lengths", lua.create_function(|_, values| Ok(lengths(&values)))?)?;
    table.set("words", lua.create_function(words)?)?;
    Ok(table)
}

fn answer(lua: &Lua, results: Results) -> mlua::Result<MultiValue> {
    match results {
        Ok(mut values) => {
            values.push_front(Value::Boolean(true));
            Ok(values)
        }
        Err(Failure::Words(text)) => {
            Ok(MultiValue::from_iter([Value::Boolean(false), Value::String(lua.create_string(text)?)]))
        }
        Err(Failure::Lua(error)) => Err(error),
    }
}

/// A matcher that charges the meter.
fn matcher<'a>(
    lua: &Lua,
    text: &'a [u8],
    pattern: &'a [u8],
) -> Matcher<'a, impl FnMut(u32) -> bool + use<'a>> {
    let meter = Arc::clone(&*lua.app_data_ref::<Arc<Meter>>().expect("set with the script"));
    Matcher::new(text, pattern, move |steps| meter.charge(u64::from(steps)))
}

fn failure(lua: &Lua, fault: Fault) -> Failure {
    match fault {
        Fault::Pattern(text) => Failure::Words(text),
        Fault::Stopped => {
            Failure::Lua(meter::charge(lua, 0).err().unwrap_or_else(|| Error::runtime("stopped")))
        }
    }
}

/// Where a search begins, counted from 0, as Lua 5.1 reads its argument.
fn start(length: usize, init: Option<f64>) -> usize {
    let init = init.unwrap_or(1.0) as i64;
    let place = if init < 0 { init.saturating_add(length as i64 + 1) } else { init };
    usize::try_from(place - 1).unwrap_or(0).min(length)
}

/// A capture as a script receives it.
fn value(lua: &Lua, text: &[u8], capture: Capture) -> Result<Value, Failure> {
    match capture {
        Capture::Text(begin, end) => Ok(Value::String(lua.create_string(&text[begin..end])?)),
        Capture::Position(place) => Ok((place as f64 + 1.0).into_lua(lua)?),
        Capture::Open => Err(Failure::Words("unfinished capture")),
    }
}

fn captures<C: FnMut(u32) -> bool>(
    lua: &Lua,
    text: &[u8],
    matcher: &Matcher<'_, C>,
    whole: (usize, usize),
    wanted: RangeInclusive<usize>,
) -> Result<Vec<Value>, Failure> {
    (0..matcher.count().clamp(*wanted.start(), *wanted.end()))
        .map(|index| value(lua, text, matcher.capture(index, whole).map_err(|fault| failure(lua, fault))?))
        .collect()
}

/// Begin and end of a match, and its captures.
type Found = ((usize, usize), Vec<Value>);

/// The first match from a place on, with as many captures as are wanted; and whether `^` holds the
/// pattern to that place.
fn first(
    lua: &Lua,
    (text, pattern): (&[u8], &[u8]),
    place: usize,
    anchors: bool,
    wanted: RangeInclusive<usize>,
) -> Result<Option<Found>, Failure> {
    let anchored = anchors && pattern.first() == Some(&b'^');
    let mut matcher = matcher(lua, text, &pattern[usize::from(anchored)..]);
    let found = matcher.from(place, anchored).and_then(|found| matcher.settle().map(|()| found));
    let Some(whole) = found.map_err(|fault| failure(lua, fault))? else { return Ok(None) };
    Ok(Some((whole, captures(lua, text, &matcher, whole, wanted)?)))
}

/// Begin and end as Lua counts them, and the captures.
fn placed(lua: &Lua, (begin, end): (usize, usize), captures: Vec<Value>) -> Results {
    let places = [(begin + 1).into_lua(lua)?, end.into_lua(lua)?];
    Ok(places.into_iter().chain(captures).collect())
}

fn find(lua: &Lua, call: (LuaString, LuaString, Option<f64>, bool)) -> Results {
    let (text, pattern, init, plain) = call;
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let place = start(text.len(), init);
    if plain || pattern::is_plain(pattern) {
        meter::charge(lua, ((text.len() - place + pattern.len()) / 16) as u64)?;
        return match memchr::memmem::find(&text[place..], pattern) {
            Some(found) => placed(lua, (place + found, place + found + pattern.len()), Vec::new()),
            None => Ok(MultiValue::from_iter([Value::Nil])),
        };
    }
    match first(lua, (text, pattern), place, true, 0..=usize::MAX)? {
        Some((whole, captures)) => placed(lua, whole, captures),
        None => Ok(MultiValue::from_iter([Value::Nil])),
    }
}

fn match_once(lua: &Lua, (text, pattern, init): (LuaString, LuaString, Option<f64>)) -> Results {
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let found = first(lua, (text, pattern), start(text.len(), init), true, 1..=usize::MAX)?;
    Ok(found
        .map_or_else(|| MultiValue::from_iter([Value::Nil]), |(_, captures)| captures.into_iter().collect()))
}

/// The next match from a place on, for `gmatch` and `gsub`: begin, end and all captures or the
/// first, or nothing.
fn scan(lua: &Lua, call: (LuaString, LuaString, f64, bool, bool)) -> Results {
    let (text, pattern, place, anchors, all) = call;
    let (text, pattern) = (&*text.as_bytes(), &*pattern.as_bytes());
    let place = place as usize;
    if place > text.len() {
        return Ok(MultiValue::new());
    }
    match first(lua, (text, pattern), place, anchors, 1..=if all { usize::MAX } else { 1 })? {
        Some((whole, captures)) => placed(lua, whole, captures),
        None => Ok(MultiValue::new()),
    }
}

/// `gsub` by a text: the result and how often it was put in.
fn gsub(lua: &Lua, call: (LuaString, LuaString, LuaString, Option<f64>)) -> Results {
    let (text, pattern, by, most) = call;
    let (text, pattern, by) = (&*text.as_bytes(), &*pattern.as_bytes(), &*by.as_bytes());
    let most = most.map_or(text.len() as i64 + 1, |most| i64::from(most as i64 as i32));
    let anchored = pattern.first() == Some(&b'^');
    let mut matcher = matcher(lua, text, &pattern[usize::from(anchored)..]);
    let mut out = Vec::new();
    let (mut count, mut place) = (0, 0);
    // The result is here, and then once more as Lua's string.
    let limit = left(lua) / 2;
    while count < most {
        let found = matcher.at(place).map_err(|fault| failure(lua, fault))?;
        if let Some(end) = found {
            count += 1;
            let before = out.len();
            substitute(lua, &mut out, &matcher, text, by, (place, end), limit)?;
            meter::charge(lua, ((out.len() - before) / 16) as u64)?;
        }
        match found {
            Some(end) if end > place => place = end,
            _ if place < text.len() => {
                out.push(text[place]);
                place += 1;
            }
            _ => break,
        }
        if anchored {
            break;
        }
    }
    matcher.settle().map_err(|fault| failure(lua, fault))?;
    let rest = &text[place.min(text.len())..];
    fits(out.len() + rest.len(), limit)?;
    out.extend(rest);
    Ok(MultiValue::from_iter([Bytes(out).into_lua(lua)?, count.into_lua(lua)?]))
}

/// Puts what `by` makes of a match behind `out`.
fn substitute<C: FnMut(u32) -> bool>(
    lua: &Lua,
    out: &mut Vec<u8>,
    matcher: &Matcher<'_, C>,
    text: &[u8],
    by: &[u8],
    whole: (usize, usize),
    limit: usize,
) -> Result<(), Failure> {
    let mut bytes = by.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        // At the end of the text Lua 5.1 takes the zero behind it.
        match bytes.next().copied().unwrap_or(0) {
            b'0' => out.extend(&text[whole.0..whole.1]),
            digit @ b'1'..=b'9' => {
                let capture = matcher.capture(usize::from(digit - b'1'), whole);
                match capture.map_err(|fault| failure(lua, fault))? {
                    Capture::Text(begin, end) => out.extend(&text[begin..end]),
                    Capture::Position(place) => out.extend((place + 1).to_string().bytes()),
                    Capture::Open => return Err(Failure::Words("unfinished capture")),
                }
            }
            other => out.push(other),
        }
        fits(out.len(), limit)?;
    }
    fits(out.len(), limit)
}

fn fits(bytes: usize, limit: usize) -> Result<(), Failure> {
    if bytes <= limit { Ok(()) } else { Err(Failure::Lua(no_memory())) }
}

fn no_memory() -> Error {
    Error::MemoryError("not enough memory".to_owned())
}

/// Bytes that the script may still have.
fn left(lua: &Lua) -> usize {
    let limit = lua.app_data_ref::<Limits>().map_or(0, |limits| limits.memory);
    limit.saturating_sub(lua.used_memory())
}

/// Refuses a string of so many bytes where the memory for it is not there, and charges for one that
/// is made.
fn room(lua: &Lua, bytes: f64) -> mlua::Result<()> {
    if bytes > left(lua) as f64 {
        // What would have been garbage by then is not in the way.
        lua.gc_collect()?;
        meter::charge(lua, lua.used_memory() as u64 / 16)?;
        if bytes > left(lua) as f64 {
            return Err(no_memory());
        }
    }
    meter::charge(lua, (bytes / 16.0) as u64)
}

/// The bytes of all texts among the arguments.
fn lengths(values: &MultiValue) -> f64 {
    let bytes = values.iter().map(|value| value.as_string().map_or(32, |text| text.as_bytes().len()));
    bytes.sum::<usize>() as f64
}

/// What a line of an error's traceback costs, in instructions: its function is looked for in all
/// tables. A line took 13 us where an instruction took 4.5 ns.
const LINE: u64 = 3_000;

/// An error as a script sees it: as a text, if it was raised here. Whoever catches one pays for it.
fn words(lua: &Lua, error: Value) -> mlua::Result<Value> {
    match error {
        Value::Error(error) => {
            let lines = match &*error {
                Error::CallbackError { traceback, .. } => traceback.lines().count(),
                _ => 1,
            };
            meter::charge(lua, LINE * lines as u64)?;
            script::words(lua, &error).into_lua(lua)
        }
        other => Ok(other),
    }
}
