//! The RAM of the last frames of a run that nobody saw.

use std::collections::VecDeque;

use nes::Console;

/// Frames that are kept: from the Start that begins a game to its first piece is a fraction of
/// them.
const KEPT: usize = 60;

/// Frames by their number from power-on, each with RAM as it left it.
#[derive(Debug, Clone, Default)]
pub struct LastFrames(VecDeque<(u64, [u8; 0x800])>);

impl LastFrames {
    /// Keeps the frame that `console` has run.
    pub fn keep(&mut self, console: &Console) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back((console.frame_number(), *console.ram()));
    }

    /// Takes them, the oldest first.
    pub fn take(&mut self) -> impl Iterator<Item = (u64, [u8; 0x800])> + use<> {
        std::mem::take(&mut self.0).into_iter()
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
