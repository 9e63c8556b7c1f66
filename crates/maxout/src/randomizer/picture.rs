//! Where a drawing goes: a PNG or an SVG file, by its name.

use std::ffi::OsStr;
use std::fmt::Write;
use std::io::{self, Cursor};
use std::path::Path;

use draft::Draft;
use image::{GrayImage, ImageFormat, Luma, RgbImage, imageops};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::{FontStyle, register_font};
use randomizers::lfsr;

use crate::error::{Error, writing};

/// Width and height of a drawing, in pixels.
pub(crate) const SIZE: (u32, u32) = (960, 640);

/// The name by which drawings ask for their font.
pub(crate) const FONT: &str = "sans-serif";

/// Something that can be drawn anywhere.
pub(crate) trait Drawing {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>)
    -> Result<(), String>;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Png,
    Svg,
}

fn form(path: &Path) -> Result<Form, Error> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(Form::Png),
        Some("svg") => Ok(Form::Svg),
        _ => Err(Error::PictureName(path.into())),
    }
}

/// Says no to a name that no drawing can have, before anything is counted for it.
pub(crate) fn check_name(path: &Path) -> Result<(), Error> {
    form(path).map(drop)
}

/// Draws into the file.
pub(crate) fn write(path: &Path, drawing: &impl Drawing) -> Result<(), Error> {
    let failed = |reason| Error::Drawing { path: path.into(), reason };
    // It fails only on a font that cannot be read, and then so does the drawing. SVG wants the font's measures.
    let _ = register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
    match form(path)? {
        Form::Svg => {
            let mut text = String::new();
            drawing.draw(&SVGBackend::with_string(&mut text, SIZE).into_drawing_area()).map_err(failed)?;
            Ok(Draft::write_file(path, text.as_bytes())?)
        }
        Form::Png => {
            let (width, height) = SIZE;
            let mut pixels = vec![0; (width * height * 3) as usize];
            drawing
                .draw(&BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area())
                .map_err(failed)?;
            let picture = RgbImage::from_raw(width, height, pixels);
            png(path, |out| picture.map(|picture| picture.write_to(out, ImageFormat::Png)))
        }
    }
}

/// The article's picture of the shift register, 128 x 256, each bit a square of so many pixels: ones are white.
pub(crate) fn write_register(path: &Path, scale: u32) -> Result<(), Error> {
    let bits: Vec<bool> = lfsr::picture().collect();
    let (width, height) = (lfsr::PICTURE_WIDTH as u32, lfsr::PICTURE_HEIGHT as u32);
    match form(path)? {
        Form::Png => {
            let picture = GrayImage::from_fn(width, height, |x, y| {
                Luma([if bits[(y * width + x) as usize] { 255 } else { 0 }])
            });
            let large =
                imageops::resize(&picture, width * scale, height * scale, imageops::FilterType::Nearest);
            png(path, |out| Some(large.write_to(out, ImageFormat::Png)))
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

/// Writes a picture as PNG; `None` is one whose size does not fit.
fn png(
    path: &Path,
    encode: impl FnOnce(&mut Cursor<Vec<u8>>) -> Option<image::ImageResult<()>>,
) -> Result<(), Error> {
    let mut out = Cursor::new(Vec::new());
    encode(&mut out)
        .unwrap_or_else(|| Err(image::ImageError::IoError(io::Error::other("a picture of another size"))))
        .map_err(|error| writing(path, io::Error::other(error)))?;
    Ok(Draft::write_file(path, out.get_ref())?)
}
