//! The board of a puzzle with the piece that is held, and what the answer came to beside it.

use egui::{Align2, Pos2, Rect, Sense, Vec2};
use puzzle::{Asked, Grade, Verdict};
use tetris::{Placement, Playfield};

use super::review::cost_share;
use super::{Click, Desk, Shown, list};
use crate::ui::candidates::name_of;
use crate::ui::canvas::{Canvas, sentence, thousands};
use crate::ui::page::{Item, Row, Zone};
use crate::ui::rail::{Block, Card, Line, colour_of_rank};
use crate::ui::step::Step;
use crate::ui::theme::{Colours, GAP, INSIDE, MARGIN, ON_PICTURE, Type};

const COLUMNS: f32 = 10.0;
const ROWS: f32 = 20.0;
/// The least and the greatest width of a column of cards.
const PANEL: f32 = 300.0;
const WIDEST: f32 = 400.0;
/// The height of what can be done after an answer, and of a place in the list.
const ACTION: f32 = 42.0;
const LINE: f32 = 28.0;
/// The height of the head of the list of places.
const HEAD: f32 = 32.0;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let body = Rect::from_min_max(body.min + Vec2::new(MARGIN, 8.0), body.max - Vec2::new(MARGIN, 12.0));
    let Some(asked) = shown.puzzles.desk.asked.as_ref() else {
        return list::draw(ui, canvas, body, shown, desk);
    };
    let side = (body.height() / ROWS).min(0.5 * body.width() / COLUMNS).floor().max(4.0);
    let area = Rect::from_min_size(body.min, Vec2::new(COLUMNS, ROWS) * side);
    pointed(ui, area, side, asked.verdict.is_some(), desk);
    let board = if asked.verdict.is_some() { asked.puzzle.position.board } else { asked.board() };
    field(canvas, area, side, &board);
    if let Some(verdict) = &asked.verdict {
        let focused = shown.cursor.and_then(|cursor| shown.rows.get(cursor));
        match focused.map(|row| &row.item) {
            Some(&Item::PlaceOfPuzzle(rank)) if rank > 0 => {
                let place = verdict.places.get(rank).map(|cost| cost.place);
                let colour = colour_of_place(&ON_PICTURE, rank, place, asked);
                piece(canvas, area, side, place, (&(rank + 1).to_string(), colour));
            }
            _ => {
                for (place, sign) in verdict.best.into_iter().zip(["1", "2"]) {
                    piece(canvas, area, side, Some(place), (sign, ON_PICTURE.best));
                }
                if verdict.grade != Grade::Solved {
                    piece(canvas, area, side, asked.first, ("×", ON_PICTURE.blunder));
                }
            }
        }
    } else {
        piece(canvas, area, side, asked.held().map(|(_, place)| place), ("", ON_PICTURE.accent));
    }
    let right = Rect::from_min_max(Pos2::new(area.right() + 24.0, body.top()), body.max);
    match &asked.verdict {
        Some(verdict) => answered(ui, canvas, right, shown, desk, (asked, verdict)),
        None => beside(canvas, right, &questions(canvas, asked)),
    }
    debug_assert!(shown.of(Zone::Panel).count() > 0);
}

/// Returns the colour of a place in the list: that of the answer is the mistake's.
fn colour_of_place(colours: &Colours, rank: usize, place: Option<Placement>, asked: &Asked) -> egui::Color32 {
    match rank {
        0 => colours.best,
        _ if place == asked.first => colours.blunder,
        _ => colour_of_rank(colours, usize::MAX),
    }
}

/// Columns of what stands beside the board: each thing goes below the last one, or into the next
/// column where it has no room.
struct Columns {
    area: Rect,
    width: f32,
    left: usize,
    top: f32,
}

impl Columns {
    fn new(area: Rect) -> Self {
        let count = if area.width() >= 2.0 * PANEL + GAP { 2 } else { 1 };
        let width = ((area.width() - GAP * (count - 1) as f32) / count as f32).min(WIDEST);
        Self { area: area.with_max_x(area.left() + width), width, left: count - 1, top: area.top() }
    }

