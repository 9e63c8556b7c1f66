//! Commands about source files.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply};
use crate::source::{SourceLine, Spot};
use crate::view;

/// The next word as a line of a source file, `main.c:12`: the line itself if it has code, or else
/// the next that has; and where that begins.
pub(super) fn line_of(
    session: &CommandSession,
    words: &mut Words,
) -> Result<(SourceLine, Vec<Spot>), CommandError> {
    let column = words.column();
    let sources = &session.debugger.sources;
    let line = named(session, words)?;
    let found = sources.next_with_code(line).map(|line| (line, sources.spots(line)));
    found.ok_or_else(|| CommandError::NoCode { column, line: sources.text(line) })
}

fn named(session: &CommandSession, words: &mut Words) -> Result<SourceLine, CommandError> {
    let sources = &session.debugger.sources;
    let column = words.column();
    let expected = "a line of a source file, as main.c:12";
    let usage = CommandError::Usage { column, expected, command: "source" };
    let word = words.word().unwrap_or_default();
    let (name, line) = word.rsplit_once(':').ok_or(usage)?;
    let usage =
        CommandError::Usage { column: column + name.chars().count() + 1, expected, command: "source" };
    let line = line.parse().map_err(|_| usage)?;
    let file = sources.file(name).ok_or_else(|| CommandError::NoSource {
        column,
        name: name.to_owned(),
        files: sources.files().to_vec(),
    })?;
    Ok(SourceLine { file, line })
}

pub(super) fn source(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if session.debugger.sources.is_empty() {
        return Err(CommandError::NoSources);
    }
    let line = match words.number() {
        Some(count) => return about(session, session.debugger.source_line(), count),
        None if words.is_empty() => session.debugger.source_line(),
        None => Some(named(session, words)?),
    };
    let count = words.number().unwrap_or(10);
    about(session, line, count)
}

fn about(session: &CommandSession, line: Option<SourceLine>, count: u64) -> Result<Reply, CommandError> {
    let debugger = &session.debugger;
    let Some(line) = line else {
        return Ok(Reply::text("what comes next was made from no line of the source"));
    };
    let count = count.clamp(1, 1000) as u32;
    let before = count / 3;
    let text = view::source(debugger, line, before, count - before - 1);
    Ok(Reply::text(text.unwrap_or_else(|| {
        format!("{}: the file cannot be read, or has no such line", debugger.sources.text(line))
    })))
}

pub(super) fn locals(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let debugger = &session.debugger;
    if debugger.sources.is_empty() {
        return Err(CommandError::NoSources);
    }
    let text = view::locals(debugger);
    Ok(Reply::text(if text.is_empty() { "no variables of C".to_owned() } else { text }))
}
