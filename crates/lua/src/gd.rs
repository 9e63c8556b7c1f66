//! Pictures as strings of the library gd, in which scripts keep them.
//!
//! ```text
//! FF FE        true colour
//! width height 16 bits each, high byte first
//! 01           true colour
//! FF FF FF FF  no transparent colour
//! A R G B      each pixel; A is 0 opaque to 127 clear
//! ```

use nes::Frame;
use nes_script::Overlay;
use thiserror::Error;

const HEADER: usize = 11;

/// A picture inside a string.
#[derive(Debug)]
pub(crate) struct Picture<'a> {
    width: usize,
    height: usize,
    pixels: &'a [u8],
}

/// Why bytes are no picture.
#[derive(Debug, Error)]
pub(crate) enum GdError {
    #[error("expected an image of gd in true colour, beginning with FF FE")]
    NoImage,
    #[error("expected {expected} bytes of {width} x {height} pixels, found {found}")]
    CutShort { width: usize, height: usize, expected: usize, found: usize },
}

impl<'a> Picture<'a> {
    /// A picture in true colour.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, GdError> {
        let [0xFF, 0xFE, w1, w0, h1, h0, 1, _, _, _, _, pixels @ ..] = bytes else {
            return Err(GdError::NoImage);
        };
        let width = usize::from(u16::from_be_bytes([*w1, *w0]));
        let height = usize::from(u16::from_be_bytes([*h1, *h0]));
        let (expected, found) = (4 * width * height, pixels.len());
        if found < expected {
            return Err(GdError::CutShort { width, height, expected, found });
        }
        Ok(Self { width, height, pixels })
    }

    /// Draws a part of it, by left, top, width and height, with its corner at `to`.
    pub(crate) fn draw(&self, canvas: &mut Overlay, to: (i32, i32), part: Option<[i32; 4]>, opacity: f64) {
        let (whole_width, whole_height) = (self.width as i32, self.height as i32);
        let [left, top, width, height] = part.unwrap_or([0, 0, whole_width, whole_height]);
        // Places in the picture that the console's can show.
        let columns = left.max(0).max(left - to.0)..(left + width).min(whole_width).min(left - to.0 + 256);
        let rows = top.max(0).max(top - to.1)..(top + height).min(whole_height).min(top - to.1 + 240);
        for y in rows {
            for x in columns.clone() {
                let place = 4 * (y as usize * self.width + x as usize);
                let &[alpha, r, g, b] = self.pixels[place..].first_chunk().unwrap_or(&[127, 0, 0, 0]);
                let opaque = 255.0 - f64::from(alpha.min(127)) * 255.0 / 127.0;
                let alpha = (opaque * opacity).clamp(0.0, 255.0) as u8;
                canvas.pixel(to.0 + x - left, to.1 + y - top, [r, g, b, alpha]);
            }
        }
    }
}

/// The console's picture, of four bytes a pixel, as such a string.
pub(crate) fn encode(rgba: &[u8]) -> Vec<u8> {
    let (width, height) = (Frame::WIDTH as u16, Frame::HEIGHT as u16);
    let mut bytes = Vec::with_capacity(HEADER + rgba.len());
    bytes.extend([0xFF, 0xFE]);
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([1, 0xFF, 0xFF, 0xFF, 0xFF]);
    for pixel in rgba.chunks_exact(4) {
        bytes.extend([0, pixel[0], pixel[1], pixel[2]]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_cut_short_is_an_error_and_any_part_of_one_can_be_asked_for() {
        let whole = encode(&[1, 2, 3, 0xFF].repeat(Frame::WIDTH * Frame::HEIGHT));
        for length in 0..=HEADER + 100 {
            assert!(Picture::parse(&whole[..length]).is_err(), "{length}");
        }
        let picture = Picture::parse(&whole).unwrap();
        let mut canvas = Overlay::default();
        let far = 1_000_000;
        for part in [[-far, -far, far, far], [far, far, far, far], [0, 0, -far, -far]] {
            picture.draw(&mut canvas, (far, -far), Some(part), 9.0);
            picture.draw(&mut canvas, (-far, far), Some(part), 1.0);
            picture.draw(&mut canvas, (0, 0), Some(part), 1.0);
        }
        assert!(!canvas.drawn());
        picture.draw(&mut canvas, (255, 239), Some([3, 4, 5, 6]), 1.0);
        assert_eq!(canvas.at(255, 239), Some([1, 2, 3, 0xFF]));
        assert_eq!(canvas.at(254, 239), Some([0; 4]));
    }
}
