//! The picture: what the PPU draws, before any colour is chosen for it.

/// One picture of 256 × 240 pixels. A pixel is a palette index in bits 0–5 and the emphasis of
/// red, green and blue in bits 6–8, so that a front end may turn it into any colours it likes.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    pixels: Box<[u16]>,
}

impl Frame {
    /// Pixels a line.
    pub const WIDTH: usize = 256;
    /// Lines.
    pub const HEIGHT: usize = 240;

    /// All 61,440 pixels, top line first, left to right.
    pub fn pixels(&self) -> &[u16] {
        &self.pixels
    }

    /// The pixels of line `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below 240.
    pub fn line(&self, y: usize) -> &[u16] {
        &self.pixels[y * Self::WIDTH..(y + 1) * Self::WIDTH]
    }

    #[inline]
    pub(crate) fn line_mut(&mut self, y: usize) -> &mut [u16] {
        &mut self.pixels[y * Self::WIDTH..(y + 1) * Self::WIDTH]
    }

    #[inline]
    pub(crate) fn set(&mut self, x: usize, y: usize, pixel: u16) {
        self.pixels[y * Self::WIDTH + x] = pixel;
    }
}

impl Default for Frame {
    /// A black picture: every pixel $0F.
    fn default() -> Self {
        Self { pixels: vec![0x0F; Self::WIDTH * Self::HEIGHT].into_boxed_slice() }
    }
}

impl core::fmt::Debug for Frame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frame").finish_non_exhaustive()
    }
}
