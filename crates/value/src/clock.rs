//! When taps fall and where a piece is then, for one format at one speed.

use crate::Format;
use crate::board::ALL_ROWS;
use crate::format::{Speed, TAPS};

/// Frames after which every piece has locked, at any speed.
pub(crate) const FRAMES: usize = 64;

/// What a search looks up by frame.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// Frames of the taps of a phase, from its first.
    pub(crate) taps: [u32; TAPS],
    /// Frame from which a piece may be tapped anew.
    pub(crate) delay: u32,
    /// Rows that a piece falls at once.
    pub(crate) at_once: u32,
    /// Row of a falling piece by frame; 20 and more are below the floor.
    rows: [u8; FRAMES],
    /// Rows with a frame from this one on, in which a piece could be tapped.
    any: [u32; FRAMES],
    /// Rows with two of them.
    two: [u32; FRAMES],
}

impl Clock {
    pub(crate) fn new(format: &Format, speed: Speed) -> Self {
        let row = |frame: usize| speed.row(frame as u32).min(31);
        let mut clock = Self {
            taps: std::array::from_fn(|number| format.taps.frame(number)),
            delay: format.delay,
            at_once: speed.rows_at_once(),
            rows: std::array::from_fn(|frame| row(frame) as u8),
            any: [0; FRAMES],
            two: [0; FRAMES],
        };
        for frame in (0..FRAMES - 1).rev() {
            clock.any[frame] = (clock.any[frame + 1] | 1 << row(frame)) & ALL_ROWS;
            let twice = if row(frame) == row(frame + 1) { 1 << row(frame) } else { 0 };
            clock.two[frame] = (clock.two[frame + 1] | twice) & ALL_ROWS;
        }
        clock
    }

    #[inline(always)]
    pub(crate) fn row(&self, frame: u32) -> u32 {
        u32::from(self.rows[(frame as usize).min(FRAMES - 1)])
    }

    #[inline(always)]
    pub(crate) fn any(&self, frame: u32) -> u32 {
        self.any[(frame as usize).min(FRAMES - 1)]
    }

    #[inline(always)]
    pub(crate) fn two(&self, frame: u32) -> u32 {
        self.two[(frame as usize).min(FRAMES - 1)]
    }
}
