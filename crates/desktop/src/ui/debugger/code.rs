//! Registers, code and calls.

use egui::{Label, RichText, Sense, Ui};

use super::{Kept, LETTER, button, entry, plain};
use crate::debugger::source::SourcePlace;
use crate::debugger::{CodeLine, DebugSnapshot, Panel};
use crate::ui::theme;

/// Registers that can be set, with what stands for them in the line.
const SETTABLE: [&str; 6] = ["A", "X", "Y", "SP", "P", "PC"];

pub(super) fn registers(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    let items: Vec<&str> = snapshot.registers.split("  ").filter(|item| !item.is_empty()).collect();
    ui.set_max_width(kept.room.x);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        for item in items {
            let name = item.split(' ').next().unwrap_or_default();
            let label = Label::new(plain(item)).extend();
            if !SETTABLE.contains(&name) {
                ui.add(label);
            } else if ui.add(label.sense(Sense::click())).on_hover_text("Click to set").clicked() {
                kept.begin_line(format!("set {} = ", name.to_lowercase()));
            }
        }
    });
}

pub(super) fn code(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.horizontal(|ui| {
        let follows = kept.panel_state.code.is_none();
        let follow = RichText::new("follow PC").size(LETTER);
        let follow =
            ui.selectable_label(follows, follow).on_hover_text("Show the next instruction at each stop");
        if follow.clicked() {
            kept.panel_state.code =
                if follows { snapshot.code.first().map(|line| line.address) } else { None };
        }
        let ends = snapshot.code.first().zip(snapshot.code.last());
        if let Some((first, last)) = ends {
            if button(ui, "up", "16 bytes towards lower addresses") {
                kept.panel_state.code = Some(first.address.saturating_sub(16));
            }
            if button(ui, "down", "A page towards higher addresses") {
                kept.panel_state.code = Some(last.address);
            }
        }
        let mut field = std::mem::take(&mut kept.fields.code);
        if let Some(place) = entry(ui, &mut field, "go to: lock, @nmi, 0x8000", 150.0) {
            kept.ask(Panel::Code, place);
        }
        kept.fields.code = field;
    });
    // As many lines as there is room for, and labels stand in lines of their own.
    let line_height = ui.fonts_mut(|fonts| fonts.row_height(&egui::FontId::monospace(LETTER))) + 2.0;
    kept.panel_state.rows = ((kept.room.y / line_height) as usize).saturating_sub(3).clamp(4, 200);
    let bottom = ui.clip_rect().bottom() - 1.5 * line_height;
    for line in &snapshot.code {
        let above = usize::from(line.label.is_some()) + usize::from(line.source.is_some());
        let lines = 1.0 + above as f32;
        if ui.cursor().top() + lines * line_height > bottom {
            break;
        }
        if let Some(label) = &line.label {
            ui.label(plain(format!("{label}:")).color(theme::of(ui.ctx()).info));
        }
        if let Some(source) = &line.source {
            ui.label(plain(format!("; {source}")).color(theme::of(ui.ctx()).soft));
        }
        instruction(ui, line, kept);
    }
    ui.label(
        RichText::new("click: breakpoint; right click: more")
            .size(LETTER - 1.0)
            .color(theme::of(ui.ctx()).faint),
    );
}

/// An instruction, and the breakpoint on it.
fn instruction(ui: &mut Ui, line: &CodeLine, kept: &mut Kept) {
    let mark = match line.breakpoint {
        Some((_, true)) => "*",
        Some((_, false)) => "-",
        None => " ",
    };
    let cursor = if line.is_next { ">" } else { " " };
    let text = plain(format!("{mark}{cursor} {}", line.text));
    let text = match (line.is_next, line.breakpoint) {
        (_, Some((_, true))) if !line.is_next => text.color(theme::of(ui.ctx()).blunder),
        (true, _) => text.color(theme::of(ui.ctx()).accent),
        _ => text,
    };
    let label = ui.add(Label::new(text).selectable(false).sense(Sense::click()));
    let address = line.address;
    if label.clicked() {
        kept.execute(match line.breakpoint {
            Some((number, _)) => format!("delete {number}"),
            None => format!("break ${address:04X}"),
        });
    }
    label.context_menu(|ui| {
        let mut choice = |ui: &mut Ui, text: &str, command: String| {
            if ui.button(plain(text)).clicked() {
                kept.execute(command);
                ui.close();
            }
        };
        choice(ui, "run to here", format!("goto ${address:04X}"));
        choice(ui, "back to the last time here", format!("back until pc == ${address:04X}"));
        choice(ui, "continue from here (set PC)", format!("set pc = ${address:04X}"));
        if let Some((number, on)) = line.breakpoint {
            let word = if on { "disable" } else { "enable" };
            choice(ui, &format!("{word} breakpoint {number}"), format!("{word} {number}"));
        }
        if ui.button(plain("breakpoint with a condition")).clicked() {
            kept.begin_line(format!("break ${address:04X} if "));
            ui.close();
        }
    });
}

pub(super) fn calls(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    for (number, (text, address)) in snapshot.calls.iter().enumerate() {
        let text = if number == 0 { plain(text).color(theme::of(ui.ctx()).accent) } else { plain(text) };
        let label = ui.add(Label::new(text).selectable(false).sense(Sense::click()));
        if label.on_hover_text("Click to see the code").clicked() {
            let address = Some(*address).filter(|_| number > 0);
            kept.panel_state.code = address;
            kept.panel_state.source = address.map_or(SourcePlace::Next, SourcePlace::Code);
        }
    }
}
