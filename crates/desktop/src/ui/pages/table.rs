//! Lines of one height that scroll: of many, only those in sight are drawn.

use egui::{Pos2, Rect, Sense, Vec2};

use super::{Desk, Shown};
use crate::ui::canvas::Canvas;
use crate::ui::page::{Row, Zone};

/// Lines before and after those in sight that the cursor can go to.
const UNSEEN: usize = 40;

/// Where a table is: its area, the height of a line, and the width that the scroll bar takes.
pub(super) struct TableArea {
    pub(super) area: Rect,
    pub(super) line: f32,
    pub(super) bar: f32,
}

/// Draws the main lines of a page in `place`, each by `draw`, which gets its place, its number on
/// the page and its number in the table.
pub(super) fn table(
    ui: &mut egui::Ui,
    place: &TableArea,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
    mut draw: impl FnMut(&egui::Ui, &Canvas, Rect, (usize, &Row, usize), &mut Desk<'_>),
) {
    let colours = shown.settings.look.theme.colours();
    let rows: Vec<(usize, &Row)> = shown.of(Zone::Main).collect();
    let TableArea { area, line, bar } = *place;
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area));
    let scroll = egui::ScrollArea::vertical().id_salt(("table", format!("{:?}", shown.page)));
    let scroll = scroll.auto_shrink([false, false]);
    let wanted = rows.iter().position(|(number, _)| shown.in_sight == *number);
    let scroll = match wanted {
        Some(at) if desk.textures.scrolled != Some((shown.page, at)) => {
            desk.textures.scrolled = Some((shown.page, at));
            let visible = (area.height() / line).floor().max(1.0);
            scroll.vertical_scroll_offset((at as f32 - visible / 2.0).max(0.0) * line)
        }
        _ => scroll,
    };
    child.spacing_mut().item_spacing = Vec2::ZERO;
    scroll.show_rows(&mut child, line, rows.len(), |ui, range| {
        let canvas = Canvas::new(ui.painter().clone(), colours);
        let first = ui.max_rect().top() - line * range.start as f32;
        let near = range.start.saturating_sub(UNSEEN)..(range.end + UNSEEN).min(rows.len());
        for at in range {
            let (place, _) = ui.allocate_exact_size(Vec2::new(area.width() - bar, line), Sense::hover());
            let (number, row) = rows[at];
            draw(ui, &canvas, place, (number, row, at), desk);
        }
        // Those next to them that are not drawn are where they would be.
        for at in near {
            let (number, row) = &rows[at];
            let corner = Pos2::new(area.left(), first + line * at as f32);
            let place = Rect::from_min_size(corner, Vec2::new(area.width(), line));
            desk.nav.add_unseen(*number, row.zone, place);
        }
    });
}
