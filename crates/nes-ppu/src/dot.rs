//! One dot: the order in which the chip's parts act in its two halves, and the counters.

use nes_clock::Region;

use crate::VideoBus;
use crate::frame::Canvas;
use crate::ppu::{DOT, Ppu};
use crate::scroll::VramAddr;

/// Dots in a line.
pub(crate) const DOTS: u16 = 341;
/// The line after the last of the picture.
pub(crate) const POST_RENDER: u16 = 240;
/// The line in which vblank begins.
pub(crate) const VBLANK: u16 = 241;
/// The line from which on PAL's PPU refreshes OAM in vblank, 24 lines after the NMI: it takes no
/// writes there (NESdev: PPU OAM).
pub(crate) const REFRESH: u16 = 265;
/// A pixel leaves this many dots after its colour was chosen.
pub(crate) const PIPELINE: u16 = 3;

impl Ppu {
    /// One half of a dot.
    pub(crate) fn step<B: VideoBus>(&mut self, bus: &mut B, canvas: &mut Canvas<'_>) {
        // In most of vblank registers and data port are all that moves.
        if (VBLANK..self.pre_render - 1).contains(&self.scanline) {
            self.half_dot::<true, B>(bus, canvas);
        } else {
            self.half_dot::<false, B>(bus, canvas);
        }
    }

    /// One half of a dot; `IDLE`: neither this dot nor the next is on a line in which the PPU
    /// fetches.
    #[inline(always)]
    fn half_dot<const IDLE: bool, B: VideoBus>(&mut self, bus: &mut B, canvas: &mut Canvas<'_>) {
        if self.half {
            self.end_dot::<IDLE, false, B>(bus);
        } else {
            self.begin_dot::<IDLE, false, B>(bus, canvas);
        }
        self.tell_a12(self.next, bus);
        self.half = !self.half;
        self.next += DOT / 2;
    }

    /// The first half of a dot: the dot counter moves, registers take over what was written to
    /// them, addresses go out and fetches come in, and a pixel's colour is chosen.
    #[inline(always)]
    pub(crate) fn begin_dot<const IDLE: bool, const QUIESCENT: bool, B: VideoBus>(
        &mut self,
        bus: &mut B,
        canvas: &mut Canvas<'_>,
    ) {
        if !QUIESCENT {
            self.take_scroll_write();
        }
        if !IDLE {
            self.move_scroll();
        }
        self.count_dot();
        self.overflow_seen = self.overflow;
        self.hit_seen = self.hit;
        // On one phase the flag comes a dot later to sprite evaluation.
        if self.phase != 1 {
            self.fetching = self.mask.rendering();
        }
        self.begin_port(IDLE || (!QUIESCENT && self.blanking()));
        self.oam.latch = self.oam.buffer;
        if !QUIESCENT {
            self.take_v_write();
        }
        let rendering_line = QUIESCENT || (!IDLE && self.on_rendering_line());
        if rendering_line {
            self.evaluate_sprites(bus);
        }
        if self.phase == 1 {
            self.fetching = self.mask.rendering();
        }
        // Outside the lines that fetch the pins carry v, rendering or not.
        if IDLE || (!QUIESCENT && self.blanking()) {
            self.video.address = self.v.bits() & 0x3FFF;
        }
        if !QUIESCENT {
            self.take_mask_write();
        }
        self.colours.copy_within(0..3, 1);
        // The pattern address of the 241st line goes out before the chip goes idle.
        if rendering_line || (!IDLE && self.scanline == POST_RENDER && self.dot == 0) {
            if self.fetching {
                self.fetch_background(bus);
            }
            if (1..=256).contains(&self.dot) {
                if self.scanline < POST_RENDER {
                    self.choose_colour();
                }
                let (moving, skipped) = (self.mask.rendering(), self.skipped);
                self.sprites.count(moving, skipped);
            }
            self.emit_pixel(canvas);
        }
        if !QUIESCENT {
            self.finish_port(bus);
        }
    }

