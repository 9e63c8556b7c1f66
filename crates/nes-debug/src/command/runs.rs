//! Commands that move the machine through time.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply};
use crate::input::buttons;
use crate::stop::CRASH_EVENT;
use crate::view;
use crate::{Goal, Stop, Unit, Way};
use nes::Region;

const EVENTS: [&str; 23] = [
    "mode",
    "game_start",
    "input",
    "spawn",
    "shift",
    "rotate",
    "drop",
    "lock",
    "clear",
    "score",
    "lines",
    "level",
    "top_out",
    "game_over",
    "pause",
    "next_box",
    "fast_music",
    "ending",
    "high_score",
    "reset",
    "lag",
    CRASH_EVENT,
    "any",
];

const UNITS: &str = "a number, a unit (instruction, over, out, source, line, dot, frame, nmi, irq), an event of the game, or `until` and an expression";

/// A count and a unit in either order; an instruction if there is none.
fn unit(
    session: &CommandSession,
    words: &mut Words,
    command: &'static str,
) -> Result<(u64, Unit), CommandError> {
    let mut count = words.number();
    let column = words.column();
    let unit = match words.word() {
        None => Unit::Instruction,
        Some("until") => {
            return Ok((count.unwrap_or(1), Unit::Until(words.expression(&session.debugger.names())?)));
        }
        Some("event") => Unit::Event(words.word().unwrap_or("any").to_owned()),
        Some(word) => match word.trim_end_matches('s') {
            "i" | "instruction" => Unit::Instruction,
            "over" => Unit::Over,
            "out" => Unit::Out,
            "line" | "scanline" => Unit::Line,
            "dot" => Unit::Dot,
            "frame" => Unit::Frame,
            "nmi" => Unit::Nmi,
            "irq" => Unit::Irq,
            "source" => Unit::Source,
            "breakpoint" => Unit::Breakpoint,
            _ if EVENTS.contains(&word) => Unit::Event(word.to_owned()),
            other if EVENTS.contains(&other) => Unit::Event(other.to_owned()),
            _ => return Err(CommandError::Usage { column, expected: UNITS, command }),
        },
    };
    if let Unit::Event(name) = &unit {
        if session.debugger.profile().is_none() {
            return Err(CommandError::NoGame);
        }
        if !EVENTS.contains(&name.as_str()) {
            let expected = "an event of the game, as spawn, lock, clear, level (docs/events.md)";
            return Err(CommandError::Usage { column, expected, command });
        }
    }
    if unit == Unit::Breakpoint && command == "step" {
        let expected = "a unit other than breakpoint, to which `run` goes";
        return Err(CommandError::Usage { column, expected, command });
    }
    if matches!(unit, Unit::Source) && session.debugger.sources.is_empty() {
        return Err(CommandError::NoSources);
    }
    count = count.or_else(|| words.number());
    if !words.is_empty() {
        return Err(CommandError::Usage { column: words.column(), expected: "nothing more", command });
    }
    Ok((count.unwrap_or(1).max(1), unit))
}

/// Is this the name of an event of the game?
pub(super) fn is_event(name: &str) -> bool {
    EVENTS.contains(&name)
}

fn goal(unit: Unit, count: u64) -> Goal {
    match unit {
        Unit::Instruction => Goal::Instructions(count),
        Unit::Over => Goal::Over,
        Unit::Out => Goal::Out,
        Unit::Line => Goal::Lines(count),
        Unit::Dot => Goal::Dots(count),
        Unit::Frame => Goal::Frames(count),
        Unit::Nmi => Goal::Nmi(count),
        Unit::Irq => Goal::Irq(count),
        Unit::Event(name) => Goal::Event(name, count),
        Unit::Until(condition) => Goal::Until(condition),
        Unit::Source => Goal::Source(Way::Into),
        // It is refused before: a run without a goal stops there.
        Unit::Breakpoint => Goal::Free,
    }
}

impl CommandSession {
    /// Runs, and says where and why it stopped.
    fn go(&mut self, goal: &Goal, frames: u64, desk: &mut Desk) -> Reply {
        let stop = self.debugger.run(goal, frames, desk.runner);
        self.stopped(&stop)
    }

    fn stopped(&mut self, stop: &Stop) -> Reply {
        self.cursor = self.debugger.console().cpu.pc;
        let mut lines = self.debugger.log.take();
        lines.push(view::stop(&self.debugger, stop));
        Reply {
            text: lines.join("\n"),
            failed: matches!(stop, Stop::Limit | Stop::Jammed | Stop::Oldest),
            quits: false,
        }
    }
}

