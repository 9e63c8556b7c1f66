//! Traces: the instructions of a run that is to come, or of the last minute, a line each.

use core::ops::{ControlFlow, RangeInclusive};
use std::io;

use nes::{Break, Cpu, Mainboard, Observer};

use super::trace::{Format, Listing};
use crate::expression::Scene;
use crate::{Debugger, Expression, Goal, Runner, Stop};

/// Which instructions a trace has, and how it writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// How a line is written.
    pub format: Format,
    /// Only instructions at these addresses.
    pub within: Option<RangeInclusive<u16>>,
    /// Only instructions before which this holds.
    pub condition: Option<Expression>,
}

impl Excerpt {
    /// Every instruction.
    pub fn new(format: Format) -> Self {
        Self { format, within: None, condition: None }
    }

    /// Is the instruction that comes next one of them? The sequence of an interrupt is none.
    fn has(&self, scene: &Scene) -> bool {
        !scene.cpu.interrupt_pending()
            && self.within.as_ref().is_none_or(|within| within.contains(&scene.cpu.pc))
            && self.condition.as_ref().is_none_or(|condition| condition.holds(scene))
    }
}

/// Runs on by `count` instructions and writes a line for each that the excerpt has. Gives how many
/// lines there were. Breakpoints do not stop it; `runner` runs its frames.
///
/// # Errors
/// Why a line could not be written; the run stops there.
pub fn trace(
    debugger: &mut Debugger,
    count: u64,
    excerpt: &Excerpt,
    runner: &mut dyn Runner,
    out: &mut dyn io::Write,
) -> io::Result<u64> {
    let scribe = Scribe::new(excerpt, debugger.profile());
    debugger.scribe = Some(Box::new(Scribe { left: count, ..scribe }));
    let (mut lines, mut written) = (0, Ok(()));
    let mut write = |debugger: &mut Debugger| {
        let Some(scribe) = &mut debugger.scribe else { return false };
        lines = scribe.lines;
        written = out.write_all(&core::mem::take(&mut scribe.text));
        written.is_ok()
    };
    debugger.run(&Goal::Free, u64::MAX, &mut Written { runner, write: &mut write });
    write(debugger);
    debugger.scribe = None;
    written.map(|()| lines)
}

/// Writes what a frame has left to be written.
struct Written<'a> {
    runner: &'a mut dyn Runner,
    /// Returns whether it could be written.
    write: &'a mut dyn FnMut(&mut Debugger) -> bool,
}

impl Runner for Written<'_> {
    fn frame(&mut self, debugger: &mut Debugger) -> Option<Stop> {
        let stop = self.runner.frame(debugger);
        let written = (self.write)(debugger);
        stop.or((!written).then_some(Stop::Interrupted))
    }

    fn goes_on(&mut self) -> bool {
        self.runner.goes_on()
    }
}

/// Writes the last `count` lines that the excerpt has of what led here, at most those of the last
/// minute. Gives how many there were; the machine stays where it is.
///
/// # Errors
/// Why a line could not be written.
pub fn trace_back(
    debugger: &Debugger,
    count: u64,
    excerpt: &Excerpt,
    out: &mut dyn io::Write,
) -> io::Result<u64> {
    let now = debugger.console().cycle();
    let profile = debugger.profile();
    let keyframes: Vec<u64> = debugger.history.keyframes().filter(|&cycle| cycle < now).collect();
    // From the newest keyframe to older ones, until there are as many lines as are wanted.
    let (mut lines, mut first, mut end) = (0, now, now);
    for &begin in keyframes.iter().rev() {
        let Some(mut replay) = debugger.replay(begin) else { break };
        let mut counter = Scribe::new(excerpt, profile);
        counter.skip = u64::MAX;
        replay.run_to(end, &mut counter, |_, _| {});
        lines += u64::MAX - counter.skip;
        (first, end) = (begin, begin);
        if lines >= count {
            break;
        }
    }
    let mut scribe = Scribe::new(excerpt, profile);
    scribe.skip = lines.saturating_sub(count);
    let mut written = Ok(());
    if let Some(mut replay) = debugger.replay(first).filter(|_| first < now) {
        // A long trace is written as it comes.
        let mut flush = |scribe: &mut Scribe| {
            let text = core::mem::take(&mut scribe.text);
            if written.is_ok() {
                written = out.write_all(&text);
            }
        };
        for end in keyframes.iter().copied().filter(|&cycle| cycle > first).chain([now]) {
            replay.run_to(end, &mut scribe, |_, _| {});
            flush(&mut scribe);
        }
    }
    written.map(|()| scribe.lines)
}

/// Writes a line at each step that the excerpt has, and breaks after the last.
#[derive(Clone)]
pub(crate) struct Scribe {
    excerpt: Excerpt,
    profile: Option<tetris::Profile>,
    listing: Listing,
    /// Instructions to go.
    left: u64,
    /// Lines that are not written, the first ones.
    skip: u64,
    lines: u64,
    /// Lines that somebody is to take out.
    text: Vec<u8>,
}

impl Scribe {
    fn new(excerpt: &Excerpt, profile: Option<&tetris::Profile>) -> Self {
        let listing = Listing::new(excerpt.format);
        let (excerpt, profile) = (excerpt.clone(), profile.cloned());
        Self { excerpt, profile, listing, left: u64::MAX, skip: 0, lines: 0, text: Vec::new() }
    }
}

impl Observer for Scribe {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.left == 0 || cpu.jammed {
            return ControlFlow::Break(Break);
        }
        self.left -= u64::from(!cpu.interrupt_pending());
        if !self.excerpt.has(&Scene { cpu, board, profile: self.profile.as_ref(), access: None }) {
            return ControlFlow::Continue(());
        }
        if self.skip > 0 {
            self.skip -= 1;
            return ControlFlow::Continue(());
        }
        self.lines += 1;
        self.text.extend_from_slice(self.listing.line(cpu, board).as_bytes());
        self.text.push(b'\n');
        ControlFlow::Continue(())
    }
}
