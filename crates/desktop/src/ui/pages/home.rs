//! Home: the game that is on, the plan of the day, the sections as tiles, the last games and their
//! scores.

use egui::{Align2, Pos2, Rect, Vec2};

use super::{Desk, Shown, games, today};
use crate::ui::bars;
use crate::ui::canvas::{Canvas, thousands};
use crate::ui::chart;
use crate::ui::games::{best, counted};
use crate::ui::page::{Item, Row, Zone};
use crate::ui::theme::{self, CARD_CORNER, CORNER, GAP, MARGIN, Type, WIDE_GAP};

/// Heights of the game's card and of a tile, and in a narrow page.
const HERO: f32 = 264.0;
const LOW_HERO: f32 = 192.0;
const TILE: f32 = 92.0;
const LOW_TILE: f32 = 56.0;

/// The width of the plan of the day beside the game's card.
const TODAY: f32 = 356.0;

/// How high the texts beside the picture of the game are.
const TEXTS: f32 = 84.0;

/// How high the figures of the game that is on are.
const FIGURES: f32 = 38.0;

/// A page narrower than this has three tiles in a row and no chart.
const WIDE: f32 = 760.0;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let body = Rect::from_min_max(body.min + Vec2::new(MARGIN, 4.0), body.max - Vec2::new(MARGIN, 16.0));
    let is_wide = body.width() >= WIDE;
    let (mut gap, mut side) = (GAP * 1.5, 0.0);
    let tiles_top = if is_wide {
        (gap, side) = (WIDE_GAP, TODAY.max(0.34 * body.width()));
        let hero = body.with_max_x(body.right() - side - gap);
        let least = 24.0 + TEXTS + 8.0 + Actions::of(canvas, shown, hero.width() - 24.0).height();
        let hero = body.with_max_y(body.top() + HERO.min(0.42 * body.height()).max(150.0).max(least));
        hero_card(ui, canvas, hero.with_max_x(hero.right() - side - gap), shown, desk);
        today::draw(ui, canvas, hero.with_min_x(hero.right() - side), shown, desk);
        hero.bottom() + gap
    } else {
        let lines = shown.of(Zone::Panel).filter(|(_, row)| row.is_choice()).count();
        let height = today::height_of_pairs(lines);
        let hero = body.with_max_y(body.top() + LOW_HERO);
        hero_card(ui, canvas, hero, shown, desk);
        let plan = hero.translate(Vec2::new(0.0, hero.height() + gap));
        let plan = plan.with_max_y(plan.top() + height);
        today::draw(ui, canvas, plan, shown, desk);
        plan.bottom() + gap
    };
    let tiles: Vec<_> = shown.of(Zone::Tiles).collect();
    let columns = if is_wide { tiles.len() } else { 3 }.max(1);
    let lines = tiles.len().div_ceil(columns);
    let width = (body.width() - GAP * 1.5 * (columns - 1) as f32) / columns as f32;
    let help = |row: &Row| canvas.paragraph_height(&row.help, Type::Label, (width - 28.0, HELP));
    let tallest = tiles.iter().map(|(_, row)| help(row)).fold(0.0, f32::max);
    let height = if is_wide { TILE.max(24.0 + 24.0 + 20.0 + tallest) } else { LOW_TILE };
    for (at, (number, row)) in tiles.into_iter().enumerate() {
        let place = Rect::from_min_size(
            Pos2::new(
                body.left() + (at % columns) as f32 * (width + 1.5 * GAP),
                tiles_top + (at / columns) as f32 * (height + GAP),
            ),
            Vec2::new(width, height),
        );
        tile(ui, canvas, (place, tallest), (number, row), shown, desk);
    }
    let below = tiles_top + lines as f32 * (height + GAP) + gap - GAP;
    let rest = body.with_min_y(below);
    if rest.height() < 90.0 {
        return;
    }
    let recent = rest.with_max_x(rest.right() - if is_wide { side + gap } else { 0.0 });
    recent_games(ui, canvas, recent, shown, desk);
    if is_wide {
        scores(canvas, rest.with_min_x(rest.right() - side), shown);
    }
}

