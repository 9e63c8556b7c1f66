//! A card: a title with a note, and blocks below each other.

use egui::{Align, Align2, Color32, Pos2, Rect, Vec2};
use nes::Buttons;
use tetris::{Piece, Playfield};

use super::Line;
use super::head::{LABEL, MOST_LINES, head, head_height};
use crate::ui::canvas::Canvas;
use crate::ui::theme::{INSIDE, Type};

/// What a card has below its title.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    /// A large figure with its unit, and two lines beside it.
    Figure { figure: String, unit: &'static str, colour: Color32, beside: [String; 2] },
    /// A line of words.
    Words(String, Color32),
    /// Names with values, a line each.
    Lines(Vec<Line>),
    /// Bars with values, a line each.
    Bars(Vec<Bar>),
    /// One bar.
    Share(f32, Color32),
    /// Columns from the left, each as high as its share, in a hollow.
    Columns(Vec<(f32, Color32)>),
    /// A counter of 16 cells.
    Counter(u8, Color32),
    /// A line chart: values with the least and the greatest, and 0 as a line.
    Chart(Vec<f32>, Color32),
    /// The moments of taps, in frames from the first.
    Taps(Vec<u16>),
    /// A pad with what is held.
    Pad(Buttons),
    /// Where a piece may go, by rank.
    Places(Vec<RankedPlacement>),
    /// Boards beside each other, each with its name.
    Boards(Vec<(String, Playfield, Color32)>),
    /// The place by each piece that may come next, in the order T J Z O S L I: its rank, counted
    /// from 1, and whether that piece is the next.
    Plan([(usize, bool); 7]),
}

/// A bar with its name, or its piece, and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) piece: Option<Piece>,
    pub(crate) share: f32,
    pub(crate) value: String,
    pub(crate) colour: Color32,
}

/// A place with what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RankedPlacement {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) share: f32,
    pub(crate) colour: Color32,
}

/// A card of a rail.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Card {
    pub(crate) title: String,
    pub(crate) piece: Option<Piece>,
    pub(crate) note: String,
    /// The colour of its edge, where it warns.
    pub(crate) edge: Option<Color32>,
    pub(crate) blocks: Vec<Block>,
}

impl Block {
    /// Returns how high it is where it is that wide, in points.
    fn height(&self, canvas: &Canvas, width: f32) -> f32 {
        match self {
            Self::Figure { .. } | Self::Columns(_) | Self::Plan(_) => 46.0,
            Self::Words(text, colour) => {
                let room = Vec2::new(width, MOST_LINES * LABEL);
                4.0 + canvas.fitted(text, (Type::Label, *colour), room, Align::LEFT).size().y.max(LABEL)
            }
            Self::Lines(lines) => lines.iter().map(|line| line.height(canvas, width)).sum(),
            Self::Bars(bars) => 20.0 * bars.len() as f32,
            Self::Share(..) => 12.0,
            Self::Counter(..) => 24.0,
            Self::Chart(..) => 84.0,
            Self::Taps(_) => 34.0,
            Self::Pad(_) => 44.0,
            Self::Places(places) => 40.0 * places.len() as f32,
            Self::Boards(_) => 20.0 * BOARD_CELL + 24.0,
        }
    }

