//! How a training went, as drawings: fitness by generation, weights by generation.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use draft::Draft;
use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{PathElement, Text};
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor};
use training::{Trainer, Trial, Vector};

use crate::ai::AiError;
use crate::ai::trial::{NAMES, scaled};
use cli::drawing::{self, Drawing, Drawn, FONT};
use cli::error::Error;

/// Width and height of a drawing, in pixels.
const SIZE: (u32, u32) = (960, 480);
/// Colours of best, mean and worst, and of the six weights; dark enough for paper.
const COLOURS: [RGBColor; 6] = [
    RGBColor(40, 80, 200),
    RGBColor(40, 160, 60),
    RGBColor(210, 40, 40),
    RGBColor(150, 40, 170),
    RGBColor(230, 120, 0),
    RGBColor(0, 160, 190),
];

/// Says no to a name that no report can have, before anybody plays for it.
pub(super) fn check_name(path: &Path) -> Result<(), Error> {
    is_page(path).map(drop)
}

fn is_page(path: &Path) -> Result<bool, Error> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => Ok(true),
        Some("svg") => Ok(false),
        _ => Err(AiError::ReportName(path.into()).into()),
    }
}

/// A name, and its value by generation.
type Line = (&'static str, Vec<f64>);

/// Writes the report: a page with both drawings and the weights, or one drawing of both.
pub(super) fn write(path: &Path, trainer: &Trainer) -> Result<(), Error> {
    let history = trainer.history();
    let by = |value: fn(&training::Generation) -> f64| history.iter().map(value).collect();
    let fitness: [Line; 3] = [
        ("best", by(|generation| generation.best)),
        ("mean", by(|generation| generation.mean)),
        ("worst", by(|generation| generation.worst)),
    ];
    let champions: Vec<Vector> = history.iter().map(|generation| scaled(&generation.champion)).collect();
    let weights: Vec<Line> = NAMES
        .into_iter()
        .enumerate()
        .map(|(at, name)| (name, champions.iter().map(|champion| champion[at]).collect()))
        .collect();
    let drawings = [("fitness", &fitness[..]), ("weights, the largest scaled to 1", &weights)];
    let text = if is_page(path)? {
        page(trainer, &drawings)
    } else {
        drawing::svg((SIZE.0, 2 * SIZE.1), &Curves(&drawings))
    };
    let text = text.map_err(|error| drawing::failure(path, &*error))?;
    Ok(Draft::write_file(path, text.as_bytes())?)
}

/// Lines by generation, with a title each, below each other.
struct Curves<'a>(&'a [(&'static str, &'a [Line])]);

impl Drawing for Curves<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let parts = area.split_evenly((self.0.len(), 1));
        parts.iter().zip(self.0).try_for_each(|(part, (title, lines))| draw(part, title, lines))
    }
}

fn draw<B: DrawingBackend<ErrorType: 'static>>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    lines: &[Line],
) -> Drawn {
    let values = || lines.iter().flat_map(|(_, values)| values).copied();
    let (low, high) =
        values().fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    let room = (0.05 * (high - low)).max(1e-3);
    let generations = lines.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(2) as f64;
    let mut chart = drawing::chart(area, title)?
        .margin_right(120)
        .build_cartesian_2d(1.0..generations, low - room..high + room)?;
    chart
        .configure_mesh()
        .x_desc("generation")
        .x_label_formatter(&|generation| format!("{generation:.0}"))
        .label_style((FONT, 16))
        .draw()?;
    for ((_, values), colour) in lines.iter().zip(COLOURS) {
        let points = values.iter().enumerate().map(|(at, &value)| (at as f64 + 1.0, value));
        chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
    }
    let (width, _) = area.dim_in_pixel();
    for (number, ((name, _), colour)) in lines.iter().zip(COLOURS).enumerate() {
        let (x, y) = (width as i32 - 112, 70 + 26 * number as i32);
        area.draw(&PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3)))?;
        area.draw(&Text::new(*name, (x + 24, y), drawing::text(16, HPos::Left, VPos::Center)))?;
    }
    Ok(())
}

fn page(trainer: &Trainer, drawings: &[(&'static str, &[Line])]) -> Drawn<String> {
    let Trial { objective, games, pieces, randomizer, .. } = trainer.trial();
    let (method, seed, count) = (trainer.method(), trainer.seed(), trainer.candidates().len());
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Training by {method}</title>\n\
         <style>body {{ font: 16px sans-serif; max-width: 60em; margin: 2em auto }} td {{ padding: 0 1em 0 0 }}</style>\n\
         <h1>Training by {method}</h1>\n<p>Fitness {objective}, higher is better: the mean of {games} games of {pieces} \
         pieces, dealt by {randomizer}. {count} candidates a generation, seed {seed}, {} generations.</p>\n",
        trainer.generation()
    );
    for curves in drawings {
        // Within a page the drawing needs no declaration of its own.
        let picture = drawing::svg(SIZE, &Curves(&[*curves]))?;
        text.push_str(picture.find("<svg").map_or(&picture[..], |start| &picture[start..]));
        text.push('\n');
    }
    if let Some(champion) = trainer.champion() {
        text.push_str("<h2>The weights</h2>\n<table>\n");
        for (name, weight) in NAMES.into_iter().zip(scaled(&champion)) {
            writeln!(text, "<tr><td>{name}<td>{weight:.6}")?;
        }
        text.push_str("</table>\n");
    }
    text.push_str("</html>\n");
    Ok(text)
}
