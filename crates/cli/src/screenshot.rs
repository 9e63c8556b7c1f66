//! The picture as PNG.

use std::path::Path;

use nes::{Frame, Palette};

use crate::error::Error;

const WIDTH: u32 = Frame::WIDTH as u32;
const HEIGHT: u32 = Frame::HEIGHT as u32;

/// Writes `frame` in the colours of `palette`, 256 x 240, square pixels.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, frame: &Frame, palette: &Palette) -> Result<(), Error> {
    let mut rgba = vec![0; (WIDTH * HEIGHT * 4) as usize];
    palette.paint(frame.pixels(), &mut rgba);
    write_rgba(path, &rgba)
}

/// Writes a picture of that size, of four bytes a pixel.
///
/// # Errors
/// When the file cannot be written.
pub fn write_rgba(path: &Path, rgba: &[u8]) -> Result<(), Error> {
    crate::drawing::png(path, (WIDTH, HEIGHT), rgba)
}
