//! The debugger's panels around the picture.

mod bar;
mod breakpoints;
mod code;
mod console;
mod dock;
mod images;
mod memory;
mod search;
mod source;
mod timeline;

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{
    ColorImage, Context, Pos2, Rect, RichText, ScrollArea, Stroke, TextureFilter, TextureHandle,
    TextureOptions, Ui, Vec2,
};
use nes_debug::command::Recall;
use nes_debug::view::Picture;

use crate::config::settings::DebuggerSettings;
use crate::debugger::source::SourcePlace;
use crate::debugger::{DebugSnapshot, Pane, Panel, PanelState};
use crate::messages::command::DebugCommand;
use crate::messages::status::{MessageKind, RunState, Status};
use crate::ui::canvas::Canvas;
use crate::ui::rail::Told;
use crate::ui::theme::{self, Type};
use crate::video::viewport::{Framing, Viewport};
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};
use dock::{Contents, Dock};

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
    /// The file and line of the source that were brought into sight last.
    source_seen: Option<(Option<usize>, u32)>,
    /// For which panel the debugger is asked what an expression is.
    asking: Option<Panel>,
    pictures: BTreeMap<Panel, (Arc<Picture>, TextureHandle)>,
    /// Where the panels are; none before they were drawn first.
    dock: Option<Dock>,
    /// The command line is to come to the front.
    wants_commands: bool,
    /// Room of the panel that is being drawn, in points.
    room: Vec2,
    /// The panels were shown in the last drawing, and the game ran.
    open: bool,
    ran: bool,
}

/// Lines that are being typed.
#[derive(Default)]
struct Fields {
    code: String,
    source: String,
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

    /// Begins a line, which the player goes on with.
    fn begin_line(&mut self, line: String) {
        self.line = line;
        (self.wants_line, self.wants_commands) = (true, true);
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
        match (self.asking.take(), *answer) {
            (Some(Panel::Code), Some(place)) => self.panel_state.code = Some(place as u16),
            (Some(Panel::Source), Some(place)) => {
                self.panel_state.source = SourcePlace::Code(place as u16);
            }
            (Some(Panel::Memory), Some(place)) => {
                let place = usize::try_from(place).unwrap_or(0);
                (self.panel_state.byte, self.jump) = (place, Some(place));
            }
            _ => return,
        }
        self.panel_state.ask = None;
    }
}

/// What the window shows beside the debugger, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene {
    /// How the picture lies in its room.
    pub(crate) framing: Framing,
    /// Pictures side by side.
    pub(crate) pictures: u32,
    /// Whether the game runs.
    pub(crate) running: bool,
}

/// Draws bar and panels. Returns what the player asks for.
pub(crate) fn panels(
    context: &Context,
    snapshot: &DebugSnapshot,
    kept: &mut Kept,
    settings: &mut DebuggerSettings,
    scene: Scene,
) -> Vec<DebugCommand> {
    let running = scene.running;
    // While the game runs the keys are its own, once it stands still again the command line's.
    if !kept.open || kept.ran != running {
        kept.wants_line = !running;
        if running {
            context.memory_mut(egui::Memory::stop_text_input);
        }
    }
    kept.hear_answer(snapshot);
    bar::bar(context, kept, settings, running);
    timeline::bar(context, snapshot, kept, running);
    egui::CentralPanel::default().frame(egui::Frame::NONE).show(context, |ui| {
        let wanted = settings.current();
        let (room, points) = (ui.available_size(), ui.pixels_per_point());
        let mut dock = kept.dock.take().unwrap_or_else(|| Dock::new(wanted.clone(), room, points));
        if std::mem::take(&mut kept.wants_commands) {
            dock.open(Panel::Commands);
        }
        if let Some(layout) = dock.show(ui, &wanted, &mut Shown { snapshot, kept, scene }) {
            settings.keep(Some(layout).filter(|layout| *layout != settings.layout.layout()));
        }
        kept.dock = Some(dock);
    });
    // What is behind another panel is not worked out; but changes of the memory are those since the
    // last stop, wherever it is.
    let shown = |panel| {
        let dock = kept.dock.as_ref();
        let in_front =
            dock.is_some_and(|dock| dock.shown.iter().any(|(pane, _)| *pane == Pane::Panel(panel)));
        in_front || (panel == Panel::Memory && dock.is_some_and(|dock| dock.has(panel)))
    };
    kept.panel_state.panels = Panel::ALL.iter().copied().filter(|&panel| shown(panel)).collect();
    if kept.told.as_ref() != Some(&kept.panel_state) {
        kept.told = Some(kept.panel_state.clone());
        kept.commands.push(DebugCommand::Show(Box::new(kept.panel_state.clone())));
    }
    (kept.open, kept.ran) = (true, running);
    std::mem::take(&mut kept.commands)
}