    fn paint(&self, canvas: &Canvas, area: Rect) {
        let colours = canvas.colours;
        let middle = area.center().y;
        match self {
            Self::Figure { figure, unit, colour, beside } => {
                let size = if figure.chars().count() > 8 { Type::SmallFigure } else { Type::Figure };
                let drawn = canvas.left(area.left_center(), figure, size, *colour);
                let mut right = drawn.right();
                if !unit.is_empty() {
                    let at = Pos2::new(right + 5.0, drawn.bottom() - 14.0);
                    right = canvas.left(at, unit, Type::Body, colours.soft).right();
                }
                let room = area.right() - right - 12.0;
                let both = !beside[1].is_empty();
                let width =
                    |text: &String| canvas.line(text, Type::Label, colours.soft, f32::INFINITY).size().x;
                if beside.iter().map(width).fold(0.0, f32::max) > room {
                    let text = format!("{} {}", beside[0], beside[1]);
                    let all = area.with_min_x(right + 12.0);
                    let ink = (Type::Label, colours.soft);
                    if !canvas.fitted(&text, ink, all.size(), Align::LEFT).elided {
                        canvas.text_in((all, Align2::LEFT_CENTER), &text, ink);
                    }
                    return;
                }
                for (line, text) in beside.iter().enumerate() {
                    let y = if both { middle - 8.0 + 16.0 * line as f32 } else { middle };
                    let at = (Pos2::new(right + 12.0, y), Align2::LEFT_CENTER);
                    canvas.text_within(at, text, (Type::Label, colours.soft), room);
                }
            }
            Self::Words(text, colour) => {
                canvas.text_in((area, Align2::LEFT_CENTER), text, (Type::Label, *colour));
            }
            Self::Lines(lines) => {
                let mut rest = area;
                for line in lines {
                    let height = line.height(canvas, area.width());
                    line.paint(canvas, rest.with_max_y(rest.top() + height));
                    rest = rest.with_min_y(rest.top() + height);
                }
            }
            Self::Bars(bars) => {
                bars.iter().zip(rows(area, 20.0)).for_each(|(bar, row)| bar.paint(canvas, row));
            }
            Self::Share(share, colour) => {
                canvas.bar(
                    Rect::from_center_size(area.center(), Vec2::new(area.width(), 6.0)),
                    *share,
                    *colour,
                );
            }
            Self::Columns(columns) => columns_of(canvas, area, columns),
            Self::Counter(count, colour) => {
                let figure =
                    canvas.left(area.left_center(), &count.to_string(), Type::SmallFigure, colours.text);
                let left = area.left() + figure.width().max(34.0) + 10.0;
                let cell = (area.right() - left) / 16.0;
                for at in 0..16_u8 {
                    let place = Rect::from_min_size(
                        Pos2::new(left + cell * f32::from(at), middle - 8.0),
                        Vec2::new(cell - 1.5, 16.0),
                    );
                    canvas.fill(place, 2, if at < *count { *colour } else { colours.well });
                }
            }
            Self::Chart(values, colour) => chart(canvas, area.shrink2(Vec2::new(0.0, 4.0)), values, *colour),
            Self::Taps(frames) => {
                let hollow = area.shrink2(Vec2::new(0.0, 3.0));
                canvas.fill(hollow, 4, colours.well);
                // Half a second, and more where the burst is longer.
                let length = f32::from(frames.last().copied().unwrap_or(0)).max(30.0) + 4.0;
                for &frame in frames {
                    let x = hollow.left() + 6.0 + (hollow.width() - 14.0) * f32::from(frame) / length;
                    let mark = Rect::from_center_size(Pos2::new(x + 2.0, middle), Vec2::new(4.0, 18.0));
                    canvas.fill(mark, 2, colours.info);
                }
            }
            Self::Pad(buttons) => pad(canvas, area, *buttons),
            Self::Places(places) => {
                for (rank, (place, row)) in places.iter().zip(rows(area, 40.0)).enumerate() {
                    place.paint(canvas, row, rank + 1);
                }
            }
            Self::Boards(boards) => {
                for (at, (name, rows, colour)) in (0_u16..).zip(boards) {
                    let left = area.left() + f32::from(at) * (10.0 * BOARD_CELL + 40.0);
                    board(canvas, Pos2::new(left, area.top() + 4.0), rows);
                    let middle = Pos2::new(left + 5.0 * BOARD_CELL, area.bottom() - 8.0);
                    canvas.centred(middle, name, Type::Label, *colour);
                }
            }
            Self::Plan(plan) => self::plan(canvas, area, plan),
        }
    }
}

impl Bar {
    fn paint(&self, canvas: &Canvas, row: Rect) {
        let colours = canvas.colours;
        let named = if self.piece.is_some() { 40.0 } else { 58.0 };
        let valued = if self.value.len() > 4 { 58.0 } else { 34.0 };
        if let Some(piece) = self.piece {
            let at = row.left_center() + Vec2::new(15.0, 0.0);
            let ink = if self.colour == colours.faint { colours.soft } else { self.colour };
            canvas.piece(at, piece, 6.0, ink);
        } else {
            let at = (row.left_center(), Align2::LEFT_CENTER);
            canvas.text_within(at, &self.name, (Type::Label, colours.soft), named - 4.0);
        }
        let track = Rect::from_min_max(
            Pos2::new(row.left() + named, row.center().y - 3.0),
            Pos2::new((row.right() - valued).max(row.left() + named + 8.0), row.center().y + 3.0),
        );
        canvas.bar(track, self.share, self.colour);
        canvas.right(row.right_center(), &self.value, Type::StrongLabel, colours.text);
    }
}

