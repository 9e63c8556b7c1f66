//! A page whose lines stand below each other, with what is said of the chosen one beside them.

use egui::{Align, Align2, Pos2, Rect, Vec2};

use super::{Desk, Shown};
use crate::messages::command::SLOTS;
use crate::ui::canvas::{Canvas, sentence};
use crate::ui::page::{Item, Page, Row, Zone};
use crate::ui::theme::{self, CORNER, MARGIN, Type};

/// The width of the panel beside the lines, and of a page that has one.
const PANEL: f32 = 296.0;
const WITH_PANEL: f32 = 760.0;

/// The widest that lines are.
const WIDEST: f32 = 900.0;

/// The least height of a line whose value stands below its name.
pub(super) const STACKED: f32 = 60.0;

/// The width of what is pressed for more or for less, at the right of a line.
const BUTTON: f32 = 32.0;

/// Returns the slot of a line.
fn slot_of(item: &Item) -> Option<usize> {
    match item {
        Item::Save(slot) | Item::Load(slot) => Some(*slot).filter(|slot| *slot < SLOTS),
        _ => None,
    }
}

/// The height of a line to read, and of what is written in two lines because one is too narrow.
const TEXT: f32 = 26.0;
const TWO_LINES: f32 = 44.0;

/// Returns how high a line is in `width` points.
fn height(canvas: &Canvas, page: Page, row: &Row, width: f32) -> f32 {
    match row.item {
        _ if slot_of(&row.item).is_some() => 68.0,
        Item::Heading if heading_is_wide(canvas, row, width) => 38.0 + TWO_LINES - TEXT,
        Item::Heading => 38.0,
        Item::Text if row.table => 22.0,
        Item::Text if text_is_wide(canvas, row, width) => TWO_LINES,
        Item::Text => TEXT,
        _ if page == Page::Find => 36.0,
        _ => 42.0,
    }
}

/// Returns the place left of which a click on the line in `area` makes its value less.
pub(super) fn less_than(area: Rect) -> f32 {
    area.right() - 12.0 - BUTTON - 40.0
}

/// Draws the lines in `body`.
pub(super) fn draw(ui: &mut egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let has_panel = body.width() >= WITH_PANEL;
    let right = if has_panel { body.right() - PANEL - MARGIN } else { body.right() - MARGIN };
    let left = body.left() + MARGIN;
    let lines =
        Rect::from_min_max(Pos2::new(left, body.top()), Pos2::new(right.min(left + WIDEST), body.bottom()));
    if has_panel {
        panel(canvas, Rect::from_min_max(Pos2::new(body.right() - PANEL, body.top()), body.max), shown);
    }
    scrolled(ui, canvas, lines, shown, desk);
}

/// Draws the lines in `area`, which scrolls.
pub(super) fn scrolled(
    ui: &mut egui::Ui,
    canvas: &Canvas,
    area: Rect,
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area));
    let scroll = egui::ScrollArea::vertical().id_salt(("list", format!("{:?}", shown.page)));
    scroll.auto_shrink([false, false]).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        ui.add_space(4.0);
        for (number, row) in shown.of(Zone::Main) {
            let inner = Canvas::new(ui.painter().clone(), canvas.colours);
            let width = ui.available_width() - 8.0;
            let size = Vec2::new(width, height(&inner, shown.page, row, width));
            let (place, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            line(ui, &inner, place, (number, row), shown, desk);
            let wanted = shown.in_sight == number;
            if wanted && desk.textures.scrolled != Some((shown.page, number)) {
                desk.textures.scrolled = Some((shown.page, number));
                ui.scroll_to_rect(place.expand(4.0), None);
            }
        }
        ui.add_space(8.0);
    });
}

