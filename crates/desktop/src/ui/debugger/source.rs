//! The source panel: a file with its breakpoints, and steps by lines.

use egui::{ComboBox, Label, RichText, ScrollArea, Sense, Ui};

use super::{Kept, LETTER, button, entry, plain};
use crate::debugger::source::{SourcePlace, SourceView};
use crate::debugger::{DebugSnapshot, Panel};
use crate::ui::theme;

/// Steps by lines: a name, what it does, the command.
const STEPS: [(&str, &str, &str); 5] = [
    ("into", "To the next line, into functions", "step source"),
    ("over", "To the next line of this function", "over source"),
    ("out", "Out of this function", "out"),
    ("back", "To the beginning of the line before", "back source"),
    ("last stop", "Back to the last place where a breakpoint would have stopped", "back breakpoint"),
];

/// Said where no source is known.
const NONE: &str = "No source files are known. They come with ld65's debug file:\nwith `ld65 --dbgfile game.dbg` beside \
                    game.nes, or by the\ncommand `symbols load game.dbg`.";

pub(super) fn source(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    let view = &snapshot.source;
    if view.files.is_empty() {
        ui.label(plain(NONE).color(theme::of(ui.ctx()).faint));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (name, about, command) in STEPS {
            if button(ui, name, about) {
                kept.panel_state.source = SourcePlace::Next;
                kept.execute(command);
            }
        }
    });
    ui.horizontal_wrapped(|ui| places(ui, view, kept));
    let Some(text) = &view.text else {
        let said = match view.name(view.line) {
            Some(line) => format!("{line}: the file was not found"),
            None => "No source line is known here.".to_owned(),
        };
        ui.label(plain(said).color(theme::of(ui.ctx()).faint));
        return;
    };
    let font = egui::FontId::monospace(LETTER);
    let row_height = ui.fonts_mut(|fonts| fonts.row_height(&font));
    let area = ScrollArea::both().auto_shrink(false);
    // Another line is scrolled to once, into the upper third.
    let seen = (view.file, view.line);
    let area = if kept.source_seen == Some(seen) {
        area
    } else {
        kept.source_seen = Some(seen);
        let row = row_height + ui.spacing().item_spacing.y;
        let above = row * view.line.saturating_sub(1) as f32;
        area.vertical_scroll_offset((above - ui.available_height() / 3.0).max(0.0))
    };
    area.show_rows(ui, row_height, text.len(), |ui, rows| {
        for at in rows {
            let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
            line(ui, view, number, &text[at], kept);
        }
    });
}

/// Shows which file it is, and lets another place be chosen.
fn places(ui: &mut Ui, view: &SourceView, kept: &mut Kept) {
    let follows = kept.panel_state.source == SourcePlace::Next;
    let follow = ui.selectable_label(follows, RichText::new("follow PC").size(LETTER));
    if follow.on_hover_text("Show the next line at each stop").clicked() {
        let here = view.file.map_or(SourcePlace::Next, |file| SourcePlace::Line(file, view.line));
        kept.panel_state.source = if follows { here } else { SourcePlace::Next };
    }
    let name = |file: &String| file.rsplit(['/', '\\']).next().unwrap_or(file).to_owned();
    let shown = view.file.and_then(|file| view.files.get(file)).map_or_else(|| "–".to_owned(), name);
    ComboBox::from_id_salt("source file").selected_text(RichText::new(shown).size(LETTER)).show_ui(
        ui,
        |ui| {
            for (file, path) in view.files.iter().enumerate() {
                let chosen = view.file == Some(file);
                let label = RichText::new(name(path)).size(LETTER);
                if ui.selectable_label(chosen, label).on_hover_text(path).clicked() {
                    kept.panel_state.source = SourcePlace::Line(file, 1);
                }
            }
        },
    );
    let mut field = std::mem::take(&mut kept.fields.source);
    if let Some(place) = entry(ui, &mut field, "go to: 12, main.c:12, @lock", 150.0) {
        match named(view, &place) {
            Some(place) => kept.panel_state.source = place,
            None => kept.ask(Panel::Source, place),
        }
    }
    kept.fields.source = field;
}

/// Returns the place that is a line, as `12` of the file that is shown or `main.c:12`; none where
/// the text is something else.
pub(super) fn named(view: &SourceView, text: &str) -> Option<SourcePlace> {
    if let Ok(line) = text.parse() {
        return Some(SourcePlace::Line(view.file?, line));
    }
    let (name, line) = text.rsplit_once(':')?;
    let is_it = |file: &String| file.rsplit(['/', '\\']).next() == name.rsplit(['/', '\\']).next();
    let file =
        view.files.iter().position(|file| file == name).or_else(|| view.files.iter().position(is_it))?;
    Some(SourcePlace::Line(file, line.parse().ok()?))
}

/// A line, and the breakpoint on it.
fn line(ui: &mut Ui, view: &SourceView, number: u32, text: &str, kept: &mut Kept) {
    let colours = theme::of(ui.ctx());
    let breakpoint = view.breakpoints.get(&number).copied();
    let address = view.code.get(&number).copied();
    let mark = match breakpoint {
        Some((_, true)) => '*',
        Some((_, false)) => '-',
        None if address.is_some() => '·',
        None => ' ',
    };
    let is_next = view.next == Some(number);
    let cursor = if is_next { '>' } else { ' ' };
    let shown = plain(format!("{mark}{cursor}{number:>5}  {text}"));
    let shown = match (is_next, breakpoint, address) {
        (true, ..) => shown.color(colours.accent),
        (_, Some((_, true)), _) => shown.color(colours.blunder),
        (_, _, None) => shown.color(colours.soft),
        _ => shown,
    };
    let label = ui.add(Label::new(shown).extend().selectable(false).sense(Sense::click()));
    let Some(name) = view.name(number) else { return };
    if label.clicked() {
        kept.execute(match breakpoint {
            Some((number, _)) => format!("delete {number}"),
            None => format!("break {name}"),
        });
    }
    label.context_menu(|ui| {
        let choice = |ui: &mut Ui, text: &str| {
            let chosen = ui.button(plain(text)).clicked();
            if chosen {
                ui.close();
            }
            chosen
        };
        if choice(ui, "run to here") {
            kept.execute(format!("break {name} once"));
            kept.execute("run");
        }
        if choice(ui, "breakpoint with a condition") {
            kept.begin_line(format!("break {name} if "));
        }
        if let Some((number, on)) = breakpoint {
            let word = if on { "disable" } else { "enable" };
            if choice(ui, &format!("{word} breakpoint {number}")) {
                kept.execute(format!("{word} {number}"));
            }
        }
        if let Some(address) = address {
            if choice(ui, "back to the last time here") {
                kept.execute(format!("back until pc == ${address:04X}"));
            }
            if choice(ui, "show its instructions") {
                kept.panel_state.code = Some(address);
            }
        }
    });
}
