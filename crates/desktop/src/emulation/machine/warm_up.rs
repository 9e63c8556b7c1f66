//! What the player is told of writes that the PPU ignored while it warmed up.

use nes::ppu::Mask;

use crate::emulation::machine::Machine;
use crate::messages::status::{MessageKind, Notice};

/// CPU cycles after the first ignored write in which there may be others.
const WARM_UP: u64 = 70_000;

/// CPU cycles in which a program that sets its registers more than once has done so: a second.
const PATIENCE: u64 = 1_800_000;

impl<F: Fn(Notice)> Machine<F> {
    /// Says that the PPU has ignored writes, once for each power-on and reset: at once where a
    /// strict start was asked for; after a reset of another console, where the screen is still off
    /// a second later because of it. Most programs write again.
    pub(super) fn tell_ignored_writes(&mut self) {
        let console = self.engine.state();
        let Some(writes) = console.board.ignored_writes() else { return };
        if self.told_ignored == Some(writes) {
            return;
        }
        let patience = if self.engine.config().quirks.strict_start { WARM_UP } else { PATIENCE };
        if console.cycle().saturating_sub(writes.cycle) < patience {
            return;
        }
        self.told_ignored = Some(writes);
        let (control, mask) = console.board.ppu().control_and_mask();
        let dark = control.is_empty() || !mask.intersects(Mask::BACKGROUND | Mask::SPRITES);
        if patience == WARM_UP || dark {
            self.say(MessageKind::Warning, writes.to_string());
        }
    }
}
