//! Whole lines whose pixels follow from registers, memory and OAM alone.
//!
//! A line that begins with nothing under way, after another such line, carries nothing over that
//! the memories do not say: its first two tiles and its sprites were fetched from them. So of a
//! stretch of such lines only the last has to leave its state behind; the others are drawn, or not
//! even that while drawing is off, and asked for the two flags that a program can read.

use crate::VideoBus;
use crate::dot::DOTS;
use crate::fast::blend::{self, PaletteLookup};
use crate::fast::line_cache::{Row, Setting, Source, TILES};
use crate::frame::Canvas;
use crate::ppu::{DOT, Ppu};
use crate::registers::{Control, Mask, palette_index};
use crate::scroll::VramAddr;

/// Pixels of a line before it is cut to what shows: the tiles, and a sprite that hangs over.
const WIDTH: usize = 8 * TILES + 8;

/// Which of the 64 sprites are in range of each line, a bit each: they show on the line after it.
struct InRange([u64; 240]);

impl InRange {
    /// As evaluation finds them from OAM's start, for the lines `first..=last`.
    fn find(oam: &[u8; 256], height: u16, first: u16, last: u16) -> Self {
        let mut lines = [0; 240];
        for (sprite, entry) in oam.chunks_exact(4).enumerate() {
            let top = u16::from(entry[0]);
            let shown = top.max(first)..(top + height).min(last + 1);
            for line in lines.get_mut(usize::from(shown.start)..usize::from(shown.end)).into_iter().flatten()
            {
                *line |= 1 << sprite;
            }
        }
        Self(lines)
    }

    fn on(&self, line: u16) -> u64 {
        self.0[usize::from(line)]
    }
}

/// What a stretch of lines has in common, and the line being put together.
struct LineBuffer {
    backgrounds: [PaletteLookup; 4],
    sprites: [PaletteLookup; 4],
    backdrop: u16,
    /// Pattern address and palette of each tile in the present row of tiles.
    tiles: Row,
    /// Palette values.
    pixels: [u16; WIDTH],
    /// Where the background is not the backdrop, a bit a pixel, bit 7 first.
    opaque: [u8; WIDTH / 8],
}

impl LineBuffer {
    fn new(palette: &[u8; 32]) -> Self {
        let lookup = |first| PaletteLookup::of(palette, first);
        Self {
            backgrounds: [0, 4, 8, 12].map(lookup),
            sprites: [16, 20, 24, 28].map(lookup),
            backdrop: palette[palette_index(0)].into(),
            tiles: [(0, 0); TILES],
            pixels: [0; WIDTH],
            opaque: [0; WIDTH / 8],
        }
    }
}

/// Eight bits of `bits` from bit `at` on, bit 7 first.
#[inline]
fn window(bits: &[u8], at: usize) -> u8 {
    let pair = u16::from_be_bytes([bits[at / 8], bits[at / 8 + 1]]);
    (pair << (at % 8) >> 8) as u8
}

