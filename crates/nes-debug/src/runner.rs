//! Who runs the frames: the debugger by itself, or a program that has a game under it.

use crate::{Debugger, Stop};

/// Runs frames for the debugger. A closure that says whether a run goes on lets the debugger run
/// them by itself; a front end runs its own frames instead, with everything that is attached to
/// them.
pub trait Runner {
    /// Runs the frame that comes next, or what is left of the one under way, by
    /// [`Debugger::begin_frame`], [`Debugger::run_frame`] and [`Debugger::end_frame`]. Returns what
    /// stopped it.
    fn frame(&mut self, debugger: &mut Debugger) -> Option<Stop> {
        debugger.frame()
    }

    /// Whether a run goes on after a frame.
    fn goes_on(&mut self) -> bool;
}

impl<F: FnMut() -> bool> Runner for F {
    fn goes_on(&mut self) -> bool {
        self()
    }
}
