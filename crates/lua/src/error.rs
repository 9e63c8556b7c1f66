//! Errors of Lua, in the words of a script.

use nes_script::ScriptError;

const TRACEBACK: &str = "\nstack traceback:\n";

/// Returns a Lua error of the script `name` as it is shown.
pub(crate) fn of(error: &mlua::Error, name: &str) -> ScriptError {
    let mut innermost = error;
    let mut traceback = "";
    loop {
        innermost = match innermost {
            mlua::Error::CallbackError { traceback: found, cause } => {
                traceback = found;
                cause
            }
            mlua::Error::WithContext { cause, .. } => cause,
            _ => break,
        };
    }
    let text = match innermost {
        mlua::Error::SyntaxError { message, .. } => return ScriptError::Syntax(message.clone()),
        mlua::Error::RuntimeError(message) => message.clone(),
        mlua::Error::BadArgument { pos, cause, .. } => format!("bad argument #{pos}: {}", kind(cause)),
        other => kind(other),
    };
    let (text, own) = text.split_once(TRACEBACK).unwrap_or((&text, ""));
    if !own.is_empty() {
        traceback = own;
    }
    let traceback = traceback.trim_start_matches("stack traceback:\n").to_owned();
    let place = place(&traceback, name);
    let message = match place {
        _ if text.starts_with(&format!("{name}:")) => text.to_owned(),
        Some(place) => format!("{place}: {text}"),
        None => format!("{name}: {text}"),
    };
    ScriptError::Runtime { message: bounded(message), traceback: bounded(traceback) }
}

/// What is wrong with a value, in the words of a script.
fn kind(error: &mlua::Error) -> String {
    match error {
        mlua::Error::FromLuaConversionError { from, to, .. } => {
            let to = match to.as_str() {
                "f64" | "i64" | "u8" | "u16" | "u32" => "number",
                "LuaString" | "String" => "string",
                "userdata" => "a state of savestate.create",
                to => to,
            };
            let from = if *from == "integer" { "number" } else { from };
            format!("expected {to}, found {from}")
        }
        other => other.to_string(),
    }
}

/// The first place in the script that a traceback names, as `name:line`.
fn place(traceback: &str, name: &str) -> Option<String> {
    let start = format!("{name}:");
    traceback.lines().find_map(|line| {
        let line = line.trim_start().strip_prefix(&start)?;
        let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then(|| format!("{name}:{digits}"))
    })
}

/// Bytes of a message, at most: a script could have a text of any length quoted in one.
const LONGEST: usize = 4096;

/// A message that is cut off where it is too long.
pub(crate) fn bounded(mut message: String) -> String {
    if message.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| message.is_char_boundary(end)).unwrap_or(0);
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Characters of a text that a message quotes, at most.
const QUOTED: usize = 64;

/// The beginning of a name that a script gives.
pub(crate) fn short(name: &str) -> String {
    name.chars().take(2 * QUOTED).collect()
}

/// A text of a script as a message quotes it.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{short:?}{more}")
}
