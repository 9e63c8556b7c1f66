//! The picture as PNG.

use std::io::{self, Cursor};
use std::path::Path;

use draft::Draft;
use image::{ImageFormat, RgbaImage};
use nes::{Frame, Palette};

use crate::error::{Error, writing};

const WIDTH: u32 = Frame::WIDTH as u32;
const HEIGHT: u32 = Frame::HEIGHT as u32;

/// Writes `frame` in the colours of `palette`, 256 x 240, square pixels.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, frame: &Frame, palette: &Palette) -> Result<(), Error> {
    let mut rgba = vec![0; (WIDTH * HEIGHT * 4) as usize];
    palette.paint(frame.pixels(), &mut rgba);
    write_rgba(path, rgba)
}

/// Writes a picture of that size, of four bytes a pixel.
///
/// # Errors
/// When the file cannot be written.
pub fn write_rgba(path: &Path, rgba: Vec<u8>) -> Result<(), Error> {
    let mut png = Cursor::new(Vec::new());
    RgbaImage::from_raw(WIDTH, HEIGHT, rgba)
        .map_or_else(
            || Err(io::Error::other("a picture of another size")),
            |picture| picture.write_to(&mut png, ImageFormat::Png).map_err(io::Error::other),
        )
        .map_err(|error| writing(path, error))?;
    Ok(Draft::write_file(path, png.get_ref())?)
}
