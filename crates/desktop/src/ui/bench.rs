//! The debugger's panels over the picture.

use std::sync::Arc;

use egui::{
    Color32, ColorImage, Context, Id, Key, LayerId, Order, Pos2, Rect, RichText, Stroke, TextureHandle,
};
use nes_debug::view::Picture;

use crate::bench::{BenchOrder, Drawing, Papers, Voice};
use crate::{Framing, PICTURE_HEIGHT, PICTURE_WIDTH};

const LABEL: Color32 = Color32::from_rgb(0x7F, 0xD7, 0xFF);
const NEXT: Color32 = Color32::from_rgb(0xFF, 0xC8, 0x57);
const WRONG: Color32 = Color32::from_rgb(0xFF, 0x80, 0x80);
const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 225);

/// Height of a letter, in points.
const LETTER: f32 = 10.5;

/// Where the playfield's first cell is on the picture, in dots; a cell is a tile.
const FIELD: (u32, u32) = (96, 48);

/// What the panels keep from one drawing to the next.
#[derive(Default)]
pub(crate) struct Kept {
    line: String,
    /// Lines of before, the oldest first, and which of them is shown.
    spoken: Vec<String>,
    recalled: Option<usize>,
    drawing: Option<(Arc<Picture>, TextureHandle)>,
    /// The panels were shown in the last drawing.
    open: bool,
}

/// Draws the panels. Answers what the player asks for. `size` is the window's, in pixels, and `framing` the picture's.
pub(crate) fn bench(
    context: &Context,
    papers: &Papers,
    kept: &mut Kept,
    framing: Framing,
    size: [u32; 2],
) -> Vec<BenchOrder> {
    let mut orders = vec![];
    if let Some(field) = &papers.field {
        outline(context, field, framing, size);
    }
    let screen = context.content_rect();
    let (width, height) = (screen.width(), screen.height());
    text_panel(context, "registers", [4.0, 4.0], |ui| words(ui, &papers.registers));
    text_panel(context, "disassembly", [4.0, 0.16 * height], |ui| {
        for (next, line) in &papers.code {
            let line = RichText::new(line).monospace().size(LETTER);
            ui.label(if *next { line.color(NEXT) } else { line });
        }
    });
    if let Some(game) = &papers.game {
        text_panel(context, "game", [0.52 * width, 4.0], |ui| words(ui, game));
    }
    text_panel(context, "calls", [0.74 * width, 0.55 * height], |ui| words(ui, &papers.calls));
    text_panel(context, "memory", [4.0, 0.62 * height], |ui| {
        ui.horizontal(|ui| {
            if ui.small_button(&papers.memory_title).clicked() {
                orders.push(BenchOrder::TurnMemory);
            }
            for (label, lines) in [("<<", -64), ("<", -8), (">", 8), (">>", 64)] {
                if ui.small_button(label).clicked() {
                    orders.push(BenchOrder::Scroll(lines));
                }
            }
        });
        words(ui, &papers.memory);
    });
    shut_panel(context, "sound", [0.52 * width, 0.55 * height], |ui| words(ui, &papers.sound));
    shut_panel(context, "drawing", [0.52 * width, 0.6 * height], |ui| {
        ui.horizontal(|ui| {
            for (drawing, name) in Drawing::ALL {
                if ui.selectable_label(papers.drawing.0 == drawing, name).clicked() {
                    orders.push(BenchOrder::Draw(drawing));
                }
            }
        });
        if let Some(picture) = &papers.drawing.1 {
            let texture = texture(context, kept, picture);
            ui.image(&texture);
        }
    });
    egui::TopBottomPanel::bottom("commands").frame(frame()).show(context, |ui| {
        let lines = egui::ScrollArea::vertical().max_height(0.16 * height).stick_to_bottom(true);
        lines.auto_shrink([false, true]).show(ui, |ui| {
            for (voice, line) in &papers.talk {
                let text = RichText::new(line).monospace().size(LETTER);
                ui.label(match voice {
                    Voice::User => text.color(LABEL),
                    Voice::Debugger => text,
                    Voice::Error => text.color(WRONG),
                });
            }
        });
        orders.extend(command_line(ui, kept).map(BenchOrder::Say));
    });
    kept.open = true;
    orders
}

