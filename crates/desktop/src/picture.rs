//! The window's surface and what is drawn into it.

use std::sync::Arc;

use nes::Palette;
use pixels::wgpu::{self, PresentMode, SurfaceError};
use pixels::{Pixels, PixelsBuilder, SurfaceTexture};
use winit::window::Window;

use crate::blit::Blit;
use crate::error::reason;
use crate::mailbox::Dots;
use crate::viewport::{Aspect, Viewport};
use crate::{DesktopError, PICTURE_HEIGHT, PICTURE_WIDTH};

/// So many pictures in a row that the driver would not take mean that it will not come back: ten seconds.
const HOPELESS: u32 = 600;

/// A window with the console's picture in it.
pub(crate) struct Picture {
    pixels: Pixels<'static>,
    blit: Blit,
    window: Arc<Window>,
    aspect: Aspect,
    palette: Palette,
    /// The surface's size as last configured. The window may be elsewhere already.
    size: (u32, u32),
    /// The window's size as last told, applied before the next drawing: of a storm of resizes only the last counts.
    wanted: (u32, u32),
    refused: u32,
}

impl Picture {
    /// Takes hold of the graphics driver for `window`.
    pub(crate) fn new(window: Arc<Window>, palette: Palette, aspect: Aspect) -> Result<Self, DesktopError> {
        let size = window.inner_size();
        let size = (size.width.max(1), size.height.max(1));
        let surface = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        // Mailbox never waits for the screen, so that keys are heard while a picture waits to be shown; where it
        // does not exist the builder falls back to waiting.
        let pixels = PixelsBuilder::new(PICTURE_WIDTH, PICTURE_HEIGHT, surface)
            .present_mode(PresentMode::Mailbox)
            .blend_state(wgpu::BlendState::REPLACE)
            .build()
            .map_err(|error| DesktopError::NoGraphics(reason(&error)))?;
        let blit = Blit::new(pixels.device(), pixels.texture(), pixels.render_texture_format());
        Ok(Self { pixels, blit, window, aspect, palette, size, wanted: size, refused: 0 })
    }

    /// The window is now `width` by `height` pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        self.wanted = (width, height);
    }

    /// The other shape of pixels. Answers the size of a window without borders in which scanlines stay as they are.
    pub(crate) fn toggle_aspect(&mut self) -> (u32, u32) {
        let scale = Viewport::fit(self.wanted.0, self.wanted.1, self.aspect).height / PICTURE_HEIGHT;
        self.aspect = self.aspect.toggled();
        self.aspect.size(scale.max(1))
    }

    /// Shows `dots`. A picture that the driver does not take now, as it happens while the window changes its size,
    /// is left out: the next one comes soon. Answers whether it was shown.
    pub(crate) fn draw(&mut self, dots: &Dots) -> Result<bool, DesktopError> {
        if self.wanted.0 == 0 || self.wanted.1 == 0 {
            return Ok(false); // minimised
        }
        if self.wanted != self.size {
            // Larger than the driver's largest texture: keep the old size, the desktop stretches it.
            let _ = self.pixels.resize_surface(self.wanted.0, self.wanted.1);
            self.size = self.wanted;
        }
        self.palette.paint(dots, self.pixels.frame_mut());
        self.window.pre_present_notify();
        let (blit, aspect) = (&self.blit, self.aspect);
        let result = self.pixels.render_with(|encoder, target, _| {
            // The surface's own size, not the window's: the two differ for a moment during a resize.
            let extent = target.texture().size();
            blit.draw(encoder, target, Viewport::fit(extent.width, extent.height, aspect));
            Ok(())
        });
        match result {
            Ok(()) => {
                self.refused = 0;
                Ok(true)
            }
            Err(pixels::Error::Surface(error))
                if self.refused < HOPELESS && error != SurfaceError::OutOfMemory =>
            {
                self.refused += 1;
                Ok(false)
            }
            Err(error) => Err(DesktopError::GraphicsLost(reason(&error))),
        }
    }
}
