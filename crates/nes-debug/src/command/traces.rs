//! The command that writes instructions, of the run to come or of the past.

use std::io;

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply, files};
use crate::view::{self, Excerpt, Format};

/// Lines of the past that are shown if no number is given, and at most.
const SHOWN: u64 = 20;
const MOST: u64 = 10_000;

pub(super) fn trace(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage = |column, expected| CommandError::Usage { column, expected, command: "trace" };
    if words.take("last") {
        let count = words.number().unwrap_or(SHOWN).min(MOST);
        let excerpt = excerpt(session, words)?;
        let mut text = Vec::new();
        view::trace_back(&session.debugger, count, &excerpt, &mut text)
            .map_err(|error| CommandError::File(super::FileError(error.to_string())))?;
        return Ok(Reply::text(String::from_utf8_lossy(&text).trim_end()));
    }
    let name = files::name(words, "trace")?;
    let past = words.take("last");
    let column = words.column();
    let count = words.number().ok_or(usage(column, "a number of instructions, or `last` and one"))?;
    let excerpt = excerpt(session, words)?;
    let mut lines = 0;
    let debugger = &mut session.debugger;
    let runner = &mut *desk.runner;
    desk.files.write(name, &mut |out: &mut dyn io::Write| {
        lines = if past {
            view::trace_back(debugger, count, &excerpt, out)?
        } else {
            view::trace(debugger, count, &excerpt, runner, out)?
        };
        Ok(())
    })?;
    session.cursor = session.debugger.console().cpu.pc;
    Ok(Reply::text(format!("{name}: {lines} lines")))
}

/// A format, `in` and a place, `if` and an expression: each may be left out.
fn excerpt(session: &CommandSession, words: &mut Words) -> Result<Excerpt, CommandError> {
    let names = session.debugger.names();
    let mut excerpt = Excerpt::new(Format::Mesen);
    while !words.is_empty() {
        let column = words.column();
        if words.take("if") {
            excerpt.condition = Some(words.expression(&names)?);
        } else if words.take("in") {
            // A name is all of what it names, a number or a range what it says.
            let plain = words.rest().starts_with(|letter: char| matches!(letter, '0'..='9' | '$' | '%'));
            let one = !words.rest().split(' ').next().unwrap_or_default().contains("..");
            let (first, last) = words.range(&names, &session.debugger.scene())?;
            excerpt.within = Some(if !plain && one && first == last {
                session.debugger.symbols.extent(first)
            } else {
                first..=last
            });
        } else {
            let expected = "nestest, mesen or fceux, `in` and a label or first-last, `if` and an expression";
            let format = words.word().and_then(Format::from_name);
            excerpt.format = format.ok_or(CommandError::Usage { column, expected, command: "trace" })?;
        }
    }
    Ok(excerpt)
}
