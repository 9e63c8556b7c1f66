//! What a script draws: a picture with opacity, to be laid over the console's.

use nes::Frame;

use crate::font;

/// Red, green, blue and opacity.
pub type Rgba = [u8; 4];

const WIDTH: i32 = Frame::WIDTH as i32;
const HEIGHT: i32 = Frame::HEIGHT as i32;
/// Ends of lines are no farther from the picture than this.
const FAR: i32 = 1 << 20;

/// 256 x 240 pixels of red, green, blue and opacity, over the console's picture pixel by pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    pixels: Vec<Rgba>,
    drawn: bool,
}

impl Default for Overlay {
    /// Nothing drawn.
    fn default() -> Self {
        Self { pixels: vec![[0; 4]; Frame::WIDTH * Frame::HEIGHT], drawn: false }
    }
}

impl Overlay {
    /// All pixels, top line first, left to right; opacity last, the colours not multiplied by it.
    pub fn pixels(&self) -> &[Rgba] {
        &self.pixels
    }

    /// Whether anything was drawn at all.
    pub fn drawn(&self) -> bool {
        self.drawn
    }

    /// Fills a rectangle with a colour and its opacity; what of it is outside the picture is left
    /// out.
    pub fn fill(&mut self, [left, top, width, height]: [usize; 4], colour: Rgba) {
        self.drawn = true;
        for row in self.pixels.chunks_exact_mut(WIDTH as usize).skip(top).take(height) {
            row.iter_mut().skip(left).take(width).for_each(|pixel| *pixel = colour);
        }
    }

    /// Draws all of `above` over this.
    pub fn lay(&mut self, above: &Self) {
        for (place, &colour) in above.pixels.iter().enumerate().filter(|(_, colour)| colour[3] > 0) {
            self.pixel(place as i32 % WIDTH, place as i32 / WIDTH, colour);
        }
    }

    /// Lays this over a picture of four bytes a pixel, which stays opaque.
    ///
    /// # Panics
    /// If `rgba` is not 256 x 240 pixels.
    pub fn paint(&self, rgba: &mut [u8]) {
        assert_eq!(rgba.len(), 4 * self.pixels.len(), "four bytes a pixel");
        if !self.drawn {
            return;
        }
        for (below, above) in rgba.chunks_exact_mut(4).zip(&self.pixels) {
            let opacity = u32::from(above[3]);
            for (below, above) in below.iter_mut().zip(&above[..3]) {
                let mixed = u32::from(*above) * opacity + u32::from(*below) * (255 - opacity);
                *below = ((mixed + 127) / 255) as u8;
            }
        }
    }

    /// Clears all that was drawn.
    pub fn clear(&mut self) {
        if core::mem::take(&mut self.drawn) {
            self.pixels.fill([0; 4]);
        }
    }

    /// The pixel at a place, if it is on the picture.
    pub fn at(&self, x: i32, y: i32) -> Option<Rgba> {
        let inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
        inside.then(|| self.pixels[(y * WIDTH + x) as usize])
    }

    /// Draws one pixel over what was drawn before.
    pub fn pixel(&mut self, x: i32, y: i32, colour: Rgba) {
        let inside = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
        if !inside || colour[3] == 0 {
            return;
        }
        self.drawn = true;
        let place = &mut self.pixels[(y * WIDTH + x) as usize];
        let above = u32::from(colour[3]);
        let below = u32::from(place[3]) * (255 - above) / 255;
        let whole = above + below;
        for component in 0..3 {
            let mixed = u32::from(colour[component]) * above + u32::from(place[component]) * below;
            place[component] = ((mixed + whole / 2) / whole) as u8;
        }
        place[3] = whole as u8;
    }

