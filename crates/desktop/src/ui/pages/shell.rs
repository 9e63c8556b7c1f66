//! What all pages have: the sidebar, the head with its tabs, the keys at the foot.

use egui::{Align2, Pos2, Rect, Vec2};

use super::{Desk, Shown};
use crate::ui::bars;
use crate::ui::canvas::Canvas;
use crate::ui::page::{Page, Row, Zone};
use crate::ui::rail::Told;
use crate::ui::theme::{CORNER, MARGIN, Type, icon};

/// Widths of the sidebar with names and with icons alone, and the window's width from which it has
/// names.
const SIDEBAR: f32 = 200.0;
const ICONS: f32 = 56.0;
const NAMED: f32 = 900.0;

const HEAD: f32 = 48.0;
const FOOT: f32 = 36.0;

/// Draws them. Returns what is left for the page.
pub(super) fn draw(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) -> Rect {
    let is_named = area.width() >= NAMED;
    let has_sidebar = shown.of(Zone::Sidebar).next().is_some();
    let width = match (has_sidebar, is_named) {
        (false, _) => 0.0,
        (true, true) => SIDEBAR,
        (true, false) => ICONS,
    };
    if has_sidebar {
        sidebar(ui, canvas, area.with_max_x(area.left() + width), is_named, shown, desk);
    }
    let main = area.with_min_x(area.left() + width);
    head(ui, canvas, main.with_max_y(main.top() + HEAD), shown, desk);
    // What the player is told takes the place of the keys, and covers nothing.
    let told = Told::of(canvas, main.width(), shown.messages);
    let height = told.as_ref().map_or(0.0, Told::height).max(FOOT);
    let below = main.with_min_y(main.bottom() - height);
    match told {
        Some(told) => told.draw(canvas, below),
        None => foot(canvas, below, shown),
    }
    Rect::from_min_max(main.min + Vec2::new(0.0, HEAD), main.max - Vec2::new(0.0, height))
}

fn sidebar(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    is_named: bool,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    let canvas = &canvas.within(area);
    canvas.fill(area, 0, colours.rail);
    canvas.painter.vline(area.right() - 0.5, area.y_range(), egui::Stroke::new(1.0, colours.line));
    let name = if is_named { "MAXOUT" } else { "M" };
    let mut font = Type::Page.font();
    font.size = if is_named { 26.0 } else { 24.0 };
    let at = area.left_top() + Vec2::new(if is_named { 20.0 } else { 17.0 }, 32.0);
    canvas.painter.text(at, Align2::LEFT_CENTER, name, font, colours.info);
    let mut top = area.top() + 64.0;
    for (number, row) in shown.of(Zone::Sidebar) {
        if matches!(row.item, crate::ui::page::Item::Section(Page::Streaming)) {
            top += 14.0;
        }
        let place =
            Rect::from_min_size(Pos2::new(area.left() + 8.0, top), Vec2::new(area.width() - 17.0, 40.0));
        let hovered = desk.control(ui, (number, row), place);
        let ground = match (row.lit, hovered) {
            (true, _) => colours.selected,
            (false, true) => colours.hover,
            (false, false) => colours.rail,
        };
        canvas.fill(place, CORNER, ground);
        if row.lit {
            let mark = Rect::from_min_size(place.left_top() + Vec2::new(0.0, 10.0), Vec2::new(3.0, 20.0));
            canvas.fill(mark, 2, colours.accent);
        }
        let ink = if row.lit { colours.text } else { colours.soft };
        canvas.icon(
            place.left_center() + Vec2::new(if is_named { 22.0 } else { 19.0 }, 0.0),
            row.icon,
            20.0,
            ink,
        );
        if is_named {
            let size = if row.lit { Type::Strong } else { Type::Body };
            canvas.left(place.left_center() + Vec2::new(44.0, 0.0), &row.label, size, ink);
            canvas.right(place.right_center() - Vec2::new(12.0, 0.0), &row.value, Type::Label, colours.faint);
        }
        if shown.has_focus(number) {
            canvas.focus(place, CORNER);
        }
        top += 42.0;
    }
    if is_named {
        let hands = &shown.settings.practice;
        let room = Rect::from_min_max(area.left_bottom() + Vec2::new(20.0, -48.0), area.max);
        let room = room.with_max_x(room.right() - 8.0).with_max_y(room.bottom() - 16.0);
        let hands = format!("{} taps a second · {} frames", hands.hertz, hands.reaction);
        let drawn = canvas.text_in((room, Align2::LEFT_BOTTOM), &hands, (Type::Label, colours.soft));
        let at = drawn.left_top() - Vec2::new(0.0, 11.0);
        canvas.left(at, "Your hands", Type::Label, colours.faint);
    }
}

