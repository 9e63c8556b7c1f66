//! The field of the position editor, whose cells are clicked, and a small plot over kept games.

use egui::{Align2, Color32, Context, FontId, Frame, Id, Pos2, Rect, Sense, Stroke, Vec2};
use practice::{COLUMNS, ROWS};
use tetris::Orientation;

use super::editor::Editor;
use super::games::{KeptGame, counted};

const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 247);
const EMPTY: Color32 = Color32::from_gray(24);
const BLOCK: Color32 = Color32::from_rgb(0x58, 0x9C, 0xF4);
const PIECE: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);
const DIM: Color32 = Color32::from_rgb(0xA0, 0xA8, 0xB8);

/// The column in which pieces come in.
const SPAWN: i8 = 5;

/// A cell's side, in units of a window of 640 x 480.
const CELL: f32 = 20.0;

/// Returns how large letters are in a window of this size.
fn unit(screen: Rect) -> f32 {
    (screen.width() / 640.0).min(screen.height() / 480.0).max(0.5)
}

/// Returns the cell at a place of the field that covers `area`.
fn cell(area: Rect, at: Pos2) -> Option<(usize, usize)> {
    let place = (at - area.min) / area.size() * Vec2::new(COLUMNS as f32, ROWS as f32);
    (area.contains(at) && place.x < COLUMNS as f32 && place.y < ROWS as f32)
        .then_some((place.x as usize, place.y as usize))
}

/// Draws the field at the left of the window. A click puts a block into a cell or takes it out, and
/// whatever the pointer is drawn over becomes the same.
pub(crate) fn field(context: &Context, editor: &mut Editor) {
    let screen = context.content_rect();
    let side = CELL * unit(screen);
    egui::Area::new(Id::new("position field"))
        .anchor(Align2::LEFT_CENTER, Vec2::new(side, 0.0))
        .order(egui::Order::Foreground)
        .show(context, |ui| {
            Frame::new().fill(PANEL).inner_margin(side / 4.0).show(ui, |ui| {
                let size = Vec2::new(COLUMNS as f32, ROWS as f32) * side;
                let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
                let pointer =
                    response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
                match pointer.and_then(|at| cell(area, at)) {
                    Some((column, row)) => editor.paint(column, row),
                    None if pointer.is_none() => editor.end_painting(),
                    None => {}
                }
                let spawn = Orientation::spawn(editor.position.piece).cells();
                for row in 0..ROWS {
                    for column in 0..COLUMNS {
                        let corner = area.min + Vec2::new(column as f32, row as f32) * side;
                        let place = Rect::from_min_size(corner, Vec2::splat(side)).shrink(side / 20.0);
                        let at = [column as i8 - SPAWN, row as i8];
                        let piece = spawn.iter().any(|cell| [cell.column, cell.row] == at);
                        let colour = match (editor.is_taken(column, row), piece) {
                            (true, _) => BLOCK,
                            (false, true) => PIECE.gamma_multiply(0.5),
                            (false, false) => EMPTY,
                        };
                        ui.painter().rect_filled(place, 1.0, colour);
                    }
                }
            });
        });
}

