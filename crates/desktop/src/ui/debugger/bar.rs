//! The bar at the top: what moves the machine, which layout is shown, and which panels are in it.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Context, PopupCloseBehavior, Response, RichText, Ui};
use nes_debug::command::{KEYS, Key};

use super::dock::Dock;
use super::{Kept, button};
use crate::config::settings::DebuggerSettings;
use crate::debugger::{LayoutName, Panel};
use crate::messages::command::DebugCommand;
use crate::ui::canvas::{Canvas, sentence};
use crate::ui::theme::{self, CORNER, Type, icon};

/// What is said to someone who sees the debugger for the first time.
const HINT: &str = "New here? F11 runs one instruction, F5 runs until a breakpoint; with Shift they go back. Drag a \
                    title to dock its panel elsewhere, or an edge to resize it. Panels opens others.";

pub(super) fn bar(context: &Context, kept: &mut Kept, settings: &mut DebuggerSettings, running: bool) {
    egui::TopBottomPanel::top("debugger bar").frame(super::frame(context)).show(context, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        ui.horizontal_wrapped(|ui| {
            let about = "Close the debugger and go on playing. Breakpoints stay active.";
            if tool(ui, (icon::BACK, "Game", "F1"), about, false).clicked() {
                kept.commands.push(DebugCommand::Close);
            }
            ui.add_space(8.0);
            for key in KEYS.iter().filter(|key| !key.shift) {
                moves(ui, kept, key, running);
            }
            ui.add_space(8.0);
            layouts(ui, settings);
            ui.add_space(8.0);
            if let Some(dock) = &mut kept.dock {
                panels(ui, dock);
            }
        });
        if settings.hint {
            ui.horizontal_wrapped(|ui| {
                let colour = theme::of(ui.ctx()).accent;
                ui.label(RichText::new(HINT).font(Type::Label.font()).color(colour));
                if button(ui, "Got it", "Do not show this again") {
                    settings.hint = false;
                }
            });
        }
    });
}

/// A button with an icon, a name and its key. It is filled if it is the `first` thing to do.
fn tool(ui: &mut Ui, (sign, name, key): (&str, &str, &str), about: &str, first: bool) -> Response {
    const HEIGHT: f32 = 28.0;
    let colours = theme::of(ui.ctx());
    let ink = if first { colours.on_fill } else { colours.text };
    let canvas = Canvas::new(ui.painter().clone(), colours);
    let width = canvas.line(name, Type::StrongLabel, ink, f32::INFINITY).size().x;
    let cap = if key.is_empty() { 0.0 } else { canvas.key_width(key) + 6.0 };
    let (area, response) =
        ui.allocate_exact_size(egui::vec2(30.0 + width + 8.0 + cap, HEIGHT), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    let canvas = Canvas::new(ui.painter().clone(), colours);
    let ground = match (first, response.hovered()) {
        (true, _) => colours.fill,
        (false, true) => colours.hover,
        (false, false) => colours.rail,
    };
    canvas.fill(area, CORNER, ground);
    canvas.outline(area, CORNER, 1.0, if first { colours.fill } else { colours.line });
    canvas.icon(area.left_center() + egui::vec2(16.0, 0.0), sign, 15.0, ink);
    canvas.left(area.left_center() + egui::vec2(28.0, 0.0), name, Type::StrongLabel, ink);
    if !key.is_empty() {
        canvas.key(area.left_center() + egui::vec2(28.0 + width + 7.0, 0.0), key);
    }
    response.on_hover_text(about)
}

/// The three layouts, and the way back to one as it came.
fn layouts(ui: &mut Ui, settings: &mut DebuggerSettings) {
    for &name in LayoutName::ALL {
        let is_on = settings.layout == name;
        let title = RichText::new(sentence(name.title())).font(Type::Label.font());
        let switch = ui.selectable_label(is_on, title);
        if switch.on_hover_text(name.about()).clicked() {
            settings.layout = name;
        }
    }
    let about = "Reset the panels of this layout";
    if tool(ui, (icon::TAKE_BACK, "Reset", ""), about, false).clicked() {
        settings.keep(None);
    }
}

/// The list of all panels, with a mark at those that are open.
fn panels(ui: &mut Ui, dock: &mut Dock) {
    let config = MenuConfig::default().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (list, _) =
        MenuButton::new(RichText::new("Panels").font(Type::StrongLabel.font())).config(config).ui(ui, |ui| {
            egui::Grid::new("panels").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
                for pair in Panel::ALL.chunks(2) {
                    for &panel in pair {
                        let mut open = dock.has(panel);
                        let mark = ui.checkbox(
                            &mut open,
                            RichText::new(sentence(panel.title())).font(Type::Label.font()),
                        );
                        if mark.on_hover_text(panel.about()).changed() {
                            if open { dock.open(panel) } else { dock.close(panel) }
                        }
                    }
                    ui.end_row();
                }
            });
        });
    list.on_hover_text("Open and close panels");
}

/// A unit: a click goes on by it, with Shift or the other button back.
fn moves(ui: &mut Ui, kept: &mut Kept, key: &Key, running: bool) {
    let back = KEYS.iter().find(|other| other.shift && other.number == key.number);
    let about = back.map_or_else(String::new, |back| {
        format!("\nShift or right click: {} (Shift-F{})", back.about, back.number)
    });
    let function = format!("F{}", key.number);
    let (is_run, unit) = (key.command == "run", key.command.rsplit(' ').next().unwrap_or(key.command));
    let (sign, name, about) = if is_run && running {
        (icon::PAUSE, "Stop".to_owned(), "Pause".to_owned())
    } else {
        let sign = match unit {
            "run" => icon::PLAY,
            "frame" => icon::FRAME,
            "spawn" => icon::SPAWN,
            "lock" => icon::LOCK,
            "line" => icon::LINE,
            "over" => icon::OVER,
            "out" => icon::OUT,
            _ => icon::STEP,
        };
        (sign, sentence(unit), format!("{}{about}", sentence(key.about)))
    };
    let response = tool(ui, (sign, &name, &function), &about, is_run);
    let goes_back =
        response.secondary_clicked() || response.clicked() && ui.input(|input| input.modifiers.shift);
    match back {
        Some(back) if goes_back => kept.execute(back.command),
        _ if response.clicked() && is_run && running => kept.commands.push(DebugCommand::Stop),
        _ if response.clicked() => kept.execute(key.command),
        _ => {}
    }
}
