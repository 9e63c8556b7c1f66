//! Puzzles that can be asked, with the player's rating over the days beside them.

use egui::{Rect, Vec2};

use super::{Desk, Shown, list};
use crate::ui::canvas::Canvas;
use crate::ui::chart;
use crate::ui::theme::{MARGIN, Type};

/// The height of the chart, and of a page that has room for it.
const CHART: f32 = 168.0;
const WITH_CHART: f32 = 420.0;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let progress = &shown.puzzles.desk.progress;
    let ratings: Vec<f64> = progress.history().iter().map(|solved| solved.rating).collect();
    let mut rest = body;
    if ratings.len() > 1 && body.height() > WITH_CHART {
        let card = Rect::from_min_size(
            body.min + Vec2::new(MARGIN, 4.0),
            Vec2::new(body.width() - 2.0 * MARGIN, CHART),
        );
        canvas.card(card, None);
        let inside = card.shrink(12.0);
        let (rating, deviation) = progress.rating();
        let days = progress.ratings().len();
        let days = if days == 1 { "one day".to_owned() } else { format!("{days} days") };
        let note = format!("{rating:.0} ± {deviation:.0} after {} answers on {days}", ratings.len());
        canvas.left(inside.left_top() + Vec2::new(0.0, 8.0), "Rating", Type::Item, canvas.colours.text);
        canvas.right(inside.right_top() + Vec2::new(0.0, 8.0), &note, Type::Label, canvas.colours.soft);
        chart::ratings(canvas, inside.with_min_y(inside.top() + 22.0), &ratings);
        rest = body.with_min_y(card.bottom() + 8.0);
    }
    list::draw(ui, canvas, rest, shown, desk);
}
