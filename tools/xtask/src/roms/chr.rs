//! Pictures to pattern tables, so that anyone can draw tiles with any paint program.
//!
//! A pattern table is 256 tiles of 8×8 dots, two bits a dot; a tile is 16 bytes: eight with the low
//! bits of its lines from the top, then eight with the high bits, the leftmost dot in bit 7
//! (NESdev: PPU pattern tables).

use anyhow::{Context, Result, bail};
use image::{ImageFormat, Rgba, RgbaImage};

/// Dots a side of the picture: 16 by 16 tiles, tile $00 at the top left, $0F at the top right.
const SIDE: u32 = 128;

/// Tiles in a row of the picture.
const ROW: u32 = SIDE / 8;

/// The greys that stand for the dots' values 0 to 3.
const GREYS: [u8; 4] = [0x00, 0x55, 0xAA, 0xFF];

/// The 4 KiB of tiles that a PNG shows.
///
/// # Errors
/// When it is no PNG, not 128×128, or has a pixel that is none of the four greys.
pub(super) fn from_png(png: &[u8]) -> Result<Vec<u8>> {
    let picture = image::load_from_memory_with_format(png, ImageFormat::Png).context("expected a PNG")?;
    tiles(&picture.to_rgba8())
}

fn tiles(picture: &RgbaImage) -> Result<Vec<u8>> {
    let (width, height) = picture.dimensions();
    if (width, height) != (SIDE, SIDE) {
        bail!("expected {SIDE}×{SIDE} pixels, which are 16×16 tiles, found {width}×{height}");
    }
    let mut planes = vec![0; (ROW * ROW * 16) as usize];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let Some(value) = GREYS.iter().position(|&grey| *pixel == Rgba([grey, grey, grey, 0xFF])) else {
            let Rgba([red, green, blue, alpha]) = pixel;
            let clear = if *alpha == 0xFF { "" } else { ", not opaque" };
            bail!(
                "the pixel at x {x}, y {y} is #{red:02X}{green:02X}{blue:02X}{clear}: \
                 expected one of the greys #000000, #555555, #AAAAAA, #FFFFFF"
            );
        };
        let (tile, line) = (y / 8 * ROW + x / 8, y % 8);
        let low = (tile * 16 + line) as usize;
        planes[low] |= (value as u8 & 1) << (7 - x % 8);
        planes[low + 8] |= (value as u8 >> 1) << (7 - x % 8);
    }
    Ok(planes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn black() -> RgbaImage {
        RgbaImage::from_pixel(SIDE, SIDE, Rgba([0, 0, 0, 0xFF]))
    }

    #[test]
    fn a_dot_is_a_bit_in_each_plane_of_its_tile() {
        let mut picture = black();
        picture.put_pixel(0, 0, Rgba([0x55, 0x55, 0x55, 0xFF]));
        picture.put_pixel(7, 1, Rgba([0xAA, 0xAA, 0xAA, 0xFF]));
        picture.put_pixel(127, 127, Rgba([0xFF; 4]));
        let tiles = tiles(&picture).expect("four greys");
        let lit: Vec<(usize, u8)> = tiles.into_iter().enumerate().filter(|&(_, byte)| byte != 0).collect();
        assert_eq!(lit, [(0, 0x80), (9, 0x01), (0xFF7, 0x01), (0xFFF, 0x01)]);
    }

    #[test]
    fn what_is_wrong_with_a_picture_is_said_with_its_place() {
        let mut picture = black();
        picture.put_pixel(12, 40, Rgba([0x50, 0x55, 0x55, 0xFF]));
        let message = tiles(&picture).expect_err("a fifth grey").to_string();
        assert!(message.contains("x 12, y 40 is #505555") && message.contains("#AAAAAA"), "{message}");
        picture.put_pixel(12, 40, Rgba([0; 4]));
        assert!(tiles(&picture).expect_err("a hole").to_string().contains("not opaque"));
        let message = tiles(&RgbaImage::new(64, 8)).expect_err("too small").to_string();
        assert!(message.contains("128×128") && message.contains("64×8"), "{message}");
        assert!(from_png(b"GIF89a").is_err());
    }
}