/// Draws what the player is told below the panels, or how the machine stands. It is there at all
/// times, so that no panel moves.
pub(crate) fn foot(
    context: &Context,
    colours: theme::Colours,
    status: &Status,
    messages: &[(MessageKind, String)],
) {
    const HEIGHT: f32 = 26.0;
    let width = context.content_rect().width();
    let painter = context.layer_painter(egui::LayerId::background());
    let told = Told::of(&Canvas::new(painter, colours), width, messages);
    let height = told.as_ref().map_or(0.0, Told::height).max(HEIGHT);
    let frame = egui::Frame::NONE.fill(colours.rail);
    let panel = egui::TopBottomPanel::bottom("debugger foot").exact_height(height).frame(frame);
    panel.show_separator_line(false).show(context, |ui| {
        let canvas = Canvas::new(ui.painter().clone(), colours);
        let area = ui.max_rect();
        if let Some(told) = told {
            return told.draw(&canvas, area);
        }
        canvas.painter.hline(area.x_range(), area.top() + 0.5, Stroke::new(1.0, colours.line));
        let state = match status.run_state {
            RunState::Paused => "Stopped",
            RunState::Running => "Running",
            RunState::Rewinding => "Rewinding",
            RunState::FastForward => "Fast-forward",
        };
        let words = format!("{state} · frame {}", status.frame);
        canvas.left(area.left_center() + Vec2::new(8.0, 0.0), &words, Type::Label, colours.soft);
    });
}

/// Returns the room that the panels leave to the picture, in points; none while they are closed.
pub(crate) fn picture(kept: &Kept) -> Option<Rect> {
    kept.dock.as_ref().filter(|_| kept.open)?.picture()
}

/// Returns a part of the window in its pixels, whole ones only.
pub(crate) fn pixels(place: Rect, points: f32) -> Viewport {
    let (least, most) = ((place.min * points).ceil(), (place.max * points).floor());
    let side = |least: f32, most: f32| (least.max(0.0) as u32, (most - least).max(1.0) as u32);
    let ((x, width), (y, height)) = (side(least.x, most.x), side(least.y, most.y));
    Viewport { x, y, width, height }
}

/// The panes of one drawing.
struct Shown<'a> {
    snapshot: &'a DebugSnapshot,
    kept: &'a mut Kept,
    scene: Scene,
}

impl Contents for Shown<'_> {
    fn panel(&mut self, ui: &mut Ui, panel: Panel) {
        ui.spacing_mut().item_spacing.y = 2.0;
        self.kept.room = ui.available_size();
        let (snapshot, kept) = (self.snapshot, &mut *self.kept);
        match panel {
            Panel::Commands => console::commands(ui, snapshot, kept),
            Panel::Source => source::source(ui, snapshot, kept),
            // They fill their height by themselves.
            Panel::Code | Panel::Memory => {
                ScrollArea::horizontal()
                    .auto_shrink(false)
                    .show(ui, |ui| contents(ui, panel, snapshot, kept));
            }
            _ => {
                ScrollArea::both().auto_shrink(false).show(ui, |ui| contents(ui, panel, snapshot, kept));
            }
        }
    }

    fn picture(&mut self, ui: &Ui) {
        if let Some(field) = &self.snapshot.field {
            outline(ui, field, self.scene);
        }
    }
}

/// Nothing is shown any more: the next drawing begins with the command line.
pub(crate) fn closed(kept: &mut Kept) {
    (kept.open, kept.told) = (false, None);
}

fn frame(context: &Context) -> egui::Frame {
    egui::Frame::new().fill(theme::of(context).rail).inner_margin(5.0)
}

fn contents(ui: &mut Ui, panel: Panel, snapshot: &DebugSnapshot, kept: &mut Kept) {
    // Long lines are scrolled: a panel's size is never that of its text.
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
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
        Panel::Profile | Panel::Locals => images::text(ui, panel, snapshot),
        Panel::Commands | Panel::Source => {}
    }
}

fn words(ui: &mut Ui, text: &str) {
    ui.label(plain(text));
}

fn plain(text: impl Into<String>) -> RichText {
    RichText::new(text).monospace().size(LETTER)
}

/// Returns an address with its name, if it has one; `name` is the address itself where not.
fn named(address: usize, name: &str) -> String {
    format!("${address:04X} {}", own_name(address, name)).trim_end().to_owned()
}

/// Returns a name, or nothing where it is only the address once more.
fn own_name(address: usize, name: &str) -> &str {
    if name == format!("${address:04X}") { "" } else { name }
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
        .background_color(theme::of(ui.ctx()).well)
        .desired_width(width);
    let field = ui.add(field);
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    (entered && !text.trim().is_empty()).then(|| std::mem::take(text).trim().to_owned())
}

/// The cells of the playfield that the game's RAM has filled, framed on the picture.
fn outline(ui: &Ui, field: &[bool; 200], Scene { framing, pictures, .. }: Scene) {
    let points = ui.pixels_per_point();
    let room = pixels(ui.max_rect(), points);
    let room = Viewport { width: (room.width / pictures).max(1), ..room };
    let place = framing.docked(room).viewport_within(room);
    let [left, top, wide, high] = framing.crop.part();
    let spot = |x: u32, y: u32| {
        let across = (x as f32 / PICTURE_WIDTH as f32 - left) / wide;
        let down = (y as f32 / PICTURE_HEIGHT as f32 - top) / high;
        Pos2::new(
            (place.x as f32 + across * place.width as f32) / points,
            (place.y as f32 + down * place.height as f32) / points,
        )
    };
    for (cell, _) in field.iter().enumerate().filter(|(_, filled)| **filled) {
        let (x, y) = (PLAYFIELD.0 + 8 * (cell as u32 % 10), PLAYFIELD.1 + 8 * (cell as u32 / 10));
        let cell = Rect::from_two_pos(spot(x, y), spot(x + 8, y + 8));
        ui.painter().rect_stroke(
            cell,
            0.0,
            Stroke::new(1.0, theme::of(ui.ctx()).accent),
            egui::StrokeKind::Inside,
        );
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

#[cfg(test)]
pub(crate) mod tests;
