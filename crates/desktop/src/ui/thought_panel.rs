//! What the computer thinks of its piece in play: the places that it weighs, over the playfield,
//! and beside it what they are worth and where the piece goes by the one that comes next.

use ai::Placement;
use autopilot::{Candidate, Thought, Unit};
use egui::{Align2, Color32, Context, FontId, Frame, Id, Pos2, Rect, RichText, Stroke, StrokeKind, Vec2};
use tetris::Piece;

use crate::config::practice::{Overlay, PracticeSettings};
use crate::ui::practice_panel::{ACCENT, BAD, DIM, GOOD, PANEL, Place, WHITE, corner, movable};

/// Where the playfield stands in the console's picture, and a cell's side, in pixels.
const FIELD: Pos2 = Pos2::new(96.0, 48.0);
const CELL: f32 = 8.0;

/// Where the panel is until it is moved, in thousandths: left of the playfield of one picture, and
/// of the second of two.
const BESIDE: [[u16; 2]; 2] = [[8, 540], [508, 540]];

/// Returns the colour of a candidate by its rank.
fn colour(rank: usize) -> Color32 {
    match rank {
        0 => GOOD,
        1 => ACCENT,
        _ => DIM,
    }
}

/// Draws the candidates over the playfield of the picture at `place`, the best last.
pub(crate) fn candidates(context: &Context, place: &Place, thought: &Thought) {
    let layer = egui::LayerId::new(egui::Order::Background, Id::new("thought"));
    let painter = context.layer_painter(layer);
    for (rank, candidate) in thought.candidates.iter().enumerate().rev() {
        let cells = candidate.place.cells().map(|cell| area(place, cell));
        for cell in cells {
            painter.rect_filled(cell, 0.0, colour(rank).gamma_multiply(0.25));
            painter.rect_stroke(
                cell,
                0.0,
                Stroke::new(0.75 * place.scale.y, colour(rank)),
                StrokeKind::Inside,
            );
        }
        let font = FontId::monospace(7.0 * place.scale.y);
        let number = (rank + 1).to_string();
        painter.text(cells[0].center(), Align2::CENTER_CENTER, number, font, colour(rank));
    }
}

/// Returns where a cell, as column and row, is on the screen.
fn area(place: &Place, (column, row): (i32, i32)) -> Rect {
    let pixel = FIELD + CELL * Vec2::new(column as f32, row as f32);
    Rect::from_min_size(place.at(pixel), CELL * place.scale)
}

/// Draws the panel, which the mouse can move, beside one of the pictures.
pub(crate) fn panel(
    context: &Context,
    screen: Rect,
    (picture, thought): (usize, &Thought),
    settings: &mut PracticeSettings,
) {
    let unit = (screen.width() / 640.0).min(screen.height() / 480.0).max(0.5);
    let at = corner(screen, settings.place_of(Overlay::Thought).unwrap_or(BESIDE[picture & 1]));
    movable(context, screen, Overlay::Thought, at, settings, |ui| {
        Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(6.0 * unit).show(ui, |ui| {
            let font = |size: f32| FontId::proportional(size * unit);
            ui.spacing_mut().item_spacing = Vec2::new(8.0, 2.0) * unit;
            ui.style_mut().interaction.selectable_labels = false;
            ui.label(RichText::new(title(thought)).font(font(13.0)).color(ACCENT));
            egui::Grid::new("thought").num_columns(3).min_col_width(0.0).show(ui, |ui| {
                for (rank, candidate) in thought.candidates.iter().enumerate() {
                    let line = [(rank + 1).to_string(), columns(candidate.place), value(thought, candidate)];
                    for text in line {
                        ui.label(RichText::new(text).font(font(12.0)).color(colour(rank)));
                    }
                    ui.end_row();
                }
            });
            for line in odds(thought).into_iter().chain(plan(thought)) {
                ui.label(RichText::new(line).font(font(12.0)).color(WHITE));
            }
            if thought.misdrop {
                ui.label(RichText::new("It misdrops").font(font(12.0)).color(BAD));
            }
        });
    });
}

fn title(thought: &Thought) -> String {
    let letter = thought.piece.letter();
    match thought.unit {
        Unit::Weights => format!("{letter}, weighted sum"),
        Unit::Points => format!("{letter}, points to come"),
        Unit::PointsOfLevel(level) => format!("{letter}, points as at level {level}"),
    }
}

