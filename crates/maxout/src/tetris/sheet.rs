//! A picture put together from a cartridge's tiles.

use std::io::Cursor;
use std::path::Path;

use draft::Draft;
use image::{ImageFormat, Rgb, RgbImage};
use nes::Palette;

use super::game::Known;
use crate::error::{Error, writing};

/// Bytes of a tile: two planes of eight rows.
const TILE: usize = 16;
/// The colours of plain text: black, white.
const TEXT: [u8; 4] = [0x0F, 0x30, 0x30, 0x30];

/// A picture in the making, black at first.
pub(crate) struct Sheet {
    picture: RgbImage,
    palette: Palette,
    tiles: Vec<u8>,
}

impl Sheet {
    /// Of `width` x `height` pixels, with the tiles that `game` has in play.
    pub(crate) fn new(game: &Known, width: u32, height: u32) -> Self {
        let tiles = game.image.get(game.game_tiles()..).unwrap_or_default().to_vec();
        Self { picture: RgbImage::new(width, height), palette: Palette::ntsc(), tiles }
    }

    /// A rectangle of the PPU's colour `colour`. What lies outside the picture is left out, as it is for every other
    /// drawing.
    pub(crate) fn fill(&mut self, (left, top): (u32, u32), (width, height): (u32, u32), colour: u8) {
        for y in top..top + height {
            for x in left..left + width {
                self.dot(x, y, colour);
            }
        }
    }

    /// A tile in four of the PPU's colours.
    pub(crate) fn tile(&mut self, (left, top): (u32, u32), tile: u8, colours: [u8; 4]) {
        let at = usize::from(tile) * TILE;
        let Some(planes) = self.tiles.get(at..at + TILE).map(<[u8]>::to_vec) else { return };
        for (y, (low, high)) in (top..).zip(planes[..8].iter().zip(&planes[8..])) {
            for x in 0..8 {
                let bit = 7 - x;
                let index = (low >> bit & 1) | (high >> bit & 1) << 1;
                self.dot(left + x, y, colours[usize::from(index)]);
            }
        }
    }

    /// `digits` in the cartridge's own tiles, which are numbered as the digits are, `A` to `F` included. Other characters
    /// leave a gap.
    pub(crate) fn digits(&mut self, (left, top): (u32, u32), digits: &str) {
        for (place, character) in (0..).zip(digits.chars()) {
            if let Some(digit) = character.to_digit(16) {
                self.tile((left + 8 * place, top), digit as u8, TEXT);
            }
        }
    }

    /// Writes the picture as PNG.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let mut png = Cursor::new(Vec::new());
        self.picture
            .write_to(&mut png, ImageFormat::Png)
            .map_err(|error| writing(path, std::io::Error::other(error)))?;
        Ok(Draft::write_file(path, png.get_ref())?)
    }

    fn dot(&mut self, x: u32, y: u32, colour: u8) {
        if let Some(dot) = self.picture.get_pixel_mut_checked(x, y) {
            *dot = Rgb(self.palette.rgb(u16::from(colour & 0x3F)));
        }
    }
}
