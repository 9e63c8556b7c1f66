//! Runs: tiles in a row of which nothing but the background shows.

use crate::VideoBus;
use crate::background::Background;
use crate::fast::blend::PaletteLookup;
use crate::fast::span::GROUP;
use crate::frame::Canvas;
use crate::ppu::Ppu;
use crate::registers::Mask;

impl Ppu {
    /// Is what comes a run of tiles: no sprite is left to show, no column is clipped, and the tile
    /// on its way out has one palette?
    pub(crate) fn is_tile_run(&self) -> bool {
        let clipped = self.dot == 0 && !self.mask.contains(Mask::BACKGROUND_LEFT);
        let even = |bits: u8| matches!(bits, 0 | 0xFF);
        let Background { attribute_low, attribute_high, .. } = self.background;
        self.sprites.empty() && !clipped && even(attribute_low) && even(attribute_high)
    }

    /// As [`Ppu::tile_groups`], of a run ([`Ppu::is_tile_run`]).
    pub(crate) fn background_groups<B: VideoBus>(&mut self, end: u16, bus: &mut B, canvas: &mut Canvas<'_>) {
        let begin = self.dot;
        let groups = usize::from((end - begin) / GROUP);
        self.hit_seen = self.hit;
        let lookup = [0, 4, 8, 12].map(|first| PaletteLookup::of(&self.palette, first));
        let shown = self.mask.contains(Mask::BACKGROUND);
        let mut run = [[u16::from(self.palette[0]); 8]; 34];
        let mut put = |at: usize, row: [u8; 2], palette: u8| {
            if shown {
                run[at] = lookup[usize::from(palette & 3)].row(row);
            }
        };
        let background = &self.background;
        let ([left_low, low], [left_high, high]) =
            (background.low.to_be_bytes(), background.high.to_be_bytes());
        let palette = (background.attribute_low & 1) | (background.attribute_high & 1) << 1;
        put(0, [left_low, left_high], palette);
        put(1, [low, high], background.attribute_latch);
        let mut at = 1;
        self.fetch_tiles(end - begin, bus, |row, palette| {
            at += 1;
            put(at, row, palette);
        });
        self.sprites.count_down(end - begin);
        self.search_groups(end);
        let (first, fine_x) = (usize::from(begin), usize::from(self.fine_x));
        let pixels = &run.as_flattened()[fine_x..][..8 * groups];
        if let Some(line) = canvas.line(self.scanline) {
            let (grey, emphasis) = self.colour_filter();
            for (pixel, &colour) in line[first..].iter_mut().zip(pixels) {
                *pixel = colour & grey | emphasis;
            }
        }
        if let [.., a, b, c, d] = *pixels {
            self.colours = [d, c, b, a].map(|colour| colour as u8);
        }
    }
}
