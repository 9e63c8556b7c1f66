//! The bar at the top: what moves the machine, and which panels are open.

use egui::{Context, RichText, Ui};
use nes_debug::command::{KEYS, Key};

use super::{Kept, LETTER, button};
use crate::config::settings::DebuggerSettings;
use crate::debugger::Panel;
use crate::messages::command::DebugCommand;

pub(super) fn bar(context: &Context, kept: &mut Kept, settings: &mut DebuggerSettings, running: bool) {
    egui::TopBottomPanel::top("debugger bar").frame(super::frame()).show(context, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(3.0, 2.0);
        ui.horizontal_wrapped(|ui| {
            for key in KEYS.iter().filter(|key| !key.shift) {
                moves(ui, kept, key, running);
            }
        });
        ui.horizontal_wrapped(|ui| {
            for &panel in Panel::ALL {
                let mut open = settings.has(panel);
                if ui.toggle_value(&mut open, RichText::new(panel.title()).size(LETTER)).clicked() {
                    settings.turn(panel, open);
                    kept.places.remove(&panel);
                }
            }
            if button(ui, "close", "Close the panels (F1). Breakpoints stay active.") {
                kept.commands.push(DebugCommand::Close);
            }
        });
    });
}

/// A unit, there and back.
fn moves(ui: &mut Ui, kept: &mut Kept, key: &Key, running: bool) {
    let back = KEYS.iter().find(|other| other.shift && other.number == key.number);
    if let Some(back) = back
        && button(ui, "<", &format!("{} (Shift-F{})", back.about, back.number))
    {
        kept.execute(back.command);
    }
    if key.command == "run" && running {
        if button(ui, "stop F5", "Pause") {
            kept.commands.push(DebugCommand::Stop);
        }
    } else {
        let unit = key.command.rsplit(' ').next().unwrap_or(key.command);
        if button(ui, &format!("{unit} F{}", key.number), key.about) {
            kept.execute(key.command);
        }
    }
    ui.add_space(4.0);
}