/// Returns the odds of the levels that have not come, a line each, where they are known.
fn odds(thought: &Thought) -> Vec<String> {
    let odds = thought.outlook.and_then(|outlook| outlook.odds).unwrap_or([1.0; 3]);
    let to_come = [19, 29, 39].into_iter().zip(odds).filter(|(_, odds)| *odds < 1.0);
    to_come.map(|(level, odds)| format!("{:.1} % to level {level}", 100.0 * odds)).collect()
}

/// Returns the columns that a piece fills, counted from 1.
fn columns(place: Placement) -> String {
    let columns = place.cells().map(|(column, _)| column + 1);
    let (first, last) = columns.iter().fold((10, 1), |(low, high), &at| (low.min(at), high.max(at)));
    if first == last { format!("column {first}") } else { format!("columns {first}–{last}") }
}

/// Returns what a candidate is worth: the best as the points to come, where those are known, and
/// the others as their distance from it.
fn value(thought: &Thought, candidate: &Candidate) -> String {
    let best = thought.candidates.first().map_or(0.0, |best| best.value);
    let lines = match candidate.cleared {
        0 => String::new(),
        1 => ", 1 line".into(),
        lines => format!(", {lines} lines"),
    };
    match (thought.unit, thought.outlook) {
        (_, Some(outlook)) if candidate.value >= best => format!("{:.0}{lines}", outlook.points),
        _ if candidate.value >= best => format!("best{lines}"),
        (Unit::Weights, _) => format!("{:.1}{lines}", candidate.value - best),
        _ => format!("{:.0}{lines}", candidate.value - best),
    }
}

/// Returns where the piece goes by the next, a line each; the place that most pieces share is last.
fn plan(thought: &Thought) -> Vec<String> {
    let mut plans = thought.plans();
    plans.sort_by_key(|(_, next)| next.len());
    if let [(place, _)] = &plans[..] {
        return vec![format!("goes to {}", columns(*place))];
    }
    let last = plans.len() - 1;
    let line = |(number, (place, next)): (usize, &(Placement, Vec<Piece>))| {
        let letters: String = next.iter().map(|piece| piece.letter()).collect();
        let next = if number == last { "otherwise".into() } else { format!("before {letters}") };
        format!("{next}: {}", columns(*place))
    };
    plans.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use autopilot::Outlook;

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
        assert_eq!(values(&thought), ["best", "-1.2, 1 line", "-5.5, 2 lines"]);
        assert_eq!((title(&thought), odds(&thought)), ("T, weighted sum".into(), vec![]));
        for (candidate, value) in thought.candidates.iter_mut().zip([983_708.0, 982_000.0, 12_000.0]) {
            candidate.value = value;
        }
        thought.unit = Unit::PointsOfLevel(18);
        assert_eq!(values(&thought), ["best", "-1708, 1 line", "-971708, 2 lines"]);
        assert_eq!(title(&thought), "T, points as at level 18");
        thought.unit = Unit::Points;
        thought.outlook = Some(Outlook { points: 2_134_134.0, odds: Some([1.0, 0.9745, 0.94]) });
        assert_eq!(values(&thought), ["2134134", "-1708, 1 line", "-971708, 2 lines"]);
        assert_eq!(title(&thought), "T, points to come");
        assert_eq!(odds(&thought), ["97.4 % to level 29", "94.0 % to level 39"]);
    }

    #[test]
    fn the_plan_says_before_which_pieces_it_goes_elsewhere() {
        let mut thought = thought();
        assert_eq!(plan(&thought), ["before OI: columns 1–3", "otherwise: columns 5–7"]);
        thought.plan = [thought.plan[0]; 7];
        assert_eq!(plan(&thought), ["goes to columns 5–7"]);
    }

    #[test]
    fn cells_lie_over_the_playfield() {
        let place = Place { origin: Pos2::new(10.0, 20.0), scale: Vec2::splat(2.0) };
        let cell = area(&place, (9, 19));
        assert_eq!(cell.min, Pos2::new(10.0 + 2.0 * 168.0, 20.0 + 2.0 * 200.0));
        assert_eq!(cell.size(), Vec2::splat(16.0));
    }
}