impl Ppu {
    /// Lines from dot 0 to the next dot 0, `lines` of them, the line before having been such a
    /// line.
    pub(crate) fn pure_lines<B: VideoBus>(&mut self, mut lines: u16, bus: &mut B, canvas: &mut Canvas<'_>) {
        if !canvas.enabled() && !B::WATCHES_A12 {
            self.pass_unseen_lines(lines - 1, bus);
            lines = 1;
        }
        let first = self.scanline;
        let last = first + lines - 1;
        let in_range = InRange::find(&self.oam.primary, self.sprite_height(), first - 1, last);
        let mut buffer = LineBuffer::new(&self.palette);
        let mut source = self.source(canvas, bus);
        let oam = source.oam;
        let mut row_of_tiles = None;
        for line in first..=last {
            self.scanline = line;
            let sprites = in_range.on(line - 1);
            // The last line's last pixel is still on its way.
            let needed = line == last;
            let row = self.v.bits() & !VramAddr::FINE_Y;
            if row_of_tiles != Some(row) && (needed || canvas.enabled()) {
                row_of_tiles = Some(row);
                self.gather_tiles(&mut buffer, bus);
                source.row = canvas.cache().map_or(0, |cache| cache.row(line, &buffer.tiles));
            }
            source.fine = [self.v.fine_y() as u8, self.fine_x];
            source.sprites = sprites;
            source.oam = if sprites == 0 { 0 } else { oam };
            if needed || canvas.lacks(line, source) {
                self.draw_background(&mut buffer, bus);
                self.draw_sprites(&mut buffer, sprites, bus);
                self.finish_line(&buffer, canvas);
                if let Some(cache) = canvas.cache() {
                    cache.keep(line, source);
                }
            } else if self.hit_possible && sprites & 1 != 0 {
                self.find_hit(bus);
            }
            if line < last {
                let found = in_range.on(line);
                self.tell_a12_of_line(u64::from(line - first), found, bus);
                if found != 0 && !self.overflow {
                    self.overflow = found.count_ones() >= 8 && self.search_overflows();
                }
                self.v.increment_y();
            }
        }
        self.next += u64::from(lines - 1) * u64::from(DOTS) * DOT;
        self.leave_line(buffer.pixels[255 + usize::from(self.fine_x)] as u8, bus, canvas);
    }

    /// `lines` of [`Ppu::pure_lines`] that are not shown: what they leave are `v` and the two
    /// flags.
    fn pass_unseen_lines<B: VideoBus>(&mut self, lines: u16, bus: &mut B) {
        let (first, end) = (self.scanline, self.scanline + lines);
        self.find_overflow(end);
        let top = u16::from(self.oam.primary[0]);
        let zero = top + 1..top + 1 + self.sprite_height();
        for line in first..end {
            self.scanline = line;
            if self.hit_possible && zero.contains(&line) {
                self.find_hit(bus);
            }
            self.v.increment_y();
        }
        self.scanline = end;
        self.next += u64::from(lines) * u64::from(DOTS) * DOT;
    }

    /// Does the search of one of the lines from the present one to before `end` overflow?
    fn find_overflow(&mut self, end: u16) {
        if self.overflow {
            return;
        }
        let (first, height) = (self.scanline, self.sprite_height());
        // How many more are in range of a line than of the one before it.
        let (mut steps, mut shown) = ([0_i8; 241], 0);
        for entry in self.oam.primary.as_chunks::<4>().0 {
            let top = u16::from(entry[0]);
            let (from, to) = (top.max(first), (top + height).min(end));
            if from < to {
                steps[usize::from(from)] += 1;
                steps[usize::from(to)] -= 1;
                shown += 1;
            }
        }
        let mut count = 0;
        for line in first..end {
            if shown < 8 || self.overflow {
                break;
            }
            count += steps[usize::from(line)];
            if count >= 8 {
                self.scanline = line;
                self.overflow = self.search_overflows();
            }
        }
        self.scanline = first;
    }

    /// What the lines of a stretch have in common.
    fn source<B: VideoBus>(&self, canvas: &mut Canvas<'_>, bus: &B) -> Source {
        let Some(cache) = canvas.cache() else { return Source::default() };
        let setting = Setting {
            palette: self.palette,
            mask: self.mask.bits(),
            control: (self.control & (Control::SPRITE_TABLE | Control::TALL_SPRITES)).bits(),
            patterns: bus.pattern_generation(),
        };
        Source { setting: cache.setting(&setting), oam: cache.oam(&self.oam.primary), ..Source::default() }
    }

    /// The tiles of the row that `v` is in, from the column that a line begins with.
    fn gather_tiles<B: VideoBus>(&self, buffer: &mut LineBuffer, bus: &mut B) {
        let mut v = self.v;
        v.copy_x(self.t);
        let table = u16::from(self.control.contains(Control::BACKGROUND_TABLE)) << 12;
        for tile in &mut buffer.tiles {
            let number = bus.read(v.nametable_address());
            let attributes = bus.read(v.attribute_address());
            *tile = (table | (u16::from(number) << 4), (attributes >> v.attribute_shift()) & 3);
            v.increment_x();
        }
    }

