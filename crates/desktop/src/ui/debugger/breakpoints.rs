//! Breakpoints, and watched expressions.

use egui::{Grid, RichText, Ui};
use nes_debug::Watched;

use super::{FAINT, Kept, LETTER, WRONG, button, entry, plain};
use crate::debugger::{BreakpointLine, Papers, Voice};

/// What a breakpoint can wait for, to begin with.
const KINDS: [(&str, &str); 6] = [
    ("address", "break "),
    ("write", "break write "),
    ("read", "break read "),
    ("ppu", "break ppu write "),
    ("line", "break line "),
    ("lock", "break event lock if "),
];

pub(super) fn breakpoints(ui: &mut Ui, papers: &Papers, kept: &mut Kept) {
    for BreakpointLine { number, enabled, text } in &papers.breakpoints {
        ui.horizontal(|ui| {
            let mut on = *enabled;
            if ui.checkbox(&mut on, "").clicked() {
                kept.say(format!("{} {number}", if on { "enable" } else { "disable" }));
            }
            if button(ui, "x", "takes it away") {
                kept.say(format!("delete {number}"));
            }
            let text = plain(text.trim_end_matches(" (off)"));
            ui.label(if *enabled { text } else { text.color(FAINT) });
        });
    }
    if papers.breakpoints.is_empty() {
        ui.label(plain("none yet").color(FAINT));
    }
    let mut field = std::mem::take(&mut kept.fields.breakpoint);
    if let Some(what) = entry(ui, &mut field, "write das if value > 10 || lock if piece == I", 330.0) {
        kept.say(format!("break {what}"));
    }
    kept.fields.breakpoint = field;
    ui.horizontal(|ui| {
        ui.label(RichText::new("begin with:").size(LETTER).color(FAINT));
        for (kind, begin) in KINDS {
            if button(ui, kind, begin) {
                begin.trim_start_matches("break ").clone_into(&mut kept.fields.breakpoint);
            }
        }
        if button(ui, "delete all", "every breakpoint") {
            kept.say("delete all");
        }
    });
    wrong(ui, papers);
}

/// What could not be done, where the conversation may be shut.
pub(super) fn wrong(ui: &mut Ui, papers: &Papers) {
    if let Some((Voice::Error, line)) = papers.talk.last() {
        ui.label(plain(line).color(WRONG));
    }
}

pub(super) fn watches(ui: &mut Ui, papers: &Papers, kept: &mut Kept) {
    Grid::new("watches").num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        for watched in &papers.watches {
            let Watched { number, text, value, before, notation } = watched;
            if button(ui, "x", "takes it away") {
                kept.say(format!("unwatch {number}"));
            }
            ui.label(plain(text));
            let now = plain(notation.text(*value));
            match before.filter(|_| watched.has_changed()) {
                Some(before) => {
                    ui.label(now.color(WRONG)).on_hover_text(format!("was {}", notation.text(before)))
                }
                None => ui.label(now),
            };
            ui.end_row();
        }
    });
    let mut field = std::mem::take(&mut kept.fields.watch);
    if let Some(what) = entry(ui, &mut field, "level, [@das] as hex, held as binary", 260.0) {
        kept.say(format!("watch {what}"));
    }
    kept.fields.watch = field;
    wrong(ui, papers);
}
