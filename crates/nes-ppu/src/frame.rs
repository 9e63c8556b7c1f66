//! The picture: what the PPU draws, before any colour is chosen for it.

use alloc::sync::Arc;
use alloc::{vec, vec::Vec};

use crate::fast::{LineCache, Source};

/// One picture of 256 × 240 pixels. A pixel is a palette index in bits 0–5 and the emphasis of
/// red, green and blue in bits 6–8, so that a front end may turn it into any colours it likes.
///
/// Clones share their pixels until one of them is drawn on: a picture is most of what a console
/// weighs, and most clones of a console are never looked at.
#[derive(Clone)]
pub struct Frame {
    buffer: Arc<FrameBuffer>,
    enabled: bool,
}

/// The pixels, and what they were drawn from.
#[derive(Clone)]
struct FrameBuffer {
    lines: Vec<[u16; Frame::WIDTH]>,
    cache: LineCache,
}

/// A frame's pixels, its own for as long as the PPU draws on them; none while drawing is off.
pub(crate) struct Canvas<'a>(Option<&'a mut FrameBuffer>);

impl Canvas<'_> {
    #[inline]
    pub(crate) fn enabled(&self) -> bool {
        self.0.is_some()
    }

    /// The 256 pixels of line `y` to draw on.
    #[inline]
    pub(crate) fn line(&mut self, y: u16) -> Option<&mut [u16; Frame::WIDTH]> {
        let buffer = self.0.as_mut()?;
        buffer.cache.forget(y);
        buffer.lines.get_mut(usize::from(y))
    }

    /// What the lines were drawn from, if there are any.
    #[inline]
    pub(crate) fn cache(&mut self) -> Option<&mut LineCache> {
        self.0.as_mut().map(|buffer| &mut buffer.cache)
    }

    /// Must line `y` be drawn, if it is to show what `source` makes?
    #[inline]
    pub(crate) fn lacks(&self, y: u16, source: Source) -> bool {
        self.0.as_ref().is_some_and(|buffer| !buffer.cache.shows(y, source))
    }
}

impl Frame {
    /// Pixels a line.
    pub const WIDTH: usize = 256;
    /// Lines.
    pub const HEIGHT: usize = 240;

    /// All 61,440 pixels, top line first, left to right.
    pub fn pixels(&self) -> &[u16] {
        self.buffer.lines.as_flattened()
    }

    /// The pixels of line `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below 240.
    pub fn line(&self, y: usize) -> &[u16] {
        &self.buffer.lines[y]
    }

    /// Turns drawing on or off. While it is off, the PPU leaves the pixels as they are and does
    /// only what a program can notice.
    pub fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// Returns whether the PPU draws; it does on a new frame.
    pub fn enabled(&self) -> bool {
        self.enabled
    }

    /// The pixels to draw on; copied first if a clone shares them.
    #[inline]
    pub(crate) fn canvas(&mut self) -> Canvas<'_> {
        Canvas(self.enabled.then(|| Arc::make_mut(&mut self.buffer)))
    }
}

/// Equal pictures have equal pixels, whether they are drawn on or not.
impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.pixels() == other.pixels()
    }
}

impl Eq for Frame {}

impl Default for Frame {
    /// A black picture: every pixel $0F.
    fn default() -> Self {
        let lines = vec![[0x0F; Self::WIDTH]; Self::HEIGHT];
        let buffer = FrameBuffer { lines, cache: LineCache::default() };
        Self { buffer: Arc::new(buffer), enabled: true }
    }
}

impl core::fmt::Debug for Frame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frame").finish_non_exhaustive()
    }
}
