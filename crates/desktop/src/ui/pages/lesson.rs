//! A mistake of the review that is asked again: its board with the piece that is held, and what the
//! placement comes to beside it.

use egui::{Pos2, Rect, Vec2};
use puzzle::{Grade, Lesson};

use super::puzzle::{beside, field, piece, pointed};
use super::{Desk, Shown, list};
use crate::ui::candidates::name_of;
use crate::ui::canvas::{Canvas, thousands};
use crate::ui::page::Zone;
use crate::ui::rail::{Block, Card, Line};
use crate::ui::theme::{MARGIN, ON_PICTURE};

const COLUMNS: f32 = 10.0;
const ROWS: f32 = 20.0;
const PANEL: f32 = 320.0;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let body = Rect::from_min_max(body.min + Vec2::new(MARGIN, 8.0), body.max - Vec2::new(MARGIN, 12.0));
    let Some(lesson) = shown.puzzles.lesson.as_ref() else {
        return list::draw(ui, canvas, body, shown, desk);
    };
    let side = (body.height() / ROWS).min(0.5 * body.width() / COLUMNS).floor().max(4.0);
    let area = Rect::from_min_size(body.min, Vec2::new(COLUMNS, ROWS) * side);
    let right = Rect::from_min_max(Pos2::new(area.right() + 24.0, body.top()), body.max);
    let cards = cards(canvas, lesson);
    if lesson.asked().is_none() {
        // There is no board any more.
        let whole = body.with_max_x((body.left() + PANEL).min(body.right()));
        let below = crate::ui::rail::stack(canvas, whole.expand2(Vec2::new(12.0, 12.0)), &cards);
        let place = whole.with_min_y(below.top()).with_max_y(below.top() + 42.0);
        for line in shown.of(Zone::Main) {
            list::line(ui, canvas, place, line, shown, desk);
        }
        return;
    }
    beside(canvas, right, &cards);
    let Some((asked, board)) = lesson.asked().zip(lesson.board()) else { return };
    pointed(ui, area, side, lesson.correction().is_some(), desk);
    field(canvas, area, side, &board);
    if let Some(correction) = lesson.correction() {
        if correction.grade != Grade::Solved {
            piece(canvas, area, side, Some(correction.place), ("×", ON_PICTURE.blunder));
        }
        piece(canvas, area, side, Some(correction.best), ("1", ON_PICTURE.best));
    } else {
        piece(canvas, area, side, Some(asked.chosen.place), ("×", ON_PICTURE.blunder));
        piece(canvas, area, side, lesson.held().map(|(_, place)| place), ("", ON_PICTURE.accent));
    }
}

fn cards(canvas: &Canvas, lesson: &Lesson) -> Vec<Card> {
    let colours = canvas.colours;
    let line = |name: &str, value: String, colour| Line { name: name.into(), value, colour };
    let all = lesson.mistakes().len();
    let mut cards = vec![];
    if let Some(asked) = lesson.asked() {
        let mut question =
            Card::new(format!("Mistake {} of {all}", lesson.number() + 1), format!("piece {}", asked.number))
                .with(Block::Lines(vec![
                    line("Piece", asked.piece.to_string(), colours.text),
                    line("Next", asked.next.map_or_else(|| "–".into(), String::from), colours.text),
                    line("Level", asked.level.to_string(), colours.text),
                    line("Lines", asked.lines.to_string(), colours.text),
                    line("Lost in the game (×)", thousands(asked.loss.round() as i64), colours.mistake),
                ]));
        question.piece = lesson.held().map(|(piece, _)| piece);
        cards.push(question);
    }
    let is_answered = lesson.correction().is_some();
    let mut keys =
        vec![("← →", "Column"), ("↑", "Rotate"), ("↓", "Another placement there"), ("Enter", "Place")];
    if let Some(correction) = lesson.correction() {
        let (words, colour) = match correction.grade {
            Grade::Solved => ("solved", colours.best),
            Grade::Close => ("close", colours.slip),
            Grade::Failed => ("not the best", colours.blunder),
        };
        let mut card = Card::new("Your placement", words)
            .with(Block::Figure {
                figure: thousands(-(correction.cost.round() as i64)),
                unit: "",
                colour,
                beside: ["points".into(), String::new()],
            })
            .with(Block::Lines(vec![
                line("Yours", name_of(correction.place), colours.text),
                line("Best (1)", name_of(correction.best), colours.best),
            ]));
        card.edge = Some(colour);
        cards.push(card);
    }
    let answered = lesson.corrections().len();
    let mut sums = vec![
        line("Answered", format!("{answered} of {all}"), colours.text),
        line("Solved", lesson.solved().to_string(), colours.best),
    ];
    if lesson.asked().is_none() {
        let points: f32 =
            lesson.corrections().iter().map(|correction| correction.cost_in_game - correction.cost).sum();
        sums.push(line("Better than in the game", thousands(points.round() as i64), colours.text));
        keys.clear();
    }
    if is_answered {
        // They are few, and have room beside the answer in small windows, too.
        sums.push(line("Next mistake", "Enter".into(), colours.accent));
        sums.push(line("Try again", "←".into(), colours.accent));
    }
    cards.push(Card::new("Lesson", "").with(Block::Lines(sums)));
    if is_answered {
        return cards;
    }
    keys.push(("Esc", "Back to the review"));
    let lines = keys.into_iter().map(|(key, words)| line(words, key.into(), colours.text));
    cards.push(Card::new("Keys", "or the mouse").with(Block::Lines(lines.collect())));
    cards
}
