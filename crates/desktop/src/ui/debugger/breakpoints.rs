//! Breakpoints, and watched expressions.

use egui::{Grid, RichText, Ui};
use nes_debug::Watched;

use super::{Kept, LETTER, button, entry, plain};
use crate::debugger::{BreakpointLine, DebugSnapshot, LogSource};
use crate::ui::theme;

/// What a breakpoint can wait for, to begin with.
const KINDS: [(&str, &str); 6] = [
    ("address", "break "),
    ("write", "break write "),
    ("read", "break read "),
    ("ppu", "break ppu write "),
    ("line", "break line "),
    ("lock", "break event lock if "),
];

pub(super) fn breakpoints(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    for BreakpointLine { number, enabled, text } in &snapshot.breakpoints {
        ui.horizontal(|ui| {
            let mut on = *enabled;
            if ui.checkbox(&mut on, "").clicked() {
                kept.execute(format!("{} {number}", if on { "enable" } else { "disable" }));
            }
            if button(ui, "x", "Delete") {
                kept.execute(format!("delete {number}"));
            }
            let text = plain(text.trim_end_matches(" (off)"));
            ui.label(if *enabled { text } else { text.color(theme::of(ui.ctx()).faint) });
        });
    }
    if snapshot.breakpoints.is_empty() {
        ui.label(plain("none yet").color(theme::of(ui.ctx()).faint));
    }
    let mut field = std::mem::take(&mut kept.fields.breakpoint);
    if let Some(what) = entry(ui, &mut field, "write das if value > 10 || lock if piece == I", 330.0) {
        kept.execute(format!("break {what}"));
    }
    kept.fields.breakpoint = field;
    ui.horizontal(|ui| {
        ui.label(RichText::new("examples:").size(LETTER).color(theme::of(ui.ctx()).faint));
        for (kind, begin) in KINDS {
            if button(ui, kind, begin) {
                begin.trim_start_matches("break ").clone_into(&mut kept.fields.breakpoint);
            }
        }
        if button(ui, "delete all", "Delete every breakpoint") {
            kept.execute("delete all");
        }
    });
    wrong(ui, snapshot);
}

/// Shows what could not be done, because the command panel may be closed.
pub(super) fn wrong(ui: &mut Ui, snapshot: &DebugSnapshot) {
    if let Some((LogSource::Error, line)) = snapshot.log.last() {
        ui.label(plain(line).color(theme::of(ui.ctx()).blunder));
    }
}

pub(super) fn watches(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    Grid::new("watches").num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        for watched in &snapshot.watches {
            let Watched { number, text, value, before, notation } = watched;
            if button(ui, "x", "Delete") {
                kept.execute(format!("unwatch {number}"));
            }
            ui.label(plain(text));
            let now = plain(notation.text(*value));
            match before.filter(|_| watched.has_changed()) {
                Some(before) => ui
                    .label(now.color(theme::of(ui.ctx()).blunder))
                    .on_hover_text(format!("was {}", notation.text(before))),
                None => ui.label(now),
            };
            ui.end_row();
        }
    });
    let mut field = std::mem::take(&mut kept.fields.watch);
    if let Some(what) = entry(ui, &mut field, "level, [@das] as hex, held as binary", 260.0) {
        kept.execute(format!("watch {what}"));
    }
    kept.fields.watch = field;
    wrong(ui, snapshot);
}
