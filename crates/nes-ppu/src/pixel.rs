//! The last stages: background and sprites meet, the palette is looked up, the pixel leaves.

use nes_clock::Region;

use crate::dot::POST_RENDER;
use crate::frame::Canvas;
use crate::ppu::Ppu;
use crate::registers::{Mask, palette_index};
use crate::sprites::SpritePixel;

impl Ppu {
    /// Dots 1–256 of a line of the picture: which palette entry the pixel of this dot shows.
    #[inline]
    pub(crate) fn choose_colour(&mut self) {
        let index = if self.mask.rendering() { self.mix() } else { self.backdrop_index() };
        self.colours[0] = self.palette[palette_index(index)];
    }

    /// Without rendering the backdrop shows, or the entry that `v` points to (NESdev: PPU
    /// palettes, backdrop override).
    #[inline]
    pub(crate) fn backdrop_index(&self) -> u16 {
        if self.v.bits() & 0x3F00 == 0x3F00 { self.v.bits() & 0x1F } else { 0 }
    }

    /// The palette entry that the pixel of this dot takes, without anything else that comes of it.
    pub(crate) fn colour_index(&self) -> u16 {
        if !self.mask.rendering() {
            return self.backdrop_index();
        }
        match self.layers() {
            (background, None) => u16::from(background),
            (background, Some(sprite)) if sprite.behind && background != 0 => u16::from(background),
            (_, Some(sprite)) => u16::from(sprite.colour),
        }
    }

    /// What background and sprites show in this dot.
    #[inline(always)]
    fn layers(&self) -> (u8, Option<SpritePixel>) {
        let in_left_column = self.dot <= 8;
        let shows = |what: Mask, left: Mask| {
            self.mask.contains(what) && (!in_left_column || self.mask.contains(left))
        };
        let background = if shows(Mask::BACKGROUND, Mask::BACKGROUND_LEFT) {
            self.background.pixel(self.fine_x)
        } else {
            0
        };
        let sprite =
            if shows(Mask::SPRITES, Mask::SPRITES_LEFT) { self.sprites.pixel(self.skipped) } else { None };
        (background, sprite)
    }

    /// The palette entry of background and sprites together; it also finds the sprite zero hit.
    #[inline]
    fn mix(&mut self) -> u16 {
        let (background, sprite) = self.layers();
        let Some(sprite) = sprite else { return u16::from(background) };
        if background == 0 {
            return u16::from(sprite.colour);
        }
        // The 256th pixel never hits.
        if sprite.unit == 0 && self.oam.zero_here && self.hit_possible && self.dot < 256 {
            self.hit_pipe |= 1;
            self.hit_possible = false;
        }
        u16::from(if sprite.behind { background } else { sprite.colour })
    }

    /// The pixel chosen three dots ago leaves, through the greyscale and emphasis of now.
    #[inline]
    pub(crate) fn emit_pixel(&self, canvas: &mut Canvas<'_>) {
        if self.scanline < POST_RENDER
            && (4..260).contains(&self.dot)
            && let Some(line) = canvas.line(self.scanline)
        {
            line[usize::from(self.dot) - 4] = self.finish_colour(self.colours[3]);
        }
    }

    /// A palette value as it leaves the chip: greyscaled, with the emphasis in bits 6–8.
    #[inline]
    pub(crate) fn finish_colour(&self, colour: u8) -> u16 {
        let (grey, emphasis) = self.colour_filter();
        u16::from(colour) & grey | emphasis
    }

    /// The bits of a palette value that leave the chip, and those that it is sent with.
    #[inline]
    pub(crate) fn colour_filter(&self) -> (u16, u16) {
        let grey = if self.mask.contains(Mask::GREYSCALE) { 0x30 } else { 0x3F };
        let bits = self.mask.bits();
        let emphasis = match self.region {
            Region::Ntsc => bits & 0xE0,
            // Red and green are the other way round (NESdev: PPU registers).
            Region::Pal => bits & 0x80 | (bits & 0x20) << 1 | (bits & 0x40) >> 1,
        };
        (grey, u16::from(emphasis) << 1)
    }
}
