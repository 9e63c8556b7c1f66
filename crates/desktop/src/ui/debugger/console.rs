//! The conversation with the debugger, and the trace.

use egui::{Align, ComboBox, Key, Layout, RichText, ScrollArea, Ui};

use super::{Kept, LETTER, plain};
use crate::debugger::{DebugSnapshot, LogSource};
use crate::ui::theme;

/// What is traced, and where to.
pub(super) struct Trace {
    file: String,
    count: String,
    format: &'static str,
    filter: String,
}

impl Default for Trace {
    fn default() -> Self {
        Self { file: "trace.log".into(), count: "100000".into(), format: FORMATS[0], filter: String::new() }
    }
}

const FORMATS: [&str; 3] = ["mesen", "fceux", "nestest"];

pub(super) fn commands(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.with_layout(Layout::bottom_up(Align::LEFT), |ui| {
        command_line(ui, kept);
        ui.with_layout(Layout::top_down(Align::LEFT), |ui| log_lines(ui, &snapshot.log));
    });
}

/// The conversation, the newest line in sight.
fn log_lines(ui: &mut Ui, log: &[(LogSource, String)]) {
    // In a low panel it would be 64 points high all the same, and lie under the command line.
    let scroll = ScrollArea::vertical().min_scrolled_height(0.0);
    scroll.stick_to_bottom(true).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for (source, line) in log {
            let text = plain(line);
            let text = match source {
                LogSource::User => text.color(theme::of(ui.ctx()).info),
                LogSource::Debugger => text,
                LogSource::Error => text.color(theme::of(ui.ctx()).blunder),
            };
            ui.add(egui::Label::new(text).wrap());
        }
    });
    // The place of a new line is known only when it has been laid out once.
    let newest = (log.len(), log.last().map(|(_, line)| line.clone()));
    let seen = ui.id().with("seen");
    if ui.data(|data| data.get_temp(seen)) != Some(newest.clone()) {
        ui.data_mut(|data| data.insert_temp(seen, newest));
        ui.ctx().request_repaint();
    }
}

/// The line that commands are typed into. An empty one says the last again.
fn command_line(ui: &mut Ui, kept: &mut Kept) {
    let field = egui::TextEdit::singleline(&mut kept.line)
        .font(egui::TextStyle::Monospace)
        .hint_text("a command; `help` lists them")
        .background_color(theme::of(ui.ctx()).well)
        .desired_width(f32::INFINITY);
    let output = field.show(ui);
    let field = output.response;
    if std::mem::take(&mut kept.wants_line) {
        field.request_focus();
        // Behind what was put there by a click.
        let mut state = output.state;
        let end = egui::text::CCursor::new(kept.line.chars().count());
        state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
        state.store(ui.ctx(), field.id);
    }
    if field.has_focus() {
        let (up, down) =
            ui.input(|input| (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown)));
        let recalled = match (up, down) {
            (true, _) => kept.recall.older(),
            (_, true) => kept.recall.newer(),
            _ => None,
        };
        if let Some(line) = recalled {
            line.clone_into(&mut kept.line);
        }
    }
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        kept.wants_line = true;
        let line = std::mem::take(&mut kept.line);
        if let Some(line) = kept.recall.enter(&line) {
            kept.execute(line);
        }
    }
}

pub(super) fn trace(ui: &mut Ui, kept: &mut Kept) {
    let trace = &mut kept.fields.trace;
    let colour = theme::of(ui.ctx()).faint;
    let faint = |text: &str| RichText::new(text).size(LETTER).color(colour);
    let field = |ui: &mut Ui, label: &str, text: &mut String, hint: &str| {
        ui.label(faint(label));
        let field = egui::TextEdit::singleline(text).font(egui::FontId::monospace(LETTER));
        ui.add(field.hint_text(hint).background_color(theme::of(ui.ctx()).well).desired_width(240.0));
        ui.end_row();
    };
    egui::Grid::new("trace").num_columns(2).spacing([8.0, 2.0]).show(ui, |ui| {
        field(ui, "file", &mut trace.file, "a name");
        field(ui, "instructions", &mut trace.count, "a number");
        field(ui, "only if", &mut trace.filter, "pc >= @lock && pc < @lines");
        ui.label(faint("as"));
        ComboBox::from_id_salt("format").selected_text(trace.format).show_ui(ui, |ui| {
            for format in FORMATS {
                ui.selectable_value(&mut trace.format, format, format);
            }
        });
        ui.end_row();
    });
    let run = ui.button(plain("run and write the trace"));
    if run.on_hover_text("Run this many instructions and write a line for each to the file").clicked() {
        let Trace { file, count, format, filter } = trace;
        let condition =
            if filter.trim().is_empty() { String::new() } else { format!(" if {}", filter.trim()) };
        let line = format!("trace {} {} {format}{condition}", file.trim(), count.trim());
        kept.execute(line);
    }
    ui.label(faint("past instructions: the command `trace FILE last 5000`"));
}
