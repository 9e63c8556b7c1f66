//! How the player chooses: evaluators and filters as the command line names them, by name or by
//! file.

use std::io::Cursor;
use std::path::Path;

use ::ai::{Evaluator, Filter, Formula, Pattern, Searcher};
use image::{ImageFormat, ImageReader, Limits};
use tetris::{HEIGHT, WIDTH};

use super::AiError;
use cli::error::{Error, wrong};
use cli::image_file;

/// How the player chooses, as arguments.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlayerChoice {
    /// How boards are rated: article, el-tetris, dellacherie, stacking, or a TOML file of measures
    /// and weights.
    #[arg(long, value_name = "EVALUATOR", default_value_t, value_parser = evaluator)]
    pub(super) evaluator: Evaluator,
    /// Places that pieces may not visit: none; well, which keeps the rightmost column free for the
    /// I; pattern:FILE.png, a picture of 10 by 20 pixels to be laid from the bottom up; or several
    /// with + between them.
    #[arg(long, value_name = "FILTER", default_value_t, value_parser = filter)]
    pub(super) filter: Filter,
}

impl PlayerChoice {
    pub(super) fn searcher(&self) -> Searcher {
        Searcher::new(self.evaluator.clone(), self.filter.clone())
    }
}

/// An evaluator by its name, or from a TOML file of measures and weights.
pub(super) fn evaluator(text: &str) -> Result<Evaluator, Error> {
    let path = Path::new(text);
    let is_file = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    match text.parse() {
        Ok(evaluator) => Ok(evaluator),
        Err(unknown) if !is_file => Err(AiError::Evaluator(unknown).into()),
        Err(_) => {
            let bytes = image_file::read_short(path)?;
            let formula = Formula::parse(&String::from_utf8_lossy(&bytes));
            let formula = formula.map_err(|source| AiError::Formula { path: path.into(), source })?;
            Ok(formula.into())
        }
    }
}

/// Filters with `+` between them: names, and `pattern:` before the PNG file of a picture.
fn filter(text: &str) -> Result<Filter, Error> {
    text.split('+')
        .map(|part| match part.strip_prefix("pattern:") {
            Some(path) => pattern(Path::new(path)),
            None => part.parse().map_err(|unknown| AiError::Filter(unknown).into()),
        })
        .collect()
}

/// White pixels are cells.
fn pattern(path: &Path) -> Result<Filter, Error> {
    let mut reader = ImageReader::with_format(Cursor::new(image_file::read_short(path)?), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(1024);
    limits.max_image_height = Some(1024);
    reader.limits(limits);
    let image =
        reader.decode().map_err(|source| AiError::Picture { path: path.into(), source })?.into_luma8();
    if image.dimensions() != (WIDTH as u32, HEIGHT as u32) {
        let (width, height) = image.dimensions();
        return Err(AiError::PictureSize { path: path.into(), width, height }.into());
    }
    let mut rows = [0; HEIGHT];
    for (x, y, pixel) in image.enumerate_pixels() {
        rows[y as usize] |= u16::from(pixel.0[0] >= 128) << x;
    }
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Pattern::new(name, rows).map(Filter::Pattern).map_err(wrong(path))
}
