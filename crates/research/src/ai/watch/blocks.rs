//! A picture as half blocks: two pixels a character, one in its colour and one in its background.

use nes::{Frame, Palette};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

/// Dots of a picture across and down.
const DOTS: [u32; 2] = [Frame::WIDTH as u32, Frame::HEIGHT as u32];

/// Paints `dots`, 256 by 240, into the middle of `area`, as large as it allows; a dot is square,
/// and a character is taken to be twice as high as wide. Where it is small, dots are mixed.
pub(super) fn paint(dots: &[u16], palette: &Palette, area: Rect, buffer: &mut Buffer) {
    let room = [u32::from(area.width), 2 * u32::from(area.height)];
    let size = if room[0] * DOTS[1] < room[1] * DOTS[0] {
        [room[0], room[0] * DOTS[1] / DOTS[0]]
    } else {
        [room[1] * DOTS[0] / DOTS[1], room[1]]
    };
    if size.contains(&0) {
        return;
    }
    let left = (room[0] - size[0]) / 2;
    // An even number of lines above, so that no half of a character belongs to another.
    let top = (room[1] - size[1]) / 4 * 2;
    for y in 0..size[1].div_ceil(2) {
        for x in 0..size[0] {
            let upper = mean(dots, palette, [x, 2 * y], size);
            let lower =
                if 2 * y + 1 < size[1] { mean(dots, palette, [x, 2 * y + 1], size) } else { Color::Black };
            if let Some(cell) = buffer.cell_mut((area.x + (left + x) as u16, area.y + (top / 2 + y) as u16)) {
                cell.set_symbol("▀").set_fg(upper).set_bg(lower);
            }
        }
    }
}

/// The colour of the dots that pixel `at` of `size` covers; at least one.
fn mean(dots: &[u16], palette: &Palette, at: [u32; 2], size: [u32; 2]) -> Color {
    let span = |axis: usize| {
        let first = at[axis] * DOTS[axis] / size[axis];
        first..((at[axis] + 1) * DOTS[axis] / size[axis]).max(first + 1)
    };
    let (mut sum, mut count) = ([0u32; 3], 0);
    for y in span(1) {
        for x in span(0) {
            let Some(&dot) = dots.get((y * DOTS[0] + x) as usize) else { continue };
            for (sum, part) in sum.iter_mut().zip(palette.rgb(dot)) {
                *sum += u32::from(part);
            }
            count += 1;
        }
    }
    let [red, green, blue] = sum.map(|sum| (sum / count.max(1)) as u8);
    Color::Rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(dots: &[u16], width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        paint(dots, &Palette::ntsc(), area, &mut buffer);
        buffer
    }

    fn rgb(dot: u16) -> Color {
        let [red, green, blue] = Palette::ntsc().rgb(dot);
        Color::Rgb(red, green, blue)
    }

    #[test]
    fn at_full_size_every_half_block_is_a_dot() {
        let mut dots = vec![0x0F; 256 * 240];
        dots[256 + 5] = 0x16;
        let buffer = painted(&dots, 256, 120);
        assert_eq!((buffer[(5, 0)].fg, buffer[(5, 0)].bg), (rgb(0x0F), rgb(0x16)));
    }

    #[test]
    fn a_wide_terminal_has_the_picture_in_its_middle_and_none_is_too_small() {
        let dots = vec![0x16; 256 * 240];
        let buffer = painted(&dots, 200, 30);
        assert_eq!((buffer[(100, 15)].fg, buffer[(0, 15)].symbol()), (rgb(0x16), " "));
        for (width, height) in [(0, 0), (1, 1), (1, 40), (300, 1)] {
            assert_eq!(
                painted(&dots, width, height).content().len(),
                usize::from(width) * usize::from(height)
            );
        }
    }
}
