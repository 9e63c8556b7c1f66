//! The way back: a state for every third frame of the last minute and a half.

use std::collections::VecDeque;

use nes::{Buttons, Console};

/// Frames from one moment to the next.
const STEP: u64 = 3;
/// Moments that are kept: 90 seconds, some 30 MB at most.
const MOST: usize = 1_800;

/// The beginning of a frame.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Its number.
    pub(crate) frame: u64,
    /// The console then.
    pub(crate) console: Vec<u8>,
    /// What the practice session remembered then.
    pub(crate) session: Vec<u8>,
    /// What was held in it, so that its picture can be shown.
    pub(crate) pads: [Buttons; 2],
}

/// The moments behind the console, the oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewind {
    moments: VecDeque<Moment>,
}

impl Rewind {
    /// A frame begins in which `pads` are held; `session` says what the session remembers, if it is
    /// asked.
    pub(crate) fn begin_frame(
        &mut self,
        console: &Console,
        pads: [Buttons; 2],
        session: impl FnOnce() -> Vec<u8>,
    ) {
        let frame = console.frame_number();
        if self.moments.back().is_some_and(|last| frame < last.frame + STEP && frame >= last.frame) {
            return;
        }
        if self.moments.len() == MOST {
            self.moments.pop_front();
        }
        self.moments.push_back(Moment { frame, console: console.save(), session: session(), pads });
    }

    /// The newest moment, which is forgotten; the last one stays.
    pub(crate) fn back(&mut self) -> Option<Moment> {
        if self.moments.len() > 1 { self.moments.pop_back() } else { self.moments.back().cloned() }
    }

    /// The console goes on from a moment of its own past: what came after it is forgotten.
    pub(crate) fn back_to(&mut self, frame: u64) {
        while self.moments.back().is_some_and(|moment| moment.frame > frame) {
            self.moments.pop_back();
        }
    }

    /// There is no way back from here.
    pub(crate) fn clear(&mut self) {
        self.moments.clear();
    }

    /// Frames that it goes back.
    pub(crate) fn frames(&self) -> u64 {
        self.moments.len() as u64 * STEP
    }
}