/// The game that is on: its picture, what it is, and what can be done with it.
fn hero_card(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    canvas.card(area, None);
    let canvas = &canvas.within(area);
    let inside = area.shrink(12.0);
    let picture_of =
        |height: f32| Rect::from_min_size(inside.min, Vec2::new(256.0, 240.0) * (height / 240.0));
    // The actions are beside the picture, or below it where they have no room there.
    let beside = picture_of(inside.height());
    let actions = Actions::of(canvas, shown, inside.right() - beside.right() - 20.0);
    let (picture, actions, below) = if TEXTS + actions.height() <= inside.height() {
        (beside, actions, beside.right() + 20.0)
    } else {
        let actions = Actions::of(canvas, shown, inside.width());
        (picture_of((inside.height() - actions.height() - 8.0).max(0.0)), actions, inside.left())
    };
    let texture = desk.textures.game(ui.ctx(), shown.presented, shown.palette);
    let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
    canvas.painter.image(texture.id(), picture, whole, theme::AS_IT_IS);
    let left = picture.right() + 20.0;
    let room = inside.right() - left;
    let (name, notes) = bars::title(shown.status);
    let mut at = Pos2::new(left, inside.top() + 8.0);
    let above = if shown.first_start {
        "Maxout comes with a free game. Play it, or watch the computer play"
    } else if shown.status.in_game || shown.status.computer {
        "A game is running"
    } else {
        "Ready"
    };
    let above = canvas.paragraph(at - Vec2::new(0.0, 8.0), above, (Type::Label, colours.soft), (room, 3));
    at.y += above + 12.0;
    canvas.text_within((at, Align2::LEFT_CENTER), &name, (Type::Page, colours.text), room);
    at.y += 24.0;
    canvas.text_within((at, Align2::LEFT_CENTER), &notes, (Type::Small, colours.soft), room);
    at.y += 24.0;
    let buttons_top = actions.draw(ui, canvas, inside.with_min_x(below), shown, desk);
    if let Some(game) = &shown.status.game
        && at.y + FIGURES < buttons_top
    {
        let figures = &game.figures;
        let rate = figures.tetris_rate.map_or_else(|| "–".into(), |rate| format!("{rate:.0} %"));
        let all = [
            ("Score", thousands(game.score.into())),
            ("Lines", game.lines.to_string()),
            ("Tetris rate", rate),
            ("Drought", figures.drought.to_string()),
        ];
        let mut x = left;
        for (name, value) in all {
            let value = canvas.left(Pos2::new(x, at.y + 24.0), &value, Type::Title, colours.text);
            let name = canvas.left(Pos2::new(x, at.y + 4.0), name, Type::Label, colours.soft);
            x = value.right().max(name.right()) + 28.0;
            if x > inside.right() - 60.0 {
                break;
            }
        }
    }
}

/// What can be done with the game that is on, as buttons in rows.
struct Actions<'a> {
    /// The buttons with their widths.
    rows: Vec<Vec<(usize, &'a Row, f32)>>,
}

impl<'a> Actions<'a> {
    /// Returns the rows of buttons that have room in `width` points.
    fn of(canvas: &Canvas, shown: &'a Shown<'a>, width: f32) -> Self {
        let mut rows: Vec<Vec<(usize, &Row, f32)>> = vec![vec![]];
        let mut x = 2.0;
        for (number, row) in shown.of(Zone::Main).filter(|(_, row)| !is_game(row)) {
            let icon = if row.icon.is_empty() { 0.0 } else { 24.0 };
            let button = canvas.width(&row.label, Type::Strong) + 30.0 + icon;
            if x > 2.0 && x + button > width {
                rows.push(vec![]);
                x = 2.0;
            }
            x += button + 12.0;
            rows.last_mut().expect("never empty").push((number, row, button));
        }
        Self { rows }
    }

    /// Returns how high they are.
    fn height(&self) -> f32 {
        44.0 * self.rows.len() as f32 - 6.0
    }

    /// Draws them at the bottom of `area`. Returns where they begin.
    fn draw(self, ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) -> f32 {
        let colours = canvas.colours;
        let top = area.bottom() - self.height();
        let mut is_first = true;
        for (line, buttons) in (0_u8..).zip(self.rows) {
            let mut at = Pos2::new(area.left() + 2.0, top + 44.0 * f32::from(line));
            for (number, row, width) in buttons {
                let place = Rect::from_min_size(at, Vec2::new(width, 36.0));
                let hovered = desk.control(ui, (number, row), place);
                canvas.button(place, is_first, hovered);
                let ink = match (is_first, row.item != Item::Unavailable) {
                    (true, _) => colours.on_fill,
                    (false, true) => colours.text,
                    (false, false) => colours.faint,
                };
                let mut left = place.left() + 15.0;
                if !row.icon.is_empty() {
                    canvas.icon(Pos2::new(left + 8.0, place.center().y), row.icon, 17.0, ink);
                    left += 24.0;
                }
                canvas.left(Pos2::new(left, place.center().y), &row.label, Type::Strong, ink);
                if shown.has_focus(number) {
                    canvas.focus(place, CORNER);
                }
                at.x += width + 12.0;
                is_first = false;
            }
        }
        top
    }
}

