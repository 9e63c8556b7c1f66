//! The menu, messages and button display as the window draws them.

use std::sync::Arc;

use egui::{Align2, Color32, ColorImage, Context, FontId, Frame, Id, RichText, Sense, TextureHandle, Vec2};
use nes::Buttons;
use nes_debug::{Crash, CrashCause};

use crate::config::practice::{Overlay, PracticeSettings};
use crate::messages::command::SLOTS;
use crate::messages::status::{MessageKind, Slot, Status};
use crate::ui::menu::Menu;
use crate::ui::page::{Item, Page, Row};
use crate::ui::practice_panel;
use crate::ui::step::Step;

const ACCENT: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);
const DIM: Color32 = Color32::from_rgb(0xA0, 0xA8, 0xB8);
const WHITE: Color32 = Color32::from_rgb(0xF4, 0xF4, 0xF4);
const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 247);

/// What the mouse did in a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Click {
    /// The line that it was done on.
    pub(crate) row: usize,
    /// None for pointing at it.
    pub(crate) step: Option<Step>,
}

/// What the menu keeps from one drawing to the next: pictures of saved states, and how far it was
/// scrolled.
#[derive(Default)]
pub(crate) struct Kept {
    /// The page and the line on it that was brought into sight last.
    scrolled: Option<(Page, usize)>,
    kept: Vec<(usize, Arc<[u8]>, TextureHandle)>,
}

impl Kept {
    fn texture(&mut self, context: &Context, slot: usize, saved: &Slot) -> Option<TextureHandle> {
        if let Some((.., texture)) =
            self.kept.iter().find(|(number, of, _)| *number == slot && Arc::ptr_eq(of, &saved.thumbnail))
        {
            return Some(texture.clone());
        }
        let size = [crate::PICTURE_WIDTH as usize, crate::PICTURE_HEIGHT as usize];
        if saved.thumbnail.len() != 3 * size[0] * size[1] {
            return None;
        }
        let image = ColorImage::from_rgb(size, &saved.thumbnail);
        let texture = context.load_texture(format!("slot {slot}"), image, egui::TextureOptions::LINEAR);
        self.kept.retain(|(number, ..)| *number != slot);
        self.kept.push((slot, Arc::clone(&saved.thumbnail), texture.clone()));
        Some(texture)
    }
}

/// Returns how large letters are in a window of this size: 1 at 640 x 480, half of that at least.
fn unit(screen: egui::Rect) -> f32 {
    (screen.width() / 640.0).min(screen.height() / 480.0).max(0.5)
}

/// Returns the height of a line at a unit of 1, and the size of its letters.
fn line_height(row: &Row) -> (f32, f32) {
    match (slot_of(&row.item).is_some(), row.is_choice()) {
        (true, _) => (54.0, 15.0),
        (false, true) => (22.0, 15.0),
        (false, false) => (17.5, 13.0),
    }
}

/// What stands above and below the lines of a page, at a unit of 1.
const MARGINS: f32 = 150.0;

/// Returns how large the letters of a page are: as large as the window allows, and smaller, down to
/// a unit of 1, until all lines are on the screen.
fn unit_for(rows: &[Row], screen: egui::Rect) -> f32 {
    let largest = unit(screen);
    let spacing = 4.0; // egui's, between lines
    let lines: f32 = rows.iter().map(|row| line_height(row).0).sum();
    let fitting = (screen.height() - spacing * rows.len() as f32) / (lines + MARGINS);
    fitting.clamp(largest.min(1.0), largest)
}

