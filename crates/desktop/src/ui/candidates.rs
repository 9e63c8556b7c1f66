//! The candidate placements of the computer's current piece, drawn over the playfield, with their
//! names and values.

use autopilot::{Candidate, Thought, Unit};
use egui::{Align2, Context, CornerRadius, Id, Pos2, Rect, Stroke, Vec2};
use tetris::Placement;

use crate::ui::canvas::{sentence, signed, thousands};
use crate::ui::rail::colour_of_rank;
use crate::ui::theme::{self, ON_PICTURE, Type};

/// Where the console's picture is on the screen, in points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PictureArea {
    pub(crate) origin: Pos2,
    /// Points of a pixel.
    pub(crate) scale: Vec2,
}

impl PictureArea {
    /// Returns where a pixel of the console's picture is on the screen.
    pub(crate) fn at(&self, pixel: Pos2) -> Pos2 {
        self.origin + pixel.to_vec2() * self.scale
    }
}

/// Where the playfield stands in the console's picture, and a cell's side, in pixels.
const FIELD: Pos2 = Pos2::new(96.0, 48.0);
const CELL: f32 = 8.0;

/// Places that are drawn on the field.
const DRAWN: usize = 3;

/// Draws the best candidates over the playfield of the picture at `place`, the best last: the
/// outline of the piece, and its rank in a disc.
pub(crate) fn candidates(context: &Context, place: &PictureArea, thought: &Thought) {
    let layer = egui::LayerId::new(egui::Order::Background, Id::new("candidates"));
    let painter = context.layer_painter(layer);
    let unit = place.scale.y;
    for (rank, candidate) in thought.candidates.iter().enumerate().take(DRAWN).rev() {
        let colour = colour_of_rank(&ON_PICTURE, rank);
        let cells = candidate.place.cells();
        let areas = cells.map(|cell| area(place, cell));
        let opacity = if rank == 0 { 0.42 } else { 0.15 };
        for area in areas {
            painter.rect_filled(area, CornerRadius::ZERO, colour.gamma_multiply(opacity));
        }
        for (width, ink) in [(1.7 * unit, theme::AROUND_PICTURE), (0.85 * unit, colour)] {
            for (cell, area) in cells.iter().zip(areas) {
                outline(&painter, &cells, *cell, area, Stroke::new(width, ink));
            }
        }
        let disc = areas[0].center();
        painter.circle_filled(disc, 3.3 * unit, theme::AROUND_PICTURE);
        painter.circle_filled(disc, 2.8 * unit, colour);
        let mut font = Type::Key.font();
        font.size = 4.6 * unit;
        painter.text(disc, Align2::CENTER_CENTER, rank + 1, font, ON_PICTURE.on_fill);
    }
}

/// Draws the edges of a cell that no other cell of the piece touches.
fn outline(painter: &egui::Painter, cells: &[(i32, i32); 4], (x, y): (i32, i32), area: Rect, stroke: Stroke) {
    let has = |x: i32, y: i32| cells.contains(&(x, y));
    let inner = area.shrink(stroke.width / 2.0);
    let line = |from: Pos2, to: Pos2| {
        painter.line_segment([from, to], stroke);
    };
    if !has(x, y - 1) {
        line(Pos2::new(area.left(), inner.top()), Pos2::new(area.right(), inner.top()));
    }
    if !has(x, y + 1) {
        line(Pos2::new(area.left(), inner.bottom()), Pos2::new(area.right(), inner.bottom()));
    }
    if !has(x - 1, y) {
        line(Pos2::new(inner.left(), area.top()), Pos2::new(inner.left(), area.bottom()));
    }
    if !has(x + 1, y) {
        line(Pos2::new(inner.right(), area.top()), Pos2::new(inner.right(), area.bottom()));
    }
}

/// Returns where a cell, as column and row, is on the screen.
fn area(place: &PictureArea, (column, row): (i32, i32)) -> Rect {
    let pixel = FIELD + CELL * Vec2::new(column as f32, row as f32);
    Rect::from_min_size(place.at(pixel), CELL * place.scale)
}

/// Returns the columns that a piece fills, counted from 1.
pub(crate) fn name_of(place: Placement) -> String {
    sentence(&place.columns_in_words())
}

/// Returns what a candidate is worth: the best as the expected points, where those are known, and
/// the others as their distance from it.
pub(crate) fn value(thought: &Thought, candidate: &Candidate) -> String {
    let best = thought.candidates.first().map_or(0.0, |best| best.value);
    let lines = match candidate.cleared {
        0 => String::new(),
        1 => ", 1 line".into(),
        lines => format!(", {lines} lines"),
    };
    match (thought.unit, thought.outlook) {
        (_, Some(outlook)) if candidate.value >= best => {
            format!("{}{lines}", thousands(outlook.points.round() as i64))
        }
        _ if candidate.value >= best => format!("best{lines}"),
        (Unit::Weights, _) => format!("\u{2212}{:.1}{lines}", best - candidate.value),
        _ => format!("{}{lines}", signed((candidate.value - best).round() as i64)),
    }
}

#[cfg(test)]
mod tests {
    use autopilot::Outlook;
    use tetris::Piece;

    use super::*;

    fn thought() -> Thought {
        let place = |x, y| Placement { x, y, ..Placement::spawn(Piece::T) };
        let candidate = |x, y, value, cleared| Candidate { place: place(x, y), value, cleared };
        let mut plan = [place(5, 18); 7];
        plan[Piece::I as usize] = place(1, 17);
        plan[Piece::O as usize] = place(1, 17);
        Thought {
            piece: Piece::T,
            candidates: vec![
                candidate(5, 18, -3.5, 0),
                candidate(1, 17, -4.75, 1),
                candidate(8, 18, -9.0, 2),
            ],
            plan,
            waits: true,
            unit: Unit::Weights,
            outlook: None,
            misdrop: false,
        }
    }

    #[test]
    fn values_are_points_or_distances_from_the_best() {
        let mut thought = thought();
        let values = |thought: &Thought| -> Vec<String> {
            thought.candidates.iter().map(|candidate| value(thought, candidate)).collect()
        };
        assert_eq!(values(&thought), ["best", "−1.2, 1 line", "−5.5, 2 lines"]);
        for (candidate, value) in thought.candidates.iter_mut().zip([983_708.0, 982_000.0, 12_000.0]) {
            candidate.value = value;
        }
        thought.unit = Unit::PointsOfLevel(18);
        assert_eq!(values(&thought), ["best", "−1,708, 1 line", "−971,708, 2 lines"]);
        thought.unit = Unit::Points;
        thought.outlook = Some(Outlook { points: 2_134_134.0, odds: Some([1.0, 0.9745, 0.94]) });
        assert_eq!(values(&thought), ["2,134,134", "−1,708, 1 line", "−971,708, 2 lines"]);
    }

    #[test]
    fn cells_lie_over_the_playfield() {
        let place = PictureArea { origin: Pos2::new(10.0, 20.0), scale: Vec2::splat(2.0) };
        let cell = area(&place, (9, 19));
        assert_eq!(cell.min, Pos2::new(10.0 + 2.0 * 168.0, 20.0 + 2.0 * 200.0));
        assert_eq!(cell.size(), Vec2::splat(16.0));
    }
}