impl RankedPlacement {
    fn paint(&self, canvas: &Canvas, row: Rect, rank: usize) {
        let colours = canvas.colours;
        let disc = row.left_center() + Vec2::new(11.0, 0.0);
        canvas.painter.circle_filled(disc, 10.0, self.colour);
        canvas.centred(disc, &rank.to_string(), Type::StrongLabel, colours.ground);
        let value = canvas.right(row.right_center(), &self.value, Type::Strong, colours.text);
        let left = row.left() + 30.0;
        let room = value.left() - left - 8.0;
        let at = (Pos2::new(left, row.center().y - 6.0), Align2::LEFT_CENTER);
        canvas.text_within(at, &self.name, (Type::Small, colours.text), room);
        let track = Rect::from_min_size(Pos2::new(left, row.center().y + 6.0), Vec2::new(room.max(8.0), 5.0));
        canvas.bar(track, self.share, self.colour);
    }
}

impl Card {
    /// Returns a card without blocks.
    pub(crate) fn new(title: impl Into<String>, note: impl Into<String>) -> Self {
        Self { title: title.into(), piece: None, note: note.into(), edge: None, blocks: vec![] }
    }

    /// Returns the same with another block.
    pub(crate) fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Returns how high it is where it is that wide, in points.
    pub(crate) fn height(&self, canvas: &Canvas, width: f32) -> f32 {
        self.height_of(&self.blocks, canvas, width)
    }

    /// Returns how high it is with the first of its blocks alone: in less, it has nothing to say.
    pub(crate) fn least_height(&self, canvas: &Canvas, width: f32) -> f32 {
        self.height_of(&self.blocks[..self.blocks.len().min(1)], canvas, width) - INSIDE
    }

    fn height_of(&self, blocks: &[Block], canvas: &Canvas, width: f32) -> f32 {
        let inside = width - 2.0 * INSIDE;
        let before = if self.piece.is_some() { PIECE } else { 0.0 };
        let head = head_height(canvas, inside - before, &self.title, &self.note);
        2.0 * INSIDE + head + blocks.iter().map(|block| block.height(canvas, inside)).sum::<f32>()
    }

    /// Draws it in an area of that height or more.
    pub(crate) fn paint(&self, canvas: &Canvas, area: Rect) {
        let colours = canvas.colours;
        canvas.card(area, self.edge);
        let canvas = &canvas.within(area);
        let mut inside = area.shrink(INSIDE);
        if !self.title.is_empty() {
            let mut left = inside.left();
            if let Some(piece) = self.piece {
                canvas.piece(Pos2::new(left + 14.0, inside.top() + 8.0), piece, 6.0, colours.computer);
                left += PIECE;
            }
            let height = head(canvas, inside.with_min_x(left), &self.title, &self.note);
            inside = inside.with_min_y(inside.top() + height);
        }
        for block in &self.blocks {
            let height = block.height(canvas, inside.width());
            if inside.top() + height > area.bottom() + 1.0 {
                break;
            }
            block.paint(canvas, inside.with_max_y(inside.top() + height));
            inside = inside.with_min_y(inside.top() + height);
        }
    }
}

/// The width of the piece before a title.
const PIECE: f32 = 36.0;

/// The side of a cell of a small board.
const BOARD_CELL: f32 = 7.0;

/// Draws a small board from its upper left corner.
fn board(canvas: &Canvas, corner: Pos2, board: &Playfield) {
    let whole = Rect::from_min_size(corner, Vec2::new(10.0, 20.0) * BOARD_CELL);
    canvas.fill(whole.expand(2.0), 2, canvas.colours.well);
    for (column, row) in board.taken() {
        let at = corner + Vec2::new(column as f32, row as f32) * BOARD_CELL;
        canvas.fill(Rect::from_min_size(at, Vec2::splat(BOARD_CELL - 1.0)), 0, canvas.colours.soft);
    }
}

