//! The head of a card: its title, and a note beside it or below.

use egui::{Align, Align2, Rect, Vec2};

use crate::ui::canvas::Canvas;
use crate::ui::theme::Type;

/// How high a title in one line is with the gap below it, in points.
const TITLE: f32 = 22.0;

/// The most lines in which one text of a card is written.
pub(super) const MOST_LINES: f32 = 3.0;

/// How high a line of the smallest type is, in points.
pub(super) const LABEL: f32 = 16.0;

/// Returns whether a title and a note stand in one line of a card.
fn is_one_line(canvas: &Canvas, width: f32, title: &str, note: &str) -> bool {
    let natural = |text: &str, size| canvas.line(text, size, canvas.colours.text, f32::INFINITY).size().x;
    note.is_empty() || natural(title, Type::StrongLabel) + natural(note, Type::Label) + 8.0 <= width
}

/// Returns how high [`head`] is, in points.
pub(super) fn head_height(canvas: &Canvas, width: f32, title: &str, note: &str) -> f32 {
    if title.is_empty() {
        return 0.0;
    }
    let height = |text: &str, size| {
        let room = Vec2::new(width, MOST_LINES * LABEL);
        canvas.fitted(text, (size, canvas.colours.text), room, Align::LEFT).size().y.max(LABEL)
    };
    let note_height = if is_one_line(canvas, width, title, note) { 0.0 } else { height(note, Type::Label) };
    TITLE - LABEL + height(title, Type::StrongLabel) + note_height
}

/// Draws the title of a card at the top of `area` with its note at the right, or below where there
/// is no room. Returns how high they are.
pub(crate) fn head(canvas: &Canvas, area: Rect, title: &str, note: &str) -> f32 {
    let colours = canvas.colours;
    let height = head_height(canvas, area.width(), title, note);
    let ink = (Type::Label, colours.soft);
    let mut above = area.with_max_y(area.top() + height - (TITLE - LABEL));
    if is_one_line(canvas, area.width(), title, note) {
        canvas.text_in((above, Align2::RIGHT_CENTER), note, ink);
    } else {
        let room = Vec2::new(area.width(), MOST_LINES * LABEL);
        let below = canvas.fitted(note, ink, room, Align::LEFT).size().y.max(LABEL);
        let bottom = above.bottom() - below;
        canvas.text_in((above.with_min_y(bottom), Align2::LEFT_CENTER), note, ink);
        above = above.with_max_y(bottom);
    }
    canvas.text_in((above, Align2::LEFT_CENTER), title, (Type::StrongLabel, colours.text));
    height
}
