//! A picture as plain values: whoever shows it makes a texture or a file of it.

use std::io;

use nes::{Frame, Palette};

/// Rows of red, green, blue, from the top left.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 3]>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

impl Picture {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// What the PPU drew.
    pub fn of_frame(frame: &Frame, palette: &Palette) -> Self {
        let pixels = frame.pixels().iter().map(|&pixel| palette.rgb(pixel)).collect();
        Self { width: Frame::WIDTH, height: Frame::HEIGHT, pixels }
    }

    /// Returns it as a PNG file.
    ///
    /// # Errors
    /// When it has no pixels, or another number of them than it says.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        recording::png(self.width as u32, self.height as u32, self.pixels.as_flattened())
    }

    /// Sets a pixel; nothing outside of the picture.
    pub fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = colour;
        }
    }

    /// Fills a rectangle, as far as it lies in the picture.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: [u8; 3]) {
        for row in y..(y + height).min(self.height) {
            for column in x..(x + width).min(self.width) {
                self.set(column, row, colour);
            }
        }
    }

    /// Every pixel as a square of so many.
    #[must_use]
    pub fn enlarged(&self, times: usize) -> Self {
        let (width, height) = (self.width * times, self.height * times);
        let at = |index: usize| self.pixels[index / width / times * self.width + index % width / times];
        Self { width, height, pixels: (0..width * height).map(at).collect() }
    }
}
