//! Spans of dots in which nothing can be noticed, done at once.
//!
//! The description of the chip is the dot ([`Ppu::run_by_dots`]). While no register write is on its
//! way, no `$2007` access works and no damage is pending, a line falls into groups of eight dots (a
//! tile; a sprite's fetches) whose outcome can be computed together, and blank stretches that
//! change next to nothing. Each group here leaves the very state that its eight dots would, which
//! `tests/it/span.rs` holds against the dots with random programs. What is left over between the
//! CPU and the next group goes dot by dot, but without asking for what cannot be
//! ([`Ppu::quiescent_dot`]).

use crate::VideoBus;
use crate::dot::{DOTS, PIPELINE, POST_RENDER, REFRESH, VBLANK};
use crate::frame::Canvas;
use crate::ppu::{DOT, Ppu};
use crate::registers::palette_index;

/// Dots in a group.
pub(crate) const GROUP: u16 = 8;
/// The last dot of a line.
pub(crate) const LAST_DOT: u16 = DOTS - 1;

impl Ppu {
    /// Is there nothing under way that a group would have to follow dot by dot?
    #[inline]
    fn is_quiescent(&self) -> bool {
        !self.half && self.is_at_rest()
    }

    /// The same but for the half of a dot that may be left.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.delayed.v_delay == 0 && self.port.at_rest() && self.is_settled_but_for_writes()
    }

    /// The same but for writes of `$2006` and accesses of `$2007` that are under way.
    #[inline]
    pub(crate) fn is_settled_but_for_writes(&self) -> bool {
        !self.delayed.any_but_v()
            && self.corruption.at_rest(self.mask.rendering())
            && !(self.status_read | self.skipped | self.v_loaded)
            && self.hit_pipe == 0
            && self.fetching == self.mask.rendering()
    }

    /// Runs up to `dots` whole dots as groups or lines. Returns whether any were: if not, the next
    /// one has to be stepped.
    #[inline]
    pub(crate) fn run_span<B: VideoBus>(&mut self, dots: u64, bus: &mut B, canvas: &mut Canvas<'_>) -> bool {
        if dots == 0 || !self.is_quiescent() {
            return dots > 0 && self.settle_write(dots, bus, canvas);
        }
        let begin = self.next;
        if !self.on_rendering_line() {
            let run = dots.min(self.idle_dots());
            if run > 0 {
                self.pass_idle(run);
            }
            self.tell_a12_of_blank(begin, bus);
        } else if self.mask.rendering() {
            self.rendering_span(dots, bus, canvas);
            if self.next == begin {
                self.dots_to_group(dots, bus, canvas);
            }
        } else {
            self.next += self.blank_span(dots, canvas) * DOT;
            self.tell_a12_of_blank(begin, bus);
        }
        self.next != begin
    }

    /// Does everything before `tick` lie in vblank, before the line in which it ends? Where OAM
    /// forgets, its accesses have to know their line.
    pub(crate) fn idles_until(&self, tick: u64) -> bool {
        // On PAL OAM does not listen in all of it. The dot that has begun at `tick` may be the last
        // of its line.
        let end = self.pre_render.min(REFRESH) - 1;
        let left = u64::from(end - self.scanline.min(end)) * u64::from(DOTS);
        self.oam.decay.is_none()
            && self.scanline >= VBLANK
            && tick.saturating_sub(self.next) / DOT + u64::from(self.dot) < left
    }

    /// Dots from here that are on the lines from 240 to the pre-render line, up to those in which
    /// vblank begins and the frame's parity changes.
    pub(crate) fn idle_dots(&self) -> u64 {
        let index = |line: u16, dot: u64| u64::from(line) * u64::from(DOTS) + dot;
        let here = index(self.scanline, u64::from(self.dot));
        let end = match here {
            _ if here < index(POST_RENDER, 0) => return 0,
            _ if here < index(VBLANK, 0) => index(VBLANK, 0),
            _ if here == index(VBLANK, 0) => return 0,
            _ => index(self.pre_render - 1, 339),
        };
        end.saturating_sub(here)
    }

    /// `run` dots of [`Ppu::idle_dots`], one at least, in which nothing is under way.
    pub(crate) fn pass_idle(&mut self, run: u64) {
        let there = u64::from(self.dot) + run;
        self.scanline += (there / u64::from(DOTS)) as u16;
        self.dot = (there % u64::from(DOTS)) as u16;
        self.next += run * DOT;
        self.rest_video();
        self.oam.latch = self.oam.buffer;
        if self.fetching {
            self.oam.buffer = self.oam.incoming;
        }
        if run > 1 {
            self.oam.latch = self.oam.buffer;
        }
        self.push_colours(run.min(4) as u16, self.colours[0]);
    }

    /// What every dot in which nothing is fetched leaves on the video pins and in the flags.
    fn rest_video(&mut self) {
        self.video.reading = false;
        self.video.latching = false;
        self.overflow_seen = self.overflow;
        self.hit_seen = self.hit;
        self.video.address = self.v.bits() & 0x3FFF;
    }

    /// Dots from here that are alike without rendering, on a line of the picture or the pre-render
    /// line.
    pub(crate) fn blank_dots(&self) -> u64 {
        let last = match self.dot + 1 {
            // The flags fall in the pre-render line's first dot; dot 0 is always stepped.
            1 if self.is_pre_render() => return 0,
            1..=256 => 256,
            257..=338 => 338,
            _ => return 0,
        };
        last - u64::from(self.dot)
    }

    /// A stretch of a line of the picture, or of the pre-render line, without rendering: the
    /// backdrop, and sprite counters that count nevertheless.
    pub(crate) fn blank_span(&mut self, dots: u64, canvas: &mut Canvas<'_>) -> u64 {
        let first = self.dot + 1;
        let run = dots.min(self.blank_dots()) as u16;
        if run == 0 {
            return 0;
        }
        let last = self.dot + run;
        self.rest_video();
        self.oam.latch = self.oam.buffer;
        let in_picture = self.scanline < POST_RENDER;
        if in_picture {
            self.emit_pipeline(first, last, canvas);
        }
        if first <= 256 {
            let reach = run.min(255) as u8;
            for counter in &mut self.sprites.counters {
                *counter = counter.saturating_sub(if run > 255 { u8::MAX } else { reach });
            }
            if in_picture {
                let backdrop = self.palette[palette_index(self.backdrop_index())];
                let pixel = self.finish_colour(backdrop);
                if let Some(line) = canvas.line(self.scanline) {
                    line[usize::from(first - 1)..usize::from(last)].fill(pixel);
                }
                self.push_colours(run, backdrop);
            } else {
                self.push_colours(run, self.colours[0]);
            }
        } else {
            if first <= 320 {
                self.oam.zero_here = self.oam.zero_next;
                self.oam.secondary_address &= 0x1F;
            }
            self.push_colours(run, self.colours[0]);
        }
        self.dot = last;
        u64::from(run)
    }

    /// The colour pipeline after `run` more dots of the same colour.
    fn push_colours(&mut self, run: u16, colour: u8) {
        for _ in 0..run.min(4) {
            self.colours.copy_within(0..3, 1);
            self.colours[0] = colour;
        }
    }

    /// The pixels chosen in the last three dots leave in dots `first..=last`.
    #[inline]
    pub(crate) fn emit_pipeline(&self, first: u16, last: u16, canvas: &mut Canvas<'_>) {
        let Some(line) = canvas.line(self.scanline) else { return };
        for (dot, age) in (first..=last).zip((0..usize::from(PIPELINE)).rev()) {
            if (4..260).contains(&dot) {
                line[usize::from(dot) - 4] = self.finish_colour(self.colours[age]);
            }
        }
    }

    /// Up to `dots` dots, at most to where the next group begins or the line ends.
    fn dots_to_group<B: VideoBus>(&mut self, dots: u64, bus: &mut B, canvas: &mut Canvas<'_>) {
        let end = (self.dot + 1).next_multiple_of(GROUP).min(LAST_DOT);
        let dots = dots.min(u64::from(end - self.dot));
        if end <= 256 && self.scanline < POST_RENDER {
            self.quiescent_tile_dots(dots as u16, bus, canvas);
        } else {
            (0..dots).for_each(|_| self.quiescent_dot(bus, canvas));
        }
    }

    /// As many groups as the line has from here; after a whole line of them, whole lines.
    fn rendering_span<B: VideoBus>(&mut self, dots: u64, bus: &mut B, canvas: &mut Canvas<'_>) {
        let begin = self.dot;
        let last = (u64::from(begin) + dots).min(LAST_DOT.into()) as u16;
        let end = last & !(GROUP - 1);
        if !begin.is_multiple_of(GROUP) || (begin == 0 && self.is_pre_render()) {
            return;
        }
        if begin < end && self.scanline < POST_RENDER && (1..=256).contains(&begin) {
            self.emit_pipeline(begin + 1, begin + PIPELINE, canvas);
        }
        // Each line's search refreshes OAM, where it forgets.
        let from_start = begin == 0 && self.oam.decay.is_none() && self.oam.will_search_from_start();
        if begin < 256 {
            self.tile_groups(end.min(256), bus, canvas);
        }
        if self.hit_pipe == 0 {
            self.fetch_groups(end, bus);
        }
        if self.dot == 336 && last == LAST_DOT {
            self.unused_group(bus);
        }
        self.tell_a12_of_groups(begin, bus);
        self.next += u64::from(self.dot - begin) * DOT;
        if from_start && self.dot == LAST_DOT && self.scanline < POST_RENDER - 1 {
            let lines = (dots / u64::from(DOTS)).saturating_sub(1).min(239 - u64::from(self.scanline));
            if lines > 0 {
                self.step(bus, canvas);
                self.step(bus, canvas);
                self.pure_lines(lines as u16, bus, canvas);
            }
        }
    }

    /// The groups of the dots 257–336 that begin before dot `end`, once the picture's are through.
    pub(crate) fn fetch_groups<B: VideoBus>(&mut self, end: u16, bus: &mut B) {
        if (256..end.min(320)).contains(&self.dot) {
            self.sprite_groups(end.min(320), bus);
        }
        while (320..end.min(336)).contains(&self.dot) {
            self.prefetch_group(bus);
            self.dot += GROUP;
        }
    }
}
