//! A memory as hexadecimal numbers: to look at, search and change.

use egui::text::LayoutJob;
use egui::{FontId, Label, RichText, ScrollArea, Sense, TextFormat, Ui};
use nes_debug::Space;

use super::{Kept, LETTER, button, entry, plain};
use crate::debugger::{DebugSnapshot, MemoryView, Panel};
use crate::ui::theme::{self, Colours};

/// Bytes a row.
const ROW: usize = 16;

/// Letters of a row before its first byte.
const HEAD: usize = 6;

pub(super) fn memory(ui: &mut Ui, snapshot: &DebugSnapshot, kept: &mut Kept) {
    ui.horizontal(|ui| {
        for (space, name) in Space::ALL {
            let chosen = kept.panel_state.memory == space;
            let choice = ui.selectable_label(chosen, RichText::new(name).size(LETTER));
            if choice.on_hover_text(about(space)).clicked() && !chosen {
                (kept.panel_state.memory, kept.panel_state.byte, kept.jump) = (space, 0, Some(0));
            }
        }
    });
    let Some(memory) = snapshot.memory.as_ref().filter(|memory| memory.space == kept.panel_state.memory)
    else {
        return;
    };
    ui.horizontal(|ui| {
        let mut place = std::mem::take(&mut kept.fields.memory);
        if let Some(place) = entry(ui, &mut place, "go to: playfield, 0x400", 140.0) {
            kept.ask(Panel::Memory, place);
        }
        kept.fields.memory = place;
        let mut bytes = std::mem::take(&mut kept.fields.find);
        if let Some(wanted) = entry(ui, &mut bytes, "find: A9 1D", 120.0) {
            find(&wanted, memory, kept);
            bytes = wanted; // Enter again finds the next
        }
        kept.fields.find = bytes;
    });
    rows(ui, memory, kept);
    byte(ui, memory, kept);
}

/// Goes to where bytes stand next, behind the one that is chosen.
fn find(wanted: &str, memory: &MemoryView, kept: &mut Kept) {
    let wanted: Option<Vec<u8>> = wanted
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte.trim_start_matches('$'), 16).ok())
        .collect();
    let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else { return };
    let mut found = memory.bytes.windows(wanted.len()).enumerate().filter(|(_, bytes)| *bytes == wanted);
    let first = found.next().map(|(at, _)| at);
    let next = first.filter(|&at| at > kept.panel_state.byte);
    let next = next.or_else(|| found.map(|(at, _)| at).find(|&at| at > kept.panel_state.byte)).or(first);
    if let Some(place) = next {
        (kept.panel_state.byte, kept.jump) = (place, Some(place));
    }
}

/// The rows in sight.
fn rows(ui: &mut Ui, memory: &MemoryView, kept: &mut Kept) {
    let font = FontId::monospace(LETTER);
    let height = ui.fonts_mut(|fonts| fonts.row_height(&font));
    let spaced = height + ui.spacing().item_spacing.y;
    let count = memory.bytes.len().div_ceil(ROW);
    // Two lines above, two below about the chosen byte.
    let room = (kept.room.y - 96.0).max(2.0 * spaced);
    let mut area = ScrollArea::vertical().auto_shrink([true, false]).max_height(room);
    if let Some(place) = kept.jump.take() {
        area = area.vertical_scroll_offset((place / ROW).saturating_sub(2) as f32 * spaced);
    }
    area.show_rows(ui, height, count, |ui, range| {
        for row in range {
            let begin = row * ROW;
            let colours = theme::of(ui.ctx());
            let job = line(memory, begin, kept.panel_state.byte, &font, &colours);
            let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
            let label =
                ui.add(Label::new(std::sync::Arc::clone(&galley)).selectable(false).sense(Sense::click()));
            if label.clicked()
                && let Some(pointer) = label.interact_pointer_pos()
            {
                let letter = galley.cursor_from_pos(pointer - label.rect.min).index;
                let byte = begin + (letter.saturating_sub(HEAD) / 3).min(ROW - 1);
                kept.panel_state.byte = byte.min(memory.bytes.len().saturating_sub(1));
            }
        }
    });
}

