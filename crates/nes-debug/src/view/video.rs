//! Pattern tables, nametables, sprites and palettes as pictures.

use nes::ppu::Control;
use nes::{Mainboard, Palette};

use super::Picture;
use crate::{Debugger, Space, space};

const GREY: [[u8; 3]; 4] = [[0; 3], [85; 3], [170; 3], [255; 3]];
const LINES: [u8; 3] = [255, 64, 64];

/// The last picture, 256 x 240; during a frame the lines above the beam are new.
pub fn screen(debugger: &Debugger, palette: &Palette) -> Picture {
    Picture::of_frame(debugger.console().board.caught_up().picture(), palette)
}

/// The four colours of one of the eight palettes; 0-3 are the background's.
fn colours(chips: &Mainboard, number: usize, palette: &Palette) -> [[u8; 3]; 4] {
    let ram = chips.ppu().palette_ram();
    [0, 1, 2, 3].map(|colour| {
        let entry = if colour == 0 { 0 } else { 4 * (number & 7) + colour };
        palette.rgb(u16::from(ram[entry] & 0x3F))
    })
}

/// The colour numbers of a row of a tile, left to right.
fn row(chips: &Mainboard, address: u16) -> [usize; 8] {
    let (low, high) = (chips.cartridge().read_chr(address), chips.cartridge().read_chr(address | 8));
    core::array::from_fn(|x| usize::from(low >> (7 - x) & 1 | (high >> (7 - x) & 1) << 1))
}

/// Both pattern tables as the PPU sees them now, side by side, 256 x 128, in the colours of one of
/// the eight palettes or in greys.
pub fn patterns(debugger: &Debugger, number: Option<usize>, palette: &Palette) -> Picture {
    let chips = debugger.console().board.caught_up();
    let colours = number.map_or(GREY, |number| colours(&chips, number, palette));
    let mut picture = Picture::new(256, 128, GREY[0]);
    for tile in 0..512_usize {
        let (left, top) = (tile / 256 * 128 + tile % 16 * 8, tile % 256 / 16 * 8);
        for y in 0..8 {
            let pixels = row(&chips, (16 * tile + y) as u16);
            for (x, pixel) in pixels.into_iter().enumerate() {
                picture.set(left + x, top + y, colours[pixel]);
            }
        }
    }
    picture
}

/// The four nametables, 512 x 480, and the window that the scroll registers show, in red: as the
/// next frame will begin.
pub fn nametables(debugger: &Debugger, palette: &Palette) -> Picture {
    let chips = debugger.console().board.caught_up();
    let (control, _) = chips.ppu().control_and_mask();
    let table = if control.contains(Control::BACKGROUND_TABLE) { 0x1000 } else { 0 };
    let peek = |address: u16| space::peek(&chips, Space::Ppu, i64::from(address));
    let mut picture = Picture::new(512, 480, GREY[0]);
    for number in 0..4_u16 {
        let base = 0x2000 + 0x400 * number;
        for (line, column) in (0..30_u16).flat_map(|line| (0..32_u16).map(move |column| (line, column))) {
            let attribute = peek(base + 0x3C0 + line / 4 * 8 + column / 4);
            let quarter = (line & 2) << 1 | column & 2;
            let colours = colours(&chips, usize::from(attribute >> quarter & 3), palette);
            let tile = u16::from(peek(base + line * 32 + column));
            let left = usize::from(number & 1) * 256 + usize::from(column) * 8;
            let top = usize::from(number >> 1) * 240 + usize::from(line) * 8;
            for y in 0..8 {
                for (x, pixel) in row(&chips, table + 16 * tile + y).into_iter().enumerate() {
                    picture.set(left + x, top + usize::from(y), colours[pixel]);
                }
            }
        }
    }
    let (_, t, fine_x, _) = chips.ppu().scroll();
    let left = usize::from(t.bits() >> 10 & 1) * 256 + usize::from(t.coarse_x()) * 8 + usize::from(fine_x);
    let top = usize::from(t.bits() >> 11 & 1) * 240 + usize::from(t.coarse_y()) * 8 + usize::from(t.fine_y());
    for x in 0..256 {
        picture.set((left + x) % 512, top % 480, LINES);
        picture.set((left + x) % 512, (top + 239) % 480, LINES);
    }
    for y in 0..240 {
        picture.set(left % 512, (top + y) % 480, LINES);
        picture.set((left + 255) % 512, (top + y) % 480, LINES);
    }
    picture
}

/// The 64 sprites, each alone, eight a row: 8 x 8 or 8 x 16 on a square of 9 x 17, and what OAM
/// says of each, a line a sprite.
pub fn sprites(debugger: &Debugger, palette: &Palette) -> (Picture, String) {
    let chips = debugger.console().board.caught_up();
    let (control, _) = chips.ppu().control_and_mask();
    let tall = control.contains(Control::TALL_SPRITES);
    let mut picture = Picture::new(8 * 9 + 1, 8 * 17 + 1, [48; 3]);
    let mut lines = Vec::new();
    for (number, entry) in chips.ppu().oam().chunks_exact(4).enumerate() {
        let [y, tile, attributes, x] = *entry else { continue };
        let colours = colours(&chips, 4 + usize::from(attributes & 3), palette);
        let (left, top) = (number % 8 * 9 + 1, number / 8 * 17 + 1);
        let height = if tall { 16 } else { 8 };
        for line in 0..height {
            let from = if attributes & 0x80 == 0 { line } else { height - 1 - line };
            let pattern = if tall {
                u16::from(tile & 1) << 12 | (u16::from(tile & 0xFE) + from / 8) << 4 | from & 7
            } else {
                u16::from(control.contains(Control::SPRITE_TABLE)) << 12 | u16::from(tile) << 4 | from
            };
            for (column, pixel) in row(&chips, pattern).into_iter().enumerate() {
                let column = if attributes & 0x40 == 0 { column } else { 7 - column };
                picture.set(left + column, top + usize::from(line), colours[pixel]);
            }
        }
        let flag = |bit: u8, letter: char| if attributes & bit == 0 { '-' } else { letter };
        lines.push(format!(
            "{number:2}  x {x:3}  y {y:3}  tile {tile:02X}  palette {}  {}{}{}{}",
            attributes & 3,
            flag(0x80, 'V'),
            flag(0x40, 'H'),
            flag(0x20, 'B'),
            if y >= 0xEF { "  off the picture" } else { "" },
        ));
    }
    (picture, lines.join("\n"))
}

/// The eight palettes, a row each of four colours, 16 pixels wide and high; the background's on the
/// left.
pub fn palettes(debugger: &Debugger, palette: &Palette) -> (Picture, String) {
    let chips = debugger.console().board.caught_up();
    let mut picture = Picture::new(2 * 4 * 16, 4 * 16, GREY[0]);
    for number in 0..8 {
        for (colour, rgb) in colours(&chips, number, palette).into_iter().enumerate() {
            picture.fill((number / 4 * 4 + colour) * 16, number % 4 * 16, 16, 16, rgb);
        }
    }
    let ram = chips.ppu().palette_ram();
    let lines: Vec<String> = (0..8)
        .map(|number| {
            let kind = if number < 4 { "background" } else { "sprites" };
            let bytes: Vec<String> =
                ram[4 * number..][..4].iter().map(|byte| format!("{byte:02X}")).collect();
            format!("{kind} {}: {}", number % 4, bytes.join(" "))
        })
        .collect();
    (picture, lines.join("\n"))
}