    /// Returns the place of something so high, or as high as there is room where that is `least`;
    /// `None` where less is left.
    fn take_most(&mut self, height: f32, least: f32) -> Option<Rect> {
        let room = self.area.bottom() - self.top;
        if room < height && self.left == 0 && room >= least { self.take(room) } else { self.take(height) }
    }

    /// Returns the place of something so high; `None` where none is left.
    fn take(&mut self, height: f32) -> Option<Rect> {
        if self.top + height > self.area.bottom() {
            self.left = self.left.checked_sub(1)?;
            self.area = self.area.translate(Vec2::new(self.width + GAP, 0.0));
            self.top = self.area.top();
            if self.top + height > self.area.bottom() {
                return None;
            }
        }
        let place = self.area.with_min_y(self.top).with_max_y(self.top + height);
        self.top += height + GAP;
        Some(place)
    }

    fn card(&mut self, canvas: &Canvas, card: &Card) {
        if let Some(place) = self.take(card.height(canvas, self.width)) {
            card.paint(canvas, place);
        }
    }
}

/// Draws what the answer came to, what can be done now, and the places of the first piece.
fn answered(
    ui: &mut egui::Ui,
    canvas: &Canvas,
    area: Rect,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
    (asked, verdict): (&Asked, &Verdict),
) {
    let mut columns = Columns::new(area);
    columns.card(canvas, &verdict_card(canvas, verdict));
    let is_place = |row: &Row| matches!(row.item, Item::PlaceOfPuzzle(_));
    let actions: Vec<_> =
        shown.of(Zone::Panel).filter(|(_, row)| row.is_choice() && !is_place(row)).collect();
    if let Some(place) = columns.take(ACTION * actions.len() as f32) {
        for (at, line) in (0_u16..).zip(actions) {
            let top = place.top() + ACTION * f32::from(at);
            list::line(ui, canvas, place.with_min_y(top).with_max_y(top + ACTION), line, shown, desk);
        }
    }
    let places: Vec<_> = shown.of(Zone::Panel).filter(|(_, row)| is_place(row)).collect();
    let least = HEAD + 3.0 * LINE + 8.0;
    if let Some(place) = columns.take_most(HEAD + LINE * places.len() as f32 + 8.0, least) {
        canvas.card(place, None);
        let head = place.with_max_y(place.top() + HEAD).shrink2(Vec2::new(INSIDE, 0.0));
        let title = format!("Placements of the {}", asked.puzzle.position.piece.letter());
        canvas.left(head.left_center() + Vec2::new(0.0, 2.0), &title, Type::StrongLabel, canvas.colours.text);
        let note = "cost in points";
        canvas.right(head.right_center() + Vec2::new(0.0, 2.0), note, Type::Label, canvas.colours.soft);
        let lines = Rect::from_min_max(place.min + Vec2::new(6.0, HEAD), place.max - Vec2::new(6.0, 8.0));
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(lines));
        let scroll = egui::ScrollArea::vertical().id_salt("places").auto_shrink([false, false]);
        scroll.show(&mut child, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            for line in places {
                let size = Vec2::new(ui.available_width(), LINE);
                let (line_area, _) = ui.allocate_exact_size(size, Sense::hover());
                let inner = Canvas::new(ui.painter().clone(), canvas.colours);
                place_line(ui, &inner, line_area, line, shown, desk, (asked, verdict));
                if shown.in_sight == line.0 && desk.textures.scrolled != Some((shown.page, line.0)) {
                    desk.textures.scrolled = Some((shown.page, line.0));
                    ui.scroll_to_rect(line_area, None);
                }
            }
        });
    }
    for card in after_cards(canvas, shown, asked, verdict) {
        columns.card(canvas, &card);
    }
}

