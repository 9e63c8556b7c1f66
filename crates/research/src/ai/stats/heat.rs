//! Where pieces lock, as heat maps.

use ::ai::PlayStatistics;
use plotters::backend::DrawingBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{BLACK, Color, RGBColor, TextStyle, WHITE};
use tetris::{HEIGHT, Piece, WIDTH};

use cli::drawing::{self, Drawing, Drawn};

/// The article's exponent, by which cells that few pieces reach can be seen beside the rest.
const GAMMA: f64 = 0.19;
/// Colours from none to most.
const HEATS: [RGBColor; 6] = [
    RGBColor(0, 0, 0),
    RGBColor(40, 20, 140),
    RGBColor(0, 150, 170),
    RGBColor(110, 200, 30),
    RGBColor(240, 160, 0),
    RGBColor(200, 20, 20),
];
/// Steps of the legend.
const STEPS: usize = 10;

type Cells = [[u64; WIDTH]; HEIGHT];

/// All pieces in one map, with its legend.
pub(super) struct HeatMap<'a>(pub(super) &'a PlayStatistics);

/// A map for each kind of piece.
pub(super) struct ByPiece<'a>(pub(super) &'a PlayStatistics);

fn colour(heat: f64) -> RGBColor {
    let place = heat.clamp(0.0, 1.0) * (HEATS.len() - 1) as f64;
    let (cold, part) = ((place as usize).min(HEATS.len() - 2), place);
    let part = part - cold as f64;
    let mix = |from: u8, to: u8| (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8;
    let (from, to) = (HEATS[cold], HEATS[cold + 1]);
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Text in the middle of a line.
fn text(size: i32, across: HPos) -> TextStyle<'static> {
    drawing::text(size, across, VPos::Center)
}

fn most(cells: &Cells) -> u64 {
    cells.as_flattened().iter().copied().max().unwrap_or_default().max(1)
}

fn map<B: DrawingBackend<ErrorType: 'static>>(
    area: &DrawingArea<B, Shift>,
    cells: &Cells,
    corner: (i32, i32),
    size: i32,
) -> Drawn {
    let most = most(cells) as f64;
    for (y, row) in cells.iter().enumerate() {
        for (x, &locks) in row.iter().enumerate() {
            let (left, top) = (corner.0 + size * x as i32, corner.1 + size * y as i32);
            let fill = colour((locks as f64 / most).powf(GAMMA)).filled();
            area.draw(&Rectangle::new([(left, top), (left + size - 1, top + size - 1)], fill))?;
        }
    }
    Ok(())
}

fn all(statistics: &PlayStatistics) -> Cells {
    let mut cells = [[0; WIDTH]; HEIGHT];
    for piece in &statistics.cell_locks {
        for (sum, locks) in cells.as_flattened_mut().iter_mut().zip(piece.as_flattened()) {
            *sum += locks;
        }
    }
    cells
}

impl Drawing for HeatMap<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        let (cells, size) = (all(self.0), 28);
        area.fill(&WHITE)?;
        let title = format!("Where the centres of {} pieces locked", self.0.pieces);
        area.draw(&Text::new(title, (40, 24), text(22, HPos::Left)))?;
        map(area, &cells, (80, 52), size)?;
        for row in 0..HEIGHT as i32 {
            area.draw(&Text::new(row.to_string(), (72, 52 + size * row + size / 2), text(15, HPos::Right)))?;
        }
        for column in 0..WIDTH as i32 {
            let place = (80 + size * column + size / 2, 52 + size * HEIGHT as i32 + 12);
            area.draw(&Text::new(column.to_string(), place, text(15, HPos::Center)))?;
        }
        let most = 100.0 * most(&cells) as f64 / self.0.pieces.max(1) as f64;
        area.draw(&Text::new("% of pieces", (440, 52 + size / 2), text(16, HPos::Left)))?;
        for step in 0..=STEPS {
            let heat = step as f64 / STEPS as f64;
            let (left, top) = (440, 52 + size * (1 + step as i32));
            area.draw(&Rectangle::new(
                [(left, top), (left + size - 1, top + size - 1)],
                colour(heat).filled(),
            ))?;
            let percent = match most * heat.powf(1.0 / GAMMA) {
                percent if percent > 0.0 && percent < 0.01 => format!("{percent:.0e}"),
                percent => format!("{percent:.2}"),
            };
            area.draw(&Text::new(percent, (left + size + 10, top + size / 2), text(16, HPos::Left)))?;
        }
        Ok(())
    }
}

impl Drawing for ByPiece<'_> {
    fn draw<B: DrawingBackend<ErrorType: 'static>>(&self, area: &DrawingArea<B, Shift>) -> Drawn {
        area.fill(&WHITE)?;
        for (number, piece) in Piece::ALL.into_iter().enumerate() {
            let size = 13;
            let (left, top) = (40 + 230 * (number as i32 % 4), 40 + 305 * (number as i32 / 4));
            let title = format!("{piece}: {}", self.0.piece_counts[number]);
            area.draw(&Text::new(title, (left, top - 14), text(18, HPos::Left).color(&BLACK)))?;
            map(area, &self.0.cell_locks[number], (left, top), size)?;
        }
        Ok(())
    }
}
