//! A line of a card: a name with a value.

use egui::{Align, Align2, Color32, Rect, Vec2};

use super::head::{LABEL, MOST_LINES};
use crate::ui::canvas::Canvas;
use crate::ui::theme::Type;

/// A name with a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) colour: Color32,
}

impl Line {
    /// Returns the widths of its name and of its value in a card. Whatever does not fit in them is
    /// written in more lines.
    fn widths(&self, canvas: &Canvas, width: f32) -> [f32; 2] {
        let natural = |text: &str, size| canvas.line(text, size, self.colour, f32::INFINITY).size().x;
        let width = (width - 8.0).max(0.0);
        // The name may be in smaller type.
        let (name, value) = (natural(&self.name, Type::Label), natural(&self.value, Type::Strong));
        let value = match (name + value <= width, name <= width / 2.0, value <= width / 2.0) {
            (true, ..) | (_, _, true) => value,
            (_, true, _) => width - name,
            _ => width / 2.0,
        };
        [width - value, value + 0.5]
    }

    /// Returns its name and its value as they are laid out.
    fn texts(&self, canvas: &Canvas, width: f32) -> [(Type, f32); 2] {
        let [name, value] = self.widths(canvas, width);
        [(Type::Small, name), (Type::Strong, value)]
    }

    /// Returns how high it is in a card, in points.
    pub(super) fn height(&self, canvas: &Canvas, width: f32) -> f32 {
        let height = |text: &str, (size, width): (Type, f32)| {
            let room = Vec2::new(width, MOST_LINES * LABEL);
            canvas.fitted(text, (size, self.colour), room, Align::LEFT).size().y
        };
        let [name, value] = self.texts(canvas, width);
        (height(&self.name, name).max(height(&self.value, value)) + 2.0).max(22.0)
    }

    pub(super) fn paint(&self, canvas: &Canvas, row: Rect) {
        let [(name, name_width), (value, value_width)] = self.texts(canvas, row.width());
        let left = (row.with_max_x(row.left() + name_width), Align2::LEFT_CENTER);
        canvas.text_in(left, &self.name, (name, canvas.colours.soft));
        let right = (row.with_min_x(row.right() - value_width), Align2::RIGHT_CENTER);
        canvas.text_in(right, &self.value, (value, self.colour));
    }
}
