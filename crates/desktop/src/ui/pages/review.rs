//! A review: the board with the placement that was made and the best one, all placements as a list,
//! and the game as a graph.

use egui::{Align2, Color32, Pos2, Rect, Sense, Stroke, Vec2};
use review::{Class, Reviewed, Summary, scores};
use tetris::{Placement, Playfield};

use super::{Click, Desk, Shown, list, puzzle, table};
use crate::messages::status::ReviewStatus;
use crate::ui::candidates::name_of;
use crate::ui::canvas::{Canvas, signed, thousands};
use crate::ui::page::{Item, Row, Zone};
use crate::ui::rail::{Block, Card, Line};
use crate::ui::step::Step;
use crate::ui::theme::{Colours, GAP, MARGIN, ON_PICTURE, Type};

const LINE: f32 = 28.0;
const GRAPH: f32 = 176.0;
const MIDDLE: f32 = 300.0;

/// The height that the panel needs below the facts.
const WITH_PANEL: f32 = 160.0;

/// A panel narrower than this has the values of its settings below their names.
const NARROW: f32 = 280.0;

/// Cells of a field.
const COLUMNS: f32 = 10.0;
const ROWS: f32 = 20.0;

fn colour_of(colours: &Colours, class: Class) -> Color32 {
    match class {
        Class::Best | Class::Excellent => colours.best,
        Class::Good => colours.fine,
        Class::Inaccuracy => colours.slip,
        Class::Mistake => colours.mistake,
        Class::Blunder => colours.blunder,
    }
}

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let Some(review) = shown.status.review.as_deref() else {
        return panel(ui, canvas, body.shrink2(Vec2::new(MARGIN, 8.0)), shown, desk);
    };
    let body = Rect::from_min_max(body.min + Vec2::new(MARGIN, 4.0), body.max - Vec2::new(MARGIN, 8.0));
    let graph_height = GRAPH.min(0.3 * body.height());
    let upper = body.with_max_y(body.bottom() - graph_height - GAP);
    graph(ui, canvas, body.with_min_y(body.bottom() - graph_height), shown, desk, review);
    let side = ((upper.height() - 8.0) / ROWS).min(0.3 * upper.width() / COLUMNS).floor().max(4.0);
    let board = Rect::from_min_size(upper.min + Vec2::new(4.0, 4.0), Vec2::new(COLUMNS, ROWS) * side);
    let rest = upper.with_min_x(board.right() + 16.0);
    let middle_width = MIDDLE.min(0.5 * rest.width());
    let middle = rest.with_max_x(rest.left() + middle_width);
    let right = rest.with_min_x(middle.right() + GAP);
    let first = shown.of(Zone::Main).next().map_or(0, |(number, _)| number);
    let chosen = shown.cursor.and_then(|cursor| review.reviews.get(cursor.checked_sub(first)?));
    let seen = chosen.or(review.reviews.last());
    if let Some(reviewed) = seen {
        field(canvas, board, reviewed, shown.shows_line);
    }
    // Its line is seen whatever else has room.
    let learn = shown.of(Zone::Panel).find(|(_, row)| row.item == Item::Learn);
    let middle = match learn {
        Some(learn) => {
            let place = middle.with_min_y(middle.bottom() - 42.0);
            list::line(ui, canvas, place, learn, shown, desk);
            middle.with_max_y(place.top() - GAP)
        }
        None => middle,
    };
    let cards = facts(canvas, seen, review);
    let height: f32 = cards.iter().map(|card| card.height(canvas, middle.width()) + GAP).sum();
    let below = middle.with_min_y(middle.top() + height);
    let focused = shown.cursor.and_then(|cursor| shown.rows.get(cursor));
    let is_setting = focused.is_some_and(|row| row.zone == Zone::Panel && row.item != Item::Learn);
    let has_room = below.height() > WITH_PANEL;
    if has_room || !is_setting {
        stack(canvas, middle, &cards);
    }
    match (has_room, is_setting) {
        (true, _) => panel(ui, canvas, below, shown, desk),
        // What has the focus is seen.
        (false, true) => panel(ui, canvas, middle, shown, desk),
        (false, false) => {
            let choices = shown.of(Zone::Panel).filter(|(_, row)| row.is_choice());
            for (at, (number, row)) in choices.enumerate() {
                let place = Rect::from_min_size(middle.left_bottom(), Vec2::new(middle.width(), 1.0));
                desk.nav.add_unseen(number, row.zone, place.translate(Vec2::new(0.0, at as f32 - 4.0)));
            }
        }
    }
    placements(ui, canvas, right, shown, desk, review);
}

