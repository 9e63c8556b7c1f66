//! A picture as half blocks: two pixels a character, one in its colour and one in its background.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

/// A rectangle of pixels or dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Distance of its left edge from the left.
    pub x: u32,
    /// Distance of its top edge from the top.
    pub y: u32,
    /// Width, in pixels or dots.
    pub width: u32,
    /// Height, in pixels or dots.
    pub height: u32,
}

impl Part {
    /// Returns the largest part in the middle of `area` that has the shape of `dots`. Pixels are
    /// taken to be square: a character is twice as high as wide.
    pub fn fitted(dots: Self, area: Rect) -> Self {
        let (across, down) = (u32::from(area.width), 2 * u32::from(area.height));
        let (width, height) = if across * dots.height < down * dots.width {
            (across, across * dots.height / dots.width)
        } else {
            (down * dots.width / dots.height, down)
        };
        Self { x: (across - width) / 2, y: (down - height) / 2, width, height }
    }

    /// Returns the dots of this part, columns and lines, that a pixel of `place` covers when the
    /// part fills the place; at least one. None outside the place.
    fn under(self, place: Self, x: u32, y: u32) -> Option<[(u32, u32); 2]> {
        let span = |at: u32, pixels: u32, dots: u32, first: u32| {
            let start = at * dots / pixels;
            let end = ((at + 1) * dots / pixels).max(start + 1);
            (first + start, first + end.min(dots))
        };
        let (x, y) = (x.checked_sub(place.x)?, y.checked_sub(place.y)?);
        (x < place.width && y < place.height)
            .then(|| [span(x, place.width, self.width, self.x), span(y, place.height, self.height, self.y)])
    }
}

/// Paints `part` of a picture into `place`, in pixels from the top left of `area`, and black around
/// it. `dot` is the colour of a dot by column and line. Where the place is small, dots are mixed.
pub fn paint(dot: impl Fn(u32, u32) -> [u8; 3], part: Part, place: Part, area: Rect, buffer: &mut Buffer) {
    let pixel = |x, y| {
        let Some([columns, lines]) = part.under(place, x, y) else { return Color::Rgb(0, 0, 0) };
        let (mut sum, mut count) = ([0u32; 3], 0);
        for line in lines.0..lines.1 {
            for column in columns.0..columns.1 {
                for (sum, part) in sum.iter_mut().zip(dot(column, line)) {
                    *sum += u32::from(part);
                }
                count += 1;
            }
        }
        let [red, green, blue] = sum.map(|sum| (sum / count.max(1)) as u8);
        Color::Rgb(red, green, blue)
    };
    for row in 0..area.height {
        for column in 0..area.width {
            let (x, y) = (u32::from(column), 2 * u32::from(row));
            if let Some(cell) = buffer.cell_mut((area.x + column, area.y + row)) {
                cell.set_symbol("▀").set_fg(pixel(x, y)).set_bg(pixel(x, y + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOTS: Part = Part { x: 0, y: 0, width: 256, height: 240 };

    fn painted(dot: impl Fn(u32, u32) -> [u8; 3], part: Part, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        paint(dot, part, Part::fitted(part, area), area, &mut buffer);
        buffer
    }

    #[test]
    fn at_full_size_every_half_block_is_a_dot() {
        let buffer = painted(|x, y| if (x, y) == (5, 1) { [9; 3] } else { [1; 3] }, DOTS, 256, 120);
        let cell = &buffer[(5, 0)];
        assert_eq!((cell.symbol(), cell.fg, cell.bg), ("▀", Color::Rgb(1, 1, 1), Color::Rgb(9, 9, 9)));
    }

    #[test]
    fn in_a_small_terminal_dots_are_mixed() {
        let buffer = painted(|x, _| if x % 2 == 0 { [200; 3] } else { [0; 3] }, DOTS, 64, 30);
        assert_eq!(buffer[(20, 20)].fg, Color::Rgb(100, 100, 100));
    }

    #[test]
    fn the_picture_is_in_the_middle_and_black_is_around_it() {
        let buffer = painted(|_, _| [7; 3], DOTS, 200, 30);
        assert_eq!((buffer[(100, 15)].fg, buffer[(0, 15)].fg), (Color::Rgb(7, 7, 7), Color::Rgb(0, 0, 0)));
    }

    #[test]
    fn what_is_not_of_the_part_is_not_painted() {
        let part = Part { y: 8, height: 232, ..DOTS };
        let buffer = painted(|_, y| if y < 8 { [7; 3] } else { [1; 3] }, part, 80, 40);
        assert!(buffer.content().iter().all(|cell| cell.fg != Color::Rgb(7, 7, 7)));
    }

    #[test]
    fn no_size_of_terminal_is_too_small() {
        for (width, height) in [(0, 0), (1, 1), (2, 1), (500, 3), (3, 300), (1, 40), (300, 1)] {
            let buffer = painted(|_, _| [7; 3], DOTS, width, height);
            assert_eq!(buffer.content().len(), usize::from(width) * usize::from(height));
        }
    }
}