    /// A straight line between two points, both drawn unless the first is to be left out.
    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: Rgba, skip_first: bool) {
        let near = |(x, y): (i32, i32)| (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        let ((x1, y1), (x2, y2)) = (near(from), near(to));
        let (dx, dy) = (i64::from(x2) - i64::from(x1), i64::from(y2) - i64::from(y1));
        let steps = dx.abs().max(dy.abs());
        // Only the part in sight is walked, however long the line.
        let (mut first, mut last) = (i64::from(skip_first && steps > 0), steps);
        for (start, delta, size) in
            [(i64::from(x1), dx, i64::from(WIDTH)), (i64::from(y1), dy, i64::from(HEIGHT))]
        {
            if delta != 0 {
                let at = |edge: i64| (edge - start).saturating_mul(steps) / delta;
                let (near, far) = if delta > 0 { (at(-1), at(size)) } else { (at(size), at(-1)) };
                first = first.max(near - 1);
                last = last.min(far + 1);
            }
        }
        for step in first..=last {
            let along = |start: i32, delta: i64| match steps {
                0 => start,
                // Rounded to the nearest, ties away from the start.
                _ => (i64::from(start) + (2 * delta * step + steps * delta.signum()) / (2 * steps)) as i32,
            };
            self.pixel(along(x1, dx), along(y1, dy), colour);
        }
    }

    /// A rectangle between two corners: its frame of one pixel, and what is inside.
    pub fn rectangle(&mut self, from: (i32, i32), to: (i32, i32), inside: Rgba, frame: Rgba) {
        let (left, right) = (from.0.min(to.0), from.0.max(to.0));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        for y in top.max(0)..=bottom.min(HEIGHT - 1) {
            for x in left.max(0)..=right.min(WIDTH - 1) {
                let edge = x == left || x == right || y == top || y == bottom;
                self.pixel(x, y, if edge { frame } else { inside });
            }
        }
    }

    /// Text from the upper left corner of its first letter, on a ground that is a pixel larger.
    /// Gives the place behind its last letter.
    pub fn text(&mut self, x: i32, y: i32, text: &[u8], colour: Rgba, ground: Rgba) -> i32 {
        let (mut column, mut row) = (x, y);
        for &character in text {
            match character {
                b'\n' => {
                    column = x;
                    row = row.saturating_add(font::LINE);
                    continue;
                }
                b'\t' => {
                    let stop = 8 * font::ADVANCE;
                    column = column.saturating_add(stop - (column - x) % stop);
                    continue;
                }
                _ => {}
            }
            if column < WIDTH && row < HEIGHT && column > -font::ADVANCE && row > -font::LINE {
                let left = if column == x { column - 1 } else { column };
                for py in row - 1..=row + font::HEIGHT {
                    for px in left..column + font::ADVANCE {
                        self.pixel(px, py, ground);
                    }
                }
                for (py, bits) in (row..).zip(font::glyph(character)) {
                    for px in 0..font::WIDTH {
                        if bits >> (font::WIDTH - 1 - px) & 1 != 0 {
                            self.pixel(column + px, py, colour);
                        }
                    }
                }
            }
            column = column.saturating_add(font::ADVANCE);
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Rgba = [0xFF, 0, 0, 0xFF];

    fn places(overlay: &Overlay) -> Vec<(i32, i32)> {
        let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        all.filter(|&(x, y)| overlay.at(x, y) != Some([0; 4])).collect()
    }

    #[test]
    fn a_line_has_both_its_ends_and_a_huge_one_ends_at_the_edges() {
        let mut overlay = Overlay::default();
        overlay.line((3, 1), (0, 0), RED, false);
        assert_eq!(places(&overlay), [(0, 0), (1, 0), (2, 1), (3, 1)]);
        overlay.clear();
        overlay.line((0, 5), (2, 5), RED, true);
        assert_eq!(places(&overlay), [(1, 5), (2, 5)]);
        overlay.clear();
        overlay.line((i32::MIN, 7), (i32::MAX, 7), RED, false);
        assert_eq!(places(&overlay).len(), 256);
        overlay.clear();
        overlay.line((9, 9), (9, 9), RED, true);
        assert_eq!(places(&overlay), [(9, 9)]);
    }

    #[test]
    fn half_opaque_over_nothing_keeps_its_colour_and_over_black_it_is_half_as_bright() {
        let mut overlay = Overlay::default();
        overlay.pixel(0, 0, [200, 100, 50, 128]);
        assert_eq!(overlay.at(0, 0), Some([200, 100, 50, 128]));
        let mut picture = [0, 0, 0, 0xFF].repeat(Frame::WIDTH * Frame::HEIGHT);
        overlay.paint(&mut picture);
        assert_eq!(picture[..8], [100, 50, 25, 0xFF, 0, 0, 0, 0xFF]);
    }

    #[test]
    fn text_ends_where_the_next_letter_would_be_and_keeps_to_the_picture() {
        let mut overlay = Overlay::default();
        assert_eq!(overlay.text(10, 10, b"ab", RED, [0; 4]), 22);
        assert_eq!(overlay.text(250, 236, b"long text\nand more", RED, WHITE_GROUND), 250 + 8 * 6);
        assert_eq!(overlay.text(i32::MAX, i32::MIN, b"x\ty\n", RED, RED), i32::MAX);
        assert!(overlay.drawn());
    }

    const WHITE_GROUND: Rgba = [0xFF; 4];
}
