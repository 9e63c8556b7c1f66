//! What pages, rails and bars are drawn with: text, bars, key caps, chips, pieces.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align, Align2, Color32, CornerRadius, Galley, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2};
use std::sync::Arc;
use tetris::{Orientation, Piece};

use crate::ui::reader;
use crate::ui::theme::{CARD_CORNER, CORNER, Colours, Type, icon_font};

/// A painter with the colours of the theme.
#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) painter: Painter,
    pub(crate) colours: Colours,
}

impl Canvas {
    /// Returns a canvas that paints with `painter`.
    pub(crate) fn new(painter: Painter, colours: Colours) -> Self {
        Self { painter, colours }
    }

    /// Returns the same, of which nothing is seen outside of `area`.
    pub(crate) fn within(&self, area: Rect) -> Self {
        Self {
            painter: self.painter.with_clip_rect(area.intersect(self.painter.clip_rect())),
            ..self.clone()
        }
    }

    /// Lays out one line, cut with an ellipsis where it is wider than `room`.
    pub(crate) fn line(&self, text: &str, size: Type, colour: Color32, room: f32) -> Arc<Galley> {
        #[cfg(test)]
        let text = &*lengthened(self.painter.ctx(), text, size);
        let mut job = LayoutJob::simple_singleline(text.to_owned(), size.font(), colour);
        job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
        self.painter.layout_job(job)
    }

    /// Returns how wide a text is in one line.
    pub(crate) fn width(&self, text: &str, size: Type) -> f32 {
        self.line(text, size, self.colours.text, f32::INFINITY).size().x
    }

    /// Writes one line with `anchor` at `at`: in smaller type where it is wider than `room`, and
    /// cut where that does not help. Returns where it is.
    pub(crate) fn text_within(
        &self,
        (at, anchor): (Pos2, Align2),
        text: &str,
        (size, colour): (Type, Color32),
        room: f32,
    ) -> Rect {
        let mut galley = self.line(text, size, colour, room);
        let mut smaller = size.smaller();
        while let Some(size) = smaller.filter(|_| galley.elided) {
            galley = self.line(text, size, colour, room);
            smaller = size.smaller();
        }
        let area = anchor.anchor_size(at, galley.size());
        if !text.is_empty() {
            self.say(area, text, size);
            self.painter.galley(area.min, galley, colour);
        }
        area
    }

    /// Lays out a text in one line, in smaller type where it is wider than the room, and in as many
    /// lines as the room is high for where that does not help.
    pub(crate) fn fitted(
        &self,
        text: &str,
        (mut size, colour): (Type, Color32),
        room: Vec2,
        align: Align,
    ) -> Arc<Galley> {
        loop {
            let galley = self.line(text, size, colour, room.x);
            if !galley.elided {
                return galley;
            }
            let Some(smaller) = size.smaller() else { break };
            size = smaller;
        }
        #[cfg(test)]
        let text = &*lengthened(self.painter.ctx(), text, size);
        let mut job = LayoutJob::simple(text.to_owned(), size.font(), colour, room.x.max(1.0));
        let line = self.painter.fonts_mut(|fonts| fonts.row_height(&size.font()));
        job.wrap.max_rows = ((room.y / line + 0.05) as usize).max(1);
        job.halign = align;
        self.painter.layout_job(job)
    }

    /// Writes a text at the anchor in `area`, in smaller type or in more lines where it is wider.
    /// Returns where it is.
    pub(crate) fn text_in(
        &self,
        (area, anchor): (Rect, Align2),
        text: &str,
        (size, colour): (Type, Color32),
    ) -> Rect {
        let galley = self.fitted(text, (size, colour), area.size(), anchor.x());
        let place = anchor.align_size_within_rect(galley.size(), area);
        if !text.is_empty() {
            self.say(place, text, size);
            // The place of a galley is that of its left edge, its middle, or its right edge.
            let corner = place.min - galley.rect.min.to_vec2();
            self.painter.galley(corner, galley, colour);
        }
        place
    }

    /// Writes one line with its middle at the height of `at`, from there to the right.
    pub(crate) fn left(&self, at: Pos2, text: &str, size: Type, colour: Color32) -> Rect {
        self.text_within((at, Align2::LEFT_CENTER), text, (size, colour), f32::INFINITY)
    }

    /// The same, up to there.
    pub(crate) fn right(&self, at: Pos2, text: &str, size: Type, colour: Color32) -> Rect {
        self.text_within((at, Align2::RIGHT_CENTER), text, (size, colour), f32::INFINITY)
    }

    /// The same, around it.
    pub(crate) fn centred(&self, at: Pos2, text: &str, size: Type, colour: Color32) -> Rect {
        self.text_within((at, Align2::CENTER_CENTER), text, (size, colour), f32::INFINITY)
    }