pub(super) fn step(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let (count, unit) = unit(session, words, "step")?;
    let repeats = if matches!(unit, Unit::Over | Unit::Out | Unit::Source) { count } else { 1 };
    let frames = match unit {
        Unit::Frame => count,
        _ => session.limit,
    };
    let goal = goal(unit, count);
    let mut reply = session.go(&goal, frames, desk);
    for _ in 1..repeats {
        reply = session.go(&goal, frames, desk);
    }
    Ok(reply)
}

pub(super) fn over(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let goal = if words.take("source") { Goal::Source(Way::Over) } else { Goal::Over };
    if !words.is_empty() {
        let expected = "`source` for a line of the source, or nothing";
        return Err(CommandError::Usage { column, expected, command: "over" });
    }
    if goal != Goal::Over && session.debugger.sources.is_empty() {
        return Err(CommandError::NoSources);
    }
    Ok(session.go(&goal, session.limit, desk))
}

pub(super) fn out(
    session: &mut CommandSession,
    _: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    Ok(session.go(&Goal::Out, session.limit, desk))
}

pub(super) fn back(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let (count, unit) = unit(session, words, "back")?;
    if matches!(&unit, Unit::Event(name) if name == CRASH_EVENT) {
        let expected = "a unit other than crash, which is noticed on the way forward alone";
        return Err(CommandError::Usage { column, expected, command: "back" });
    }
    let stop = session.debugger.back(&unit, count);
    Ok(session.stopped(&stop))
}

pub(super) fn run(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let frames = words.number();
    if !words.is_empty() {
        return Err(CommandError::Usage {
            column: words.column(),
            expected: "a number of frames",
            command: "run",
        });
    }
    Ok(match frames {
        Some(frames) => session.go(&Goal::Frames(frames), frames.max(1), desk),
        None => session.go(&Goal::Free, session.limit, desk),
    })
}

pub(super) fn until(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let condition = words.expression(&session.debugger.names())?;
    Ok(session.go(&Goal::Until(condition), session.limit, desk))
}

pub(super) fn goto(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let (address, _) = words.range(&session.debugger.names(), &session.debugger.scene())?;
    Ok(session.go(&Goal::Address(address), session.limit, desk))
}

pub(super) fn line(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage = |column, expected| CommandError::Usage { column, expected, command: "line" };
    let column = words.column();
    let (lines, expected) = match session.debugger.console().region() {
        Region::Ntsc => (262, "a line, 0 to 261"),
        Region::Pal => (312, "a line, 0 to 311"),
    };
    let line = words.number().filter(|line| *line < lines).ok_or(usage(column, expected))?;
    let column = words.column();
    let dot = if words.is_empty() { Some(0) } else { words.number() };
    let dot = dot.filter(|dot| *dot < 341).ok_or(usage(column, "a dot, 0 to 340"))?;
    Ok(session.go(&Goal::Beam { line: line as u16, dot: dot as u16 }, session.limit, desk))
}

pub(super) fn frame(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let column = words.column();
    let usage = CommandError::Usage { column, expected: "the number of a frame", command: "frame" };
    let frame = words.number().ok_or(usage)?;
    let newest = session.debugger.console().frame_number();
    if frame > newest {
        return Ok(session.go(&Goal::Frames(frame - newest), frame - newest, desk));
    }
    if !session.debugger.travel_to_frame(frame) {
        let oldest = session.debugger.oldest_frame();
        return Err(CommandError::NotRemembered { frame, oldest, newest });
    }
    Ok(session.stopped(&Stop::Done))
}

pub(super) fn hold(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage = CommandError::Usage { column: words.column(), expected: "buttons", command: "hold" };
    let held = buttons(words.rest()).ok_or(usage)?;
    let [_, second] = session.debugger.input.held;
    session.debugger.hold([held, second]);
    Ok(Reply::default())
}

pub(super) fn press(
    session: &mut CommandSession,
    words: &mut Words,
    desk: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage =
        CommandError::Usage { column: words.column(), expected: "buttons, then frames", command: "press" };
    let word = words.word().unwrap_or_default();
    let (pressed, frames) = (buttons(word).ok_or(usage)?, words.number().unwrap_or(2).max(1));
    let before = session.debugger.input.held;
    session.debugger.hold([before[0] | pressed, before[1]]);
    let reply = session.go(&Goal::Frames(frames), frames, desk);
    session.debugger.hold(before);
    Ok(reply)
}

pub(super) fn reset(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    session.debugger.reset();
    Ok(session.stopped(&Stop::Done))
}

pub(super) fn power(
    session: &mut CommandSession,
    _: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    session.debugger.power();
    Ok(session.stopped(&Stop::Done))
}

pub(super) fn limit(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage =
        CommandError::Usage { column: words.column(), expected: "a number of frames", command: "limit" };
    session.limit = words.number().filter(|frames| *frames > 0).ok_or(usage)?;
    Ok(Reply::default())
}
