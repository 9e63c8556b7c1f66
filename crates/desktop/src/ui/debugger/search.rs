//! The search through RAM, and cheats.

use egui::{Grid, RichText, Ui};

use super::breakpoints::wrong;
use super::{Kept, LETTER, button, entry, plain};
use crate::debugger::{DebugSnapshot, Found};
use crate::ui::theme;

/// How a byte may have changed, and what to say for it.
const CHANGES: [(&str, &str); 5] = [
    ("changed", "search changed"),
    ("the same", "search unchanged"),
    ("more", "search greater"),
    ("less", "search less"),
    ("one more", "search by 1"),
];

pub(super) fn search(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.horizontal(|ui| {
        if button(ui, "new", "Start a new search: every byte of RAM is a candidate") {
            kept.execute("search new");
        }
        if snapshot.search.is_some() {
            ui.label(RichText::new("since the last search:").size(LETTER).color(theme::of(ui.ctx()).faint));
            for (text, line) in CHANGES {
                if button(ui, text, line) {
                    kept.execute(line);
                }
            }
        }
    });
    let Some((count, found)) = &snapshot.search else {
        ui.label(
            plain("Press \"new\", then narrow it down by how the value changes.")
                .color(theme::of(ui.ctx()).faint),
        );
        return;
    };
    let mut field = std::mem::take(&mut kept.fields.search);
    if let Some(number) = entry(ui, &mut field, "= 29, != 0, by 4", 120.0) {
        let exact = number.parse::<i64>().is_ok() || number.starts_with('$');
        kept.execute(if exact { format!("search = {number}") } else { format!("search {number}") });
    }
    kept.fields.search = field;
    ui.label(plain(format!("{count} candidates")));
    ui.scope(|ui| {
        Grid::new("found").num_columns(4).spacing([8.0, 1.0]).show(ui, |ui| {
            for Found { address, then, now, name } in found {
                if button(ui, "watch", "Add it to the watches") {
                    kept.execute(format!("watch [${address:04X}]"));
                }
                if button(ui, "freeze", "Write this value at the start of every frame") {
                    kept.execute(format!("freeze ${address:04X}"));
                }
                let text = plain(format!("${address:04X}  ${now:02X} {now:>3}"));
                ui.label(if then == now { text } else { text.color(theme::of(ui.ctx()).blunder) })
                    .on_hover_text(format!("{then} at the last search"));
                ui.label(plain(super::own_name(usize::from(*address), name)));
                ui.end_row();
            }
        });
    });
    if *count > found.len() {
        ui.label(plain(format!("and {} more", count - found.len())).color(theme::of(ui.ctx()).faint));
    }
    wrong(ui, snapshot);
}

pub(super) fn cheats(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.label(
        RichText::new("frozen: rewritten at the start of each frame")
            .size(LETTER)
            .color(theme::of(ui.ctx()).faint),
    );
    for (address, value, name) in &snapshot.frozen {
        ui.horizontal(|ui| {
            if button(ui, "unfreeze", "Stop writing it") {
                kept.execute(format!("thaw ${address:04X}"));
            }
            ui.label(plain(format!(
                "{} = ${value:02X} {value:>3}",
                super::named(usize::from(*address), name)
            )));
        });
    }
    let mut field = std::mem::take(&mut kept.fields.freeze);
    if let Some(what) = entry(ui, &mut field, "das = 16", 120.0) {
        kept.execute(format!("freeze {what}"));
    }
    kept.fields.freeze = field;
    ui.separator();
    let (count, edits) = &snapshot.edits;
    let title = format!("{count} bytes of the program differ from the file");
    ui.label(RichText::new(title).size(LETTER).color(theme::of(ui.ctx()).faint));
    ui.scope(|ui| {
        for (place, then, now) in edits {
            ui.horizontal(|ui| {
                if button(ui, "undo", "Restore the byte of the file") {
                    kept.execute(format!("set prg[${place:X}] = ${then:02X}"));
                }
                ui.label(plain(format!("prg[${place:05X}]  ${then:02X} -> ${now:02X}")));
            });
        }
    });
    let mut field = std::mem::take(&mut kept.fields.cheat);
    if let Some(code) = entry(ui, &mut field, "Game Genie code", 120.0) {
        kept.execute(format!("cheat {code}"));
    }
    kept.fields.cheat = field;
    wrong(ui, snapshot);
}
