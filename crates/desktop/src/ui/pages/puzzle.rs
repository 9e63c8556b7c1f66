//! The board of a puzzle with the piece that is held, and what the answer came to beside it.

use ai::Placement;
use egui::{Align2, Pos2, Rect, Sense, Vec2};
use puzzle::Grade;
use value::{Board, Place};

use super::{Click, Desk, Shown, list};
use crate::ui::candidates::name_of;
use crate::ui::canvas::{Canvas, thousands};
use crate::ui::page::Zone;
use crate::ui::rail::{Block, Card, Line};
use crate::ui::step::Step;
use crate::ui::theme::{GAP, INSIDE, MARGIN, ON_PICTURE, Type};

const COLUMNS: f32 = 10.0;
const ROWS: f32 = 20.0;
/// The least and the greatest width of a column of cards.
const PANEL: f32 = 300.0;
const WIDEST: f32 = 400.0;

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
        let own = [asked.first, asked.held().map(|(_, place)| place)];
        let best = verdict.best.map(|[x, y, id]| {
            tetris::Orientation::from_id(id).map(|orientation| Place { x, y, orientation })
        });
        let solved = verdict.grade == Grade::Solved;
        for (place, sign) in best.into_iter().zip(["1", "2"]) {
            piece(canvas, area, side, place, (sign, ON_PICTURE.best));
        }
        if !solved {
            piece(canvas, area, side, own[0], ("×", ON_PICTURE.blunder));
        }
    } else {
        piece(canvas, area, side, asked.held().map(|(_, place)| place), ("", ON_PICTURE.accent));
    }
    let right = Rect::from_min_max(Pos2::new(area.right() + 24.0, body.top()), body.max);
    facts(canvas, right, shown);
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

pub(super) fn field(canvas: &Canvas, area: Rect, side: f32, board: &Board) {
    canvas.fill(area.expand(2.0), 3, canvas.colours.line);
    canvas.fill(area, 0, ON_PICTURE.well);
    for (row, cells) in (0..).zip(board.rows()) {
        for column in (0..10).filter(|column| cells >> column & 1 == 1) {
            canvas.fill(cell(area, side, column, row), 1, ON_PICTURE.faint);
        }
    }
}

pub(super) fn piece(
    canvas: &Canvas,
    area: Rect,
    side: f32,
    place: Option<Place>,
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

fn facts(canvas: &Canvas, area: Rect, shown: &Shown<'_>) {
    let colours = canvas.colours;
    let line = |name: &str, value: String, colour| Line { name: name.into(), value, colour };
    let Some(asked) = &shown.puzzles.desk.asked else { return };
    let position = &asked.puzzle.position;
    let mut cards = vec![];
    let mut question =
        Card::new("To place", format!("{} taps a second", asked.puzzle.hertz)).with(Block::Lines(vec![
            line("Piece", position.piece.letter().to_string(), colours.text),
            line("Next", position.next.letter().to_string(), colours.text),
            line("Level", position.level.to_string(), colours.text),
            line("Lines", position.lines.to_string(), colours.text),
        ]));
    question.piece = asked.held().map(|(piece, _)| piece).filter(|_| asked.verdict.is_none());
    cards.push(question);
    let name = |[x, y, id]: [u8; 3]| Placement::try_from([x, y, id]).map_or_else(|_| "–".into(), name_of);
    match &asked.verdict {
        None => {
            let keys = [
                ("← →", "Column"),
                ("↑", "Turn"),
                ("↓", "Another place there: a tuck"),
                ("Enter", "Place it"),
                ("Esc", "Take back, end"),
            ];
            let lines = keys.into_iter().map(|(key, words)| line(words, key.into(), colours.text));
            cards.push(Card::new("Keys", "or the pointer").with(Block::Lines(lines.collect())));
        }
        Some(verdict) => {
            let (words, colour) = match verdict.grade {
                Grade::Solved => ("solved", colours.best),
                Grade::Close => ("close", colours.slip),
                Grade::Failed => ("failed", colours.blunder),
            };
            let mut card = Card::new("Your answer", words).with(Block::Figure {
                figure: thousands(-(verdict.cost.round() as i64)),
                unit: "",
                colour,
                beside: ["points".into(), String::new()],
            });
            card = card.with(Block::Lines(vec![
                line("Best", name(verdict.best[0]), colours.best),
                line("Then", name(verdict.best[1]), colours.best),
            ]));
            card.edge = Some(colour);
            cards.push(card);
            if !verdict.reasons.is_empty() {
                let reasons = verdict.reasons.iter().map(|reason| {
                    line(
                        &list::sentence(&reason.what),
                        format!("{:.0}, best {:.0}", reason.yours, reason.best),
                        colours.text,
                    )
                });
                cards.push(Card::new("Why", "afterwards").with(Block::Lines(reasons.collect())));
            }
            let (rating, deviation) = shown.puzzles.desk.progress.rating();
            cards.push(Card::new("Rating", "").with(Block::Lines(vec![
                line("Yours", format!("{rating:.0} ± {deviation:.0}"), colours.text),
                line(
                    "The puzzle's",
                    format!("{:.0}", shown.puzzles.desk.progress.rating_of(&asked.puzzle)),
                    colours.text,
                ),
                line("Next puzzle", "Enter".into(), colours.accent),
            ])));
        }
    }
    beside(canvas, area, &cards);
    debug_assert!(shown.of(Zone::Panel).count() > 0);
}