/// Draws a place of the first piece with its cost.
fn place_line(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    (number, row): (usize, &Row),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
    (asked, verdict): (&Asked, &Verdict),
) {
    let Item::PlaceOfPuzzle(rank) = row.item else { return };
    let colours = canvas.colours;
    let hovered = desk.control(ui, (number, row), area);
    canvas.marked(area, 4, shown.has_focus(number), hovered);
    let Some(cost) = verdict.places.get(rank) else { return };
    let place = Some(cost.place);
    let colour = colour_of_place(&colours, rank, place, asked);
    let disc = area.left_center() + Vec2::new(16.0, 0.0);
    canvas.painter.circle_filled(disc, 10.0, colour);
    canvas.centred(disc, &(rank + 1).to_string(), Type::StrongLabel, colours.ground);
    let at = area.right_center() - Vec2::new(8.0, 0.0);
    let ink = if rank == 0 || place == asked.first { colour } else { colours.text };
    let value = canvas.right(at, &row.value, Type::StrongLabel, ink);
    let name = canvas.left(area.left_center() + Vec2::new(34.0, 0.0), &row.label, Type::Small, colours.text);
    let mut left = name.right();
    if place == asked.first {
        let at = Pos2::new(left + 8.0, area.center().y);
        left = canvas.left(at, "yours", Type::Label, colours.soft).right();
    }
    let track = Rect::from_min_max(
        Pos2::new((left + 10.0).max(area.left() + 0.5 * area.width()), area.center().y - 3.0),
        Pos2::new(value.left().min(area.right() - 70.0) - 10.0, area.center().y + 3.0),
    );
    if track.width() > 24.0 {
        canvas.bar(track, cost_share(cost.points), colour);
    }
}

/// Draws the cards beside a board below each other, in two columns where they have room.
pub(super) fn beside(canvas: &Canvas, area: Rect, cards: &[Card]) {
    let count = if area.width() >= 2.0 * PANEL + GAP { 2 } else { 1 };
    let width = ((area.width() - GAP * (count - 1) as f32) / count as f32).min(WIDEST);
    for (at, cards) in cards.chunks(cards.len().div_ceil(count).max(1)).enumerate() {
        let left = area.left() + at as f32 * (width + GAP);
        let column = area.with_min_x(left).with_max_x(left + width);
        crate::ui::rail::stack(canvas, column.expand2(Vec2::splat(INSIDE)), cards);
    }
}

