//! Drawings, and where they go: a PNG or an SVG file, by its name.

use std::error::Error as StdError;
use std::ffi::OsStr;
use std::path::Path;

use draft::Draft;
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont, TextStyle, WHITE, register_font};

use crate::error::{Error, writing};

/// Width and height of a drawing, in pixels.
pub const SIZE: (u32, u32) = (960, 640);

/// The name by which drawings ask for their font.
pub const FONT: &str = "sans-serif";

/// Something that can be drawn anywhere.
pub trait Drawing {
    /// Draws on `area`, which was filled with white.
    ///
    /// # Errors
    /// When the back end cannot draw.
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn;
}

/// Whether it could be drawn.
pub type Drawn<T = ()> = Result<T, Box<dyn StdError>>;

/// A chart on white with its title, and with room for the labels of both axes.
///
/// # Errors
/// When the back end cannot draw.
pub fn chart<'a, 'b, B: DrawingBackend<ErrorType: 'static>>(
    area: &'a DrawingArea<B, Shift>,
    title: &str,
) -> Drawn<ChartBuilder<'a, 'b, B>> {
    area.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(title, (FONT, 22))
        .margin(16)
        .set_label_area_size(LabelAreaPosition::Left, 72)
        .set_label_area_size(LabelAreaPosition::Bottom, 48);
    Ok(builder)
}

/// Text of a size about its place.
pub fn text(size: i32, across: HPos, along: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size).into_font()).pos(Pos::new(across, along))
}

/// A drawing of a width and a height as the text of an SVG file.
///
/// # Errors
/// When the back end cannot draw.
pub fn svg(size: (u32, u32), drawing: &impl Drawing) -> Drawn<String> {
    load_font();
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        drawing.draw(&area)?;
        area.present()?;
    }
    Ok(text)
}

/// It fails only on a font that cannot be read, and then so does the drawing. SVG wants the font's
/// measures.
pub fn load_font() {
    let _ = register_font(FONT, FontStyle::Normal, fonts::SANS);
}

/// What could not be drawn into a file.
pub fn failure(path: &Path, error: &dyn StdError) -> Error {
    Error::Drawing { path: path.into(), reason: error.to_string() }
}

/// What kind of file a picture is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Pixels.
    Png,
    /// Lines and text.
    Svg,
}

/// By its extension.
///
/// # Errors
/// When the name ends in neither.
pub fn form(path: &Path) -> Result<Form, Error> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(Form::Png),
        Some("svg") => Ok(Form::Svg),
        _ => Err(Error::PictureName(path.into())),
    }
}

/// Says no to a name that no drawing can have, before anything is counted for it.
///
/// # Errors
/// When it ends in neither.
pub fn check_name(path: &Path) -> Result<(), Error> {
    form(path).map(drop)
}

/// Draws into the file.
///
/// # Errors
/// When it cannot be drawn, or the file cannot be written.
pub fn write(path: &Path, drawing: &impl Drawing) -> Result<(), Error> {
    match form(path)? {
        Form::Svg => {
            let text = svg(SIZE, drawing).map_err(|error| failure(path, &*error))?;
            Ok(Draft::write_file(path, text.as_bytes())?)
        }
        Form::Png => {
            let pixels = pixels(drawing).map_err(|error| failure(path, &*error))?;
            png(path, SIZE, &pixels)
        }
    }
}

/// A drawing as pixels of three bytes.
fn pixels(drawing: &impl Drawing) -> Drawn<Vec<u8>> {
    load_font();
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area();
        drawing.draw(&area)?;
        area.present()?;
    }
    Ok(pixels)
}

/// Writes a picture as PNG: see [`recording::png`].
///
/// # Errors
/// When it cannot be written, or has another size.
pub fn png(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<(), Error> {
    let png = recording::png(width, height, pixels).map_err(|error| writing(path, error))?;
    Ok(Draft::write_file(path, &png)?)
}
