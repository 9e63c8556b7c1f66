//! The debugger's panels over the picture.

mod bar;
mod breakpoints;
mod code;
mod console;
mod images;
mod memory;
mod search;

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{
    Color32, ColorImage, Context, Id, LayerId, Order, Pos2, Rect, RichText, Stroke, TextureFilter,
    TextureHandle, TextureOptions, Ui, Vec2,
};
use nes_debug::command::Recall;
use nes_debug::view::Picture;

use crate::config::settings::DebuggerSettings;
use crate::debugger::{DebugSnapshot, Panel, PanelState};
use crate::messages::command::DebugCommand;
use crate::video::viewport::Framing;
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

const LABEL: Color32 = Color32::from_rgb(0x7F, 0xD7, 0xFF);
const NEXT: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);
const WRONG: Color32 = Color32::from_rgb(0xFF, 0x80, 0x80);
const FAINT: Color32 = Color32::from_rgb(0x90, 0x98, 0xA8);
/// Letters over letters cannot be read: nothing shines through.
const PANEL: Color32 = Color32::from_rgb(12, 14, 22);
const EDGE: Color32 = Color32::from_rgb(52, 58, 74);
const FIELD: Color32 = Color32::from_rgb(30, 34, 46);

/// Height of a letter, in points.
const LETTER: f32 = 11.0;

/// Where the playfield's first cell is on the picture, in dots; a cell is a tile.
const PLAYFIELD: (u32, u32) = (96, 48);

/// What the panels keep from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    panel_state: PanelState,
    /// What the debugger was last told of it.
    told: Option<PanelState>,
    commands: Vec<DebugCommand>,
    recall: Recall,
    /// The command line.
    line: String,
    /// It is to have the keyboard.
    wants_line: bool,
    fields: Fields,
    /// Where in the memory the panel is to go.
    jump: Option<usize>,
    /// For which panel the debugger is asked what an expression is.
    asking: Option<Panel>,
    pictures: BTreeMap<Panel, (Arc<Picture>, TextureHandle)>,
    /// Where the open panels are.
    places: BTreeMap<Panel, Rect>,
    /// The panels were shown in the last drawing, and the game ran.
    open: bool,
    ran: bool,
}

/// Lines that are being typed.
#[derive(Default)]
struct Fields {
    code: String,
    memory: String,
    find: String,
    value: String,
    breakpoint: String,
    watch: String,
    search: String,
    cheat: String,
    freeze: String,
    trace: console::Trace,
}

impl Kept {
    fn execute(&mut self, line: impl Into<String>) {
        self.commands.push(DebugCommand::Execute(line.into()));
    }

    /// Asks the debugger what an expression is, for a panel.
    fn ask(&mut self, panel: Panel, expression: String) {
        self.panel_state.ask = Some(expression);
        self.asking = Some(panel);
    }

    /// Goes where the answer says.
    fn hear_answer(&mut self, snapshot: &DebugSnapshot) {
        let Some((asked, answer)) = &snapshot.answer else { return };
        if self.panel_state.ask.as_ref() != Some(asked) {
            return;
        }
        let place = answer.as_ref().ok().copied();
        match (self.asking.take(), place) {
            (Some(Panel::Code), Some(place)) => self.panel_state.code = Some(place as u16),
            (Some(Panel::Memory), Some(place)) => {
                let place = usize::try_from(place).unwrap_or(0);
                (self.panel_state.byte, self.jump) = (place, Some(place));
            }
            _ => return,
        }
        self.panel_state.ask = None;
    }
}

/// Draws the panels. Returns what the player asks for. `size` is the window's, in pixels, and
/// `framing` the picture's.
pub(crate) fn panels(
    context: &Context,
    snapshot: &DebugSnapshot,
    kept: &mut Kept,
    settings: &mut DebuggerSettings,
    running: bool,
    (framing, size): (Framing, [u32; 2]),
) -> Vec<DebugCommand> {
    if let Some(field) = &snapshot.field {
        outline(context, field, framing, size);
    }
    // While the game runs the keys are its own, once it stands still again the command line's.
    if !kept.open || kept.ran != running {
        kept.wants_line = !running;
        if running {
            context.memory_mut(egui::Memory::stop_text_input);
        }
    }
    kept.hear_answer(snapshot);
    bar::bar(context, kept, settings, running);
    if settings.has(Panel::Commands) {
        console::panel(context, snapshot, kept);
    }
    for &panel in Panel::ALL {
        if panel != Panel::Commands && settings.has(panel) {
            window(context, panel, snapshot, kept, settings);
        }
    }
    kept.panel_state.panels = Panel::ALL.iter().copied().filter(|&panel| settings.has(panel)).collect();
    if kept.told.as_ref() != Some(&kept.panel_state) {
        kept.told = Some(kept.panel_state.clone());
        kept.commands.push(DebugCommand::Show(Box::new(kept.panel_state.clone())));
    }
    (kept.open, kept.ran) = (true, running);
    std::mem::take(&mut kept.commands)
}

