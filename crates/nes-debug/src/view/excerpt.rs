//! Traces: the instructions of a run that is to come, or of the last minute, a line each.

use core::ops::{ControlFlow, RangeInclusive};
use std::io;

use nes::{Break, Console, Cpu, Mainboard, Observer};

use super::trace::{Format, Listing};
use crate::expression::Scene;
use crate::{Debugger, Expression};

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

/// Runs on by `count` instructions and writes a line for each that the excerpt has. Gives how many lines there were.
/// Breakpoints do not stop it; `goes_on` is asked after each frame.
///
/// # Errors
/// Why a line could not be written; the run stops there.
pub fn trace(
    debugger: &mut Debugger,
    count: u64,
    excerpt: &Excerpt,
    goes_on: &mut dyn FnMut(&Console) -> bool,
    out: &mut dyn io::Write,
) -> io::Result<u64> {
    let profile = debugger.profile().cloned();
    let mut scribe = Scribe::new(excerpt, profile.as_ref(), out);
    scribe.left = count;
    debugger.run_observed(&mut scribe, goes_on);
    scribe.finish()
}

/// Writes the last `count` lines that the excerpt has of what led here, at most those of the last minute. Gives how many
/// there were; the machine stays where it is.
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
        let mut counter = Scribe::new(excerpt, profile, out);
        counter.skip = u64::MAX;
        replay.run_to(end, &mut counter, |_, _| {});
        lines += u64::MAX - counter.skip;
        (first, end) = (begin, begin);
        if lines >= count {
            break;
        }
    }
    let mut scribe = Scribe::new(excerpt, profile, out);
    scribe.skip = lines.saturating_sub(count);
    if let Some(mut replay) = debugger.replay(first).filter(|_| first < now) {
        replay.run_to(now, &mut scribe, |_, _| {});
    }
    scribe.finish()
}

/// Writes a line at each step that the excerpt has, and breaks after the last.
struct Scribe<'a> {
    excerpt: &'a Excerpt,
    profile: Option<&'a tetris::Profile>,
    out: &'a mut dyn io::Write,
    listing: Listing,
    /// Instructions to go.
    left: u64,
    /// Lines that are not written, the first ones.
    skip: u64,
    lines: u64,
    error: Option<io::Error>,
}

impl<'a> Scribe<'a> {
    fn new(excerpt: &'a Excerpt, profile: Option<&'a tetris::Profile>, out: &'a mut dyn io::Write) -> Self {
        let listing = Listing::new(excerpt.format);
        Self { excerpt, profile, out, listing, left: u64::MAX, skip: 0, lines: 0, error: None }
    }

    fn finish(self) -> io::Result<u64> {
        self.error.map_or(Ok(self.lines), Err)
    }
}

impl Observer for Scribe<'_> {
    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.left == 0 || cpu.jammed {
            return ControlFlow::Break(Break);
        }
        self.left -= u64::from(!cpu.interrupt_pending());
        if !self.excerpt.has(&Scene { cpu, board, profile: self.profile, access: None }) {
            return ControlFlow::Continue(());
        }
        if self.skip > 0 {
            self.skip -= 1;
            return ControlFlow::Continue(());
        }
        self.lines += 1;
        if let Err(error) = writeln!(self.out, "{}", self.listing.line(cpu, board)) {
            self.error = Some(error);
            (self.left, self.skip) = (0, u64::MAX);
            return ControlFlow::Break(Break);
        }
        ControlFlow::Continue(())
    }
}