    /// The second half of a dot: shifters move, fetched bytes arrive in their latches.
    #[inline(always)]
    pub(crate) fn end_dot<const IDLE: bool, const QUIESCENT: bool, B: VideoBus>(&mut self, bus: &mut B) {
        if !IDLE {
            let shifting = QUIESCENT || (self.mask.rendering() && self.on_rendering_line());
            if shifting && matches!(self.dot, 1..=257 | 321..=336) {
                self.background.shift();
            }
            self.commit_fetch();
        }
        if self.fetching || self.mask.rendering() {
            self.oam.buffer = self.oam.incoming;
        }
        self.hit |= self.hit_pipe & 2 != 0;
        self.hit_pipe = (self.hit_pipe << 1) & 2;
        if !QUIESCENT {
            self.end_port(bus);
        }
    }

    /// The counters move to the next dot; what hangs on them alone happens.
    #[inline]
    fn count_dot(&mut self) {
        self.dot += 1;
        if self.dot == DOTS {
            self.dot = 0;
            self.scanline = if self.is_pre_render() { 0 } else { self.scanline + 1 };
        }
        match (self.scanline, self.dot) {
            (VBLANK, 1) => {
                self.vblank = true;
                self.frames += 1;
                self.update_nmi(self.next);
            }
            (260, 340) => self.odd_frame = !self.odd_frame && self.region == Region::Ntsc,
            (line, 1) if line == self.pre_render => {
                self.vblank = false;
                self.hit = false;
                self.hit_seen = false;
                self.hit_possible = true;
                self.overflow = false;
                self.warming_up = false;
                self.update_nmi(self.next);
            }
            // Every other frame is a dot shorter while rendering, on NTSC (NESdev: PPU frame
            // timing). The parity of PAL's is always even.
            (0, 0) if self.odd_frame && self.skips_dot() => {
                self.dot = 1;
                self.skipped = true;
            }
            (0, 2) => self.skipped = false,
            _ => {}
        }
        if self.status_read {
            self.status_read = false;
            self.vblank = false;
            self.update_nmi(self.next);
        }
    }

    /// Is rendering on, as the skipped dot asks? A write counts from the third dot after it on, on
    /// every phase (ppu_vbl_nmi/10-even_odd_timing).
    fn skips_dot(&self) -> bool {
        if self.phase == 2 { self.mask.rendering() } else { self.fetching }
    }

    /// The scroll position moves at the end of the picture's part of a line (NESdev: PPU
    /// scrolling).
    #[inline]
    fn move_scroll(&mut self) {
        if !self.mask.rendering() || !self.on_rendering_line() {
            return;
        }
        match self.dot {
            256 => self.increment_y(),
            257 => self.v.copy_x(self.t),
            280..=304 if self.is_pre_render() => self.v.copy_y(self.t),
            _ => {}
        }
    }

    /// `v` goes a line down, unless it was loaded in the very last dot.
    pub(crate) fn increment_y(&mut self) {
        if self.v_loaded {
            // Both drive the register at once (AccuracyCoin: t register quirks); that the bits
            // AND is what has been seen, *unverified* beyond that.
            self.v = VramAddr(self.delayed.v_before.bits() & self.t.bits());
        } else {
            self.v.increment_y();
        }
    }

    /// Is this a line in which the PPU fetches: one of the picture, or the one before it?
    #[inline]
    pub(crate) fn on_rendering_line(&self) -> bool {
        self.scanline < POST_RENDER || self.is_pre_render()
    }

    /// Is this the line before the first of the picture, which fetches for it?
    #[inline]
    pub(crate) fn is_pre_render(&self) -> bool {
        self.scanline == self.pre_render
    }

    /// Is the video bus the CPU's: rendering off, or outside the lines where it happens?
    #[inline]
    pub(crate) fn blanking(&self) -> bool {
        !self.mask.rendering() || !self.on_rendering_line()
    }
}
