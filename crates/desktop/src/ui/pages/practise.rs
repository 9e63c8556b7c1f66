//! The modes as cards in groups, and beside them what belongs to the one that is chosen.

use egui::{Align2, Pos2, Rect, Vec2};

use super::{Desk, Shown, list};
use crate::ui::canvas::{Canvas, sentence, thousands};
use crate::ui::page::{Item, Row, Zone};
use crate::ui::theme::{CARD_CORNER, CORNER, GAP, MARGIN, Type, icon};

/// The least height of a card, the room around what is in it, and the height of its name.
const CARD: f32 = 58.0;
const CARD_INSIDE: Vec2 = Vec2::new(14.0, 10.0);
const CARD_TITLE: f32 = 22.0;

const PANEL: f32 = 312.0;

/// The least width of a card, and of a page that has a panel.
const LEAST: f32 = 225.0;
const WITH_PANEL: f32 = 860.0;

/// Games whose results are shown.
const RESULTS: usize = 8;

pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let has_panel = body.width() >= WITH_PANEL;
    let right = if has_panel { body.right() - PANEL - 8.0 } else { body.right() };
    let cards =
        Rect::from_min_max(Pos2::new(body.left() + MARGIN, body.top()), Pos2::new(right, body.bottom()));
    let columns = ((cards.width() / LEAST) as usize).clamp(1, 3);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(cards));
    egui::ScrollArea::vertical().id_salt("modes").auto_shrink([false, false]).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let inner = Canvas::new(ui.painter().clone(), canvas.colours);
        let width = (ui.available_width() - 16.0 - GAP * (columns - 1) as f32) / columns as f32;
        let (left, mut y, mut column) = (ui.cursor().left() + 4.0, ui.cursor().top(), 0);
        let card_height = card_height(&inner, width, shown);
        for (number, row) in shown.of(Zone::Main) {
            if row.item == Item::Heading {
                y += if column > 0 { card_height + GAP } else { 0.0 };
                column = 0;
                let at = Pos2::new(left, y + 14.0);
                let title = inner.left(at, &row.label, Type::StrongLabel, canvas.colours.text);
                inner.left(
                    Pos2::new(title.right() + 8.0, at.y),
                    &row.help,
                    Type::Label,
                    canvas.colours.faint,
                );
                y += 26.0;
                continue;
            }
            let place = Rect::from_min_size(
                Pos2::new(left + column as f32 * (width + GAP), y),
                Vec2::new(width, card_height),
            );
            card(ui, &inner, place, (number, row), shown, desk);
            if shown.in_sight == number && desk.textures.scrolled != Some((shown.page, number)) {
                desk.textures.scrolled = Some((shown.page, number));
                ui.scroll_to_rect(place.expand(30.0), None);
            }
            column += 1;
            if column == columns {
                (column, y) = (0, y + card_height + GAP);
            }
        }
        y += if column > 0 { card_height + GAP } else { 0.0 };
        if !has_panel {
            for (number, row) in shown.of(Zone::Panel) {
                let place = Rect::from_min_size(Pos2::new(left, y), Vec2::new(cards.width() - 32.0, 40.0));
                list::line(ui, &inner, place, (number, row), shown, desk);
                y += 42.0;
            }
        }
        let used = Vec2::new(ui.available_width(), (y - ui.cursor().top()).max(0.0) + 8.0);
        ui.allocate_exact_size(used, egui::Sense::hover());
    });
    if has_panel {
        panel(
            ui,
            canvas,
            Rect::from_min_max(Pos2::new(body.right() - PANEL, body.top()), body.max),
            shown,
            desk,
        );
    }
}

fn card(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    (number, row): (usize, &Row),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let hovered = desk.control(ui, (number, row), area);
    let has_focus = shown.has_focus(number);
    let ground = canvas.ground(has_focus, hovered);
    canvas.fill(area, CARD_CORNER, ground);
    canvas.outline(area, CARD_CORNER, 1.0, colours.line);
    if has_focus {
        canvas.focus(area, CARD_CORNER);
    }
    let canvas = &canvas.within(area);
    let inside = area.shrink2(CARD_INSIDE);
    let value = canvas.right(inside.right_top() + Vec2::new(0.0, 9.0), &row.value, Type::Label, colours.soft);
    let at = (inside.left_top() + Vec2::new(0.0, 9.0), Align2::LEFT_CENTER);
    canvas.text_within(at, &row.label, (Type::Item, colours.text), value.left() - inside.left() - 6.0);
    let Item::Practise(kind) = row.item else { return };
    let purpose = inside.with_min_y(inside.top() + CARD_TITLE);
    canvas.text_in((purpose, Align2::LEFT_CENTER), kind.purpose(), (Type::Label, colours.soft));
}

/// Returns how high the cards are: all as high as the one with the longest purpose.
fn card_height(canvas: &Canvas, width: f32, shown: &Shown<'_>) -> f32 {
    let purposes = shown.of(Zone::Main).filter_map(|(_, row)| match row.item {
        Item::Practise(kind) => Some(kind.purpose()),
        _ => None,
    });
    let room = width - 2.0 * CARD_INSIDE.x;
    let height = |purpose| canvas.paragraph_height(purpose, Type::Label, (room, 3));
    purposes.map(|purpose| 2.0 * CARD_INSIDE.y + CARD_TITLE + height(purpose)).fold(CARD, f32::max)
}

