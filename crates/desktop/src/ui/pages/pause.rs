//! The menu of a game in the right rail.

use egui::{Align, Align2, Context, Id, Pos2, Rect, Vec2};

use super::{Desk, Shown};
use crate::ui::canvas::Canvas;
use crate::ui::page::{Item, Zone};
use crate::ui::theme::{CORNER, Type};

/// Lines after which a rule stands.
const GROUPS: [usize; 4] = [0, 3, 9, 13];

/// Draws the menu in `area`.
pub(crate) fn rail(context: &Context, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = shown.settings.look.theme.colours();
    desk.nav.begin(shown.page);
    egui::Area::new(Id::new("pause")).fixed_pos(area.min).order(egui::Order::Middle).show(context, |ui| {
        ui.set_min_size(area.size());
        ui.set_clip_rect(area);
        let canvas = Canvas::new(ui.painter().clone(), colours);
        canvas.fill(area, 0, colours.rail);
        canvas.painter.vline(area.left() + 0.5, area.y_range(), egui::Stroke::new(1.0, colours.line));
        let heading = shown.page.heading(shown.status);
        let at = (area.left_top() + Vec2::new(18.0, 26.0), Align2::LEFT_CENTER);
        canvas.text_within(at, &heading, (Type::Title, colours.text), area.width() - 30.0);
        let top = area.top() + 48.0;
        let count = shown.of(Zone::Main).count() as f32;
        let height = ((area.bottom() - 8.0 - top - 7.0 * GROUPS.len() as f32) / count).clamp(22.0, 36.0);
        let mut y = top;
        for (number, row) in shown.of(Zone::Main) {
            let place =
                Rect::from_min_size(Pos2::new(area.left() + 8.0, y), Vec2::new(area.width() - 16.0, height));
            let hovered = desk.control(ui, (number, row), place);
            canvas.marked(place, CORNER, shown.has_focus(number), hovered);
            let is_possible = row.item != Item::Unavailable;
            let ink = if is_possible { colours.text } else { colours.faint };
            let middle = place.center().y;
            canvas.icon(
                Pos2::new(place.left() + 19.0, middle),
                row.icon,
                17.0,
                if is_possible { colours.soft } else { colours.faint },
            );
            let mut right = place.right() - 8.0;
            let name = canvas.width(&row.label, Type::Label);
            // The name goes first: what has no room beside it is left out.
            let room = right - place.left() - 36.0 - 6.0 - name;
            let keys = row.value.split('+').map(|key| canvas.key_width(key) + 4.0).sum::<f32>();
            if is_possible && !row.value.is_empty() && keys <= room {
                right -= keys;
                let mut x = right;
                for key in row.value.split('+') {
                    x += canvas.key(Pos2::new(x, middle), key) + 4.0;
                }
            } else if !is_possible {
                let room = Rect::from_min_max(Pos2::new(right - room.min(100.0), place.top()), place.max);
                let room = room.with_max_x(right);
                let why = canvas.fitted(&row.value, (Type::Label, colours.faint), room.size(), Align::Max);
                if !why.elided {
                    let at = (room, Align2::RIGHT_CENTER);
                    right = canvas.text_in(at, &row.value, (Type::Label, colours.faint)).left();
                }
            }
            let room = Rect::from_min_max(
                place.min + Vec2::new(36.0, 0.0),
                Pos2::new((right - 6.0).max(place.left() + 36.0), place.bottom()),
            );
            canvas.text_in((room, Align2::LEFT_CENTER), &row.label, (Type::Body, ink));
            y += height;
            if GROUPS.contains(&number) {
                canvas.painter.hline(
                    area.left() + 16.0..=area.right() - 16.0,
                    y + 3.0,
                    egui::Stroke::new(1.0, colours.line),
                );
                y += 7.0;
            }
        }
    });
}