/// What a review is told, as lines.
fn panel(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let mut top = area.top();
    for (number, row) in shown.of(Zone::Panel).filter(|(_, row)| row.item != Item::Learn) {
        if row.is_choice() {
            let height = if row.is_setting() && area.width() < NARROW { list::STACKED } else { 42.0 };
            let place = Rect::from_min_size(Pos2::new(area.left(), top), Vec2::new(area.width(), height));
            list::line(ui, canvas, place, (number, row), shown, desk);
            top += height;
        } else if top + 34.0 <= area.bottom() {
            let style = (Type::Label, canvas.colours.soft);
            top += 4.0
                + canvas.paragraph(Pos2::new(area.left(), top + 4.0), &row.label, style, (area.width(), 2));
        }
    }
}

/// The board before a placement, with the one that was made and the best; or the best line, on the
/// board after its first piece.
fn field(canvas: &Canvas, area: Rect, reviewed: &Reviewed, shows_line: bool) {
    let side = area.width() / COLUMNS;
    let (board, places) = if shows_line { best_line(reviewed) } else { placements_of(reviewed) };
    puzzle::field(canvas, area, side, &board);
    for (place, sign, colour) in places {
        puzzle::piece(canvas, area, side, Some(place), (sign, colour));
    }
}

/// Places on a board, each with its sign and its colour.
type Marks = Vec<(Placement, &'static str, Color32)>;

/// Returns the board before a placement, with the one that was made and the best.
fn placements_of(reviewed: &Reviewed) -> (Playfield, Marks) {
    let mut marks = vec![(reviewed.best.place, "1", ON_PICTURE.best)];
    if reviewed.chosen.place != reviewed.best.place {
        marks.insert(0, (reviewed.chosen.place, "×", ON_PICTURE.blunder));
    }
    (Playfield::from_rows(&reviewed.rows), marks)
}

/// Returns the board with the best placement and that of the next piece; or, where rows go, the
/// board after the first with the second on it.
fn best_line(reviewed: &Reviewed) -> (Playfield, Marks) {
    let board = Playfield::from_rows(&reviewed.rows);
    let mut after = board;
    let cleared = after.lock(reviewed.best.place);
    let then = reviewed.best.then.map(|place| (place, "2", ON_PICTURE.best));
    if cleared > 0 {
        return (after, then.into_iter().collect());
    }
    let first = (reviewed.best.place, "1", ON_PICTURE.best);
    (board, [first].into_iter().chain(then).collect())
}

/// Returns what a placement cost, and what the whole game came to.
fn facts(canvas: &Canvas, seen: Option<&Reviewed>, review: &ReviewStatus) -> Vec<Card> {
    let colours = canvas.colours;
    let mut cards = vec![];
    if let Some(reviewed) = seen {
        let colour = colour_of(&colours, reviewed.class);
        let figure = match reviewed.class {
            Class::Best => "best".to_owned(),
            _ => thousands(-(reviewed.loss.round() as i64)),
        };
        let line = |name: &str, value: String, colour| Line { name: name.into(), value, colour };
        let mut lines = vec![
            line("Played", name_of(reviewed.chosen.place), colours.text),
            line("Best", name_of(reviewed.best.place), colours.best),
        ];
        if let (Some(next), Some(then)) = (reviewed.next, reviewed.best.then) {
            lines.push(line(&format!("Then the {next}"), name_of(then), colours.text));
        }
        if reviewed.odds_lost >= 0.001 {
            let percent = format!("{:.1} %", 100.0 * reviewed.odds_lost);
            lines.push(line("Survival odds lost", percent, colours.slip));
        }
        let kind = reviewed.kind.map_or(String::new(), |kind| kind.words().to_owned());
        let mut card = Card::new(
            format!("Piece {}, {}", reviewed.number, reviewed.piece),
            format!("level {} · {} lines", reviewed.level, reviewed.lines),
        )
        .with(Block::Figure {
            figure,
            unit: "",
            colour,
            beside: [
                if reviewed.class == Class::Best { String::new() } else { reviewed.class.to_string() },
                kind,
            ],
        })
        .with(Block::Lines(lines));
        card.edge = (reviewed.class >= Class::Mistake).then_some(colour);
        cards.push(card);
    }
    let summary = Summary::of(&review.reviews);
    let line = |name: &str, value: String| Line { name: name.into(), value, colour: colours.text };
    let count = |class: Class| review.reviews.iter().filter(|reviewed| reviewed.class == class).count();
    let progress = if review.is_done {
        format!("{} placements", review.reviews.len())
    } else {
        format!("{} of {}", review.reviews.len(), review.total)
    };
    cards.push(Card::new("The game", progress).with(Block::Lines(vec![
        line("Accuracy", format!("{:.1} %", summary.accuracy)),
        line("Points lost per piece", thousands(summary.mean_loss.round() as i64)),
        line("Blunders, mistakes", format!("{}, {}", count(Class::Blunder), count(Class::Mistake))),
    ])));
    cards
}

/// Draws cards below each other, as many as fit.
fn stack(canvas: &Canvas, area: Rect, cards: &[Card]) {
    let mut top = area.top();
    for card in cards {
        let height = card.height(canvas, area.width());
        if top + height > area.bottom() {
            break;
        }
        card.paint(canvas, Rect::from_min_size(Pos2::new(area.left(), top), Vec2::new(area.width(), height)));
        top += height + GAP;
    }
}

/// All placements with what they cost.
fn placements(
    ui: &mut egui::Ui,
    canvas: &Canvas,
    area: Rect,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
    review: &ReviewStatus,
) {
    canvas.card(area, None);
    let place = table::TableArea { area: area.shrink(6.0), line: LINE, bar: 8.0 };
    table::table(ui, &place, shown, desk, |ui, canvas, place, (number, row, at), desk| {
        if let Some(reviewed) = review.reviews.get(at) {
            placement(ui, canvas, place, ((number, row), reviewed), shown, desk);
        }
    });
}

fn placement(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    ((number, row), reviewed): ((usize, &Row), &Reviewed),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let hovered = desk.control(ui, (number, row), area);
    canvas.marked(area, 4, shown.has_focus(number), hovered);
    let y = area.center().y;
    let is_narrow = area.width() < NARROW;
    canvas.left(Pos2::new(area.left() + 8.0, y), &reviewed.number.to_string(), Type::Small, colours.soft);
    if let Some(piece) = tetris::Piece::ALL.into_iter().find(|piece| piece.letter() == reviewed.piece) {
        let (middle, side) = if is_narrow { (46.0, 5.0) } else { (66.0, 6.0) };
        canvas.piece(Pos2::new(area.left() + middle, y), piece, side, colours.text);
    }
    let colour = colour_of(&colours, reviewed.class);
    let words = if reviewed.class == Class::Best { "best".to_owned() } else { reviewed.class.to_string() };
    let word = canvas.right(area.right_center() - Vec2::new(10.0, 0.0), &words, Type::Label, colour);
    let loss = -(reviewed.loss.round() as i64);
    let least = if is_narrow { 0.0 } else { 84.0_f32 };
    let right = area.right() - least.max(area.right() - word.left() + 8.0);
    let figure = if reviewed.class == Class::Best { String::new() } else { signed(loss) };
    let size = if is_narrow { Type::Label } else { Type::Small };
    let room = right - area.left() - 62.0;
    let at = (Pos2::new(right, y), Align2::RIGHT_CENTER);
    let value = canvas.text_within(at, &figure, (size, colours.text), room);
    let track = Rect::from_min_max(
        Pos2::new(area.left() + 96.0, y - 3.0),
        Pos2::new((value.left().min(right - 60.0) - 10.0).max(area.left() + 100.0), y + 3.0),
    );
    if track.width() > 30.0 {
        canvas.bar(track, cost_share(reviewed.loss), colour);
    }
}

/// Returns a cost on a logarithmic scale, 0 below 100 points and 1 at 100,000.
pub(super) fn cost_share(loss: f32) -> f32 {
    ((loss.max(1.0).log10() - 2.0) / 3.0).clamp(0.0, 1.0)
}

/// The score that was to be expected at each placement, and what each cost below. A click goes
/// there.
fn graph(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
    review: &ReviewStatus,
) {
    let colours = canvas.colours;
    canvas.card(area, None);
    let inside = area.shrink(12.0);
    let reviews = &review.reviews;
    canvas.left(inside.left_top() + Vec2::new(0.0, 7.0), "Expected score", Type::StrongLabel, colours.text);
    let note = "cost of each piece below";
    canvas.right(inside.right_top() + Vec2::new(0.0, 7.0), note, Type::Label, colours.soft);
    if reviews.len() < 2 {
        return;
    }
    let plot = Rect::from_min_max(inside.min + Vec2::new(0.0, 32.0), inside.max - Vec2::new(52.0, 30.0));
    let scores = scores(reviews);
    let value = |at: usize| f64::from(reviews[at].expected) + scores[at];
    let (low, high) = (0..reviews.len())
        .map(value)
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let span = (high - low).max(1.0);
    let x = |at: usize| plot.left() + plot.width() * at as f32 / (review.total.max(2) - 1) as f32;
    let y = |value: f64| plot.bottom() - plot.height() * ((value - low) / span) as f32;
    for share in [0.0, 0.5, 1.0] {
        let value = low + share * span;
        canvas.painter.hline(plot.x_range(), y(value), Stroke::new(1.0, colours.line));
        let text = format!("{:.2} M", value / 1e6);
        canvas.right(Pos2::new(inside.right(), y(value)), &text, Type::Label, colours.faint);
    }
    let first_level = format!("level {}", reviews[0].level);
    let at = Pos2::new(plot.left(), plot.top() - 8.0);
    let mut named = canvas.left(at, &first_level, Type::Label, colours.faint).right();
    for (at, pair) in reviews.windows(2).enumerate() {
        if pair[0].level != pair[1].level {
            canvas.painter.vline(x(at + 1), plot.y_range(), Stroke::new(1.0, colours.edge));
            let name = format!("level {}", pair[1].level);
            let place = Pos2::new(x(at + 1) + 4.0, plot.top() - 8.0);
            // The next level may come soon, and the last has no room.
            if place.x > named + 8.0 && place.x < plot.right() - 44.0 {
                named = canvas.left(place, &name, Type::Label, colours.faint).right();
            }
        }
    }
    let points: Vec<Pos2> = (0..reviews.len()).map(|at| Pos2::new(x(at), y(value(at)))).collect();
    canvas.painter.add(egui::Shape::line(points, Stroke::new(1.5, colours.info)));
    for (at, reviewed) in reviews.iter().enumerate().filter(|(_, reviewed)| reviewed.class.is_worth_a_look())
    {
        let high = 4.0 + 18.0 * cost_share(reviewed.loss);
        let width = (plot.width() / review.total.max(1) as f32).clamp(1.0, 4.0);
        let bar =
            Rect::from_min_size(Pos2::new(x(at) - width / 2.0, plot.bottom() + 6.0), Vec2::new(width, high));
        canvas.fill(bar, 0, colour_of(&colours, reviewed.class));
    }
    let first = shown.of(Zone::Main).next().map_or(0, |(number, _)| number);
    if let Some(at) = shown.cursor.and_then(|cursor| cursor.checked_sub(first))
        && at < reviews.len()
    {
        canvas.painter.vline(x(at), plot.top()..=inside.bottom(), Stroke::new(2.0, colours.accent));
        canvas.painter.circle_filled(Pos2::new(x(at), y(value(at))), 4.0, colours.accent);
    }
    let response =
        ui.interact(plot.with_max_y(inside.bottom()), egui::Id::new("graph"), Sense::click_and_drag());
    if let Some(pointer) = response.interact_pointer_pos() {
        let share = ((pointer.x - plot.left()) / plot.width().max(1.0)).clamp(0.0, 1.0);
        let at = (share * (review.total.max(2) - 1) as f32).round() as usize;
        desk.click = Some(Click { row: first + at.min(reviews.len() - 1), step: None::<Step> });
    }
}