    /// Writes lines of at most `width` from `at` down, `lines` at most. Returns how high they are.
    pub(crate) fn paragraph(
        &self,
        at: Pos2,
        text: &str,
        (size, colour): (Type, Color32),
        (width, lines): (f32, usize),
    ) -> f32 {
        let galley = self.lines(text, (size, colour), (width, lines));
        let area = Rect::from_min_size(at, galley.size());
        self.say(area, text, size);
        self.painter.galley(at, galley, colour);
        area.height()
    }

    /// Returns how high [`Canvas::paragraph`] is.
    pub(crate) fn paragraph_height(&self, text: &str, size: Type, (width, lines): (f32, usize)) -> f32 {
        self.lines(text, (size, self.colours.text), (width, lines)).size().y
    }

    fn lines(
        &self,
        text: &str,
        (size, colour): (Type, Color32),
        (width, lines): (f32, usize),
    ) -> Arc<Galley> {
        #[cfg(test)]
        let text = &*lengthened(self.painter.ctx(), text, size);
        let mut job = LayoutJob::simple(text.to_owned(), size.font(), colour, width.max(1.0));
        job.wrap.max_rows = lines;
        self.painter.layout_job(job)
    }

    /// Tells screen readers of a text that is drawn.
    fn say(&self, area: Rect, text: &str, size: Type) {
        if self.painter.clip_rect().intersects(area) {
            reader::text(self.painter.ctx(), area, text, matches!(size, Type::Title | Type::Page));
        }
    }

    /// Draws an icon around `at`.
    pub(crate) fn icon(&self, at: Pos2, icon: &str, size: f32, colour: Color32) {
        self.painter.text(at, Align2::CENTER_CENTER, icon, icon_font(size), colour);
    }

    /// Fills an area.
    pub(crate) fn fill(&self, area: Rect, corner: u8, colour: Color32) {
        self.painter.rect_filled(area, CornerRadius::same(corner), colour);
    }

    /// Draws an edge inside of an area.
    pub(crate) fn outline(&self, area: Rect, corner: u8, width: f32, colour: Color32) {
        let stroke = Stroke::new(width, colour);
        self.painter.rect_stroke(area, CornerRadius::same(corner), stroke, StrokeKind::Inside);
    }

    /// Draws a card's ground, with an edge of another colour where it warns.
    pub(crate) fn card(&self, area: Rect, edge: Option<Color32>) {
        self.fill(area, CARD_CORNER, self.colours.card);
        self.outline(area, CARD_CORNER, 1.0, edge.unwrap_or(self.colours.line));
    }

    /// Draws the ring of the focus around an area.
    pub(crate) fn focus(&self, area: Rect, corner: u8) {
        self.outline(area.expand(2.0), corner + 2, 2.0, self.colours.accent);
    }

    /// Draws a horizontal bar filled to `share`, 0 to 1.
    pub(crate) fn bar(&self, area: Rect, share: f32, colour: Color32) {
        self.fill(area, 3, self.colours.well);
        let width = area.width() * share.clamp(0.0, 1.0);
        if width >= 1.0 {
            self.fill(Rect::from_min_size(area.min, Vec2::new(width.max(3.0), area.height())), 3, colour);
        }
    }

    /// Draws a key cap from `at` to the right, with its middle at that height. Returns its width.
    pub(crate) fn key(&self, at: Pos2, name: &str) -> f32 {
        let galley = self.line(name, Type::Key, self.colours.text, f32::INFINITY);
        let width = (galley.size().x + 12.0).max(20.0);
        let area = Rect::from_min_size(at - Vec2::new(0.0, 10.0), Vec2::new(width, 20.0));
        self.fill(area, 4, self.colours.raised);
        self.outline(area, 4, 1.0, self.colours.edge);
        let bottom = Rect::from_min_max(
            area.left_bottom() + Vec2::new(3.0, -2.0),
            area.right_bottom() - Vec2::new(3.0, 1.0),
        );
        self.fill(bottom, 0, self.colours.edge);
        self.painter.galley(
            area.center() - galley.size() / 2.0 - Vec2::new(0.0, 1.0),
            galley,
            self.colours.text,
        );
        width
    }

    /// Returns how wide [`Canvas::key`] is.
    pub(crate) fn key_width(&self, name: &str) -> f32 {
        (self.line(name, Type::Key, self.colours.text, f32::INFINITY).size().x + 12.0).max(20.0)
    }

    /// Draws a chip from `left` to the right, an icon and a few words. Returns where it is.
    pub(crate) fn chip(&self, left: Pos2, icon: &str, text: &str, colour: Color32) -> Rect {
        self.chip_within(left, icon, text, (colour, f32::INFINITY))
    }

