//! What the player is told: as toasts at the foot of a rail, or in place of the keys at the foot of
//! a page. Neither covers a control.

use std::sync::Arc;

use egui::{Color32, Galley, Rect, Vec2};

use crate::messages::status::MessageKind;
use crate::ui::canvas::Canvas;
use crate::ui::theme::{GAP, INSIDE, Type, icon};

/// What a toast has around its words: above and below them, before them, and after them.
const AROUND: f32 = 18.0;
const BEFORE: f32 = 38.0;
const AFTER: f32 = 12.0;

/// The most lines of a message, in a rail and at the foot of a page.
const IN_RAIL: usize = 5;
const AT_FOOT: usize = 3;

/// How high messages at the foot of a page may be, if there are several.
const MOST: f32 = 108.0;

/// Returns a message laid out in `room` points of width and at most `lines` lines.
fn words(canvas: &Canvas, text: &str, room: f32, lines: usize) -> Arc<Galley> {
    let room = (room - BEFORE - AFTER).max(40.0);
    let mut job =
        egui::text::LayoutJob::simple(text.to_owned(), Type::Small.font(), canvas.colours.text, room);
    job.wrap.max_rows = lines;
    canvas.painter.layout_job(job)
}

/// Returns the colour and the icon of a message.
fn sign(canvas: &Canvas, kind: MessageKind) -> (Color32, &'static str) {
    let colours = &canvas.colours;
    match kind {
        MessageKind::Note | MessageKind::Script => (colours.info, icon::INFO),
        MessageKind::Warning => (colours.slip, icon::WARNING),
        MessageKind::Error => (colours.blunder, icon::WARNING),
    }
}

/// Draws what the player is told, the newest at the bottom of `area`. Returns the room above it.
pub(crate) fn toasts(canvas: &Canvas, area: Rect, lines: &[(MessageKind, String)]) -> Rect {
    let colours = &canvas.colours;
    let inside = area.shrink(INSIDE);
    let mut bottom = inside.bottom();
    for (kind, text) in lines.iter().rev() {
        let galley = words(canvas, text, inside.width(), IN_RAIL);
        let height = galley.size().y + AROUND;
        if bottom - height < inside.top() && bottom < inside.bottom() {
            break;
        }
        let toast = inside.with_min_y(bottom - height).with_max_y(bottom);
        canvas.fill(toast, 6, colours.raised);
        canvas.outline(toast, 6, 1.0, colours.line);
        draw(canvas, toast, *kind, galley);
        bottom -= height + GAP;
    }
    area.with_max_y(bottom + INSIDE)
}

fn draw(canvas: &Canvas, toast: Rect, kind: MessageKind, galley: Arc<Galley>) {
    let (colour, sign) = sign(canvas, kind);
    canvas.fill(toast.with_max_x(toast.left() + 3.0), 2, colour);
    canvas.icon(toast.left_center() + Vec2::new(20.0, 0.0), sign, 16.0, colour);
    let corner = toast.left_center() + Vec2::new(BEFORE, -galley.size().y / 2.0);
    canvas.painter.galley(corner, galley, canvas.colours.text);
}

/// Messages that stand below each other over the width of a page, as many of the newest as have
/// room.
pub(crate) struct Told {
    lines: Vec<(MessageKind, Arc<Galley>)>,
    height: f32,
}

impl Told {
    /// Returns the messages for a width in points; `None` if there is none.
    pub(crate) fn of(canvas: &Canvas, width: f32, messages: &[(MessageKind, String)]) -> Option<Self> {
        let mut told = Self { lines: vec![], height: 0.0 };
        for (kind, text) in messages.iter().rev() {
            let galley = words(canvas, text, width, AT_FOOT);
            let height = galley.size().y + AROUND;
            if !told.lines.is_empty() && told.height + height > MOST {
                break;
            }
            told.height += height;
            told.lines.insert(0, (*kind, galley));
        }
        (!told.lines.is_empty()).then_some(told)
    }

    /// Returns how high they are, in points.
    pub(crate) const fn height(&self) -> f32 {
        self.height
    }

    /// Draws them over all of `area`, the newest at the bottom.
    pub(crate) fn draw(self, canvas: &Canvas, area: Rect) {
        let colours = &canvas.colours;
        canvas.fill(area, 0, colours.raised);
        // What is left of the area is shared by all.
        let more = (area.height() - self.height) / self.lines.len() as f32;
        let mut top = area.top();
        for (kind, galley) in self.lines {
            let toast = area.with_min_y(top).with_max_y(top + galley.size().y + AROUND + more);
            canvas.painter.hline(toast.x_range(), toast.top() + 0.5, egui::Stroke::new(1.0, colours.line));
            top = toast.bottom();
            draw(canvas, toast, kind, galley);
        }
    }
}