    fn draw_background<B: VideoBus>(&self, buffer: &mut LineBuffer, bus: &mut B) {
        if !self.mask.contains(Mask::BACKGROUND) {
            buffer.pixels.fill(buffer.backdrop);
            buffer.opaque.fill(0);
            return;
        }
        let fine_y = self.v.fine_y();
        let tiles = buffer.tiles.iter().zip(buffer.pixels.as_chunks_mut().0).zip(&mut buffer.opaque);
        for ((&(pattern, palette), pixels), opaque) in tiles {
            let row = bus.pattern_row(pattern | fine_y);
            *pixels = buffer.backgrounds[usize::from(palette & 3)].row(row);
            *opaque = row[0] | row[1];
        }
        if !self.mask.contains(Mask::BACKGROUND_LEFT) {
            let hidden = usize::from(self.fine_x);
            buffer.pixels[hidden..hidden + 8].fill(buffer.backdrop);
            buffer.opaque[0] &= !(0xFF >> hidden);
            buffer.opaque[1] &= 0xFF >> hidden;
        }
    }

    /// The first eight of `sprites`; an earlier one wins, even behind the background.
    fn draw_sprites<B: VideoBus>(&mut self, buffer: &mut LineBuffer, mut sprites: u64, bus: &mut B) {
        if !self.mask.contains(Mask::SPRITES) {
            return;
        }
        let clipped = !self.mask.contains(Mask::SPRITES_LEFT);
        let mut covered = [0; WIDTH / 8 + 1];
        for _ in 0..8 {
            if sprites == 0 {
                break;
            }
            let sprite = sprites.trailing_zeros() as usize;
            sprites &= sprites - 1;
            let Some(&[y, tile, attributes, x]) = self.oam.primary[4 * sprite..].first_chunk() else { break };
            let mut row = bus.pattern_row(self.sprite_pattern(y, tile, attributes));
            if attributes & 0x40 != 0 {
                row = row.map(u8::reverse_bits);
            }
            let mut shown = row[0] | row[1];
            if clipped && x < 8 {
                shown &= (0xFF_u16 >> (8 - x)) as u8;
            }
            let at = usize::from(x) + usize::from(self.fine_x);
            shown &= !window(&covered, at);
            let [left, right] = (u16::from(shown) << 8 >> (at % 8)).to_be_bytes();
            covered[at / 8] |= left;
            covered[at / 8 + 1] |= right;
            let opaque = window(&buffer.opaque, at);
            if sprite == 0 {
                self.note_hit(x, shown & opaque);
            }
            if attributes & 0x20 != 0 {
                shown &= !opaque;
            }
            if let Some(under) = buffer.pixels[at..].first_chunk_mut() {
                blend::put(under, &buffer.sprites[usize::from(attributes & 3)].row(row), shown);
            }
        }
    }