fn head(ui: &egui::Ui, canvas: &Canvas, area: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    let y = area.center().y;
    let heading = if shown.page == Page::Home && shown.first_start {
        "Welcome".into()
    } else {
        shown.page.heading(shown.status)
    };
    let pads = shown.status.pads.len();
    let pads = match pads {
        0 => "no pad".into(),
        1 => "1 pad".into(),
        pads => format!("{pads} pads"),
    };
    let chip = canvas.line(&pads, Type::Label, colours.soft, f32::INFINITY).size().x + 37.0;
    let tabs: Vec<_> = shown.of(Zone::Tabs).collect();
    let section = if tabs.is_empty() { heading } else { shown.page.section().title() };
    let title = canvas.left(Pos2::new(area.left() + MARGIN, y), &section, Type::Title, colours.text);
    let mut left = title.right() + 20.0;
    // Tabs that have no room beside the chip take its place, in smaller type if need be.
    let types = [([Type::Body, Type::Strong], 20.0), ([Type::Label, Type::StrongLabel], 12.0)];
    let room = |has_chip: bool| area.right() - MARGIN - left - if has_chip { chip + 2.0 } else { 0.0 };
    let width = |(sizes, around): ([Type; 2], f32), row: &Row| {
        canvas.line(&row.label, sizes[usize::from(row.lit)], colours.text, f32::INFINITY).size().x + around
    };
    let whole = |way| tabs.iter().map(|(_, row)| width(way, row) + 4.0).sum::<f32>();
    let ways = [(types[0], true), (types[0], false)];
    let fits = ways.into_iter().find(|&(way, has_chip)| whole(way) <= room(has_chip));
    let (way, has_chip) = fits.unwrap_or((types[1], false));
    for (number, row) in tabs {
        let size = way.0[usize::from(row.lit)];
        let ink = if row.lit { colours.text } else { colours.soft };
        let width = width(way, row);
        let place = Rect::from_min_size(Pos2::new(left, y - 16.0), Vec2::new(width, 32.0));
        let hovered = desk.control(ui, (number, row), place);
        if hovered && !row.lit {
            canvas.fill(place, CORNER, colours.hover);
        }
        if row.lit {
            canvas.fill(place.with_min_y(place.bottom() - 2.0), 0, colours.accent);
        }
        canvas.centred(place.center(), &row.label, size, ink);
        if shown.has_focus(number) {
            canvas.focus(place, CORNER);
        }
        left += width + 4.0;
    }
    if !has_chip {
        return;
    }
    let chip = canvas.chip(Pos2::new(area.right() - MARGIN - chip, y), icon::PAD, &pads, colours.soft);
    let find =
        Rect::from_min_max(Pos2::new(chip.left() - 262.0, y - 16.0), Pos2::new(chip.left() - 12.0, y + 16.0));
    if find.left() > left + 8.0 {
        canvas.fill(find, CORNER, colours.well);
        canvas.outline(find, CORNER, 1.0, colours.edge);
        canvas.icon(find.left_center() + Vec2::new(18.0, 0.0), icon::SEARCH, 17.0, colours.soft);
        canvas.left(find.left_center() + Vec2::new(36.0, 0.0), "Go to anything", Type::Small, colours.faint);
        canvas.key(find.right_center() - Vec2::new(72.0, 0.0), "Ctrl");
        canvas.key(find.right_center() - Vec2::new(32.0, 0.0), "K");
    }
}

fn foot(canvas: &Canvas, area: Rect, shown: &Shown<'_>) {
    canvas.fill(area, 0, canvas.colours.rail);
    if let Some(target) = shown.listening {
        let words = format!("Press a key or button for {}", target.name());
        return bars::foot(canvas, area, &[("Esc", words)], &[]);
    }
    let hint = |key: &'static str, words: &str| (key, words.to_owned());
    if shown.keyboard.is_some() {
        let left = [
            hint("A", "Type"),
            hint("B", "Delete, close"),
            hint("Start", "Done"),
            hint("L1", "Shift"),
            hint("R1", "Signs"),
        ];
        return bars::foot(canvas, area, &left, &[]);
    }
    let focused = shown.cursor.and_then(|cursor| shown.rows.get(cursor));
    let mut left = vec![];
    if focused.is_some_and(Row::is_setting) {
        left.push(hint("← →", "Change"));
    }
    let is_placement = focused.is_some_and(|row| row.zone == Zone::Main);
    let retries = shown.page == Page::Coach && shown.status.review.is_some() && is_placement;
    left.extend([
        hint("Enter", if retries { "Retry from here" } else { "Select" }),
        hint("Esc", if shown.page == Page::Home { "Back to the game" } else { "Back" }),
    ]);
    if shown.page == Page::Coach && shown.status.review.is_some() {
        left.push(hint("J K", "Costly placements"));
        left.push(hint("B", if shown.shows_line { "Your placement" } else { "Best line" }));
    }
    if shown.page == Page::Games && !shown.games.is_empty() {
        left.push(hint("Space", "Select several"));
    }
    if shown.takes_text() && !shown.status.pads.is_empty() {
        left.push(hint("Start", "Type"));
    }
    left.push(hint("[ ]", "Sections"));
    let version = format!("Maxout {}", env!("CARGO_PKG_VERSION"));
    bars::foot(canvas, area, &left, &[("", version)]);
}