/// Draws the menu's page with its `rows`. Returns what the mouse did.
pub(crate) fn menu(
    context: &Context,
    menu: &Menu,
    rows: &[Row],
    status: &Status,
    kept: &mut Kept,
) -> Option<Click> {
    let page = menu.page()?;
    let (cursor, in_sight) = (menu.cursor(rows), menu.in_sight(rows));
    let screen = context.content_rect();
    let unit = unit_for(rows, screen);
    let mut click = None;
    let dark = egui::LayerId::new(egui::Order::Background, Id::new("dark"));
    context.layer_painter(dark).rect_filled(screen, 0.0, Color32::from_black_alpha(150));
    // The field of the position editor is at the left.
    let (anchor, width) = match page {
        Page::Editor => (Align2::RIGHT_CENTER, 330.0),
        _ => (Align2::CENTER_CENTER, 520.0),
    };
    // The plot of the games is below their list.
    let below = if page == Page::Games { PLOT * self::unit(screen) } else { 0.0 };
    let before = context.memory(|memory| memory.area_rect("menu"));
    let area = egui::Area::new(Id::new("menu")).anchor(anchor, Vec2::new(0.0, -below / 2.0));
    let shown = area.show(context, |ui| {
        Frame::new().fill(PANEL).corner_radius(8.0).inner_margin(16.0 * unit).show(ui, |ui| {
            ui.set_width((width * unit).min(screen.width() - 48.0));
            ui.label(
                RichText::new(page.heading(status)).font(FontId::proportional(24.0 * unit)).color(ACCENT),
            );
            ui.add_space(6.0 * unit);
            // What egui thinks is free is less until the menu has found its place.
            let room = (screen.height() - MARGINS * unit - below).max(80.0);
            let area = egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room);
            area.auto_shrink([false, true]).show(ui, |ui| {
                for (number, row) in rows.iter().enumerate() {
                    let picture = slot_of(&row.item).and_then(|slot| {
                        let saved = status.slots.get(slot)?.as_ref()?;
                        kept.texture(context, slot, saved)
                    });
                    let at_cursor = cursor == Some(number);
                    let top = ui.cursor().top();
                    let done = line(ui, (number, row), at_cursor, unit, picture);
                    if in_sight == number && kept.scrolled != Some((page, number)) {
                        kept.scrolled = Some((page, number));
                        ui.scroll_to_rect(ui.min_rect().with_min_y(top), None);
                    }
                    click = done.or(click);
                }
            });
            ui.add_space(8.0 * unit);
            let hint = match &menu.listening {
                Some(listening) => format!(
                    "press a key or button for {} · Esc: cancel",
                    super::names::control_name(listening.control)
                ),
                None => help(rows, cursor).unwrap_or_else(|| page.hint().to_owned()),
            };
            let colour = if menu.listening.is_some() { ACCENT } else { DIM };
            ui.label(RichText::new(hint).font(FontId::proportional(12.0 * unit)).color(colour));
        });
    });
    // It is put in the middle by the size that it had.
    if before.is_some_and(|before| before.size() != shown.response.rect.size()) {
        context.request_repaint();
    }
    click
}

/// What the plot of the games takes at the bottom of the window, at a unit of 1.
const PLOT: f32 = 76.0;

/// Returns what is said of the line that the cursor is on.
fn help(rows: &[Row], cursor: Option<usize>) -> Option<String> {
    let help = &rows.get(cursor?)?.help;
    (!help.is_empty()).then(|| help.clone())
}

fn slot_of(item: &Item) -> Option<usize> {
    match item {
        Item::Save(slot) | Item::Load(slot) => Some(*slot).filter(|slot| *slot < SLOTS),
        _ => None,
    }
}

/// One line; with room for a picture in front of it, if it is one of a slot. Returns what the mouse
/// did on it.
fn line(
    ui: &mut egui::Ui,
    (number, row): (usize, &Row),
    at_cursor: bool,
    unit: f32,
    picture: Option<TextureHandle>,
) -> Option<Click> {
    let is_slot = slot_of(&row.item).is_some();
    let (height, letters) = line_height(row);
    let (height, font) = (height * unit, FontId::proportional(letters * unit));
    let (area, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::click());
    let painter = ui.painter();
    if at_cursor {
        painter.rect_filled(area, 4.0, Color32::from_rgb(0x2A, 0x35, 0x55));
    }
    let mut left = area.left() + 8.0 * unit;
    if is_slot {
        let size = Vec2::new(50.0 * unit * 16.0 / 15.0, 50.0 * unit);
        let place = egui::Rect::from_min_size(egui::pos2(left, area.top() + 2.0 * unit), size);
        painter.rect_filled(place, 2.0, Color32::from_gray(24));
        if let Some(texture) = picture {
            let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            painter.image(texture.id(), place, whole, Color32::WHITE);
        }
        left += size.x + 12.0 * unit;
    }
    let is_possible = row.is_choice() && row.item != Item::Unavailable;
    let colour = match (row.lit, is_possible, at_cursor) {
        (_, false, true) => WHITE,
        (true, ..) | (_, _, true) => ACCENT,
        (_, true, _) => WHITE,
        (_, false, _) => DIM,
    };
    let is_setting = row.is_setting();
    let value = if is_setting && at_cursor { format!("◀  {}  ▶", row.value) } else { row.value.clone() };
    let right = area.right() - 8.0 * unit;
    let columns = FontId::monospace(0.85 * font.size);
    let value_font = if row.table { columns } else { font.clone() };
    let cut = |text: String, font: FontId, colour: Color32, room: f32| {
        let mut job = egui::text::LayoutJob::simple_singleline(text, font, colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(0.0));
        painter.layout_job(job)
    };
    // A long value leaves the label a third of the line; a long label gets what the value leaves.
    let (whole, gap) = (right - left, 12.0 * unit);
    let natural = cut(row.label.clone(), font.clone(), colour, f32::INFINITY).size().x;
    let room = whole - natural.min(whole / 3.0) - gap;
    let value = cut(value, value_font, if row.lit { ACCENT } else { DIM }, room);
    let label = cut(row.label.clone(), font, colour, whole - value.size().x - gap);
    let middle = area.center().y;
    painter.galley(egui::pos2(left, middle - label.size().y / 2.0), label, colour);
    let at = egui::pos2(right - value.size().x, middle - value.size().y / 2.0);
    let value_left = at.x;
    painter.galley(at, value, DIM);
    if !row.is_choice() {
        return None;
    }
    if response.clicked() {
        let pointer = response.interact_pointer_pos().map_or(area.center().x, |at| at.x);
        let step = match is_setting {
            true if pointer < f32::midpoint(value_left, right) => Step::Left,
            true => Step::Right,
            false => Step::Enter,
        };
        return Some(Click { row: number, step: Some(step) });
    }
    let moved = ui.input(|input| input.pointer.delta() != Vec2::ZERO);
    (response.hovered() && moved && !at_cursor).then_some(Click { row: number, step: None })
}