/// Draws one line.
pub(super) fn line(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    (number, row): (usize, &Row),
    shown: &Shown<'_>,
    desk: &mut Desk<'_>,
) {
    let colours = canvas.colours;
    match row.item {
        Item::Heading => {
            let mut at = area.left_bottom() - Vec2::new(0.0, 13.0);
            let is_wide = heading_is_wide(canvas, row, area.width());
            let title_at = at - Vec2::new(0.0, if is_wide { TWO_LINES - TEXT } else { 0.0 });
            let title = (Type::StrongLabel, colours.soft);
            let title = canvas.text_within((title_at, Align2::LEFT_CENTER), &row.label, title, area.width());
            if !is_wide {
                at.x = title.right() + 8.0;
            }
            let help = (Type::Label, colours.faint);
            canvas.text_within((at, Align2::LEFT_CENTER), &row.help, help, area.right() - at.x);
            return;
        }
        Item::Text => return text(canvas, area, row),
        _ => {}
    }
    let canvas = &canvas.within(area);
    let place = area.shrink2(Vec2::new(2.0, 2.0));
    let hovered = desk.control(ui, (number, row), place);
    let is_possible = row.item != Item::Unavailable;
    let has_focus = shown.has_focus(number);
    let ground = canvas.ground(has_focus, hovered);
    canvas.fill(place, CORNER, ground);
    if has_focus {
        canvas.outline(place, CORNER, 2.0, colours.accent);
    }
    let mut left = place.left() + 14.0;
    if let Some(slot) = slot_of(&row.item) {
        let picture = Rect::from_min_size(place.min + Vec2::new(6.0, 4.0), Vec2::new(64.0, 60.0) * 0.93);
        canvas.fill(picture, 2, colours.well);
        if let Some(Some(saved)) = shown.status.slots.get(slot)
            && let Some(texture) = desk.textures.slot(ui.ctx(), slot, saved)
        {
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            canvas.painter.image(texture.id(), picture, whole, theme::AS_IT_IS);
        }
        left = picture.right() + 14.0;
    } else if !row.icon.is_empty() {
        let ink = if is_possible { colours.accent } else { colours.faint };
        canvas.icon(Pos2::new(left + 8.0, place.center().y), row.icon, 18.0, ink);
        left += 30.0;
    }
    let ink = match (is_possible, row.lit) {
        (false, _) => colours.faint,
        (true, true) => colours.accent,
        (true, false) => colours.text,
    };
    // A high line has its value below its name.
    if area.height() >= STACKED && slot_of(&row.item).is_none() {
        let (upper, lower) = place.split_top_bottom_at_fraction(0.42);
        let room = upper.with_min_x(left).with_max_x(place.right() - 12.0);
        canvas.text_in((room, Align2::LEFT_BOTTOM), &row.label, (Type::Body, ink));
        value(canvas, lower, row, has_focus);
        return;
    }
    let right = value(canvas, place, row, has_focus);
    let right = (right - 12.0).max(left);
    let room = Rect::from_min_max(Pos2::new(left, place.top()), Pos2::new(right, place.bottom()));
    canvas.text_in((room, Align2::LEFT_CENTER), &row.label, (Type::Body, ink));
}

