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
const PANEL: Color32 = Color32::from_rgba_premultiplied(8, 10, 18, 243);

/// Height of a letter, in points.
const LETTER: f32 = 10.5;

/// Height of the conversation with its line, in points.
const TALK: f32 = 130.0;

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
    panel(context, "registers", [4.0, 4.0], true, |ui| words(ui, &papers.registers));
    panel(context, "disassembly", [4.0, 76.0], true, |ui| {
        for (next, line) in &papers.code {
            let line = RichText::new(line).monospace().size(LETTER);
            ui.label(if *next { line.color(NEXT) } else { line });
        }
    });
    // The others wait at the right edge, a title below the other.
    let beside = |number: u8| [screen.width() - 4.0, 4.0 + 30.0 * f32::from(number)];
    if let Some(game) = &papers.game {
        panel(context, "game", beside(0), false, |ui| words(ui, game));
    }
    panel(context, "calls", beside(1), false, |ui| words(ui, &papers.calls));
    panel(context, "memory", beside(2), false, |ui| {
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
    panel(context, "sound", beside(3), false, |ui| words(ui, &papers.sound));
    panel(context, "drawing", beside(4), false, |ui| {
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
    let talk = egui::TopBottomPanel::bottom("commands").frame(frame()).exact_height(TALK);
    talk.show(context, |ui| {
        ui.with_layout(egui::Layout::bottom_up(egui::Align::LEFT), |ui| {
            orders.extend(command_line(ui, kept).map(BenchOrder::Say));
            ui.with_layout(egui::Layout::top_down(egui::Align::LEFT), |ui| said(ui, &papers.talk));
        });
    });
    kept.open = true;
    orders
}

/// The conversation, the newest line in sight.
fn said(ui: &mut egui::Ui, talk: &[(Voice, String)]) {
    egui::ScrollArea::vertical().stick_to_bottom(true).auto_shrink([false, false]).show(ui, |ui| {
        for (voice, line) in talk {
            let text = RichText::new(line).monospace().size(LETTER);
            ui.label(match voice {
                Voice::User => text.color(LABEL),
                Voice::Debugger => text,
                Voice::Error => text.color(WRONG),
            });
        }
    });
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

/// A panel with its left upper corner at `place`; or at first only its title, and the right one there.
fn panel(context: &Context, title: &str, place: [f32; 2], open: bool, add: impl FnOnce(&mut egui::Ui)) {
    egui::Window::new(RichText::new(title).size(12.0))
        .default_pos(place)
        .pivot(if open { egui::Align2::LEFT_TOP } else { egui::Align2::RIGHT_TOP })
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