fn is_game(row: &Row) -> bool {
    matches!(row.item, Item::Practice(crate::messages::command::PracticeCommand::Replay(_)))
}

/// The most lines of what is said of a tile.
const HELP: usize = 3;

/// Draws a tile in `area`. The help of the one that has the most takes `tallest` points: the names
/// of all are at one height.
fn tile(
    ui: &egui::Ui,
    canvas: &Canvas,
    (area, tallest): (Rect, f32),
    (number, row): (usize, &Row),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let hovered = desk.control(ui, (number, row), area);
    canvas.fill(area, CARD_CORNER, if hovered { colours.hover } else { colours.card });
    canvas.outline(area, CARD_CORNER, 1.0, colours.line);
    if shown.has_focus(number) {
        canvas.focus(area, CARD_CORNER);
    }
    let canvas = &canvas.within(area);
    let inside = area.shrink2(Vec2::new(14.0, 12.0));
    if area.height() >= TILE {
        canvas.icon(inside.left_top() + Vec2::new(11.0, 12.0), row.icon, 22.0, colours.accent);
        let top = inside.bottom() - tallest;
        let ink = (Type::Label, colours.soft);
        canvas.paragraph(Pos2::new(inside.left(), top), &row.help, ink, (inside.width(), HELP));
        let at = (Pos2::new(inside.left(), top - 11.0), Align2::LEFT_CENTER);
        canvas.text_within(at, &row.label, (Type::Item, colours.text), inside.width());
        return;
    }
    canvas.icon(inside.left_center() + Vec2::new(11.0, 0.0), row.icon, 20.0, colours.accent);
    let room = inside.width() - 34.0;
    let help = canvas.paragraph_height(&row.help, Type::Label, (room, 2));
    let top = inside.center().y - f32::midpoint(20.0, help);
    let left = inside.left() + 34.0;
    let at = (Pos2::new(left, top + 9.0), Align2::LEFT_CENTER);
    canvas.text_within(at, &row.label, (Type::Item, colours.text), room);
    canvas.paragraph(Pos2::new(left, top + 20.0), &row.help, (Type::Label, colours.soft), (room, 2));
}

fn recent_games(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    canvas.card(area, None);
    let canvas = &canvas.within(area);
    let inside = area.shrink(12.0);
    canvas.left(inside.left_top() + Vec2::new(0.0, 8.0), "Recent games", Type::Item, colours.text);
    let mut top = inside.top() + 24.0;
    let rows = shown.of(Zone::Main).filter(|(_, row)| is_game(row));
    let best = best(shown.games);
    let mut any = false;
    for ((number, row), game) in rows.zip(shown.games) {
        if top + 41.0 > inside.bottom() + 4.0 {
            break;
        }
        any = true;
        let place =
            Rect::from_min_size(Pos2::new(inside.left() - 4.0, top), Vec2::new(inside.width() + 8.0, 41.0));
        games::line(ui, canvas, place, (number, row, game), best, shown, desk);
        top += 41.0;
    }
    if !any {
        let words = "Your games appear here. Replay them, review them, or play on from any piece.";
        let at = inside.left_top() + Vec2::new(0.0, 34.0);
        canvas.paragraph(at, words, (Type::Small, colours.soft), (inside.width(), 4));
    }
}

/// Games of the chart, and of its running mean.
const CHARTED: usize = 29;
const MEAN: usize = 10;

fn scores(canvas: &Canvas, area: Rect, shown: &Shown<'_>) {
    let colours = canvas.colours;
    canvas.card(area, None);
    let canvas = &canvas.within(area);
    let inside = area.shrink(12.0);
    canvas.left(inside.left_top() + Vec2::new(0.0, 8.0), "Score", Type::Item, colours.text);
    let mut scores: Vec<f64> =
        counted(shown.games).filter_map(|game| game.score).take(CHARTED).map(f64::from).collect();
    scores.reverse();
    let note = match scores.len() {
        0 | 1 => "a chart needs two games".into(),
        count => format!("last {count} games · mean of ten"),
    };
    canvas.right(inside.right_top() + Vec2::new(0.0, 8.0), &note, Type::Label, colours.soft);
    if scores.len() > 1 {
        chart::scores(canvas, inside.with_min_y(inside.top() + 24.0), &scores, MEAN);
    }
}