/// Cuts an area into rows of a height.
fn rows(area: Rect, height: f32) -> impl Iterator<Item = Rect> {
    (0..).map(move |at| {
        Rect::from_min_size(area.min + Vec2::new(0.0, height * at as f32), Vec2::new(area.width(), height))
    })
}

fn columns_of(canvas: &Canvas, area: Rect, columns: &[(f32, Color32)]) {
    let area = area.shrink2(Vec2::new(0.0, 2.0));
    let width = area.width() / columns.len().max(1) as f32;
    for (at, &(share, colour)) in columns.iter().enumerate() {
        let place = Rect::from_min_size(
            area.min + Vec2::new(width * at as f32, 0.0),
            Vec2::new(width - 2.0, area.height()),
        );
        canvas.fill(place, 2, canvas.colours.well);
        if share > 0.0 {
            let height = (place.height() * share.min(1.0)).max(2.0);
            canvas.fill(place.with_min_y(place.bottom() - height), 2, colour);
        }
    }
}

fn chart(canvas: &Canvas, area: Rect, values: &[f32], colour: Color32) {
    let colours = canvas.colours;
    canvas.fill(area, 4, colours.well);
    let (low, high) =
        values.iter().fold((0.0_f32, 0.0_f32), |(low, high), &value| (low.min(value), high.max(value)));
    let span = (high - low).max(1.0);
    let inner = area.shrink(6.0);
    let y = |value: f32| inner.bottom() - inner.height() * (value - low) / span;
    canvas.painter.hline(inner.x_range(), y(0.0), egui::Stroke::new(1.0, colours.line));
    let across = inner.width() / values.len().saturating_sub(1).max(1) as f32;
    let points: Vec<Pos2> = values
        .iter()
        .enumerate()
        .map(|(at, &value)| Pos2::new(inner.left() + across * at as f32, y(value)))
        .collect();
    if let Some(&last) = points.last() {
        canvas.painter.add(egui::Shape::line(points, egui::Stroke::new(2.0, colour)));
        canvas.painter.circle_filled(last, 3.5, colour);
    }
}

fn pad(canvas: &Canvas, area: Rect, buttons: Buttons) {
    let colours = canvas.colours;
    let middle = area.center();
    let colour = |button| if buttons.contains(button) { colours.accent } else { colours.hover };
    let cross = middle - Vec2::new(56.0, 0.0);
    for (button, x, y) in [
        (Buttons::UP, 0.0, -14.0),
        (Buttons::DOWN, 0.0, 14.0),
        (Buttons::LEFT, -14.0, 0.0),
        (Buttons::RIGHT, 14.0, 0.0),
    ] {
        canvas.fill(Rect::from_center_size(cross + Vec2::new(x, y), Vec2::splat(13.0)), 3, colour(button));
    }
    for (button, x) in [(Buttons::SELECT, -10.0), (Buttons::START, 10.0)] {
        canvas.fill(
            Rect::from_center_size(middle + Vec2::new(x, 4.0), Vec2::new(14.0, 8.0)),
            3,
            colour(button),
        );
    }
    for (button, x, name) in [(Buttons::B, 42.0, "B"), (Buttons::A, 68.0, "A")] {
        let at = middle + Vec2::new(x, 2.0);
        canvas.painter.circle_filled(at, 10.0, colour(button));
        let ink = if buttons.contains(button) { colours.ground } else { colours.text };
        canvas.centred(at, name, Type::Key, ink);
    }
}

fn plan(canvas: &Canvas, area: Rect, plan: &[(usize, bool); 7]) {
    let colours = canvas.colours;
    let width = area.width() / 7.0;
    for ((at, piece), (rank, is_next)) in (0..).zip(Piece::ALL).zip(plan) {
        let place = Rect::from_min_size(
            area.min + Vec2::new(width * at as f32, 0.0),
            Vec2::new(width - 2.0, area.height()),
        );
        canvas.fill(place, 4, colours.well);
        if *is_next {
            canvas.outline(place, 4, 1.0, colours.text);
        }
        canvas.piece(place.center_top() + Vec2::new(0.0, 12.0), piece, 5.0, colours.soft);
        let disc = place.center_bottom() - Vec2::new(0.0, 13.0);
        canvas.painter.circle_filled(disc, 8.5, super::computer::colour_of(&colours, rank - 1));
        canvas.centred(disc, &rank.to_string(), Type::Key, colours.ground);
    }
}