fn panel(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    let canvas = &canvas.within(area);
    canvas.fill(area, 0, colours.rail);
    canvas.painter.vline(area.left() + 0.5, area.y_range(), egui::Stroke::new(1.0, colours.line));
    let inside = area.shrink2(Vec2::new(16.0, 16.0));
    let chosen = shown.cursor.and_then(|cursor| shown.rows.get(cursor)).filter(|row| row.zone == Zone::Main);
    let mut at = inside.left_top();
    if let Some(row) = chosen
        && let Item::Practise(kind) = row.item
    {
        canvas.left(at + Vec2::new(0.0, 14.0), &row.label, Type::Page, colours.text);
        at.y += 36.0;
        at.y += canvas.paragraph(at, &sentence(&row.help), (Type::Small, colours.soft), (inside.width(), 5))
            + 12.0;
        if row.is_setting() {
            let words = format!("← →  change the number: {}", row.value);
            canvas.left(at + Vec2::new(0.0, 8.0), &words, Type::Label, colours.accent);
            at.y += 24.0;
        }
        at.y = results(canvas, inside.with_min_y(at.y), kind, shown);
    } else {
        at.y += canvas.paragraph(
            at,
            "Choose a mode. It runs on the unmodified game, from the start level below.",
            (Type::Small, colours.soft),
            (inside.width(), 4),
        ) + 12.0;
    }
    let rows: Vec<_> = shown.of(Zone::Panel).collect();
    let mut top = (inside.bottom() - 44.0 * rows.len() as f32 - 52.0).max(at.y);
    for (number, row) in rows {
        let place = Rect::from_min_size(Pos2::new(inside.left(), top), Vec2::new(inside.width(), 42.0));
        list::line(ui, canvas, place, (number, row), shown, desk);
        top += 44.0;
    }
    let begin = Rect::from_min_max(Pos2::new(inside.left(), inside.bottom() - 44.0), inside.right_bottom());
    if top <= begin.top() {
        canvas.fill(begin, CORNER, colours.fill);
        let words = format!("Begin at level {}", shown.settings.tetris.start_level);
        let middle = begin.center();
        canvas.icon(middle - Vec2::new(88.0, 0.0), icon::PLAY, 18.0, colours.on_fill);
        canvas.centred(middle, &words, Type::Strong, colours.on_fill);
        // A click is one on the mode that is chosen.
        let last = shown.cursor.filter(|_| chosen.is_some());
        let response = ui.interact(begin, egui::Id::new("begin"), egui::Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, last.is_some(), &words));
        if let Some(row) = last
            && response.clicked()
        {
            desk.click = Some(super::Click { row, step: Some(crate::ui::step::Step::Enter) });
        }
    }
}

/// Draws the last results of a mode. Returns where they end.
fn results(canvas: &Canvas, area: Rect, kind: practice::Kind, shown: &Shown<'_>) -> f32 {
    let colours = canvas.colours;
    let games: Vec<_> = shown
        .games
        .iter()
        .filter(|game| game.mode.split('=').next() == Some(kind.name()) && game.counts())
        .filter(|game| game.score.is_some())
        .take(RESULTS)
        .collect();
    let most = games.iter().filter_map(|game| game.score).max().unwrap_or(0).max(1);
    let height = 62.0 + 70.0 + 22.0 * games.len().min(5) as f32;
    let card = area.with_max_y((area.top() + height).min(area.bottom() - 320.0));
    if card.height() < 60.0 {
        return area.top();
    }
    canvas.card(card, None);
    let canvas = canvas.within(card);
    let inside = card.shrink(12.0);
    canvas.left(inside.left_top() + Vec2::new(0.0, 8.0), "Last results", Type::StrongLabel, colours.text);
    let best = if games.is_empty() { "none yet".into() } else { format!("best {}", thousands(most.into())) };
    canvas.right(inside.right_top() + Vec2::new(0.0, 8.0), &best, Type::Label, colours.soft);
    let bars = Rect::from_min_max(
        inside.left_top() + Vec2::new(0.0, 24.0),
        inside.right_top() + Vec2::new(0.0, 74.0),
    );
    let width = bars.width() / RESULTS as f32;
    for (at, game) in games.iter().rev().enumerate() {
        let score = game.score.unwrap_or(0);
        let high = (bars.height() * score as f32 / most as f32).max(2.0);
        let place = Rect::from_min_max(
            Pos2::new(bars.left() + width * at as f32, bars.bottom() - high),
            Pos2::new(bars.left() + width * (at + 1) as f32 - 3.0, bars.bottom()),
        );
        canvas.fill(place, 2, if score == most { colours.best } else { colours.info });
    }
    for (at, game) in games.iter().take(5).enumerate() {
        let y = bars.bottom() + 18.0 + 22.0 * at as f32;
        let lines = game.lines.as_deref().unwrap_or("–");
        canvas.left(Pos2::new(inside.left(), y), &format!("{lines} lines"), Type::Label, colours.soft);
        let score = thousands(game.score.unwrap_or(0).into());
        canvas.right(Pos2::new(inside.right(), y), &score, Type::StrongLabel, colours.text);
    }
    card.bottom() + 12.0
}
