//! The debugger's views, which change nothing.

use std::fmt::Write as _;

use nes::{Console, Palette};
use nes_debug::Debugger;
use nes_debug::view::{self, Picture};

use crate::Error;

/// What a view shows: a picture, or lines of text, or both.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgba: Vec<u8>,
    pub(crate) text: String,
}

impl Shown {
    fn picture(picture: &Picture, text: String) -> Self {
        let rgba = picture.pixels.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        Self { width: picture.width, height: picture.height, rgba, text }
    }

    fn text(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Shows a view of the console. The debugger has it for that long, and gives it back as it was.
///
/// # Errors
/// When there is no view of that name.
pub(crate) fn show(
    debugger: &mut Debugger,
    console: &mut Console,
    name: &str,
    palette: &Palette,
) -> Result<Shown, Error> {
    debugger.exchange(console);
    let shown = match name {
        "nametables" => Some(Shown::picture(&view::nametables(debugger, palette), String::new())),
        "patterns" => Some(Shown::picture(&view::patterns(debugger, None, palette), String::new())),
        "sprites" => {
            let (picture, text) = view::sprites(debugger, palette);
            Some(Shown::picture(&picture, text))
        }
        "palettes" => {
            let (picture, text) = view::palettes(debugger, palette);
            Some(Shown::picture(&picture, text))
        }
        "ram" => Some(Shown::text(ram(debugger))),
        "registers" => Some(Shown::text(view::registers(debugger))),
        "game" => Some(Shown::text(view::game(debugger).unwrap_or_else(|| "not a recognised game".into()))),
        _ => None,
    };
    debugger.exchange(console);
    shown.ok_or(Error::Refused(
        "expected a view: nametables, patterns, sprites, palettes, ram, registers or game",
    ))
}

/// The named places of RAM with their values, then all of it, sixteen bytes a line.
fn ram(debugger: &Debugger) -> String {
    let ram = debugger.console().ram();
    let mut text = String::new();
    for label in debugger.symbols.labels().filter(|label| label.address < 0x800) {
        let _ = writeln!(
            text,
            "${:04X}  {:02X}  {:3}  {}",
            label.address,
            ram[usize::from(label.address)],
            ram[usize::from(label.address)],
            label.name
        );
    }
    text.push('\n');
    for (line, bytes) in ram.chunks_exact(16).enumerate() {
        let _ = write!(text, "${:04X} ", line * 16);
        for byte in bytes {
            let _ = write!(text, " {byte:02X}");
        }
        text.push('\n');
    }
    text
}
