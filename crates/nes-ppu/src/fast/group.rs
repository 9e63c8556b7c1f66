//! Groups of eight dots in which nothing can be noticed, each as the state that its dots would
//! leave.

use crate::VideoBus;
use crate::background::Background;
use crate::dot::POST_RENDER;
use crate::fast::span::{GROUP, LAST_DOT};
use crate::frame::Canvas;
use crate::ppu::Ppu;
use crate::registers::{Control, Mask};
use crate::sprites::each;

/// Dots from which on a run of tiles is worth its preparation.
const LONG: u16 = 3 * GROUP;

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

#[inline]
fn spread(bits: u8) -> u64 {
    SPREAD[usize::from(bits)]
}

/// Each counter less eight, or 0.
#[inline]
fn less_a_group(counters: [u8; 8]) -> [u8; 8] {
    const TOP: u64 = each(0x80);
    let before = u64::from_le_bytes(counters);
    // With the top bit set no byte borrows from the next.
    let less = (before | TOP) - each(GROUP as u8);
    let enough = ((less | before) & TOP) >> 7;
    (less & (before | !TOP) & (enough * 0xFF)).to_le_bytes()
}

impl Ppu {
    /// As many of the groups of the dots 1–256 as begin before dot `end`: in each a tile is
    /// fetched, sprites are searched and, in the picture, eight pixels are chosen.
    pub(crate) fn tile_groups<B: VideoBus>(&mut self, end: u16, bus: &mut B, canvas: &mut Canvas<'_>) {
        if self.is_pre_render() {
            self.colours = [self.colours[0]; 4];
            self.tiles_without_pixels(end, bus);
            return;
        }
        let mut drawn = None;
        while self.dot < end && self.hit_pipe == 0 {
            if end - self.dot >= LONG && self.is_tile_run() {
                self.background_groups(end, bus, canvas);
                return;
            }
            let indices = self.choose_group();
            // The pixels are put down at once, and again if dots are stepped before their time
            // comes.
            if let Some(line) = canvas.line(self.scanline) {
                let at = usize::from(self.dot);
                for (pixel, index) in line[at..at + 8].iter_mut().zip(indices) {
                    *pixel = self.finish_colour(self.palette[usize::from(index & 0x1F)]);
                }
            }
            drawn = Some(indices);
            self.tile_group(bus);
        }
        if let Some([.., a, b, c, d]) = drawn {
            self.colours = [d, c, b, a].map(|index| self.palette[usize::from(index & 0x1F)]);
        }
    }

    /// As [`Ppu::tile_groups`], but no pixel is chosen.
    pub(crate) fn tiles_without_pixels<B: VideoBus>(&mut self, end: u16, bus: &mut B) {
        let begin = self.dot;
        if begin >= end {
            return;
        }
        if !self.sprites.empty() {
            while self.dot < end {
                self.tile_group(bus);
            }
            return;
        }
        // Of the tiles only the last two are still in the shifters.
        let unseen = ((end - begin) / GROUP).saturating_sub(2);
        self.v.skip_tiles(unseen);
        self.fetch_tiles(end - begin - unseen * GROUP, bus, |_, _| {});
        self.sprites.count_down(end - begin);
        self.search_groups(end);
    }

    /// The sprites' side of the groups of the dots 1–256 from here to dot `end`.
    pub(crate) fn search_groups(&mut self, end: u16) {
        while self.dot < end.min(64) {
            self.clear_group();
            self.dot += GROUP;
        }
        if self.is_pre_render() && self.dot > 64 && self.dot < end {
            // Nothing is found and nothing moves: each group after the first is like the next.
            self.step_search_group();
            self.dot = end;
        }
        if self.dot == 64 && self.dot < end {
            self.begin_search();
        }
        let height = self.sprite_height() as u8;
        while self.dot < end {
            let groups = (end - self.dot) / GROUP;
            if self.scanline < POST_RENDER && self.oam.skip_groups(groups, self.scanline as u8, height) {
                self.oam.zero_next &= self.dot != 64;
                self.overflow_seen = self.overflow;
                self.dot = end;
                return;
            }
            self.search_group();
            self.dot += GROUP;
        }
    }

