//! The picture: what the PPU draws, before any colour is chosen for it.

use std::sync::Arc;

use crate::memo::{Memo, Source};

/// One picture of 256 × 240 pixels. A pixel is a palette index in bits 0–5 and the emphasis of
/// red, green and blue in bits 6–8, so that a front end may turn it into any colours it likes.
///
/// Clones share their pixels until one of them is drawn on: a picture is most of what a console
/// weighs, and most clones of a console are never looked at.
#[derive(Clone)]
pub struct Frame {
    sheet: Arc<Sheet>,
    watched: bool,
}

/// The pixels, and what they were drawn from.
#[derive(Clone)]
struct Sheet {
    lines: Vec<[u16; Frame::WIDTH]>,
    memo: Memo,
}

/// A frame's pixels, its own for as long as the PPU draws on them; none if nobody watches.
pub(crate) struct Canvas<'a>(Option<&'a mut Sheet>);

impl Canvas<'_> {
    #[inline]
    pub(crate) fn watched(&self) -> bool {
        self.0.is_some()
    }

    /// The 256 pixels of line `y` to draw on.
    #[inline]
    pub(crate) fn line(&mut self, y: u16) -> Option<&mut [u16; Frame::WIDTH]> {
        let sheet = self.0.as_mut()?;
        sheet.memo.forget(y);
        sheet.lines.get_mut(usize::from(y))
    }

    /// What the lines were drawn from, if there are any.
    #[inline]
    pub(crate) fn memo(&mut self) -> Option<&mut Memo> {
        self.0.as_mut().map(|sheet| &mut sheet.memo)
    }

    /// Must line `y` be drawn, if it is to show what `source` makes?
    #[inline]
    pub(crate) fn lacks(&self, y: u16, source: Source) -> bool {
        self.0.as_ref().is_some_and(|sheet| !sheet.memo.shows(y, source))
    }
}

impl Frame {
    /// Pixels a line.
    pub const WIDTH: usize = 256;
    /// Lines.
    pub const HEIGHT: usize = 240;

    /// All 61,440 pixels, top line first, left to right.
    pub fn pixels(&self) -> &[u16] {
        self.sheet.lines.as_flattened()
    }

    /// The pixels of line `y`, left to right.
    ///
    /// # Panics
    /// If `y` is not below 240.
    pub fn line(&self, y: usize) -> &[u16] {
        &self.sheet.lines[y]
    }

    /// Whether somebody will look. While nobody does, the PPU leaves the pixels as they are and does
    /// only what a program can notice.
    pub fn watch(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// See [`Frame::watch`]; a new frame is watched.
    pub fn watched(&self) -> bool {
        self.watched
    }

    /// The pixels to draw on; copied first if a clone shares them.
    #[inline]
    pub(crate) fn canvas(&mut self) -> Canvas<'_> {
        Canvas(self.watched.then(|| Arc::make_mut(&mut self.sheet)))
    }
}

/// Equal pictures have equal pixels, watched or not.
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
        let sheet = Sheet { lines, memo: Memo::default() };
        Self { sheet: Arc::new(sheet), watched: true }
    }
}

impl core::fmt::Debug for Frame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frame").finish_non_exhaustive()
    }
}