/// Draws score and tetris rate of the games that were kept, the oldest first, at the bottom of the
/// window; nothing of fewer than two.
pub(crate) fn plot(context: &Context, games: &[KeptGame]) {
    let scores: Vec<f32> =
        counted(games).rev().filter_map(|game| game.score).map(|score| score as f32).collect();
    let rates: Vec<f32> =
        counted(games).rev().filter_map(|game| game.tetris_rate.as_ref()?.parse().ok()).collect();
    if scores.len() < 2 {
        return;
    }
    let screen = context.content_rect();
    let unit = unit(screen);
    egui::Area::new(Id::new("games plot"))
        .anchor(Align2::CENTER_BOTTOM, Vec2::new(0.0, -8.0 * unit))
        .order(egui::Order::Foreground)
        .interactable(false)
        .show(context, |ui| {
            Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(6.0 * unit).show(ui, |ui| {
                let (area, _) = ui.allocate_exact_size(Vec2::new(500.0, 44.0) * unit, Sense::hover());
                let most = scores.iter().copied().fold(1.0, f32::max);
                line(ui, area, &scores, most, PIECE);
                line(ui, area, &rates, 100.0, BLOCK);
                let font = FontId::proportional(10.0 * unit);
                let text = format!("score, up to {most:.0}");
                ui.painter().text(area.left_top(), Align2::LEFT_TOP, text, font.clone(), PIECE);
                ui.painter().text(
                    area.right_top(),
                    Align2::RIGHT_TOP,
                    "tetris rate, 0 to 100 %",
                    font.clone(),
                    BLOCK,
                );
                let text = format!("{} games", counted(games).count());
                ui.painter().text(area.left_bottom(), Align2::LEFT_BOTTOM, text, font, DIM);
            });
        });
}

fn line(ui: &egui::Ui, area: Rect, values: &[f32], most: f32, colour: Color32) {
    let last = values.len().saturating_sub(1).max(1) as f32;
    let points = values.iter().enumerate().map(|(number, value)| {
        let share = Vec2::new(number as f32 / last, 1.0 - value.clamp(0.0, most) / most);
        area.min + share * area.size()
    });
    ui.painter().line(points.collect(), Stroke::new(1.5, colour));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_field_is_a_cell_and_one_beside_it_is_none() {
        let area = Rect::from_min_size(Pos2::new(100.0, 50.0), Vec2::new(200.0, 400.0));
        assert_eq!(cell(area, Pos2::new(101.0, 51.0)), Some((0, 0)));
        assert_eq!(cell(area, Pos2::new(299.0, 449.0)), Some((9, 19)));
        assert_eq!(cell(area, Pos2::new(300.0, 450.0)), None);
        assert_eq!(cell(area, Pos2::new(99.0, 60.0)), None);
    }

    /// What the pointer does in a window without a screen.
    fn point(context: &Context, editor: &mut Editor, at: Pos2, pressed: Option<bool>) {
        let mut events = vec![egui::Event::PointerMoved(at)];
        events.extend(pressed.map(|pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        }));
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(640.0, 480.0)));
        let input = egui::RawInput { events, screen_rect, ..egui::RawInput::default() };
        let _ = context.run(input, |context| field(context, editor));
    }

    #[test]
    fn the_pointer_draws_blocks_and_takes_them_out() {
        let (context, mut editor) = (Context::default(), Editor::default());
        let corner = Pos2::new(20.0 + 5.0, 240.0 - 200.0);
        let at = |column: f32, row: f32| corner + Vec2::new(column + 0.5, row + 0.5) * 20.0;
        // The first two drawings find out how large everything is.
        (0..2).for_each(|_| point(&context, &mut editor, at(3.0, 19.0), None));
        point(&context, &mut editor, at(3.0, 19.0), Some(true));
        // One look a frame: a fast pointer has left cells out by then.
        point(&context, &mut editor, at(5.0, 19.0), None);
        point(&context, &mut editor, at(5.0, 19.0), Some(false));
        assert_eq!(editor.position.rows[19], 0b11_1000);
        point(&context, &mut editor, at(0.0, 5.0), Some(true));
        point(&context, &mut editor, at(9.0, 14.0), None);
        point(&context, &mut editor, at(9.0, 14.0), Some(false));
        for step in 0..10 {
            assert!(editor.is_taken(step, 5 + step), "a slanting stroke has no gap at {step}");
        }
        point(&context, &mut editor, at(4.0, 19.0), None);
        point(&context, &mut editor, at(4.0, 19.0), Some(true));
        point(&context, &mut editor, at(4.0, 19.0), None);
        point(&context, &mut editor, at(4.0, 19.0), Some(false));
        assert_eq!(editor.position.rows[19], 0b10_1000);
    }
}
