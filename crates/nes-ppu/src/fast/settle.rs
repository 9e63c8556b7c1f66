//! The dots that a write of `$2006` or `$2007` takes in vblank, done at once.
//!
//! A program that changes the picture makes some hundred of these writes in a vblank. Where nothing
//! else is under way, what their five dots leave is known in advance.

use crate::VideoBus;
use crate::ppu::{DOT, Ppu};
use crate::registers::Control;

/// Dots from the end of a `$2007` write until the data port is at rest.
const DATA_WRITE: u64 = 5;

impl Ppu {
    /// The dots of a write of `$2006` or `$2007`, if one of them is all that is under way, in a
    /// vblank that lasts as long, and they are among the next `dots`. Returns whether they were
    /// run.
    #[inline]
    pub(crate) fn settle_write<B: VideoBus>(&mut self, dots: u64, bus: &mut B) -> bool {
        if self.half || !self.is_settled_but_for_writes() {
            return false;
        }
        let begin = self.next;
        let moves = u64::from(self.delayed.v_delay);
        if moves != 0 {
            // One more in which `v` counts as just loaded.
            let run = moves + 1;
            if !self.port.at_rest() || run > dots.min(self.idle_dots()) {
                return false;
            }
            self.video.address = self.v.bits() & 0x3FFF;
            self.tell_a12(begin, bus);
            self.delayed.v_delay = 0;
            self.v = self.t;
            self.pass_idle(run);
            self.tell_a12(begin + (moves - 1) * DOT, bus);
        } else if self.port.has_only_a_write() && DATA_WRITE <= dots.min(self.idle_dots()) {
            self.video.address = self.v.bits() & 0x3FFF;
            self.video.latch = self.video.address as u8;
            self.tell_a12(begin, bus);
            self.write_video(bus);
            self.port.finish_write();
            self.v.advance(if self.control.contains(Control::DOWN) { 32 } else { 1 });
            self.pass_idle(DATA_WRITE);
            self.tell_a12(begin + (DATA_WRITE - 1) * DOT, bus);
        }
        self.next != begin
    }
}