    /// Sprite zero of a line that is not drawn, over the tiles behind it.
    fn find_hit<B: VideoBus>(&mut self, bus: &mut B) {
        let Some(&[y, tile, attributes, x]) = self.oam.primary.first_chunk() else { return };
        if !self.mask.contains(Mask::SPRITES | Mask::BACKGROUND) {
            return;
        }
        let [low, high] = bus.pattern_row(self.sprite_pattern(y, tile, attributes));
        let mut shown = low | high;
        if attributes & 0x40 != 0 {
            shown = shown.reverse_bits();
        }
        if !self.mask.contains(Mask::SPRITES_LEFT) && x < 8 {
            shown &= (0xFF_u16 >> (8 - x)) as u8;
        }
        if shown == 0 {
            return;
        }
        let at = usize::from(x) + usize::from(self.fine_x);
        let table = u16::from(self.control.contains(Control::BACKGROUND_TABLE)) << 12;
        let mut v = self.v;
        v.copy_x(self.t);
        v.skip_tiles(at as u16 / 8);
        let mut opaque = [0; 3];
        for (column, opaque) in (at / 8..).zip(&mut opaque[..2]) {
            let tile = bus.read(v.nametable_address());
            let [low, high] = bus.pattern_row(table | u16::from(tile) << 4 | self.v.fine_y());
            *opaque = low | high;
            if !self.mask.contains(Mask::BACKGROUND_LEFT) {
                *opaque &= match column {
                    0 => !(0xFF >> self.fine_x),
                    1 => 0xFF >> self.fine_x,
                    _ => 0xFF,
                };
            }
            v.increment_x();
        }
        self.note_hit(x, shown & window(&opaque, at % 8));
    }

    /// Sprite zero, whose first column is `x`, meets the background where `both` has bits.
    fn note_hit(&mut self, x: u8, both: u8) {
        // The 256th pixel never hits.
        let in_reach = if x > 247 { 0xFF << (x - 247) } else { 0xFF };
        if self.hit_possible && both & in_reach as u8 != 0 {
            self.hit_possible = false;
            self.hit = true;
        }
    }

    /// Address of the pattern row that a sprite shows on this line.
    fn sprite_pattern(&self, y: u8, tile: u8, attributes: u8) -> u16 {
        let row = (self.scanline - 1 - u16::from(y)) ^ if attributes & 0x80 != 0 { 0x0F } else { 0 };
        let (tile, row, bank) = if self.control.contains(Control::TALL_SPRITES) {
            (tile & !1 | (row >> 3 & 1) as u8, row & 7, tile & 1 != 0)
        } else {
            (tile, row & 7, self.control.contains(Control::SPRITE_TABLE))
        };
        u16::from(bank) << 12 | u16::from(tile) << 4 | row
    }

    /// What shows of the line leaves through greyscale and emphasis.
    fn finish_line(&self, buffer: &LineBuffer, canvas: &mut Canvas<'_>) {
        let Some(line) = canvas.line(self.scanline) else { return };
        let (grey, emphasis) = self.colour_filter();
        for (pixel, &colour) in line.iter_mut().zip(&buffer.pixels[usize::from(self.fine_x)..]) {
            *pixel = colour & grey | emphasis;
        }
    }

    /// Does the search of this line's sprites, of which eight are in range, find a ninth? It then
    /// also moves through the bytes of a sprite (NESdev: PPU sprite evaluation, overflow bug).
    fn search_overflows(&self) -> bool {
        let height = self.sprite_height();
        let in_range = |y: u8| self.scanline.wrapping_sub(u16::from(y)) < height;
        let mut found = 0;
        let mut sprite = 0;
        while found < 8 && sprite < 64 {
            found += usize::from(in_range(self.oam.primary[4 * sprite]));
            sprite += 1;
        }
        let mut address = 4 * sprite;
        while address < 256 {
            if in_range(self.oam.primary[address]) {
                return true;
            }
            address += if address & 3 == 3 { 1 } else { 5 };
        }
        false
    }

    /// The state that this line leaves behind, at the next dot 0. `colour` is its last pixel's.
    fn leave_line<B: VideoBus>(&mut self, colour: u8, bus: &mut B, canvas: &mut Canvas<'_>) {
        self.dot = 0;
        self.hit_seen = self.hit;
        self.sprites.low = [0; 8];
        self.sprites.high = [0; 8];
        self.sprites.counters = [0; 8];
        self.tiles_without_pixels(256, bus);
        self.colours = [colour; 4];
        self.fetch_groups(336, bus);
        self.unused_group(bus);
        self.tell_a12_of_groups(0, bus);
        self.next += u64::from(DOTS - 1) * DOT;
        self.step(bus, canvas);
        self.step(bus, canvas);
    }
}
