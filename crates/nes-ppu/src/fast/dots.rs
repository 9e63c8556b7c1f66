//! Dots that are left over between the CPU and the next group: one by one, without the questions
//! that they cannot raise.

use crate::VideoBus;
use crate::dot::PIPELINE;
use crate::frame::Canvas;
use crate::ppu::{DOT, Ppu};

impl Ppu {
    /// A whole dot, before which nothing that the CPU did is under way ([`Ppu::is_quiescent`]) and
    /// after which the PPU is still on a line in which it fetches.
    pub(crate) fn quiescent_dot<B: VideoBus>(&mut self, bus: &mut B, canvas: &mut Canvas<'_>) {
        self.begin_dot::<false, true, B>(bus, canvas);
        self.tell_a12(self.next, bus);
        self.end_dot::<false, true, B>(bus);
        self.next += DOT;
    }

    /// As many times [`Ppu::quiescent_dot`], all of them among the dots 1–256 of the picture.
    pub(crate) fn quiescent_tile_dots<B: VideoBus>(
        &mut self,
        dots: u16,
        bus: &mut B,
        canvas: &mut Canvas<'_>,
    ) {
        self.emit_pipeline(self.dot + 1, self.dot + PIPELINE, canvas);
        let mut line = canvas.line(self.scanline);
        for dot in 0..dots {
            self.dot += 1;
            self.overflow_seen = self.overflow;
            self.hit_seen = self.hit;
            self.begin_port(false);
            self.oam.latch = self.oam.buffer;
            if self.dot <= 64 {
                self.clear_secondary_oam();
            } else {
                self.search_sprites();
            }
            self.fetch_tile((self.dot - 1) & 7, bus);
            self.tell_a12(self.next + u64::from(dot) * DOT, bus);
            self.colours.copy_within(0..3, 1);
            self.choose_colour();
            // The pixel is put down at once, and again if dots are stepped before its time comes.
            if let Some(line) = &mut line {
                line[usize::from(self.dot) - 1] = self.finish_colour(self.colours[0]);
            }
            self.sprites.count(true, false);
            self.background.shift();
            self.commit_fetch();
            self.oam.buffer = self.oam.incoming;
            self.hit |= self.hit_pipe & 2 != 0;
            self.hit_pipe = (self.hit_pipe << 1) & 2;
        }
        self.next += u64::from(dots) * DOT;
    }
}