/// A line for the player at the bottom of `screen`, the newest last.
pub(crate) fn messages(context: &Context, screen: egui::Rect, lines: &[(MessageKind, String)]) {
    if lines.is_empty() {
        return;
    }
    let unit = unit(screen).max(1.0);
    egui::Area::new(Id::new("messages"))
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(screen.left_bottom() + Vec2::new(12.0, -12.0))
        .order(egui::Order::Tooltip)
        .interactable(false)
        .show(context, |ui| {
            for (kind, text) in lines {
                let colour = match kind {
                    MessageKind::Note | MessageKind::Script => WHITE,
                    MessageKind::Warning => ACCENT,
                    MessageKind::Error => Color32::from_rgb(0xFF, 0x7A, 0x6B),
                };
                Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(6.0).show(ui, |ui| {
                    ui.set_max_width((screen.width() - 48.0).max(100.0));
                    ui.label(RichText::new(text).font(FontId::proportional(14.0 * unit)).color(colour));
                });
            }
        });
}

/// The sign of recording, as the fonts have it.
const RECORDING: char = '⏺';

/// Returns what is being recorded or played, in a few words; none when that is nothing.
fn recording_sign(status: &Status) -> Option<String> {
    let time = |frames: u64| {
        let seconds = (frames as f64 / status.region.frame_rate()) as u64;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    };
    let movie = status.movie.as_ref();
    if let Some((movie, length)) = movie.and_then(|movie| Some((movie, movie.length?))) {
        return Some(format!("▶ {} of {}", time(movie.frame), time(length)));
    }
    let movie = movie.map(|movie| format!("FM2 {}", time(movie.frame)));
    let others = status.recordings.iter().map(|one| {
        let ending = one.recording.extension().to_uppercase();
        format!("{ending} {}", time(one.frames))
    });
    let all: Vec<String> = movie.into_iter().chain(others).collect();
    (!all.is_empty()).then(|| format!("{RECORDING} {}", all.join(" · ")))
}

/// A sign in the upper right corner of `screen` while something is recorded, or a movie plays.
pub(crate) fn recording(context: &Context, screen: egui::Rect, status: &Status) {
    let Some(text) = recording_sign(status) else { return };
    let unit = unit(screen);
    let colour = if text.starts_with(RECORDING) { Color32::from_rgb(0xFF, 0x5A, 0x4B) } else { DIM };
    egui::Area::new(Id::new("recording"))
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(screen.right_top() + Vec2::new(-8.0, 8.0))
        .interactable(false)
        .show(context, |ui| {
            Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(4.0 * unit).show(ui, |ui| {
                let text = RichText::new(text).font(FontId::proportional(12.0 * unit)).color(colour);
                ui.add(egui::Label::new(text).wrap_mode(egui::TextWrapMode::Extend));
            });
        });
}

/// The pads as the game sees them, in the lower right corner of `screen` or where the mouse has put
/// them.
pub(crate) fn pads(
    context: &Context,
    screen: egui::Rect,
    ports: [Buttons; 2],
    second: bool,
    settings: &mut PracticeSettings,
) {
    let unit = unit(screen).max(0.6);
    let count = if second { 2 } else { 1 };
    let pad = Vec2::new(118.0, 44.0) * unit;
    let size = Vec2::new(pad.x, pad.y * count as f32 + 6.0 * (count - 1) as f32);
    let usual = screen.right_bottom() - Vec2::splat(10.0) - size;
    let place = settings.place_of(Overlay::Buttons).map(|place| practice_panel::corner(screen, place));
    practice_panel::movable(context, screen, Overlay::Buttons, place.unwrap_or(usual), settings, |ui| {
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        for (port, &buttons) in ports.iter().take(count).enumerate() {
            let corner = area.min + Vec2::new(0.0, port as f32 * (pad.y + 6.0));
            buttons_of_pad(ui.painter(), egui::Rect::from_min_size(corner, pad), unit, buttons);
        }
    });
}