    /// Draws a chip that is as wide as the room at most.
    pub(crate) fn chip_within(
        &self,
        left: Pos2,
        icon: &str,
        text: &str,
        (colour, room): (Color32, f32),
    ) -> Rect {
        let before = if icon.is_empty() { 9.0 } else { 27.0 };
        let room = Vec2::new(room - before - 10.0, 34.0);
        let galley = self.fitted(text, (Type::Label, colour), room, Align::Min);
        let height = (galley.size().y + 8.0).max(24.0);
        let area = Rect::from_min_size(
            left - Vec2::new(0.0, height / 2.0),
            Vec2::new(galley.size().x + before + 10.0, height),
        );
        self.fill(area, 12, self.colours.raised);
        if !icon.is_empty() {
            self.icon(area.left_center() + Vec2::new(16.0, 0.0), icon, 14.0, colour);
        }
        self.painter.galley(
            Pos2::new(area.left() + before, area.center().y - galley.size().y / 2.0),
            galley,
            colour,
        );
        area
    }

    /// Draws a piece as it spawns in the middle of an area, with cells of a size.
    pub(crate) fn piece(&self, middle: Pos2, piece: Piece, cell: f32, colour: Color32) {
        let cells =
            Orientation::spawn(piece).cells().map(|cell| (f32::from(cell.column), f32::from(cell.row)));
        let edge = |part: fn(&(f32, f32)) -> f32, most: bool| {
            let pick = if most { f32::max } else { f32::min };
            cells.iter().map(part).reduce(pick).unwrap_or(0.0)
        };
        let low = Vec2::new(edge(|cell| cell.0, false), edge(|cell| cell.1, false));
        let high = Vec2::new(edge(|cell| cell.0, true), edge(|cell| cell.1, true)) + Vec2::splat(1.0);
        for &(column, row) in &cells {
            let at = middle + (Vec2::new(column, row) - (low + high) / 2.0) * cell;
            self.fill(Rect::from_min_size(at, Vec2::splat(cell - 1.0)), 1, colour);
        }
    }

    /// Returns the ground of a line or a card that has the focus, is under the pointer, or neither.
    pub(crate) fn ground(&self, has_focus: bool, hovered: bool) -> Color32 {
        match (has_focus, hovered) {
            (true, _) => self.colours.selected,
            (false, true) => self.colours.hover,
            (false, false) => self.colours.card,
        }
    }

    /// Draws what tells a line of a list that has the focus, or is under the pointer, from others.
    /// Its words are drawn over it.
    pub(crate) fn marked(&self, area: Rect, corner: u8, has_focus: bool, hovered: bool) {
        if has_focus || hovered {
            self.fill(area, corner, self.ground(has_focus, hovered));
        }
        if has_focus {
            self.outline(area, corner, 2.0, self.colours.accent);
        }
    }

    /// Draws a button's ground. Its words are drawn over it.
    pub(crate) fn button(&self, area: Rect, is_first: bool, hovered: bool) {
        let colours = &self.colours;
        let ground = match (is_first, hovered) {
            (true, _) => colours.fill,
            (false, true) => colours.hover,
            (false, false) => colours.raised,
        };
        self.fill(area, CORNER, ground);
        if !is_first {
            self.outline(area, CORNER, 1.0, colours.line);
        }
    }
}

/// Makes every text a third longer from now on, as other languages are, or no longer.
#[cfg(test)]
pub(crate) fn lengthen(context: &egui::Context, by_a_third: bool) {
    context.data_mut(|data| data.insert_temp(egui::Id::new("a third longer"), by_a_third));
}

/// Returns a text as it is to be drawn. Numbers and key caps are the same in every language.
#[cfg(test)]
fn lengthened<'a>(context: &egui::Context, text: &'a str, size: Type) -> std::borrow::Cow<'a, str> {
    let is_longer = context.data(|data| data.get_temp(egui::Id::new("a third longer"))) == Some(true);
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    if !is_longer || letters < 2 || matches!(size, Type::Key | Type::Code) {
        return text.into();
    }
    format!("{text}{}", "n".repeat(letters.div_ceil(3))).into()
}

/// Returns a text with a capital at its beginning.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns a number with its thousands apart, as 1,043,180.
pub(crate) fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("\u{2212}{text}") } else { text }
}

/// Returns the same with its sign, as +54,316 and −28,097.
pub(crate) fn signed(number: i64) -> String {
    if number > 0 { format!("+{}", thousands(number)) } else { thousands(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_thousands_apart() {
        let texts = [0, 7, 999, 1_000, 43_180, 1_043_180, -28_097].map(thousands);
        assert_eq!(texts, ["0", "7", "999", "1,000", "43,180", "1,043,180", "−28,097"]);
        assert_eq!([5, 0, -5].map(signed), ["+5", "0", "−5"]);
    }
}