/// Draws the value of a line at its right, as what it is. Returns where it begins.
fn value(canvas: &Canvas, place: Rect, row: &Row, has_focus: bool) -> f32 {
    let colours = canvas.colours;
    let y = place.center().y;
    let right = place.right() - 12.0;
    if row.is_setting() && matches!(row.value.as_str(), "on" | "off") {
        let track = Rect::from_min_size(Pos2::new(right - 36.0, y - 10.0), Vec2::new(36.0, 20.0));
        let is_on = row.value == "on";
        canvas.fill(track, 10, if is_on { colours.fill } else { colours.well });
        if !is_on {
            canvas.outline(track, 10, 1.0, colours.edge);
        }
        let x = if is_on { track.right() - 10.0 } else { track.left() + 10.0 };
        canvas.painter.circle_filled(
            Pos2::new(x, y),
            7.0,
            if is_on { colours.on_fill } else { colours.soft },
        );
        let word = canvas.right(Pos2::new(track.left() - 10.0, y), &row.value, Type::Label, colours.soft);
        return word.left();
    }
    if let Item::Field(_) = row.item {
        let width = 0.5 * place.width();
        let well = Rect::from_min_size(Pos2::new(right - width, y - 15.0), Vec2::new(width, 30.0));
        canvas.fill(well, CORNER, colours.well);
        canvas.outline(well, CORNER, 1.0, if has_focus { colours.accent } else { colours.edge });
        let text = if has_focus { format!("{}|", row.value) } else { row.value.clone() };
        let at = (well.left_center() + Vec2::new(10.0, 0.0), Align2::LEFT_CENTER);
        canvas.text_within(at, &text, (Type::Small, colours.text), width - 20.0);
        return well.left();
    }
    if row.is_setting() {
        // Most of the line, and all that its name leaves.
        let name = canvas.line(&row.label, Type::Label, colours.text, f32::INFINITY).size().x;
        let left = place.width() - name.min(place.width() / 3.0) - 58.0;
        let most = ((0.62 * place.width()).max(left) - 2.0 * BUTTON).max(40.0);
        let galley =
            canvas.fitted(&row.value, (Type::Strong, colours.text), Vec2::new(most, 32.0), Align::Center);
        let height = (galley.size().y + 4.0).max(30.0);
        let width = (galley.size().x + 20.0).max(72.0);
        let whole = Rect::from_min_size(
            Pos2::new(right - width - 2.0 * BUTTON, y - height / 2.0),
            Vec2::new(width + 2.0 * BUTTON, height),
        );
        canvas.fill(whole, CORNER, colours.well);
        let less = whole.with_max_x(whole.left() + BUTTON);
        let more = whole.with_min_x(whole.right() - BUTTON);
        for (button, sign) in [(less, "−"), (more, "+")] {
            canvas.fill(button.shrink(1.0), CORNER, colours.raised);
            canvas.centred(button.center(), sign, Type::Strong, colours.text);
        }
        canvas.outline(whole, CORNER, 1.0, if has_focus { colours.accent } else { colours.edge });
        let middle = Pos2::new(whole.center().x, y);
        let corner = middle - galley.size() / 2.0 - galley.rect.min.to_vec2();
        canvas.painter.galley(corner, galley, colours.text);
        return whole.left();
    }
    if row.value.is_empty() {
        if matches!(row.item, Item::Goto(_) | Item::Folder(_)) {
            canvas.icon(Pos2::new(right - 6.0, y), crate::ui::theme::icon::MORE, 15.0, colours.faint);
            return right - 24.0;
        }
        return right;
    }
    if row.is_key {
        let mut left = right;
        for key in row.value.split('+').rev() {
            left -= canvas.key_width(key) + 4.0;
            canvas.key(Pos2::new(left, y), key);
        }
        return left;
    }
    let size = if row.table { Type::Code } else { Type::Small };
    let at = (Pos2::new(right, y), Align2::RIGHT_CENTER);
    let natural = canvas.width(&row.label, Type::Body);
    let icon = if row.icon.is_empty() { 0.0 } else { 30.0 };
    let room = place.width() - natural.min(place.width() / 3.0) - 60.0 - icon;
    let room = Rect::from_min_max(Pos2::new(at.0.x - room, place.top()), Pos2::new(at.0.x, place.bottom()));
    canvas.text_in((room, at.1), &row.value, (size, colours.soft)).left()
}

/// What is left and right of a line to read, and between its name and its value.
const BEFORE_TEXT: f32 = 14.0;
const AFTER_TEXT: f32 = 12.0;
const BETWEEN: f32 = 10.0;

/// Returns whether a line to read has no room in one line.
fn text_is_wide(canvas: &Canvas, row: &Row, width: f32) -> bool {
    let size = if row.table { Type::Code } else { Type::Small };
    let value = if row.value.is_empty() { 0.0 } else { canvas.width(&row.value, size) + BETWEEN };
    BEFORE_TEXT + canvas.width(&row.label, Type::Small) + value + AFTER_TEXT > width
}

