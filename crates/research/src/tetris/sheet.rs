//! A picture put together from a cartridge's tiles.

use std::path::Path;

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use nes::Palette;
use plotters::backend::BitMapBackend;
use plotters::drawing::IntoDrawingArea;
use plotters::element::Text;
use plotters::style::WHITE;
use plotters::style::text_anchor::{HPos, VPos};

use cli::drawing::{Drawn, load_font, png, text};
use cli::error::Error;
use cli::game::Known;

/// Bytes of a tile: two planes of eight rows.
const TILE: usize = 16;
/// The colours of plain text: black, white.
const TEXT: [u8; 4] = [0x0F, 0x30, 0x30, 0x30];

/// Height of a label, in pixels.
const LETTERS: i32 = 18;

/// A place, on which side of it the text is, and the text.
pub(crate) type Label = ((i32, i32), HPos, &'static str);

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

    /// A rectangle of the PPU's colour `colour`. What lies outside the picture is left out, as it
    /// is for every other drawing.
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

    /// `digits` in the cartridge's own tiles, which are numbered as the digits are, `A` to `F`
    /// included. Other characters leave a gap.
    pub(crate) fn digits(&mut self, (left, top): (u32, u32), digits: &str) {
        for (place, character) in (0..).zip(digits.chars()) {
            if let Some(digit) = character.to_digit(16) {
                self.tile((left + 8 * place, top), digit as u8, TEXT);
            }
        }
    }

    /// Enlarges the picture, a pixel becoming a square of `zoom`, and writes labels on it: text
    /// that ends or begins at a place of the enlarged picture.
    pub(crate) fn labelled(mut self, zoom: u32, labels: &[Label]) -> Drawn<Self> {
        let size = (zoom * self.picture.width(), zoom * self.picture.height());
        let mut picture = imageops::resize(&self.picture, size.0, size.1, FilterType::Nearest);
        load_font();
        {
            let area = BitMapBackend::with_buffer(&mut picture, size).into_drawing_area();
            for &(place, across, words) in labels {
                area.draw(&Text::new(words, place, text(LETTERS, across, VPos::Center).color(&WHITE)))?;
            }
            area.present()?;
        }
        self.picture = picture;
        Ok(self)
    }

    /// Writes the picture as PNG.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        png(path, self.picture.dimensions(), &self.picture)
    }

    fn dot(&mut self, x: u32, y: u32, colour: u8) {
        if let Some(dot) = self.picture.get_pixel_mut_checked(x, y) {
            *dot = Rgb(self.palette.rgb(u16::from(colour & 0x3F)));
        }
    }
}
