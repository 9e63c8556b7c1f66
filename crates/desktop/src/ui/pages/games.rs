//! The games that were kept, as a table with their scores above.

use egui::{Align2, Color32, Pos2, Rect, Vec2};
use practice::Standing;

use super::{Desk, Shown, list, table};
use crate::ui::canvas::{Canvas, thousands};
use crate::ui::chart;
use crate::ui::games::{KeptGame, best};
use crate::ui::names::day;
use crate::ui::page::{Item, Row, Zone, game_row};
use crate::ui::theme::{CORNER, MARGIN, Type, icon};

const LINE: f32 = 44.0;
const CHART: f32 = 168.0;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    if shown.games.is_empty() {
        return list::draw(ui, canvas, body, shown, desk);
    }
    let colours = canvas.colours;
    let body = Rect::from_min_max(body.min + Vec2::new(MARGIN, 4.0), body.max - Vec2::new(MARGIN, 8.0));
    let charted = shown.shelf.charted(shown.games);
    let figure = shown.shelf.figure;
    let figures: Vec<f64> = charted.iter().filter_map(|game| figure.of(game)).collect();
    let mut top = body.top() + chips(ui, canvas, body, shown, desk);
    if figures.len() > 1 && body.height() > 420.0 {
        let card = Rect::from_min_max(Pos2::new(body.left(), top), Pos2::new(body.right(), top + CHART));
        canvas.card(card, None);
        let inside = card.shrink(12.0);
        let kind = if shown.shelf.count() > 1 { "selected games" } else { "counted games" };
        let mean = thousands((figures.iter().sum::<f64>() / figures.len() as f64).round() as i64);
        let note = format!("{} {kind} · mean {mean}", figures.len());
        canvas.left(inside.left_top() + Vec2::new(0.0, 8.0), &figure.to_string(), Type::Item, colours.text);
        canvas.right(inside.right_top() + Vec2::new(0.0, 8.0), &note, Type::Label, colours.soft);
        chart::scores(canvas, inside.with_min_y(inside.top() + 22.0), &figures, 10);
        top = card.bottom() + 12.0;
    }
    let head = Rect::from_min_size(Pos2::new(body.left(), top), Vec2::new(body.width(), 28.0));
    for column in columns(canvas, head) {
        let at = match column.anchor {
            Align2::RIGHT_CENTER => column.area.right_center(),
            _ => column.area.left_center(),
        };
        canvas.text_within(
            (at, column.anchor),
            column.name,
            (Type::Label, colours.soft),
            column.area.width(),
        );
    }
    canvas.painter.hline(head.x_range(), head.bottom(), egui::Stroke::new(1.0, colours.line));
    let place = table::TableArea { area: body.with_min_y(head.bottom() + 2.0), line: LINE, bar: 0.0 };
    let (order, best) = (shown.shelf.shown(shown.games), best(shown.games));
    if order.is_empty() {
        let words = "No matching games";
        canvas.left(place.area.left_top() + Vec2::new(8.0, 24.0), words, Type::Small, colours.soft);
    }
    table::table(ui, &place, shown, desk, |ui, canvas, place, (number, row, at), desk| {
        if let Some(game) = order.get(at).and_then(|&at| shown.games.get(at)) {
            line(ui, canvas, place, (number, row, game), best, shown, desk);
        }
    });
}

