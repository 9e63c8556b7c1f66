//! The plan of the day on Home: a card with a line for each thing, which is a button.

use egui::{Align2, Pos2, Rect, Vec2};

use super::{Desk, Shown};
use crate::ui::canvas::Canvas;
use crate::ui::page::{Item, Row, Zone};
use crate::ui::theme::{CORNER, GAP, INSIDE, Type};

/// The height of the card's heading, and of a line that has its neighbour beside it.
const HEADING: f32 = 26.0;
const LINE: f32 = 46.0;

/// The width from which two lines stand beside each other.
const TWO: f32 = 560.0;

/// Returns how high the card is where its lines stand in pairs.
pub(super) fn height_of_pairs(lines: usize) -> f32 {
    2.0 * INSIDE + HEADING + LINE * lines.div_ceil(2) as f32
}

pub(super) fn draw(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    canvas.card(area, None);
    let canvas = &canvas.within(area);
    let inside = area.shrink(INSIDE);
    if let Some((_, heading)) = shown.of(Zone::Panel).find(|(_, row)| row.item == Item::Heading) {
        let y = inside.top() + 10.0;
        canvas.left(Pos2::new(inside.left(), y), &heading.label, Type::Item, colours.text);
        canvas.right(Pos2::new(inside.right(), y), &heading.help, Type::Label, colours.soft);
    }
    let lines: Vec<_> = shown.of(Zone::Panel).filter(|(_, row)| row.is_choice()).collect();
    let columns = if inside.width() >= TWO { 2 } else { 1 };
    let rest = inside.with_min_y(inside.top() + HEADING);
    let size = Vec2::new(
        (rest.width() - GAP * (columns - 1) as f32) / columns as f32,
        rest.height() / lines.len().div_ceil(columns).max(1) as f32,
    );
    for (at, (number, row)) in lines.into_iter().enumerate() {
        let (column, above) = (at % columns, at / columns);
        let corner = Vec2::new(column as f32 * (size.x + GAP), above as f32 * size.y);
        let place = Rect::from_min_size(rest.min + corner, size);
        if above > 0 {
            canvas.painter.hline(place.x_range(), place.top(), egui::Stroke::new(1.0, colours.line));
        }
        line(ui, canvas, place.shrink2(Vec2::new(0.0, 2.0)), (number, row), shown, desk);
    }
}

fn line(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    (number, row): (usize, &Row),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let control = area.expand2(Vec2::new(4.0, 0.0));
    let hovered = desk.control(ui, (number, row), control);
    canvas.marked(control, CORNER, shown.has_focus(number), hovered);
    canvas.icon(area.left_center() + Vec2::new(14.0, 0.0), row.icon, 19.0, colours.info);
    let verb = canvas.line(&row.value, Type::StrongLabel, colours.text, f32::INFINITY);
    let button = Rect::from_min_size(
        Pos2::new(area.right() - verb.size().x - 28.0, area.center().y - 14.0),
        Vec2::new(verb.size().x + 24.0, 28.0),
    );
    canvas.button(button, false, hovered);
    canvas.centred(button.center(), &row.value, Type::StrongLabel, colours.text);
    let left = area.left() + 36.0;
    let room = button.left() - 10.0 - left;
    let about = canvas.paragraph_height(&row.help, Type::Label, (room, 2));
    let top = area.center().y - f32::midpoint(18.0, about);
    let at = (Pos2::new(left, top + 8.0), Align2::LEFT_CENTER);
    canvas.text_within(at, &row.label, (Type::Strong, colours.text), room);
    canvas.paragraph(Pos2::new(left, top + 18.0), &row.help, (Type::Label, colours.soft), (room, 2));
}
