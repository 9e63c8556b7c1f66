//! Commands about breakpoints.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply, runs, sources};
use crate::stop::CRASH_EVENT;
use crate::{Breakpoint, Expression, Trigger};

const FORMS: &str = "an address or first-last, a line of the source as `main.c:12`, `read`, `write` or `access` and one, `ppu` and these, `nmi`, `irq`, `dma [oam|dmc]`, `line L [DOT]`, `event` and one of the game, or `crash`";

pub(super) fn add(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let usage = || CommandError::Usage { column, expected: FORMS, command: "break" };
    let mut what = words.before(&["if", "log", "after", "once"]);
    let label = what.rest().split_whitespace().last().unwrap_or_default();
    let place = session.debugger.symbols.label(label.trim_start_matches('@')).and_then(|label| label.place);
    let mut breakpoint = Breakpoint::new(trigger(session, &mut what)?.ok_or_else(usage)?);
    if !what.is_empty() {
        let expected = "if EXPRESSION, log, once, or after N";
        return Err(CommandError::Usage { column: what.column(), expected, command: "break" });
    }
    while !words.is_empty() {
        let column = words.column();
        if words.take("if") {
            let mut condition = words.before(&["log", "after", "once"]);
            breakpoint.condition = Some(condition.expression(&session.debugger.names())?);
        } else if words.take("log") {
            breakpoint.log_only = true;
        } else if words.take("once") {
            breakpoint.once = true;
        } else if words.take("after") {
            let expected = "how many hits are to pass";
            let usage = CommandError::Usage { column: words.column(), expected, command: "break" };
            breakpoint.pass = words.number().ok_or(usage)?;
        } else {
            let expected = "if EXPRESSION, log, once, or after N";
            return Err(CommandError::Usage { column, expected, command: "break" });
        }
    }
    // A label in PRG-ROM that is switched is meant, not whatever else may lie at its address.
    if let (Some(place), Trigger::Execute(_)) = (place, &breakpoint.trigger) {
        let there = format!("place == {place}");
        let both = match &breakpoint.condition {
            Some(condition) => format!("{there} && ({})", condition.text()),
            None => there,
        };
        breakpoint.condition = Some(Expression::parse(&both, &session.debugger.names())?);
    }
    let number = session.debugger.breakpoints.add(breakpoint);
    let list = session.debugger.breakpoints.list();
    let added = list.iter().find(|breakpoint| breakpoint.number == number);
    Ok(Reply::text(added.map(ToString::to_string).unwrap_or_default()))
}

fn trigger(session: &CommandSession, words: &mut Words) -> Result<Option<Trigger>, CommandError> {
    let (names, scene) = (session.debugger.names(), session.debugger.scene());
    let video = words.take("ppu");
    let kinds = [("read", true, false), ("write", false, true), ("access", true, true)];
    for (word, reads, writes) in kinds {
        if words.take(word) {
            let (first, last) = words.range(&names, &scene)?;
            let at = first..=last;
            return Ok(Some(if video {
                Trigger::Video { at, reads, writes }
            } else {
                Trigger::Memory { at, reads, writes }
            }));
        }
    }
    if video || words.is_empty() {
        return Ok(None);
    }
    let mut ahead = *words;
    if ahead.take("dma") {
        let (oam, dmc) = (ahead.take("oam"), ahead.take("dmc"));
        *words = ahead;
        return Ok(Some(Trigger::Dma { oam: oam || !dmc, dmc: dmc || !oam }));
    }
    for (word, trigger) in [("nmi", Trigger::Nmi), ("irq", Trigger::Irq)] {
        let mut ahead = *words;
        // `nmi` is a symbol of the game's, too: its routine is `@nmi`, or `execute nmi`.
        if ahead.take(word) {
            *words = ahead;
            return Ok(Some(trigger));
        }
    }
    if words.take("line") {
        let (line, dot) = (words.number(), words.number().unwrap_or(0));
        let lines = u64::from(session.debugger.console().region().lines());
        let beam = line.filter(|line| *line < lines && dot < 341);
        return Ok(beam.map(|line| Trigger::Beam { line: line as u16, dot: dot as u16 }));
    }
    let crash = words.take(CRASH_EVENT);
    if crash || words.take("event") {
        let event = if crash { Some(CRASH_EVENT) } else { words.word() };
        let event = event.filter(|name| runs::is_event(name));
        if session.debugger.profile().is_none() {
            return Err(CommandError::NoGame);
        }
        return Ok(event.map(|name| Trigger::Event(name.to_owned())));
    }
    if let Some(trigger) = of_source(session, words)? {
        return Ok(Some(trigger));
    }
    let _ = words.take("execute") || words.take("exec");
    let (first, last) = words.range(&names, &scene)?;
    Ok(Some(Trigger::Execute(first..=last)))
}

/// `main.c:12`, or the name of a function of C that is no symbol's.
fn of_source(session: &CommandSession, words: &mut Words) -> Result<Option<Trigger>, CommandError> {
    let sources = &session.debugger.sources;
    let mut ahead = *words;
    let Some(word) = ahead.word() else { return Ok(None) };
    if word.contains(':') {
        let (line, spots) = sources::line_of(session, words)?;
        return Ok(Some(Trigger::Source { line: sources.text(line), spots }));
    }
    let function = sources.function(word).filter(|function| function.is_c);
    let Some(function) = function.filter(|_| session.debugger.symbols.address(word).is_none()) else {
        return Ok(None);
    };
    *words = ahead;
    Ok(Some(Trigger::Source { line: word.to_owned(), spots: vec![function.body] }))
}

pub(super) fn list(session: &mut CommandSession, _: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    let lines: Vec<_> = session.debugger.breakpoints.list().iter().map(ToString::to_string).collect();
    Ok(Reply::text(if lines.is_empty() { "no breakpoints".to_owned() } else { lines.join("\n") }))
}

fn number(words: &mut Words, command: &'static str) -> Result<u64, CommandError> {
    let column = words.column();
    words.number().ok_or(CommandError::Usage { column, expected: "the number of a breakpoint", command })
}

pub(super) fn delete(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    if words.take("all") {
        session.debugger.breakpoints.clear();
        return Ok(Reply::default());
    }
    let number = number(words, "delete")?;
    let there = u32::try_from(number).is_ok_and(|number| session.debugger.breakpoints.remove(number));
    if there { Ok(Reply::default()) } else { Err(CommandError::NoBreakpoint(number)) }
}

fn switch(session: &mut CommandSession, number: u64, on: bool) -> Result<Reply, CommandError> {
    let there = u32::try_from(number).is_ok_and(|number| session.debugger.breakpoints.enable(number, on));
    if there { Ok(Reply::default()) } else { Err(CommandError::NoBreakpoint(number)) }
}

pub(super) fn enable(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let number = number(words, "enable")?;
    switch(session, number, true)
}

pub(super) fn disable(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let number = number(words, "disable")?;
    switch(session, number, false)
}
