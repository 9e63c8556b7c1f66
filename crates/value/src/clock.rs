//! When taps fall and where a piece is then, for one format at one speed.

use crate::Format;
use crate::format::{Speed, TAPS};
use tetris::ALL_ROWS;

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
    /// By first frame of a phase and by row: how many of its numbers of taps leave a frame in that
    /// row, and two of them.
    taps_before_any: Vec<[u8; NO_ROW + 1]>,
    taps_before_two: Vec<[u8; NO_ROW + 1]>,
}

/// Where a set of rows has none.
pub(crate) const NO_ROW: usize = 32;

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
            taps_before_any: Vec::new(),
            taps_before_two: Vec::new(),
        };
        for frame in (0..FRAMES - 1).rev() {
            clock.any[frame] = (clock.any[frame + 1] | 1 << row(frame)) & ALL_ROWS;
            let twice = if row(frame) == row(frame + 1) { 1 << row(frame) } else { 0 };
            clock.two[frame] = (clock.two[frame + 1] | twice) & ALL_ROWS;
        }
        let counts = |clock: &Self, of: fn(&Self, u32) -> u32| {
            let latest = |begin: u32, row: usize| {
                clock
                    .taps
                    .iter()
                    .filter(|&tap| row < NO_ROW && of(clock, begin + tap) >> row & 1 == 1)
                    .count()
            };
            (0..FRAMES as u32).map(|begin| std::array::from_fn(|row| latest(begin, row) as u8)).collect()
        };
        clock.taps_before_any = counts(&clock, Self::any);
        clock.taps_before_two = counts(&clock, Self::two);
        clock
    }

    /// Of a phase that begins in frame `begin`, how many of its numbers of taps, from none on,
    /// leave a frame in the one row or two frames in the other.
    #[inline(always)]
    pub(crate) fn latest(&self, begin: u32, any: usize, two: usize) -> usize {
        let begin = (begin as usize).min(FRAMES - 1);
        usize::from(self.taps_before_any[begin][any].max(self.taps_before_two[begin][two]))
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