/// Nothing is shown any more: the next drawing begins with the command line.
pub(crate) fn closed(kept: &mut Kept) {
    (kept.open, kept.told) = (false, None);
}

fn frame() -> egui::Frame {
    egui::Frame::new().fill(PANEL).stroke(Stroke::new(1.0, EDGE)).corner_radius(4.0).inner_margin(5.0)
}

/// A panel where it was last.
fn window(
    context: &Context,
    panel: Panel,
    snapshot: &DebugSnapshot,
    kept: &mut Kept,
    settings: &mut DebuggerSettings,
) {
    let mut open = true;
    let place = settings.place(panel).unwrap_or_else(|| first_place(context, panel, &kept.places));
    let shown = egui::Window::new(RichText::new(panel.title()).size(12.0))
        .id(Id::new(("debugger panel", panel)))
        .open(&mut open)
        .default_pos(Pos2::new(f32::from(place[0]), f32::from(place[1])))
        .default_size(size(panel))
        .resizable(matches!(panel, Panel::Memory | Panel::Search))
        .frame(frame())
        .show(context, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.spacing_mut().item_spacing.y = 2.0;
            contents(ui, panel, snapshot, kept);
        });
    if let Some(shown) = shown {
        let corner = shown.response.rect.min;
        settings.put(panel, [corner.x as i16, corner.y as i16]);
        kept.places.insert(panel, shown.response.rect);
    }
    if !open {
        kept.places.remove(&panel);
        settings.turn(panel, false);
    }
}

fn contents(ui: &mut Ui, panel: Panel, snapshot: &DebugSnapshot, kept: &mut Kept) {
    match panel {
        Panel::Registers => code::registers(ui, snapshot, kept),
        Panel::Code => code::code(ui, snapshot, kept),
        Panel::Calls => code::calls(ui, snapshot, kept),
        Panel::Memory => memory::memory(ui, snapshot, kept),
        Panel::Breakpoints => breakpoints::breakpoints(ui, snapshot, kept),
        Panel::Watches => breakpoints::watches(ui, snapshot, kept),
        Panel::Search => search::search(ui, snapshot, kept),
        Panel::Cheats => search::cheats(ui, snapshot, kept),
        Panel::Trace => console::trace(ui, kept),
        Panel::Events => images::events(ui, snapshot, kept),
        Panel::Patterns => images::patterns(ui, snapshot, kept),
        Panel::Nametables => images::nametables(ui, snapshot, kept),
        Panel::Sprites | Panel::Palettes | Panel::Sound => images::both(ui, panel, snapshot, kept),
        Panel::Game => images::game(ui, snapshot, kept),
        Panel::Profile => images::text(ui, panel, snapshot),
        Panel::Commands => {}
    }
}

/// Returns where a panel opens that has never been: beside those that are open already if there is
/// room, from the left edge on for registers and code, from the right for the others.
fn first_place(context: &Context, panel: Panel, taken: &BTreeMap<Panel, Rect>) -> [i16; 2] {
    /// Points from one place that is tried to the next, and between two panels.
    const STEP: f32 = 16.0;
    const GAP: f32 = 3.0;
    let room = context.available_rect();
    let size = size(panel);
    let columns = ((room.width() - size.x) / STEP).max(0.0) as u16;
    let rows = ((room.height() - size.y) / STEP).max(0.0) as u16;
    let leftmost = matches!(panel, Panel::Registers | Panel::Code | Panel::Calls);
    let places = (0..=columns).flat_map(|column| (0..=rows).map(move |row| (column, row)));
    let corner = |(column, row): (u16, u16)| {
        let x = STEP * f32::from(column);
        let x = if leftmost { room.left() + GAP + x } else { (room.right() - GAP - size.x - x).max(GAP) };
        Pos2::new(x, room.top() + GAP + STEP * f32::from(row))
    };
    let is_free = |corner: &Pos2| {
        let wanted = Rect::from_min_size(*corner, size);
        taken.iter().all(|(other, rect)| *other == panel || !rect.intersects(wanted))
    };
    let Pos2 { x, y } = places.map(corner).find(is_free).unwrap_or_else(|| corner((0, taken.len() as u16)));
    [x as i16, y as i16]
}

