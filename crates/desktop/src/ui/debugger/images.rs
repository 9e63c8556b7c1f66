//! Panels of a picture, a text or both.

use egui::{Image, Pos2, Response, RichText, Sense, Ui, Vec2};

use super::{Kept, LETTER, button, plain, texture, words};
use crate::debugger::{DebugSnapshot, Panel};
use crate::ui::theme;

/// Points for what is said below a picture.
const SAID: f32 = 20.0;

/// A picture as it was drawn.
struct Drawn {
    response: Response,
    /// Points to a pixel.
    scale: f32,
}

impl Drawn {
    /// Returns where the mouse is on it, in pixels.
    fn pointed(&self) -> Option<(usize, usize)> {
        let Pos2 { x, y } = self.response.hover_pos()? - self.response.rect.min.to_vec2();
        Some(((x / self.scale).max(0.0) as usize, (y / self.scale).max(0.0) as usize))
    }
}

/// Draws the panel's picture as large as its room allows, with so many points left below it.
fn picture(
    ui: &mut Ui,
    panel: Panel,
    snapshot: &DebugSnapshot,
    kept: &mut Kept,
    below: f32,
) -> Option<Drawn> {
    let picture = snapshot.pictures.get(&panel)?;
    let size = Vec2::new(picture.width as f32, picture.height as f32);
    // Half the size at least, where it is scrolled; above its own size in whole multiples.
    let fits = (kept.room.x / size.x).min((kept.room.y - below) / size.y).clamp(0.5, 4.0);
    let scale = if fits > 1.0 { fits.floor() } else { fits };
    let texture = texture(ui.ctx(), kept, panel, picture);
    let response = ui.add(Image::new((texture.id(), scale * size)).sense(Sense::hover()));
    Some(Drawn { response, scale })
}

pub(super) fn text(ui: &mut Ui, panel: Panel, snapshot: &DebugSnapshot) {
    if let Some(text) = snapshot.texts.get(&panel) {
        words(ui, text);
    }
}

/// A picture, and below what is said of it.
pub(super) fn both(ui: &mut Ui, panel: Panel, snapshot: &DebugSnapshot, kept: &mut Kept) {
    picture(ui, panel, snapshot, kept, 0.35 * kept.room.y);
    text(ui, panel, snapshot);
}

pub(super) fn events(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    /// Pixels of the picture to a dot.
    const DOT: usize = 2;
    /// Dots from the mouse to what it points at.
    const NEAR: usize = 6;
    let place = picture(ui, Panel::Events, snapshot, kept, 80.0).and_then(|drawn| drawn.pointed());
    let at = place.and_then(|(x, y)| {
        let (dot, line) = (x / DOT, y / DOT);
        let distance =
            |place: (u16, u16)| usize::from(place.0).abs_diff(line).max(usize::from(place.1).abs_diff(dot));
        let near = snapshot.accesses.iter().map(|access| (distance(access.place), access));
        near.filter(|(distance, _)| *distance <= NEAR).min_by_key(|(distance, _)| *distance)
    });
    let said = match (at, place) {
        (Some((_, access)), _) => format!("line {} dot {}  {}", access.place.0, access.place.1, access.text),
        (None, Some((x, y))) => format!("line {} dot {}", y / DOT, x / DOT),
        (None, None) => format!("{} accesses; point at one", snapshot.accesses.len()),
    };
    ui.label(plain(said));
    for access in &snapshot.accesses {
        let (line, dot) = access.place;
        words(ui, &format!("line {line:3} dot {dot:3}  {}", access.text));
    }
}

pub(super) fn patterns(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.horizontal(|ui| {
        let greys =
            ui.selectable_label(kept.panel_state.palette.is_none(), RichText::new("greys").size(LETTER));
        if greys.on_hover_text("Without a palette: the four pixel values as greys").clicked() {
            kept.panel_state.palette = None;
        }
        for number in 0..8_usize {
            let name = if number < 4 { format!("bg {number}") } else { format!("sprite {}", number - 4) };
            let chosen = kept.panel_state.palette == Some(number);
            let about = format!("In the colours of palette {number}, ${:04X}", 0x3F00 + 4 * number);
            if ui.selectable_label(chosen, RichText::new(name).size(LETTER)).on_hover_text(about).clicked() {
                kept.panel_state.palette = Some(number);
            }
        }
    });
    let drawn = picture(ui, Panel::Patterns, snapshot, kept, 2.0 * SAID);
    let said = drawn.and_then(|drawn| drawn.pointed()).map(|(x, y)| {
        let (x, y) = (x / 2, y / 2); // two pixels to a dot
        let (table, tile) = (x / 128, y / 8 * 16 + x % 128 / 8);
        format!("tile ${tile:02X} of ${:04X}: ppu[${:04X}]", table * 0x1000, table * 0x1000 + tile * 16)
    });
    ui.label(plain(said.unwrap_or_else(|| "point at a tile".into())));
}

pub(super) fn nametables(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    let drawn = picture(ui, Panel::Nametables, snapshot, kept, SAID);
    let said = drawn.and_then(|drawn| drawn.pointed()).map(|(x, y)| {
        let (table, column, row) = (y / 240 * 2 + x / 256, x % 256 / 8, y % 240 / 8);
        let (base, attribute) = (0x2000 + table * 0x400, row / 4 * 8 + column / 4);
        let (tile, attribute) = (base + row * 32 + column, base + 0x3C0 + attribute);
        format!("column {column} row {row}: tile ppu[${tile:04X}], attribute ppu[${attribute:04X}]")
    });
    ui.label(plain(
        said.unwrap_or_else(|| "red: the area that the scroll registers show; point at a tile".into()),
    ));
}

pub(super) fn game(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    text(ui, Panel::Game, snapshot);
    ui.horizontal(|ui| {
        ui.label(RichText::new("break at:").size(LETTER).color(theme::of(ui.ctx()).faint));
        for event in ["spawn", "lock", "clear", "level", "top_out"] {
            if button(ui, event, "Break at this event") {
                kept.execute(format!("break event {event}"));
            }
        }
        if button(ui, "line counts", "The way to the kill screen: cycles left in the frames that count lines")
        {
            kept.execute("clears 20");
        }
    });
}