/// Draws what the table shows and what can be done with the selected games, in lines of chips.
/// Returns how high they are.
fn chips(ui: &egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) -> f32 {
    const HEIGHT: f32 = 30.0;
    const GAP: f32 = 8.0;
    let colours = canvas.colours;
    let mut at = body.min;
    let mut place = |width: f32| {
        if at.x + width > body.right() && at.x > body.left() {
            at = Pos2::new(body.left(), at.y + HEIGHT + GAP);
        }
        let area = Rect::from_min_size(at, Vec2::new(width, HEIGHT));
        at.x = area.right() + GAP;
        area
    };
    for (number, row) in shown.of(Zone::Panel) {
        let label = canvas.line(&row.label, Type::Label, colours.soft, f32::INFINITY);
        let (text, ink) = match (&row.item, row.value.is_empty()) {
            (Item::Field(_), true) => ("type to search".to_owned(), colours.faint),
            (Item::Field(_), false) => (format!("{}|", row.value), colours.accent),
            _ => (row.value.clone(), colours.text),
        };
        let value = canvas.line(&text, Type::StrongLabel, ink, 220.0);
        let before = if row.icon.is_empty() { 12.0 } else { 32.0 };
        let between = if text.is_empty() { 0.0 } else { 8.0 };
        let area = place(before + label.size().x + between + value.size().x + 12.0);
        let hovered = desk.control(ui, (number, row), area);
        let has_focus = shown.has_focus(number);
        canvas.fill(area, CORNER, if hovered { colours.hover } else { colours.raised });
        if has_focus {
            canvas.outline(area, CORNER, 2.0, colours.accent);
        }
        if !row.icon.is_empty() {
            canvas.icon(area.left_center() + Vec2::new(18.0, 0.0), row.icon, 15.0, colours.soft);
        }
        let x = area.left() + before;
        let middle = area.center().y;
        let width = label.size().x;
        canvas.painter.galley(Pos2::new(x, middle - label.size().y / 2.0), label, colours.soft);
        let x = x + width + between;
        canvas.painter.galley(Pos2::new(x, middle - value.size().y / 2.0), value, ink);
    }
    at.y + HEIGHT + 12.0 - body.top()
}

/// The width of the picture of a field in a line, and of a line that has none.
const BOARD: f32 = 52.0;
const NARROWEST: f32 = 420.0;

/// Rows of a field that are shown, from the floor up.
const ROWS_SHOWN: usize = 10;

/// Draws the lowest rows of the field of a game at the left of its line: neighbours as one piece.
fn board(canvas: &Canvas, area: Rect, game: &KeptGame) {
    let side = (LINE.min(area.height()) - 4.0) / ROWS_SHOWN as f32;
    let corner = Pos2::new(area.left() + 8.0, area.center().y - side * ROWS_SHOWN as f32 / 2.0);
    let well = Rect::from_min_size(corner, Vec2::splat(side * ROWS_SHOWN as f32));
    canvas.fill(well, 2, canvas.colours.well);
    let Some(rows) = game.board.as_deref().and_then(practice::board_of) else { return };
    for (line, row) in rows[tetris::HEIGHT - ROWS_SHOWN..].iter().enumerate() {
        let mut column = 0;
        while column < tetris::WIDTH {
            let taken = (column..tetris::WIDTH).take_while(|column| row >> column & 1 == 1).count();
            if taken > 0 {
                let at = well.min + Vec2::new(column as f32, line as f32) * side;
                let size = Vec2::new(taken as f32 * side, side);
                canvas.fill(Rect::from_min_size(at, size).shrink(0.25), 0, canvas.colours.info);
            }
            column += taken.max(1);
        }
    }
}

struct Column {
    name: &'static str,
    anchor: Align2,
    area: Rect,
}

/// Returns the columns of a line, fewer where it is narrow. The last one has room for every note.
fn columns(canvas: &Canvas, area: Rect) -> Vec<Column> {
    const ALL: [(&str, Align2, f32); 6] = [
        ("Date", Align2::LEFT_CENTER, 120.0),
        ("Mode", Align2::LEFT_CENTER, 120.0),
        ("Level", Align2::RIGHT_CENTER, 60.0),
        ("Lines", Align2::RIGHT_CENTER, 66.0),
        ("Score", Align2::RIGHT_CENTER, 98.0),
        ("Tetris rate", Align2::RIGHT_CENTER, 90.0),
    ];
    // Those that are left out where there is no room, the first one first.
    const LEFT_OUT: [&str; 3] = ["Tetris rate", "Lines", "Level"];
    let area = if area.width() < NARROWEST { area } else { area.with_min_x(area.left() + BOARD) };
    let natural = |text: &str| canvas.line(text, Type::Label, canvas.colours.text, f32::INFINITY).size().x;
    let notes = Standing::NOTES.map(natural).into_iter().fold(0.0, f32::max) + NOTE_AROUND;
    let room = area.width() - notes.min(0.44 * area.width());
    let mut taken = ALL.to_vec();
    let sum = |taken: &[(&str, Align2, f32)]| taken.iter().map(|(.., width)| width).sum::<f32>();
    for name in LEFT_OUT {
        if sum(&taken) > room {
            taken.retain(|(other, ..)| *other != name);
        }
    }
    // Rather no date than a score in two lines.
    if 0.8 * sum(&taken) > room {
        taken.retain(|(other, ..)| *other != "Date");
    }
    let stretch = room / sum(&taken);
    let mut left = area.left();
    let mut column = |name, anchor, width| {
        let column = Rect::from_min_size(Pos2::new(left, area.top()), Vec2::new(width, area.height()));
        left += width;
        Column { name, anchor, area: column.shrink2(Vec2::new(8.0, 0.0)) }
    };
    let mut columns: Vec<_> =
        taken.into_iter().map(|(name, anchor, width)| column(name, anchor, width * stretch)).collect();
    columns.push(column("", Align2::LEFT_CENTER, area.width() - room));
    columns
}