/// Returns how large a panel is, about.
fn size(panel: Panel) -> Vec2 {
    let (width, height) = match panel {
        Panel::Registers => (470.0, 96.0),
        Panel::Code => (415.0, 412.0),
        Panel::Calls => (220.0, 130.0),
        Panel::Memory => (480.0, 350.0),
        Panel::Breakpoints => (365.0, 110.0),
        Panel::Watches => (285.0, 100.0),
        Panel::Game => (450.0, 470.0),
        Panel::Search => (430.0, 330.0),
        Panel::Cheats => (330.0, 170.0),
        Panel::Events => (525.0, 570.0),
        Panel::Patterns => (525.0, 330.0),
        Panel::Nametables => (400.0, 410.0),
        Panel::Sprites => (330.0, 530.0),
        Panel::Palettes => (330.0, 360.0),
        Panel::Sound => (710.0, 480.0),
        Panel::Profile => (480.0, 450.0),
        Panel::Trace => (330.0, 140.0),
        Panel::Commands => (0.0, 0.0),
    };
    Vec2::new(width, height)
}

fn words(ui: &mut Ui, text: &str) {
    ui.label(plain(text));
}

fn plain(text: impl Into<String>) -> RichText {
    RichText::new(text).monospace().size(LETTER)
}

/// Returns a small button with a word or two.
fn button(ui: &mut Ui, text: &str, about: &str) -> bool {
    ui.small_button(RichText::new(text).size(LETTER)).on_hover_text(about).clicked()
}

/// Returns a line to type into, so many points wide. Returns it, and is empty again, at Enter.
fn entry(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> Option<String> {
    let field = egui::TextEdit::singleline(text)
        .font(egui::FontId::monospace(LETTER))
        .hint_text(RichText::new(hint).size(LETTER))
        .background_color(FIELD)
        .desired_width(width);
    let field = ui.add(field);
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    (entered && !text.trim().is_empty()).then(|| std::mem::take(text).trim().to_owned())
}

/// The cells of the playfield that the game's RAM has filled, framed on the picture.
fn outline(context: &Context, field: &[bool; 200], framing: Framing, size: [u32; 2]) {
    let place = framing.viewport(size[0], size[1]);
    let points = context.pixels_per_point();
    let [left, top, wide, high] = framing.crop.part();
    let spot = |x: u32, y: u32| {
        let across = (x as f32 / PICTURE_WIDTH as f32 - left) / wide;
        let down = (y as f32 / PICTURE_HEIGHT as f32 - top) / high;
        Pos2::new(
            (place.x as f32 + across * place.width as f32) / points,
            (place.y as f32 + down * place.height as f32) / points,
        )
    };
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::new("field")));
    for (cell, _) in field.iter().enumerate().filter(|(_, filled)| **filled) {
        let (x, y) = (PLAYFIELD.0 + 8 * (cell as u32 % 10), PLAYFIELD.1 + 8 * (cell as u32 / 10));
        let cell = Rect::from_two_pos(spot(x, y), spot(x + 8, y + 8));
        painter.rect_stroke(cell, 0.0, Stroke::new(1.0, NEXT), egui::StrokeKind::Inside);
    }
}

/// Returns a panel's picture as a texture, made anew when it is another.
fn texture(context: &Context, kept: &mut Kept, panel: Panel, picture: &Arc<Picture>) -> TextureHandle {
    if let Some((of, texture)) = kept.pictures.get(&panel)
        && Arc::ptr_eq(of, picture)
    {
        return texture.clone();
    }
    let image = ColorImage::from_rgb([picture.width, picture.height], picture.pixels.as_flattened());
    // Shown smaller than it is, a picture must not lose its thin lines.
    let options = TextureOptions { minification: TextureFilter::Linear, ..TextureOptions::NEAREST };
    let texture = context.load_texture(panel.title(), image, options);
    kept.pictures.insert(panel, (Arc::clone(picture), texture.clone()));
    texture
}
