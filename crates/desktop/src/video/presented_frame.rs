//! A picture as it is shown: what the console drew, and what a script drew over that.

use std::sync::Arc;

use nes::Palette;
use nes_lua::Overlay;

use crate::messages::latest_frame::{Framebuffer, blank_framebuffer};

/// A picture of 256 x 240 dots with what lies over it.
#[derive(Debug, Clone)]
pub struct PresentedFrame {
    /// What the console drew.
    pub dots: Box<Framebuffer>,
    /// What a script drew over it, if one runs and has drawn anything.
    pub overlay: Option<Arc<Overlay>>,
}

impl Default for PresentedFrame {
    /// Returns a black one.
    fn default() -> Self {
        Self { dots: blank_framebuffer(), overlay: None }
    }
}

impl PresentedFrame {
    /// Paints all of it into `rgba`, four bytes a dot, opaque.
    pub(crate) fn paint(&self, palette: &Palette, rgba: &mut [u8]) {
        palette.paint(&self.dots, rgba);
        if let Some(overlay) = &self.overlay {
            overlay.paint(rgba);
        }
    }

    /// Red, green and blue of all dots.
    pub(crate) fn rgb(&self, palette: &Palette) -> Vec<[u8; 3]> {
        let mut rgba = vec![0; 4 * self.dots.len()];
        self.paint(palette, &mut rgba);
        rgba.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}