/// What the pointer does: over the field it holds the piece, and a click places it.
pub(super) fn pointed(ui: &egui::Ui, area: Rect, side: f32, is_over: bool, desk: &mut Desk<'_>) {
    let response = ui.interact(area, egui::Id::new("puzzle field"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Field of the puzzle"));
    let moved = ui.input(|input| input.pointer.delta() != Vec2::ZERO);
    if let Some(at) = response.hover_pos().filter(|_| (moved || response.clicked()) && !is_over) {
        let cell = (at - area.min) / side;
        desk.pointed = Some((cell.x.floor() as i32, cell.y.floor() as i32));
    }
    if response.clicked() {
        desk.click = Some(Click { row: 0, step: Some(Step::Enter) });
    }
    let turned = ui.input(|input| input.smooth_scroll_delta.y);
    if response.hovered() && turned.abs() > 4.0 {
        desk.click = Some(Click { row: 0, step: Some(Step::Up) });
    }
}

fn cell(area: Rect, side: f32, column: i32, row: i32) -> Rect {
    let corner = area.min + Vec2::new(column as f32, row as f32) * side;
    Rect::from_min_size(corner, Vec2::splat(side)).shrink(side / 24.0)
}

pub(super) fn field(canvas: &Canvas, area: Rect, side: f32, board: &Playfield) {
    canvas.fill(area.expand(2.0), 3, canvas.colours.line);
    canvas.fill(area, 0, ON_PICTURE.well);
    for (column, row) in board.taken() {
        canvas.fill(cell(area, side, column, row), 1, ON_PICTURE.faint);
    }
}

pub(super) fn piece(
    canvas: &Canvas,
    area: Rect,
    side: f32,
    place: Option<Placement>,
    (sign, colour): (&str, egui::Color32),
) {
    let Some(place) = place else { return };
    let cells = place.cells();
    for (column, row) in cells.into_iter().filter(|(_, row)| *row >= 0) {
        let area = cell(area, side, column, row);
        canvas.fill(area, 1, colour.gamma_multiply(0.45));
        canvas.outline(area, 1, 2.0, colour);
    }
    if !sign.is_empty() {
        let disc = cell(area, side, cells[0].0, cells[0].1).center();
        canvas.painter.circle_filled(disc, 0.38 * side, colour);
        let mut font = Type::StrongLabel.font();
        font.size = 0.55 * side;
        canvas.painter.text(disc, Align2::CENTER_CENTER, sign, font, ON_PICTURE.on_fill);
    }
}

/// Returns what is asked, and the keys.
fn questions(canvas: &Canvas, asked: &Asked) -> [Card; 2] {
    let colours = canvas.colours;
    let line = |name: &str, value: String| Line { name: name.into(), value, colour: colours.text };
    let position = &asked.puzzle.position;
    let mut question =
        Card::new("To place", format!("{} taps a second", asked.puzzle.hertz)).with(Block::Lines(vec![
            line("Piece", position.piece.letter().to_string()),
            line("Next", position.next.letter().to_string()),
            line("Level", position.level.to_string()),
            line("Lines", position.lines.to_string()),
        ]));
    question.piece = asked.held().map(|(piece, _)| piece);
    let keys = [
        ("← →", "Column"),
        ("↑", "Rotate"),
        ("↓", "Another placement there"),
        ("Enter", "Place"),
        ("Esc", "Take back, end"),
    ];
    let lines = keys.into_iter().map(|(key, words)| line(words, key.into()));
    [question, Card::new("Keys", "or the mouse").with(Block::Lines(lines.collect()))]
}

fn verdict_card(canvas: &Canvas, verdict: &Verdict) -> Card {
    let colours = canvas.colours;
    let (words, colour) = match verdict.grade {
        Grade::Solved => ("solved", colours.best),
        Grade::Close => ("close", colours.slip),
        Grade::Failed => ("failed", colours.blunder),
    };
    let line = |label: &str, place| Line { name: label.into(), value: name_of(place), colour: colours.best };
    let mut card = Card::new("Your answer", words)
        .with(Block::Figure {
            figure: thousands(-(verdict.cost.round() as i64)),
            unit: "",
            colour,
            beside: ["points".into(), String::new()],
        })
        .with(Block::Lines(vec![line("Best", verdict.best[0]), line("Then", verdict.best[1])]));
    card.edge = Some(colour);
    card
}

/// Returns why, the boards after both lines, and the rating.
fn after_cards(canvas: &Canvas, shown: &Shown<'_>, asked: &Asked, verdict: &Verdict) -> Vec<Card> {
    let colours = canvas.colours;
    let line = |name: &str, value: String| Line { name: name.into(), value, colour: colours.text };
    let mut cards = vec![];
    if !verdict.reasons.is_empty() {
        let reasons = verdict.reasons.iter().map(|reason| {
            line(&sentence(&reason.what), format!("{:.0}, best {:.0}", reason.yours, reason.best))
        });
        cards.push(Card::new("Why", "afterwards").with(Block::Lines(reasons.collect())));
    }
    if let Some(own) = asked.answer() {
        let best = asked.after(verdict.best);
        let boards = vec![
            ("best".to_owned(), best, colours.best),
            ("yours".to_owned(), asked.after(own), colours.blunder),
        ];
        let boards = if verdict.grade == Grade::Solved { boards[..1].to_vec() } else { boards };
        cards.push(Card::new("The board", "after both pieces").with(Block::Boards(boards)));
    }
    let progress = &shown.puzzles.desk.progress;
    let (rating, deviation) = progress.rating();
    cards.push(Card::new("Rating", "").with(Block::Lines(vec![
        line("Yours", format!("{rating:.0} ± {deviation:.0}")),
        line("Puzzle", format!("{:.0}", progress.rating_of(&asked.puzzle))),
    ])));
    cards
}
