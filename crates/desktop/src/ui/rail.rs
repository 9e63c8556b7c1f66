//! The rails beside the picture: cards with figures of the game, and toasts at their foot.

mod card;
mod computer;
mod game;
mod head;
mod line;

use egui::{Rect, Vec2};

pub(crate) use card::{Block, Card};
pub(crate) use computer::{cards as computer_cards, colour_of as colour_of_rank};
pub(crate) use game::{burst_columns, crash, finesse_columns, left, line, right, versus};
pub(crate) use head::head;
pub(crate) use line::Line;

use crate::messages::status::MessageKind;
use crate::ui::canvas::Canvas;
use crate::ui::theme::{GAP, INSIDE, Type, icon};

/// Draws cards below each other in `area`, as many as fit; the others are left out from the end.
/// Returns the room that is left below them.
pub(crate) fn stack(canvas: &Canvas, area: Rect, cards: &[Card]) -> Rect {
    let inside = area.shrink(INSIDE);
    let mut top = inside.top();
    for card in cards {
        let height = card.height(canvas, inside.width());
        if top + height > inside.bottom() {
            break;
        }
        card.paint(
            canvas,
            Rect::from_min_size(inside.with_min_y(top).min, Vec2::new(inside.width(), height)),
        );
        top += height + GAP + 2.0;
    }
    area.with_min_y(top)
}

/// Draws cards beside each other in `area`, as many as fit with a readable width, all of its
/// height.
pub(crate) fn row(canvas: &Canvas, area: Rect, cards: &[Card]) {
    const LEAST: f32 = 170.0;
    let inside = area.shrink(INSIDE);
    let canvas = canvas.within(area);
    let count = cards.len().min(((inside.width() + GAP) / (LEAST + GAP)) as usize).max(1);
    let width = (inside.width() - GAP * (count - 1) as f32) / count as f32;
    for (at, card) in cards.iter().take(count).enumerate() {
        let left = inside.left() + at as f32 * (width + GAP);
        let size = Vec2::new(width, inside.height());
        card.paint(&canvas, Rect::from_min_size(egui::pos2(left, inside.top()), size));
    }
}

/// Draws what the player is told, the newest at the bottom of `area`.
pub(crate) fn toasts(canvas: &Canvas, area: Rect, lines: &[(MessageKind, String)]) {
    let colours = &canvas.colours;
    let inside = area.shrink(INSIDE);
    let mut bottom = inside.bottom();
    for (kind, text) in lines.iter().rev() {
        let (colour, sign) = match kind {
            MessageKind::Note | MessageKind::Script => (colours.info, icon::INFO),
            MessageKind::Warning => (colours.slip, icon::WARNING),
            MessageKind::Error => (colours.blunder, icon::WARNING),
        };
        let mut job = egui::text::LayoutJob::simple(
            text.clone(),
            Type::Small.font(),
            colours.text,
            (inside.width() - 50.0).max(40.0),
        );
        job.wrap.max_rows = 5;
        let galley = canvas.painter.layout_job(job);
        let height = galley.size().y + 18.0;
        if bottom - height < inside.top() && bottom < inside.bottom() {
            return;
        }
        let toast = Rect::from_min_max(
            egui::pos2(inside.left(), bottom - height),
            egui::pos2(inside.right(), bottom),
        );
        canvas.fill(toast, 6, colours.raised);
        canvas.outline(toast, 6, 1.0, colours.line);
        canvas.fill(toast.with_max_x(toast.left() + 3.0), 2, colour);
        canvas.icon(toast.left_center() + Vec2::new(20.0, 0.0), sign, 16.0, colour);
        canvas.painter.galley(toast.min + Vec2::new(38.0, 9.0), galley, colours.text);
        bottom -= height + GAP;
    }
}
