//! The program's icon: an M of blocks, drawn here at every size, so that no picture has to be kept
//! beside another.

use anyhow::Result;
use image::{ImageFormat, Rgba, RgbaImage};
use std::fmt::Write;
use std::io::Cursor;

/// Width and height of the icons that desktops ask for, in pixels.
pub(super) const SIZES: [u32; 6] = [16, 32, 48, 64, 128, 256];

/// The blocks: a letter is a colour of [`COLOURS`], a dot the well behind them.
const BLOCKS: [&str; 9] = [
    ".........",
    ".a.....c.",
    ".aa...cc.",
    ".abb.bbc.",
    ".a.bbb.c.",
    ".a..b..c.",
    ".d.....e.",
    ".dd...ee.",
    ".........",
];

const WELL: [u8; 3] = [0x16, 0x18, 0x2A];

/// Letter, colour of the block, and its lit and shaded edges.
const COLOURS: [(u8, [[u8; 3]; 3]); 5] = [
    (b'a', [[0x3B, 0x82, 0xF6], [0xA5, 0xCA, 0xFF], [0x1E, 0x4C, 0xA8]]),
    (b'b', [[0xF8, 0xF8, 0xF8], [0xFF, 0xFF, 0xFF], [0xA0, 0xA6, 0xB8]]),
    (b'c', [[0xEF, 0x53, 0x50], [0xFF, 0xB4, 0xB0], [0x9C, 0x24, 0x24]]),
    (b'd', [[0x2F, 0xB6, 0x7C], [0x9C, 0xF0, 0xC8], [0x14, 0x6C, 0x48]]),
    (b'e', [[0xF5, 0xA6, 0x23], [0xFF, 0xDD, 0x94], [0x9E, 0x62, 0x08]]),
];

/// The colours of a block: face, lit edge, shaded edge.
fn colours(column: usize, row: usize) -> Option<[[u8; 3]; 3]> {
    let letter = BLOCKS[row].as_bytes()[column];
    COLOURS.iter().find(|(name, _)| *name == letter).map(|&(_, colours)| colours)
}

/// Rectangles in a square of `size`: x, y, width, height and colour, the hindmost first.
fn rectangles(size: u32) -> Vec<([u32; 4], [u8; 3])> {
    let block = size / BLOCKS.len() as u32;
    let margin = (size - block * BLOCKS.len() as u32) / 2;
    // At the smallest sizes edges would be all that is seen.
    let edge = if block < 4 { 0 } else { block.div_ceil(8) };
    let gap = u32::from(block >= 3);
    let mut all = vec![([0, 0, size, size], WELL)];
    for row in 0..BLOCKS.len() {
        for column in 0..BLOCKS.len() {
            let Some([face, lit, shaded]) = colours(column, row) else { continue };
            let (x, y) = (margin + column as u32 * block, margin + row as u32 * block);
            let side = block - gap;
            all.push(([x, y, side, side], shaded));
            all.push(([x, y, side - edge, side - edge], lit));
            all.push(([x + edge, y + edge, side - 2 * edge, side - 2 * edge], face));
        }
    }
    all
}

/// The icon as PNG.
///
/// # Errors
/// When it cannot be packed.
pub(crate) fn png(size: u32) -> Result<Vec<u8>> {
    let mut picture = RgbaImage::new(size, size);
    for ([x, y, width, height], [red, green, blue]) in rectangles(size) {
        for row in y..y + height {
            for column in x..x + width {
                picture.put_pixel(column, row, Rgba([red, green, blue, 0xFF]));
            }
        }
    }
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// The icon as SVG.
pub(crate) fn svg() -> String {
    let size = 288;
    let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\">\n");
    for ([x, y, width, height], [red, green, blue]) in rectangles(size) {
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        );
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_a_picture_with_all_five_colours() -> Result<()> {
        for size in SIZES {
            let picture = image::load_from_memory(&png(size)?)?.to_rgb8();
            assert_eq!((picture.width(), picture.height()), (size, size));
            for (letter, [face, ..]) in COLOURS {
                assert!(picture.pixels().any(|pixel| pixel.0 == face), "{} at {size}", char::from(letter));
            }
        }
        Ok(())
    }
}
