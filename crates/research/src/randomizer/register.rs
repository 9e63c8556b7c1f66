//! The article's picture of the shift register.

use std::fmt::Write;
use std::path::Path;

use draft::Draft;
use image::{Rgb, RgbImage, imageops};
use randomizers::lfsr;

use cli::drawing::{Form, form, png};
use cli::error::Error;

/// Draws it, 128 x 256, each bit a square of so many pixels: ones are white.
pub(super) fn write(path: &Path, scale: u32) -> Result<(), Error> {
    let bits: Vec<bool> = lfsr::picture().collect();
    let (width, height) = (lfsr::PICTURE_WIDTH as u32, lfsr::PICTURE_HEIGHT as u32);
    match form(path)? {
        Form::Png => {
            let picture = RgbImage::from_fn(width, height, |x, y| {
                Rgb([if bits[(y * width + x) as usize] { 255 } else { 0 }; 3])
            });
            let large =
                imageops::resize(&picture, width * scale, height * scale, imageops::FilterType::Nearest);
            png(path, large.dimensions(), &large)
        }
        Form::Svg => {
            let mut text = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} \
                 {height}\" shape-rendering=\"crispEdges\">\n<path d=\"M0 0h{width}v{height}H0z\"/>\n\
                 <path fill=\"#fff\" d=\"",
                width * scale,
                height * scale
            );
            for (y, row) in bits.chunks(width as usize).enumerate() {
                let mut x = 0;
                for run in row.chunk_by(|left, right| left == right) {
                    if run[0] {
                        // Writing to a string does not fail.
                        let _ = write!(text, "M{x} {y}h{0}v1H{x}z", run.len());
                    }
                    x += run.len();
                }
            }
            text.push_str("\"/>\n</svg>\n");
            Ok(Draft::write_file(path, text.as_bytes())?)
        }
    }
}
