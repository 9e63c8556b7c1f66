//! The picture as half blocks: two pixels a character, one in its colour and one in its background.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::PICTURE_WIDTH;
use crate::video::viewport::Framing;

/// Paints the picture `dots`, in red, green and blue, into the middle of `area` as large as it
/// allows. A character is taken to be twice as high as wide.
pub(super) fn paint(dots: &[[u8; 3]], framing: Framing, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let place = framing.viewport(u32::from(area.width), 2 * u32::from(area.height));
    let (width, height) = framing.crop.size();
    let [left, top, ..] = framing.crop.part();
    let (left, top) = ((left * PICTURE_WIDTH as f32) as u32, (top * crate::PICTURE_HEIGHT as f32) as u32);
    let pixel = |x: u32, y: u32| {
        let (Some(x), Some(y)) = (x.checked_sub(place.x), y.checked_sub(place.y)) else { return [0; 3] };
        if x >= place.width || y >= place.height {
            return [0; 3];
        }
        let columns = span(x, place.width, width, left);
        let lines = span(y, place.height, height, top);
        mean(dots, columns, lines)
    };
    for row in 0..area.height {
        for column in 0..area.width {
            let (x, y) = (u32::from(column), 2 * u32::from(row));
            let ([r, g, b], [red, green, blue]) = (pixel(x, y), pixel(x, y + 1));
            if let Some(cell) = buffer.cell_mut((area.x + column, area.y + row)) {
                cell.set_symbol("▀").set_fg(Color::Rgb(r, g, b)).set_bg(Color::Rgb(red, green, blue));
            }
        }
    }
}

/// Returns the dots, from `first` on, that pixel `at` of `pixels` covers when they show `dots`; at
/// least one.
fn span(at: u32, pixels: u32, dots: u32, first: u32) -> (u32, u32) {
    let start = at * dots / pixels;
    let end = ((at + 1) * dots / pixels).max(start + 1);
    (first + start, first + end.min(dots))
}

fn mean(dots: &[[u8; 3]], columns: (u32, u32), lines: (u32, u32)) -> [u8; 3] {
    let mut sum = [0u32; 3];
    for line in lines.0..lines.1 {
        let start = (line * PICTURE_WIDTH) as usize;
        for &dot in &dots[start + columns.0 as usize..start + columns.1 as usize] {
            for (sum, part) in sum.iter_mut().zip(dot) {
                *sum += u32::from(part);
            }
        }
    }
    let count = ((columns.1 - columns.0) * (lines.1 - lines.0)).max(1);
    sum.map(|sum| (sum / count) as u8)
}

#[cfg(test)]
mod tests {
    use nes::Palette;

    use super::*;
    use crate::messages::latest_frame::{Framebuffer, blank_framebuffer};
    use crate::video::viewport::{Aspect, Crop, Scaling};

    const FIT: Framing = Framing {
        aspect: Aspect::Square,
        region: nes::Region::Ntsc,
        scaling: Scaling::Fit,
        crop: Crop { left: 0, right: 0, top: 0, bottom: 0 },
    };

    fn painted(dots: &Framebuffer, framing: Framing, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        let palette = Palette::ntsc(); // it is computed anew
        let dots: Vec<_> = dots.iter().map(|&dot| palette.rgb(dot)).collect();
        paint(&dots, framing, area, &mut buffer);
        buffer
    }

    fn rgb(dot: u16) -> Color {
        let [red, green, blue] = Palette::ntsc().rgb(dot);
        Color::Rgb(red, green, blue)
    }

    #[test]
    fn at_full_size_every_half_block_is_a_dot() {
        let mut dots = blank_framebuffer();
        dots[256 + 5] = 0x16;
        let buffer = painted(&dots, FIT, 256, 120);
        let cell = &buffer[(5, 0)];
        assert_eq!((cell.symbol(), cell.fg, cell.bg), ("▀", rgb(dots[0]), rgb(0x16)));
    }

    #[test]
    fn in_a_small_terminal_dots_are_mixed() {
        let mut dots = blank_framebuffer();
        for (number, dot) in dots.iter_mut().enumerate() {
            *dot = if number % 2 == 0 { 0x30 } else { 0x0F };
        }
        let buffer = painted(&dots, FIT, 64, 30);
        let [white, black] = [0x30, 0x0F].map(|dot| u32::from(Palette::ntsc().rgb(dot)[0]));
        assert_eq!(buffer[(20, 20)].fg, Color::Rgb(u32::midpoint(white, black) as u8, 127, 127));
    }

    #[test]
    fn what_is_cut_off_is_not_painted() {
        let mut dots = blank_framebuffer();
        dots[..8 * 256].fill(0x16);
        let crop = Crop { top: 8, ..Crop::default() };
        let buffer = painted(&dots, Framing { crop, ..FIT }, 80, 40);
        assert!(buffer.content().iter().all(|cell| cell.fg != rgb(0x16) && cell.bg != rgb(0x16)));
    }

    #[test]
    fn no_size_of_terminal_is_too_small() {
        let dots = blank_framebuffer();
        for (width, height) in [(0, 0), (1, 1), (2, 1), (500, 3), (3, 300)] {
            let buffer = painted(&dots, FIT, width, height);
            assert_eq!(buffer.content().len(), usize::from(width) * usize::from(height));
        }
    }
}
