//! The dots that a write of `$2006` or `$2007` takes while nothing is fetched, done at once.
//!
//! A program that changes the picture makes some hundred of these writes in a vblank, and thousands
//! while rendering is off. Where nothing else is under way, what their five dots leave is known in
//! advance.

use crate::VideoBus;
use crate::frame::Canvas;
use crate::ppu::{DOT, Ppu};
use crate::registers::Control;
use crate::scroll::VramAddr;

/// Dots from the end of a `$2007` write until the data port is at rest.
const DATA_WRITE: u64 = 5;

impl Ppu {
    /// The dots of a write of `$2006` or `$2007`, if one of them is all that is under way, nothing
    /// is fetched meanwhile, and they are among the next `dots`. Returns whether they were run.
    #[inline]
    pub(crate) fn settle_write<B: VideoBus>(
        &mut self,
        dots: u64,
        bus: &mut B,
        canvas: &mut Canvas<'_>,
    ) -> bool {
        if self.half || !self.is_settled_but_for_writes() {
            return false;
        }
        let begin = self.next;
        let moves = u64::from(self.delayed.v_delay);
        if moves != 0 {
            // One more in which `v` counts as just loaded.
            let run = moves + 1;
            if !self.port.at_rest() || run > dots || !self.rests_for(run) || self.shows_palette(self.t) {
                return false;
            }
            if moves > 1 {
                // Until `v` is loaded the pins carry what it was.
                self.video.address = self.v.bits() & 0x3FFF;
                self.tell_a12(begin, bus);
            }
            self.delayed.v_delay = 0;
            self.v = self.t;
            self.rest(run, canvas);
            self.tell_a12(begin + (moves - 1) * DOT, bus);
        } else if self.port.has_only_a_write() && DATA_WRITE <= dots && self.rests_for(DATA_WRITE) {
            let mut next = self.v;
            next.advance(if self.control.contains(Control::DOWN) { 32 } else { 1 });
            if self.shows_palette(next) {
                return false;
            }
            self.video.address = self.v.bits() & 0x3FFF;
            self.video.latch = self.video.address as u8;
            self.tell_a12(begin, bus);
            self.write_video(bus);
            self.port.finish_write();
            self.v = next;
            self.rest(DATA_WRITE, canvas);
            self.tell_a12(begin + (DATA_WRITE - 1) * DOT, bus);
        }
        self.next != begin
    }

    /// Is nothing fetched in the next `run` dots, and nothing done at one of them?
    fn rests_for(&self, run: u64) -> bool {
        if self.on_rendering_line() {
            !self.mask.rendering() && run <= self.blank_dots()
        } else {
            run <= self.idle_dots()
        }
    }

    /// Could `v`, which `next` follows, choose the colour of a pixel? Without rendering it does so
    /// in the palette.
    fn shows_palette(&self, next: VramAddr) -> bool {
        let is_there = |v: VramAddr| v.bits() & 0x3F00 == 0x3F00;
        self.on_rendering_line() && (is_there(self.v) || is_there(next))
    }

    /// `run` dots of [`Ppu::rests_for`].
    fn rest(&mut self, run: u64, canvas: &mut Canvas<'_>) {
        if self.on_rendering_line() {
            self.next += self.blank_span(run, canvas) * DOT;
        } else {
            self.pass_idle(run);
        }
    }
}
