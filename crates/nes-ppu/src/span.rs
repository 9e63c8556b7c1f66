//! Spans of dots in which nothing can be noticed, done at once.
//!
//! The description of the chip is the dot ([`Ppu::run_by_dots`]). While no register write is on its
//! way, no `$2007` access works and no damage is pending, a line falls into groups of eight dots
//! (a tile; a sprite's fetches) whose outcome can be computed together, and blank stretches that
//! change next to nothing. Each group here leaves the very state that its eight dots would, which
//! `tests/span.rs` holds against the dots with random programs.

use crate::ppu::{DOT, DOTS, POST_RENDER, PRE_RENDER, Ppu, VBLANK};
use crate::registers::{Control, Mask};
use crate::{Frame, VideoBus};

/// A byte's bits as eight bytes of 0 or 1, the leftmost pixel (bit 7) in the lowest byte.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut pixel = 0;
        while pixel < 8 {
            table[bits] |= ((bits as u64 >> (7 - pixel)) & 1) << (8 * pixel);
            pixel += 1;
        }
        bits += 1;
    }
    table
};

/// The same byte eight times.
const fn each(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

#[inline]
fn spread(bits: u8) -> u64 {
    SPREAD[usize::from(bits)]
}

/// Dots in a group.
const GROUP: u16 = 8;
/// A pixel leaves this many dots after its colour was chosen.
const PIPELINE: u16 = 3;

impl Ppu {
    /// Is there nothing under way that a group would have to watch dot by dot?
    #[inline]
    fn settled(&self) -> bool {
        !self.half
            && !self.late.any()
            && self.port.at_rest()
            && self.corruption.at_rest()
            && !(self.status_read | self.skipped | self.v_loaded)
            && self.hit_pipe == 0
            && self.fetching == self.mask.rendering()
    }

    /// Runs up to `dots` whole dots as groups. Returns how many were run: 0 if the next one has to
    /// be stepped.
    #[inline]
    pub(crate) fn run_span<B: VideoBus>(&mut self, dots: u64, bus: &mut B, frame: &mut Frame) -> u64 {
        if dots < u64::from(PIPELINE) || !self.settled() {
            return 0;
        }
        let run = if !self.on_rendering_line() {
            self.idle_span(dots)
        } else if self.mask.rendering() {
            self.rendering_span(dots, bus, frame)
        } else {
            self.blank_span(dots, frame)
        };
        self.next += run * DOT;
        run
    }

    /// Lines 240–260, but for the dots in which vblank begins and the frame's parity changes.
    fn idle_span(&mut self, dots: u64) -> u64 {
        let index = |line: u16, dot: u64| u64::from(line) * u64::from(DOTS) + dot;
        let here = index(self.scanline, u64::from(self.dot));
        let end = match here {
            _ if here < index(POST_RENDER, 0) => return 0,
            _ if here < index(VBLANK, 0) => index(VBLANK, 0),
            _ if here == index(VBLANK, 0) => return 0,
            _ => index(PRE_RENDER - 1, 339),
        };
        let run = dots.min(end.saturating_sub(here));
        if run < u64::from(PIPELINE) {
            return 0;
        }
        let there = here + run;
        self.scanline = (there / u64::from(DOTS)) as u16;
        self.dot = (there % u64::from(DOTS)) as u16;
        self.rest_video();
        if self.fetching {
            self.oam.buffer = self.oam.incoming;
        }
        self.oam.latch = self.oam.buffer;
        self.colours = [self.colours[0]; 4];
        run
    }

    /// What every dot without rendering leaves on the video pins and in the flags.
    fn rest_video(&mut self) {
        self.video.reading = false;
        self.video.latching = false;
        self.overflow_seen = self.overflow;
        self.hit_seen = self.hit;
        if !self.mask.rendering() {
            self.video.address = self.v.bits() & 0x3FFF;
        }
    }

    /// A stretch of a line of the picture, or of the pre-render line, without rendering: the
    /// backdrop, and sprite counters that count nevertheless.
    fn blank_span(&mut self, dots: u64, frame: &mut Frame) -> u64 {
        let first = self.dot + 1;
        let last = match first {
            // The flags fall in the pre-render line's first dot; dot 0 is always stepped.
            1 if self.scanline == PRE_RENDER => return 0,
            1..=256 => 256,
            257..=338 => 338,
            _ => return 0,
        };
        let last = (u64::from(self.dot) + dots).min(last) as u16;
        let run = last - self.dot;
        self.rest_video();
        self.oam.latch = self.oam.buffer;
        let in_picture = self.scanline < POST_RENDER;
        if in_picture {
            self.emit_pipeline(first, last, frame);
        }
        if first <= 256 {
            let reach = run.min(255) as u8;
            for counter in &mut self.sprites.counters {
                *counter = counter.saturating_sub(if run > 255 { u8::MAX } else { reach });
            }
            if in_picture {
                let backdrop = self.palette[crate::registers::palette_index(self.backdrop_index())];
                let pixel = self.finish_colour(backdrop);
                let line = frame.line_mut(usize::from(self.scanline));
                line[usize::from(first - 1)..usize::from(last)].fill(pixel);
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
    fn emit_pipeline(&self, first: u16, last: u16, frame: &mut Frame) {
        let line = frame.line_mut(usize::from(self.scanline));
        for (dot, age) in (first..=last).zip((0..usize::from(PIPELINE)).rev()) {
            if (4..260).contains(&dot) {
                line[usize::from(dot) - 4] = self.finish_colour(self.colours[age]);
            }
        }
    }

    /// As many groups of eight dots as the line has from here.
    fn rendering_span<B: VideoBus>(&mut self, dots: u64, bus: &mut B, frame: &mut Frame) -> u64 {
        let end = (u64::from(self.dot) + dots).min(336) as u16 & !(GROUP - 1);
        let begin = self.dot;
        if !begin.is_multiple_of(GROUP) || begin >= end || (begin == 0 && self.scanline == PRE_RENDER) {
            return 0;
        }
        if self.scanline < POST_RENDER && (1..=256).contains(&begin) {
            self.emit_pipeline(begin + 1, begin + PIPELINE, frame);
        }
        while self.dot < end.min(256) && self.hit_pipe == 0 {
            self.tile_group(bus, frame);
            self.dot += GROUP;
        }
        while (256..end.min(320)).contains(&self.dot) && self.hit_pipe == 0 {
            self.sprite_group(bus);
            self.dot += GROUP;
        }
        while (320..end).contains(&self.dot) {
            self.prefetch_group(bus);
            self.dot += GROUP;
        }
        u64::from(self.dot - begin)
    }

    /// Eight of the dots 1–256: a tile is fetched, sprites are searched, eight pixels are chosen.
    #[inline]
    fn tile_group<B: VideoBus>(&mut self, bus: &mut B, frame: &mut Frame) {
        self.hit_seen = self.hit;
        if self.scanline < POST_RENDER {
            self.draw_group(frame);
        } else {
            self.colours = [self.colours[0]; 4];
            self.move_sprites();
        }
        if self.dot < 64 {
            self.clear_group();
        } else {
            self.search_group();
        }
        self.fetch_group(bus);
    }

    /// The fetches of a tile and the shifters' eight moves.
    #[inline]
    fn fetch_group<B: VideoBus>(&mut self, bus: &mut B) {
        let tile = bus.read(self.v.nametable_address());
        let attributes = bus.read(self.v.attribute_address());
        let table = u16::from(self.control.contains(Control::BACKGROUND_TABLE)) << 12;
        let pattern = table | (u16::from(tile) << 4) | self.v.fine_y();
        let low = bus.read(pattern);
        let high = bus.read(pattern | 8);
        let background = &mut self.background;
        background.low = (background.low << 8) | u16::from(low);
        background.high = (background.high << 8) | u16::from(high);
        background.attribute_low = (background.attribute_latch & 1) * 0xFF;
        background.attribute_high = (background.attribute_latch >> 1) * 0xFF;
        background.attribute = (attributes >> self.v.attribute_shift()) & 3;
        background.attribute_latch = background.attribute;
        background.low_plane = low;
        background.pattern = pattern | 8;
        self.end_fetches(high);
        self.v.increment_x();
    }

    /// The video pins after a group's last fetch, of the pattern row's high plane.
    #[inline]
    fn end_fetches(&mut self, high: u8) {
        let pattern = self.background.pattern;
        self.video.address = (pattern & 0xFF00) | u16::from(high);
        self.video.latch = pattern as u8;
        self.video.reading = true;
        self.video.latching = false;
    }

    /// Eight pixels: background window, sprites, palette.
    #[inline]
    fn draw_group(&mut self, frame: &mut Frame) {
        let first = self.dot == 0;
        let shows = |what: Mask, left: Mask| self.mask.contains(what) && (!first || self.mask.contains(left));
        let (mut colours, mut opaque) = (0, 0);
        if shows(Mask::BACKGROUND, Mask::BACKGROUND_LEFT) {
            let background = &self.background;
            let tap = 8 - self.fine_x;
            let [low, high] = [background.low, background.high].map(|plane| (plane >> tap) as u8);
            let ahead = [background.attribute_latch & 1, background.attribute_latch >> 1];
            let attribute =
                |shifter: u8, next: u8| ((u16::from(shifter) << 8 | u16::from(next * 0xFF)) >> tap) as u8;
            opaque = low | high;
            let attributes = spread(attribute(background.attribute_low, ahead[0])) << 2
                | spread(attribute(background.attribute_high, ahead[1])) << 3;
            colours = spread(low) | spread(high) << 1 | (attributes & (spread(opaque) * 0xFF));
        }
        if shows(Mask::SPRITES, Mask::SPRITES_LEFT) && !self.sprites.empty() {
            colours = self.mix_sprites(colours, opaque);
        }
        self.move_sprites();
        // The pixels are put down at once, and again if dots are stepped before their time comes.
        let at = usize::from(self.dot);
        let entries = colours.to_le_bytes().map(|index| self.palette[usize::from(index & 0x1F)]);
        let grey = if self.mask.contains(Mask::GREYSCALE) { 0x30 } else { 0x3F };
        let emphasis = u16::from(self.mask.bits() & 0xE0) << 1;
        for (pixel, entry) in frame.line_mut(usize::from(self.scanline))[at..at + 8].iter_mut().zip(entries) {
            *pixel = u16::from(entry & grey) | emphasis;
        }
        self.colours = [entries[7], entries[6], entries[5], entries[4]];
    }

    /// Sprites over eight background `colours` (palette indices, a byte each), of which those set in
    /// `opaque` (bit 7 first) are not the backdrop.
    #[inline]
    fn mix_sprites(&mut self, colours: u64, opaque: u8) -> u64 {
        let (mut sprites, mut covered, mut behind, mut zero) = (0, 0, 0, 0);
        for unit in 0..8 {
            let counter = self.sprites.counters[unit];
            let (low, high) = (self.sprites.low[unit], self.sprites.high[unit]);
            if counter >= GROUP as u8 || low | high == 0 {
                continue;
            }
            let attributes = self.sprites.attributes[unit];
            let (low, high) = (low >> counter, high >> counter);
            // An earlier unit wins.
            let visible = (low | high) & !covered;
            let palette = 0x10 | ((attributes & 3) << 2);
            let row = spread(low) | spread(high) << 1 | each(palette);
            sprites |= row & (spread(visible) * 0xFF);
            covered |= visible;
            if attributes & 0x20 != 0 {
                behind |= visible;
            }
            if unit == 0 {
                zero = visible;
            }
        }
        if covered == 0 {
            return colours;
        }
        // The 256th pixel never hits.
        let may_hit = if self.dot == 248 { 0xFE } else { 0xFF };
        let hits = zero & opaque & may_hit;
        if hits != 0 && self.oam.zero_here && self.hit_possible {
            self.hit_possible = false;
            // The hit passes two stages before the flag and one after it, a dot each.
            match hits.leading_zeros() {
                7 => self.hit_pipe = 2,
                6 => self.hit = true,
                _ => (self.hit, self.hit_seen) = (true, true),
            }
        }
        let on_top = spread(covered & !(behind & opaque)) * 0xFF;
        (colours & !on_top) | (sprites & on_top)
    }

    /// Eight dots of the sprite units' counters and shifters.
    #[inline]
    fn move_sprites(&mut self) {
        let units = &mut self.sprites;
        if !units.empty() {
            for unit in 0..8 {
                let shifts = u32::from(GROUP as u8 - units.counters[unit].min(GROUP as u8));
                units.low[unit] = (u32::from(units.low[unit]) << shifts) as u8;
                units.high[unit] = (u32::from(units.high[unit]) << shifts) as u8;
            }
        }
        units.counters = units.counters.map(|counter| counter.saturating_sub(GROUP as u8));
    }

    /// Eight dots of clearing secondary OAM, or of reading it in the pre-render line.
    #[inline]
    fn clear_group(&mut self) {
        let read_only = self.scanline == PRE_RENDER;
        self.overflow_seen = self.overflow;
        let oam = &mut self.oam;
        let first = self.dot == 0;
        for pair in 0..4 {
            oam.incoming = if read_only { oam.secondary[oam.secondary_index()] } else { 0xFF };
            if first && pair == 0 {
                oam.begin_line();
            }
            if !read_only {
                oam.secondary[oam.secondary_index()] = 0xFF;
            }
            oam.secondary_address = (oam.secondary_address + 1) & 0x1F;
        }
        oam.buffer = oam.incoming;
        oam.latch = oam.incoming;
    }

    /// Eight dots of the sprite search.
    #[inline]
    fn search_group(&mut self) {
        if self.dot != 64 && self.scanline < POST_RENDER {
            let height = self.sprite_height() as u8;
            if self.oam.skip_group(self.scanline as u8, height) {
                self.overflow_seen = self.overflow;
                return;
            }
        }
        self.step_search_group();
    }

    /// As [`Ppu::search_group`], where the search finds something, or begins.
    fn step_search_group(&mut self) {
        let group = self.dot;
        for pair in 0..4 {
            self.dot = group + 2 * pair + 1;
            self.search_sprites();
            self.oam.buffer = self.oam.incoming;
            self.oam.latch = self.oam.buffer;
            self.dot += 1;
            self.overflow_seen = self.overflow;
            self.search_sprites();
            self.oam.buffer = self.oam.incoming;
        }
        self.dot = group;
    }

    /// Eight of the dots 257–320: one sprite unit is filled.
    #[inline]
    fn sprite_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.hit_seen = self.hit;
        self.overflow_seen = self.overflow;
        let unit = usize::from((self.dot - 256) / GROUP);
        if unit == 0 {
            self.v.increment_y();
            self.v.copy_x(self.t);
            self.background.shift();
            self.oam.begin_loading();
        } else if self.scanline == PRE_RENDER && (3..7).contains(&unit) {
            // Dots 280–304 are in these groups; the first of them has all of it done.
            self.v.copy_y(self.t);
        }
        self.colours = [self.colours[0]; 4];
        self.oam.zero_here = self.oam.zero_next;
        self.oam.address = 0;
        let entry = self.oam.secondary_index();
        let slot = |byte: usize| (entry + byte) & 0x1F;
        let [y, _, attributes, x] = [0, 1, 2, 3].map(|byte| self.oam.secondary[slot(byte)]);
        self.oam.row = (self.scanline & 0xFF).wrapping_sub(u16::from(y));
        // Its tile and flip come from the four bytes that the address is in while they are asked.
        self.oam.secondary_address = slot(3) as u8;
        let tile = self.oam.secondary_entry()[1];
        self.background.pattern = (self.background.pattern & 0x100F) | (u16::from(tile) << 4);
        self.select_sprite_pattern();
        let pattern = self.background.pattern & !8;
        let in_range = self.oam.row < self.sprite_height();
        let high = bus.read(pattern | 8);
        let arrange = |row: u8| if attributes & 0x40 != 0 { row.reverse_bits() } else { row };
        self.sprites.attributes[unit] = attributes;
        self.sprites.counters[unit] = x;
        (self.sprites.low[unit], self.sprites.high[unit]) =
            if in_range { (arrange(bus.read(pattern)), arrange(high)) } else { (0, 0) };
        self.background.pattern = pattern | 8;
        self.end_fetches(high);
        self.oam.secondary_address = (self.oam.secondary_address + 1) & 0x1F;
        self.oam.incoming = x;
        self.oam.buffer = x;
        self.oam.latch = x;
    }

    /// Eight of the dots 321–336: a tile of the next line is fetched.
    #[inline]
    fn prefetch_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.hit_seen = self.hit;
        self.overflow_seen = self.overflow;
        self.colours = [self.colours[0]; 4];
        let byte = self.oam.secondary[0];
        self.oam.incoming = byte;
        self.oam.buffer = byte;
        self.oam.latch = byte;
        self.fetch_group(bus);
    }
}