/// Paints a pad in `area` with the buttons that are held.
fn buttons_of_pad(painter: &egui::Painter, area: egui::Rect, unit: f32, buttons: Buttons) {
    painter.rect_filled(area, 5.0 * unit, PANEL);
    let corner = area.min;
    let colour = |button| if buttons.contains(button) { ACCENT } else { Color32::from_gray(0x48) };
    let square = |button, x: f32, y: f32, width: f32, height: f32| {
        let place =
            egui::Rect::from_min_size(corner + Vec2::new(x, y) * unit, Vec2::new(width, height) * unit);
        painter.rect_filled(place, 2.0, colour(button));
    };
    square(Buttons::UP, 18.0, 5.0, 11.0, 11.0);
    square(Buttons::DOWN, 18.0, 29.0, 11.0, 11.0);
    square(Buttons::LEFT, 6.0, 17.0, 11.0, 11.0);
    square(Buttons::RIGHT, 30.0, 17.0, 11.0, 11.0);
    square(Buttons::SELECT, 48.0, 26.0, 10.0, 6.0);
    square(Buttons::START, 61.0, 26.0, 10.0, 6.0);
    for (button, x, name) in [(Buttons::B, 85.0, "B"), (Buttons::A, 105.0, "A")] {
        let centre = corner + Vec2::new(x, 25.0) * unit;
        painter.circle_filled(centre, 8.5 * unit, colour(button));
        let font = FontId::proportional(11.0 * unit);
        painter.text(centre, Align2::CENTER_CENTER, name, font, Color32::from_gray(16));
    }
}

/// Returns whether `page` is drawn anew though nobody does anything: what it shows moves by itself.
pub(crate) fn is_live(page: Page) -> bool {
    matches!(page, Page::Remap(..) | Page::Input)
}

/// The keys, beside a game that runs: for someone who has never played.
pub(crate) fn welcome(context: &Context, rows: &[Row]) {
    let screen = context.content_rect();
    let unit = unit(screen);
    egui::Area::new(Id::new("welcome"))
        .anchor(Align2::CENTER_TOP, Vec2::new(0.0, 12.0))
        .interactable(false)
        .show(context, |ui| {
            Frame::new().fill(PANEL).corner_radius(8.0).inner_margin(12.0 * unit).show(ui, |ui| {
                let font = FontId::proportional(13.0 * unit);
                egui::Grid::new("keys").num_columns(4).spacing(Vec2::new(14.0, 3.0) * unit).show(ui, |ui| {
                    for pair in rows.chunks(2) {
                        for row in pair {
                            ui.label(RichText::new(&row.label).font(font.clone()).color(ACCENT));
                            ui.label(RichText::new(&row.value).font(font.clone()).color(WHITE));
                        }
                        ui.end_row();
                    }
                });
                let hint = "Esc or any game key closes this · F2 shows it again";
                ui.label(RichText::new(hint).font(FontId::proportional(12.0 * unit)).color(DIM));
            });
        });
}

/// Returns the lines of the notice of a crash: what has happened, where, the jump that went wild,
/// and what can be done.
fn crash_lines(crash: &Crash) -> Vec<(Color32, String)> {
    let Crash { frame, level, pc, cause, jump } = crash;
    let mut lines = vec![
        (ACCENT, "The game has crashed".to_owned()),
        (WHITE, format!("frame {frame} · level {level} · program counter ${pc:04X}")),
        (WHITE, cause.to_string()),
    ];
    if let Some(jump) = jump.filter(|_| !matches!(cause, CrashCause::Jump(_))) {
        lines.push((WHITE, jump.to_string()));
    }
    lines.push((DIM, "B: back to two seconds before · Esc: menu".to_owned()));
    lines
}

/// The notice of a crash, over a game that goes on.
pub(crate) fn crash(context: &Context, crash: &Crash) {
    let screen = context.content_rect();
    let unit = unit(screen);
    egui::Area::new(Id::new("crash"))
        .anchor(Align2::CENTER_TOP, Vec2::new(0.0, 12.0))
        .interactable(false)
        .show(context, |ui| {
            Frame::new().fill(PANEL).corner_radius(8.0).inner_margin(12.0 * unit).show(ui, |ui| {
                for (colour, line) in crash_lines(crash) {
                    ui.label(RichText::new(line).font(FontId::proportional(13.0 * unit)).color(colour));
                }
            });
        });
}

#[cfg(test)]
mod tests;
