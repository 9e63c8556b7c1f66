//! The page of the position editor, boards of positions, and the keys for a first start.

use egui::{Pos2, Rect, Sense, Vec2};
use practice::Position;
use tetris::{HEIGHT, Orientation, WIDTH};

use super::{Desk, Shown, list};
use crate::ui::canvas::Canvas;
use crate::ui::page::Row;
use crate::ui::rail::{Block, Card, Line};
use crate::ui::theme::{Colours, MARGIN};

/// The column in which pieces come in.
const SPAWN: i8 = 5;

/// Returns the cell at a place of the field that covers `area`.
fn cell(area: Rect, at: Pos2) -> Option<(usize, usize)> {
    let place = (at - area.min) / area.size() * Vec2::new(WIDTH as f32, HEIGHT as f32);
    (area.contains(at) && place.x < WIDTH as f32 && place.y < HEIGHT as f32)
        .then_some((place.x as usize, place.y as usize))
}

/// Draws the field of a position in `area`, with the piece in play where it comes in.
pub(super) fn board(canvas: &Canvas, area: Rect, position: &Position) {
    let colours = canvas.colours;
    let side = area.width() / WIDTH as f32;
    canvas.fill(area.expand(2.0), 3, colours.line);
    canvas.fill(area, 0, colours.well);
    let spawn = Orientation::spawn(position.piece).cells();
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let corner = area.min + Vec2::new(column as f32, row as f32) * side;
            let place = Rect::from_min_size(corner, Vec2::splat(side)).shrink(side / 20.0);
            let at = [column as i8 - SPAWN, row as i8];
            let is_piece = spawn.iter().any(|cell| [cell.column, cell.row] == at);
            if position.rows[row] >> column & 1 == 1 {
                canvas.fill(place, 1, colours.info);
            } else if is_piece {
                canvas.fill(place, 1, colours.accent);
            }
        }
    }
}

/// Draws the field that is edited at the left, and the lines beside it. A click puts a block into a
/// cell or takes it out, and whatever the pointer is drawn over becomes the same.
pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let side =
        ((body.height() - 32.0) / HEIGHT as f32).min(0.4 * body.width() / WIDTH as f32).floor().max(4.0);
    let area = Rect::from_min_size(
        body.left_top() + Vec2::new(MARGIN, 12.0),
        Vec2::new(WIDTH as f32, HEIGHT as f32) * side,
    );
    let response = ui.interact(area, egui::Id::new("position field"), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Field of the position"));
    let pointer = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on());
    match pointer.and_then(|at| cell(area, at)) {
        Some((column, row)) => desk.editor.paint(column, row),
        None if pointer.is_none() => desk.editor.end_painting(),
        None => {}
    }
    board(canvas, area, &desk.editor.position);
    let lines = Rect::from_min_max(
        Pos2::new(area.right() + MARGIN, body.top()),
        body.right_bottom() - Vec2::new(MARGIN, 0.0),
    );
    list::scrolled(ui, canvas, lines, shown, desk);
}

/// Returns the card with the keys of the game, for someone who has never played.
pub(crate) fn welcome_card(rows: &[Row], colours: &Colours) -> Card {
    let lines = rows.iter().map(|row| Line {
        name: row.value.clone(),
        value: row.label.clone(),
        colour: colours.text,
    });
    Card::new("Your keys", "").with(Block::Lines(lines.collect()))
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
}