/// Returns a row: address, bytes, letters.
fn line(memory: &MemoryView, begin: usize, chosen: usize, font: &FontId, colours: &Colours) -> LayoutJob {
    let mut job = LayoutJob::default();
    let format = |color| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    job.append(&format!("{begin:05X} "), 0.0, format(colours.info));
    let end = memory.bytes.len().min(begin + ROW);
    for (place, byte) in (begin..end).zip(&memory.bytes[begin.min(end)..end]) {
        let changed = memory.before.get(place).is_some_and(|before| before != byte);
        let frozen = memory.frozen.contains(&place);
        let mut style = format(match (frozen, changed, byte) {
            (true, ..) => colours.best,
            (_, true, _) => colours.blunder,
            (_, _, 0) => colours.faint,
            _ => colours.text,
        });
        if place == chosen {
            style.background = colours.selected;
        }
        job.append(&format!("{byte:02X}"), 0.0, style);
        job.append(" ", 0.0, format(colours.faint));
    }
    let letters: String = memory.bytes[begin.min(end)..end]
        .iter()
        .map(|&byte| if matches!(byte, b' '..=b'~') { byte as char } else { '.' })
        .collect();
    job.append(&letters, 0.0, format(colours.faint));
    job
}

/// The chosen byte, and what can be done with it.
fn byte(ui: &mut Ui, memory: &MemoryView, kept: &mut Kept) {
    let at = kept.panel_state.byte;
    let Some(&value) = memory.bytes.get(at) else { return };
    let place = written(memory.space, at);
    ui.horizontal(|ui| {
        let place = super::named(at, &memory.name);
        ui.label(
            plain(format!("{place}  ${value:02X} {value} %{value:08b}")).color(theme::of(ui.ctx()).info),
        );
    });
    ui.horizontal(|ui| {
        let mut field = std::mem::take(&mut kept.fields.value);
        if let Some(new) = entry(ui, &mut field, "new: hex", 60.0) {
            kept.execute(format!("set {place} = ${}", new.trim_start_matches('$')));
        }
        kept.fields.value = field;
        if memory.space == Space::Cpu {
            let frozen = memory.frozen.contains(&at);
            if button(
                ui,
                if frozen { "unfreeze" } else { "freeze" },
                "Write this value at the start of every frame",
            ) {
                kept.execute(format!("{} ${at:04X}", if frozen { "thaw" } else { "freeze" }));
            }
            for verb in ["write", "read"] {
                if button(ui, &format!("break {verb}"), "Stop after the instruction that does this") {
                    kept.execute(format!("break {verb} ${at:04X}"));
                }
            }
        }
        if memory.space == Space::Ppu && button(ui, "break write", "Stop when it is written through $2007") {
            kept.execute(format!("break ppu write ${at:04X}"));
        }
        if button(ui, "watch", "Add it to the watches") {
            kept.execute(format!("watch {place}"));
        }
    });
}

/// Returns what a memory is, in a line.
fn about(space: Space) -> &'static str {
    match space {
        Space::Cpu => "What the CPU sees: RAM, registers, cartridge",
        Space::Ppu => "What the PPU sees: pattern tables, nametables, palette",
        Space::Oam => "The 64 sprites, four bytes each",
        Space::Palette => "The 32 bytes of the palette",
        Space::Prg => "All of PRG-ROM, mapped or not",
        Space::Chr => "All of CHR-ROM or CHR-RAM",
    }
}

/// Returns a byte as expressions name it.
fn written(space: Space, at: usize) -> String {
    if space == Space::Cpu { format!("[${at:04X}]") } else { format!("{}[${at:04X}]", space.name()) }
}