/// What a note has beside its words: the ground of its chip and the gaps of its column.
const NOTE_AROUND: f32 = 19.0 + 16.0 + 1.0;

/// Draws a game as a line of the table.
pub(super) fn line(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    (number, row, game): (usize, &Row, &KeptGame),
    best: Option<u32>,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let told = row.value.is_empty().then(|| game_row(game, best, std::time::SystemTime::now()));
    let hovered = desk.control(ui, (number, told.as_ref().unwrap_or(row)), area);
    let has_focus = shown.has_focus(number);
    if shown.shelf.is_selected(game) {
        canvas.fill(area.with_max_x(area.left() + 4.0), 0, colours.info);
        canvas.fill(area.with_min_x(area.left() + 4.0), 0, colours.raised);
    }
    if has_focus || hovered {
        canvas.fill(
            area.with_min_x(area.left() + 4.0),
            CORNER,
            if has_focus { colours.selected } else { colours.hover },
        );
    }
    if has_focus {
        canvas.outline(area, CORNER, 2.0, colours.accent);
    } else {
        canvas.painter.hline(area.x_range(), area.bottom() - 0.5, egui::Stroke::new(1.0, colours.line));
    }
    if area.width() >= NARROWEST {
        board(canvas, area, game);
    }
    let canvas = &canvas.within(area);
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".into());
    let is_best = game.counts() && game.score.is_some() && game.score == best;
    for column in columns(canvas, area) {
        let (text, size, ink) = match column.name {
            "Date" => (day(game.begun, std::time::SystemTime::now()), Type::Small, colours.soft),
            "Mode" => (mode_name(&game.mode), Type::Small, colours.text),
            "Level" => (known(&game.level), Type::Small, colours.soft),
            "Lines" => (known(&game.lines), Type::Small, colours.soft),
            "Score" => {
                let score = game.score.map_or_else(|| "–".into(), |score| thousands(score.into()));
                (score, Type::Strong, if is_best { colours.best } else { colours.text })
            }
            "Tetris rate" => {
                let rate = game.tetris_rate.as_ref().filter(|rate| rate.parse::<f32>().is_ok());
                let rate = rate.map_or_else(|| "–".into(), |rate| format!("{rate} %"));
                (rate, Type::Small, colours.soft)
            }
            _ => {
                note(canvas, column.area, game, is_best);
                continue;
            }
        };
        canvas.text_in((column.area.shrink2(Vec2::new(0.0, 4.0)), column.anchor), &text, (size, ink));
    }
}

/// Draws the note of a game: best score, who played it, or how a match ended.
fn note(canvas: &Canvas, area: Rect, game: &KeptGame, is_best: bool) {
    let colours = canvas.colours;
    let (sign, text, ink): (&str, String, Color32) = if is_best {
        (icon::TROPHY, "best".into(), colours.best)
    } else if let Some(note) = game.standing.note() {
        ("", note.to_string(), colours.computer)
    } else if let Some([how, ..]) = &game.versus {
        (icon::VERSUS, how.clone(), colours.info)
    } else {
        return;
    };
    canvas.chip_within(area.left_center(), sign, &text, (ink, area.width()));
}

/// Returns the name of a mode with its number, as menus write it.
fn mode_name(mode: &str) -> String {
    mode.parse::<practice::Mode>().map_or_else(
        |_| mode.to_owned(),
        |parsed| match mode.split_once('=') {
            Some((_, value)) => format!("{} {value}", parsed.kind().title()),
            None => parsed.kind().title().into(),
        },
    )
}