/// Returns whether what is said of a heading has no room beside it.
fn heading_is_wide(canvas: &Canvas, row: &Row, width: f32) -> bool {
    let title = canvas.width(&row.label, Type::StrongLabel);
    !row.help.is_empty() && title + 8.0 + canvas.width(&row.help, Type::Label) > width
}

/// Draws a line to read. Where it has no room, its value is below its name, or its name takes two
/// lines.
fn text(canvas: &Canvas, area: Rect, row: &Row) {
    let colours = canvas.colours;
    let size = if row.table { Type::Code } else { Type::Small };
    let inside = area.with_min_x(area.left() + BEFORE_TEXT).with_max_x(area.right() - AFTER_TEXT);
    let ink = if row.lit { colours.accent } else { colours.soft };
    let (name, value) = if row.value.is_empty() {
        (inside, None)
    } else if area.height() >= TWO_LINES {
        let (upper, lower) = inside.split_top_bottom_at_fraction(0.5);
        (upper, Some((lower, Align2::RIGHT_TOP)))
    } else {
        (inside, Some((inside.with_min_x(inside.right() - 0.72 * area.width()), Align2::RIGHT_CENTER)))
    };
    let mut name = name;
    if let Some((room, anchor)) = value {
        let value = canvas.text_in((room, anchor), &row.value, (size, colours.text));
        if value.top() < name.bottom() {
            name.max.x = value.left() - BETWEEN;
        }
    }
    canvas.text_in((name, Align2::LEFT_CENTER), &row.label, (Type::Small, ink));
}

/// Draws what is said of the chosen line.
fn panel(canvas: &Canvas, area: Rect, shown: &Shown<'_>) {
    let colours = canvas.colours;
    canvas.fill(area, 0, colours.rail);
    canvas.painter.vline(area.left() + 0.5, area.y_range(), egui::Stroke::new(1.0, colours.line));
    let focused = shown.cursor.and_then(|cursor| shown.rows.get(cursor));
    let Some(row) = focused.filter(|row| row.zone == Zone::Main) else { return };
    let inside = area.shrink2(Vec2::new(16.0, 20.0));
    let mut at = inside.left_top();
    at.y += canvas.paragraph(at, &row.label, (Type::Title, colours.text), (inside.width(), 3)) + 10.0;
    let help = sentence(&if row.help.is_empty() { setting_help(row) } else { row.help.clone() });
    if !help.is_empty() {
        at.y += canvas.paragraph(at, &help, (Type::Small, colours.soft), (inside.width(), 12)) + 12.0;
    }
    if let Item::Practice(crate::messages::command::PracticeCommand::Begin {
        position: Some(position), ..
    }) = &row.item
        && let Ok(position) = position.parse::<practice::Position>()
    {
        let side = ((inside.bottom() - at.y - 40.0) / 20.0).min(inside.width() / 10.0).floor();
        if side >= 6.0 {
            super::editor::board(canvas, Rect::from_min_size(at, Vec2::new(10.0, 20.0) * side), &position);
        }
    }
    if let Item::Setting(setting) = row.item {
        let at = inside.right_bottom();
        canvas.text_within(
            (at, Align2::RIGHT_BOTTOM),
            setting.key(),
            (Type::Code, colours.faint),
            inside.width(),
        );
    } else if !row.is_setting() {
        let at = inside.left_bottom() - Vec2::new(0.0, 48.0);
        canvas.paragraph(at, shown.page.hint(), (Type::Label, colours.faint), (inside.width(), 3));
    }
}

/// Returns what is said of a setting: its choices, or what the file says of its number.
fn setting_help(row: &Row) -> String {
    let Item::Setting(setting) = row.item else { return String::new() };
    match setting.choices() {
        Some(["off", "on"]) | None => setting.help().replace('\n', " "),
        Some(names) => names.join(" · "),
    }
}
