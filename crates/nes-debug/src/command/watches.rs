//! Commands about watched expressions, and the one that shows a value once.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply};
use crate::expression::Names;
use crate::{Expression, Notation};

/// An expression, and the notation behind `as`.
fn watched(
    names: &Names,
    words: &mut Words,
    command: &'static str,
) -> Result<(Expression, Notation), CommandError> {
    let expression = words.before(&["as"]).expression(names)?;
    if !words.take("as") {
        return Ok((expression, Notation::default()));
    }
    let column = words.column();
    let notation = words.word().and_then(Notation::from_name).filter(|_| words.is_empty());
    let expected = "decimal, hex or binary";
    Ok((expression, notation.ok_or(CommandError::Usage { column, expected, command })?))
}

pub(super) fn print(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let locals = session.locals();
    let names = Names { locals: Some(&locals), ..session.debugger.names() };
    let (expression, notation) = watched(&names, words, "print")?;
    let value = expression.value(&session.debugger.scene());
    Ok(Reply::text(format!("{} = {}", expression.text(), notation.text(value))))
}

pub(super) fn add(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let (expression, notation) = watched(&session.debugger.names(), words, "watch")?;
    session.debugger.watches.add(expression, notation);
    Ok(Reply::text(session.debugger.watched().last().map(ToString::to_string).unwrap_or_default()))
}

pub(super) fn list(session: &mut CommandSession, _: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    let lines: Vec<String> = session.debugger.watched().iter().map(ToString::to_string).collect();
    Ok(Reply::text(if lines.is_empty() { "nothing is watched".to_owned() } else { lines.join("\n") }))
}

pub(super) fn delete(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if words.take("all") {
        session.debugger.watches.clear();
        return Ok(Reply::default());
    }
    let expected = "the number of a watched expression, or `all`";
    let usage = CommandError::Usage { column: words.column(), expected, command: "unwatch" };
    let number = words.number().ok_or(usage)?;
    let there = u32::try_from(number).is_ok_and(|number| session.debugger.watches.remove(number));
    if there { Ok(Reply::default()) } else { Err(CommandError::NoWatch(number)) }
}
