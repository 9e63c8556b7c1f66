//! The rails beside the picture: cards with figures of the game, and toasts at their foot.

mod card;
mod computer;
mod game;
mod head;
mod line;
mod toasts;

use egui::{Rect, Vec2};

pub(crate) use card::{Block, Card};
pub(crate) use computer::{cards as computer_cards, colour_of as colour_of_rank};
pub(crate) use game::{burst_columns, crash, finesse_columns, left, line, right, versus};
pub(crate) use head::head;
pub(crate) use line::Line;
pub(crate) use toasts::{Told, toasts};

use crate::ui::canvas::Canvas;
use crate::ui::theme::{GAP, INSIDE};

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
/// height. Those of which no more than the title has room are left out.
pub(crate) fn row(canvas: &Canvas, area: Rect, cards: &[Card]) {
    const LEAST: f32 = 170.0;
    let inside = area.shrink(INSIDE);
    let canvas = canvas.within(area);
    let most = ((inside.width() + GAP) / (LEAST + GAP)) as usize;
    let width_of = |count: usize| (inside.width() - GAP * (count - 1) as f32) / count as f32;
    let least = width_of(cards.len().min(most).max(1));
    let cards: Vec<&Card> =
        cards.iter().filter(|card| card.least_height(&canvas, least) <= inside.height()).collect();
    let count = cards.len().min(most).max(1);
    let width = width_of(count);
    for (at, card) in cards.into_iter().take(count).enumerate() {
        let left = inside.left() + at as f32 * (width + GAP);
        let size = Vec2::new(width, inside.height());
        card.paint(&canvas, Rect::from_min_size(egui::pos2(left, inside.top()), size));
    }
}