    /// Eight of the dots 1–256, but for the pixels.
    #[inline]
    fn tile_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.move_sprites();
        if self.dot < 64 {
            self.clear_group();
        } else {
            self.search_group();
        }
        self.fetch_group(bus);
        self.dot += GROUP;
    }

    /// The fetches of a tile and the shifters' eight moves.
    #[inline]
    fn fetch_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.fetch_tiles(GROUP, bus, |_, _| {});
    }

    /// The fetches of as many tiles as fit in `dots`, and as many moves of the shifters. Each
    /// tile's pattern row and palette are shown to `see`.
    #[inline(always)]
    pub(crate) fn fetch_tiles<B: VideoBus>(
        &mut self,
        dots: u16,
        bus: &mut B,
        mut see: impl FnMut([u8; 2], u8),
    ) {
        let table = u16::from(self.control.contains(Control::BACKGROUND_TABLE)) << 12;
        let row = table | self.v.fine_y();
        let mut pattern = 0;
        let Background { mut low, mut high, attribute_latch: mut palette, .. } = self.background;
        let mut before = palette;
        // An attribute byte serves four tiles.
        let mut v = self.v;
        let mut attributes = if v.coarse_x() & 3 == 0 { 0 } else { bus.read(v.attribute_address()) };
        for _ in 0..dots / GROUP {
            let tile = bus.read(v.nametable_address());
            if v.coarse_x() & 3 == 0 {
                attributes = bus.read(v.attribute_address());
            }
            pattern = row | u16::from(tile) << 4;
            let planes = bus.pattern_row(pattern);
            low = low << 8 | u16::from(planes[0]);
            high = high << 8 | u16::from(planes[1]);
            before = palette;
            palette = attributes >> v.attribute_shift() & 3;
            see(planes, palette);
            v.increment_x();
        }
        self.v = v;
        self.background.low = low;
        self.background.high = high;
        self.background.attribute_low = (before & 1) * 0xFF;
        self.background.attribute_high = (before >> 1) * 0xFF;
        self.background.attribute_latch = palette;
        self.background.attribute = palette;
        self.background.low_plane = low as u8;
        self.background.pattern = pattern | 8;
        self.end_fetches(high as u8);
    }

    /// The video pins after a group's last fetch, of the pattern row's high plane.
    #[inline]
    pub(crate) fn end_fetches(&mut self, high: u8) {
        let pattern = self.background.pattern;
        self.video.address = (pattern & 0xFF00) | u16::from(high);
        self.video.latch = pattern as u8;
        self.video.reading = true;
        self.video.latching = false;
    }

    /// The palette indices of eight pixels: background window, sprites.
    #[inline]
    fn choose_group(&mut self) -> [u8; 8] {
        self.hit_seen = self.hit;
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
        colours.to_le_bytes()
    }

    /// Sprites over eight background `colours` (palette indices, a byte each), of which those set
    /// in `opaque` (bit 7 first) are not the backdrop.
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
        units.counters = less_a_group(units.counters);
    }

    /// Eight dots of clearing secondary OAM, or of reading it in the pre-render line.
    #[inline]
    fn clear_group(&mut self) {
        let read_only = self.is_pre_render();
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

    /// Eight of the dots 321–336: a tile of the next line is fetched.
    #[inline]
    pub(crate) fn prefetch_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.idle_group();
        self.fetch_group(bus);
    }

    /// Dots 337–340: a tile number is fetched twice. The first arrives where the next line will
    /// have overwritten it before it matters.
    #[inline]
    pub(crate) fn unused_group<B: VideoBus>(&mut self, bus: &mut B) {
        self.idle_group();
        self.dot = LAST_DOT;
        let address = self.v.nametable_address();
        let tile = bus.read(address);
        self.background.pattern = (self.background.pattern & 0x100F) | (u16::from(tile) << 4);
        self.video.address = (address & 0xFF00) | u16::from(tile);
        self.video.latch = address as u8;
        self.video.reading = true;
        self.video.latching = false;
    }

    /// What the sprites' side and the flags make of the dots past 320.
    #[inline]
    fn idle_group(&mut self) {
        self.hit_seen = self.hit;
        self.overflow_seen = self.overflow;
        self.colours = [self.colours[0]; 4];
        let byte = self.oam.secondary[0];
        self.oam.incoming = byte;
        self.oam.buffer = byte;
        self.oam.latch = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_takes_eight_from_each_counter_and_stops_at_0() {
        for counter in 0..=255_u8 {
            let counters = [counter, 0, 255, 7, 8, 9, 128, counter ^ 0x80];
            let less = counters.map(|counter| counter.saturating_sub(8));
            assert_eq!(less_a_group(counters), less, "{counters:?}");
        }
    }
}