/// Nothing is shown any more: the next drawing begins with the command line.
pub(crate) fn shut(kept: &mut Kept) {
    kept.open = false;
}

/// The line that commands are typed into. An empty one says the last again.
fn command_line(ui: &mut egui::Ui, kept: &mut Kept) -> Option<String> {
    let field = egui::TextEdit::singleline(&mut kept.line)
        .font(egui::TextStyle::Monospace)
        .hint_text("a command; `help` lists them")
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if !kept.open {
        field.request_focus();
    }
    if field.has_focus() {
        let (up, down) =
            ui.input(|input| (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown)));
        if up || down {
            kept.recall(down);
        }
    }
    if !(field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))) {
        return None;
    }
    field.request_focus();
    kept.recalled = None;
    let line = std::mem::take(&mut kept.line).trim().to_owned();
    if line.is_empty() {
        return kept.spoken.last().cloned();
    }
    if kept.spoken.last() != Some(&line) {
        kept.spoken.push(line.clone());
    }
    Some(line)
}

impl Kept {
    /// Shows a line of before, or the one after it.
    fn recall(&mut self, newer: bool) {
        let at = match (self.recalled, newer) {
            (None, true) => return,
            (None, false) => self.spoken.len().checked_sub(1),
            (Some(at), false) => Some(at.saturating_sub(1)),
            (Some(at), true) => Some(at + 1).filter(|at| *at < self.spoken.len()),
        };
        self.recalled = at;
        self.line = at.and_then(|at| self.spoken.get(at)).cloned().unwrap_or_default();
    }
}

fn frame() -> egui::Frame {
    egui::Frame::new().fill(PANEL).corner_radius(4.0).inner_margin(5.0)
}

/// A panel that is open at first.
fn text_panel(context: &Context, title: &str, place: [f32; 2], add: impl FnOnce(&mut egui::Ui)) {
    panel(context, title, place, true, add);
}

/// A panel of which at first only the title shows.
fn shut_panel(context: &Context, title: &str, place: [f32; 2], add: impl FnOnce(&mut egui::Ui)) {
    panel(context, title, place, false, add);
}

fn panel(context: &Context, title: &str, place: [f32; 2], open: bool, add: impl FnOnce(&mut egui::Ui)) {
    egui::Window::new(RichText::new(title).size(12.0))
        .default_pos(place)
        .default_open(open)
        .resizable(false)
        .frame(frame())
        .show(context, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.spacing_mut().item_spacing.y = 1.0;
            add(ui);
        });
}

fn words(ui: &mut egui::Ui, text: &str) {
    ui.label(RichText::new(text).monospace().size(LETTER));
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
        let (x, y) = (FIELD.0 + 8 * (cell as u32 % 10), FIELD.1 + 8 * (cell as u32 / 10));
        let cell = Rect::from_two_pos(spot(x, y), spot(x + 8, y + 8));
        painter.rect_stroke(cell, 0.0, Stroke::new(1.0, NEXT), egui::StrokeKind::Inside);
    }
}

fn texture(context: &Context, kept: &mut Kept, picture: &Arc<Picture>) -> TextureHandle {
    if let Some((of, texture)) = &kept.drawing
        && Arc::ptr_eq(of, picture)
    {
        return texture.clone();
    }
    let image = ColorImage::from_rgb([picture.width, picture.height], picture.pixels.as_flattened());
    let texture = context.load_texture("drawing", image, egui::TextureOptions::NEAREST);
    kept.drawing = Some((Arc::clone(picture), texture.clone()));
    texture
}
