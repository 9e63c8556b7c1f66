//! The bar at the top: what moves the machine, which layout is shown, and which panels are in it.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Context, PopupCloseBehavior, RichText, Ui};
use nes_debug::command::{KEYS, Key};

use super::dock::Dock;
use super::{FAINT, Kept, LETTER, button};
use crate::config::settings::DebuggerSettings;
use crate::debugger::{LayoutName, Panel};
use crate::messages::command::DebugCommand;

/// What is said to someone who sees the debugger for the first time.
const HINT: &str = "New here? F11 runs one instruction, F5 runs until a breakpoint; < goes back as far. Drag a \
                    title to dock its panel elsewhere, or an edge to resize it. \"panels\" opens others.";

pub(super) fn bar(context: &Context, kept: &mut Kept, settings: &mut DebuggerSettings, running: bool) {
    egui::TopBottomPanel::top("debugger bar").frame(super::frame()).show(context, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(3.0, 2.0);
        ui.horizontal_wrapped(|ui| {
            for key in KEYS.iter().filter(|key| !key.shift) {
                moves(ui, kept, key, running);
            }
        });
        ui.horizontal_wrapped(|ui| {
            layouts(ui, settings);
            ui.add_space(8.0);
            if let Some(dock) = &mut kept.dock {
                panels(ui, dock);
            }
            ui.add_space(8.0);
            if button(ui, "close", "Close the debugger and go on playing (F1). Breakpoints stay active.") {
                kept.commands.push(DebugCommand::Close);
            }
        });
        if settings.hint {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(HINT).size(LETTER).color(super::NEXT));
                if button(ui, "got it", "Do not say this again") {
                    settings.hint = false;
                }
            });
        }
    });
}

/// The three layouts, and the way back to one as it came.
fn layouts(ui: &mut Ui, settings: &mut DebuggerSettings) {
    ui.label(RichText::new("layout:").size(LETTER).color(FAINT));
    for &name in LayoutName::ALL {
        let is_on = settings.layout == name;
        let switch = ui.selectable_label(is_on, RichText::new(name.title()).size(LETTER));
        if switch.on_hover_text(name.about()).clicked() {
            settings.layout = name;
        }
    }
    if button(ui, "reset", "Put the panels of this layout back to where they were at first") {
        settings.keep(None);
    }
}

/// The list of all panels, with a mark at those that are open.
fn panels(ui: &mut Ui, dock: &mut Dock) {
    let config = MenuConfig::default().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (list, _) = MenuButton::new(RichText::new("panels ⏷").size(LETTER)).config(config).ui(ui, |ui| {
        egui::Grid::new("panels").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
            for pair in Panel::ALL.chunks(2) {
                for &panel in pair {
                    let mut open = dock.has(panel);
                    let mark = ui.checkbox(&mut open, RichText::new(panel.title()).size(LETTER));
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

/// A unit, there and back.
fn moves(ui: &mut Ui, kept: &mut Kept, key: &Key, running: bool) {
    let back = KEYS.iter().find(|other| other.shift && other.number == key.number);
    if let Some(back) = back {
        // Only the way back beside `run` goes by another unit.
        let text = if key.command == "run" { "10 frames back" } else { "<" };
        if button(ui, text, &format!("{} (Shift-F{})", capital(back.about), back.number)) {
            kept.execute(back.command);
        }
    }
    if key.command == "run" && running {
        if button(ui, "stop F5", "Pause") {
            kept.commands.push(DebugCommand::Stop);
        }
    } else {
        let unit = key.command.rsplit(' ').next().unwrap_or(key.command);
        if button(ui, &format!("{unit} F{}", key.number), &capital(key.about)) {
            kept.execute(key.command);
        }
    }
    ui.add_space(4.0);
}

/// Returns a text with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
