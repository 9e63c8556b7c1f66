//! A window's surface and what is drawn into it.

use std::sync::Arc;

use nes_lua::Overlay;
use pixels::wgpu::{self, PresentMode, SurfaceError};
use pixels::{Pixels, PixelsBuilder, SurfaceTexture};
use winit::window::Window;

use crate::error::reason;
use crate::messages::latest_frame::Framebuffer;
use crate::video::blit::Blit;
use crate::video::composite::Decoder;
use crate::video::filter::Filter;
use crate::video::render_settings::RenderSettings;
use crate::video::viewport::Viewport;
use crate::{DesktopError, PICTURE_HEIGHT, PICTURE_WIDTH};

/// So many pictures in a row that the driver would not take mean that it will not come back: ten
/// seconds.
const HOPELESS: u32 = 600;

/// Format of a window's pixels, which every driver of a desktop takes. It holds sRGB bytes without
/// saying so: converting each pixel to linear light and back took most of the time of a machine
/// without a graphics card.
const SURFACE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Bgra8Unorm;

/// What a window is to show.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The console's picture.
    pub(crate) dots: &'a Framebuffer,
    /// What a script drew over it.
    pub(crate) overlay: Option<&'a Overlay>,
    /// The picture of the computer's console beside it.
    pub(crate) opponent: Option<&'a Framebuffer>,
    /// The part of the window that panels leave to the pictures; none for all of it.
    pub(crate) room: Option<Viewport>,
    /// The colour of everything outside of the room, as red, green and blue.
    pub(crate) ground: [u8; 3],
}

/// Something drawn over all pictures, in the window's own pixels.
pub(crate) trait Above {
    /// Hands the driver what is drawn into a target of `size` pixels.
    fn prepare(
        &mut self,
        context: (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        size: [u32; 2],
    );

    /// Draws it.
    fn draw(&self, pass: &mut wgpu::RenderPass<'static>);
}

/// The picture of another console, where it is kept for the driver, and what draws it: without
/// filter.
struct OpponentPicture {
    rgba: Box<[u8]>,
    texture: wgpu::Texture,
    blit: Blit,
}

/// A window with the console's picture in it.
pub(crate) struct WindowSurface {
    pixels: Pixels<'static>,
    blit: Blit,
    /// The picture beside the first, once there is one.
    opponent: Option<OpponentPicture>,
    /// The picture that the composite filter makes, and where it is kept for the driver.
    composite: (Box<[u8]>, wgpu::Texture),
    decoder: Decoder,
    window: Arc<Window>,
    /// How pictures are handed over where nobody waits for the display.
    unhurried: PresentMode,
    /// The surface's size as last configured. The window may be elsewhere already.
    size: (u32, u32),
    /// The window's size as last told, applied before the next drawing: of a storm of resizes only
    /// the last counts.
    wanted: (u32, u32),
    refused: u32,
}

impl WindowSurface {
    /// Takes hold of the graphics driver for `window`.
    pub(crate) fn new(window: Arc<Window>) -> Result<Self, DesktopError> {
        let size = window.inner_size();
        let size = (size.width.max(1), size.height.max(1));
        let surface = SurfaceTexture::new(size.0, size.1, Arc::clone(&window));
        // Mailbox never waits for the screen, so that keys are heard while a picture waits to be
        // shown; where it does not exist the builder falls back to waiting.
        let pixels = PixelsBuilder::new(PICTURE_WIDTH, PICTURE_HEIGHT, surface)
            .present_mode(PresentMode::Mailbox)
            .texture_format(wgpu::TextureFormat::Rgba8Unorm)
            .surface_texture_format(SURFACE_FORMAT)
            .blend_state(wgpu::BlendState::REPLACE)
            .build()
            .map_err(|error| DesktopError::NoGraphics(reason(&error)))?;
        let texture = texture(pixels.device(), "composite", Decoder::WIDTH);
        let blit = Blit::new(pixels.device(), pixels.texture(), &texture, pixels.render_texture_format());
        let rgba = vec![0; (4 * Decoder::WIDTH * PICTURE_HEIGHT) as usize].into();
        let (composite, decoder) = ((rgba, texture), Decoder::new(0.0, 1.0));
        let unhurried = pixels.present_mode();
        Ok(Self {
            pixels,
            blit,
            opponent: None,
            composite,
            decoder,
            window,
            unhurried,
            size,
            wanted: size,
            refused: 0,
        })
    }

    /// Returns the window.
    pub(crate) fn window(&self) -> &Arc<Window> {
        &self.window
    }

    /// Returns what draws into this window, and the format of its pixels.
    pub(crate) fn device(&self) -> (&wgpu::Device, wgpu::TextureFormat) {
        (self.pixels.device(), self.pixels.render_texture_format())
    }

    /// The window is now `width` by `height` pixels.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        self.wanted = (width, height);
    }

    /// Waits for the display after each picture, or never where it can be helped.
    pub(crate) fn set_waiting(&mut self, waiting: bool) {
        let mode = if waiting { PresentMode::Fifo } else { self.unhurried };
        if self.pixels.present_mode() != mode {
            self.pixels.set_present_mode(mode);
        }
    }

    /// Returns the window's size as last told, in pixels.
    pub(crate) fn wanted_size(&self) -> (u32, u32) {
        self.wanted
    }

    /// Shows the picture of a frame that is `odd` or even, and what is `above` it. One that the
    /// driver does not take now, as it happens while the window changes its size, is left out: the
    /// next one comes soon. Returns whether it was shown.
    pub(crate) fn draw(
        &mut self,
        Shown { dots, overlay, opponent, room, ground }: Shown<'_>,
        odd: bool,
        render: &RenderSettings,
        mut above: Option<&mut dyn Above>,
    ) -> Result<bool, DesktopError> {
        if self.wanted.0 == 0 || self.wanted.1 == 0 {
            return Ok(false); // minimised
        }
        if self.wanted != self.size {
            // Larger than the driver's largest texture: keep the old size, the desktop stretches
            // it.
            let _ = self.pixels.resize_surface(self.wanted.0, self.wanted.1);
            self.size = self.wanted;
        }
        if render.filter == Filter::Composite {
            self.decode((dots, overlay), odd, render);
        } else {
            render.palette.paint(dots, self.pixels.frame_mut());
            if let Some(overlay) = overlay {
                overlay.paint(self.pixels.frame_mut());
            }
        }
        if let Some(dots) = opponent {
            self.keep_beside(dots, render);
        }
        self.window.pre_present_notify();
        let (blit, other) = (&self.blit, self.opponent.as_ref().filter(|_| opponent.is_some()));
        let result = self.pixels.render_with(|encoder, target, context| {
            // The surface's own size, not the window's: the two differ for a moment during a
            // resize.
            let extent = target.texture().size();
            let whole = Viewport::whole(extent.width, extent.height);
            let room_now = room.map_or(whole, |room| room.clipped(extent.width, extent.height));
            let width = if other.is_some() { (room_now.width / 2).max(1) } else { room_now.width };
            let first = Viewport { width, ..room_now };
            let framing = room.map_or(render.framing, |_| render.framing.docked(first));
            let (place, crop) = (framing.viewport_within(first), render.framing.crop);
            blit.show(&context.queue, crop);
            if let Some(above) = &mut above {
                let size = [extent.width, extent.height];
                above.prepare((&context.device, &context.queue), encoder, size);
            }
            let mut pass = pass(encoder, target, ground).forget_lifetime();
            if ground != [0; 3] {
                blit.draw_border(&mut pass, first, place);
            }
            blit.draw(&mut pass, (place, crop, render.filter));
            if let Some(other) = other {
                other.blit.show(&context.queue, crop);
                let size = (extent.width, extent.height);
                let beside = place.beside(width, size);
                if ground != [0; 3] {
                    let second = first.beside(width, size);
                    blit.draw_border(&mut pass, second, beside);
                }
                other.blit.draw(&mut pass, (beside, crop, Filter::None));
            }
            if let Some(above) = above {
                above.draw(&mut pass);
            }
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

    /// Hands `dots` to the driver as the picture beside the first.
    fn keep_beside(&mut self, dots: &Framebuffer, render: &RenderSettings) {
        let (device, queue) = (self.pixels.device(), self.pixels.queue());
        let format = self.pixels.render_texture_format();
        let OpponentPicture { rgba, texture, .. } = self.opponent.get_or_insert_with(|| {
            let texture = texture(device, "opponent", PICTURE_WIDTH);
            let blit = Blit::new(device, &texture, &texture, format);
            OpponentPicture {
                rgba: vec![0; (4 * PICTURE_WIDTH * PICTURE_HEIGHT) as usize].into(),
                texture,
                blit,
            }
        });
        render.palette.paint(dots, rgba);
        queue.write_texture(texture.as_image_copy(), rgba, rows_of(PICTURE_WIDTH), texture.size());
    }

    fn decode(
        &mut self,
        (dots, overlay): (&Framebuffer, Option<&Overlay>),
        odd: bool,
        render: &RenderSettings,
    ) {
        if self.decoder.tint() != render.tint {
            self.decoder = Decoder::new(render.tint.0, render.tint.1);
        }
        let (rgba, texture) = &mut self.composite;
        self.decoder.decode(dots, odd, rgba);
        if let Some(overlay) = overlay {
            lay_over(overlay, rgba);
        }
        let layout = rows_of(Decoder::WIDTH);
        self.pixels.queue().write_texture(texture.as_image_copy(), rgba, layout, texture.size());
    }
}

/// Begins drawing into `target`, which is filled with a colour first.
fn pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    ground: [u8; 3],
) -> wgpu::RenderPass<'a> {
    let [r, g, b] = ground.map(|part| f64::from(part) / 255.0);
    let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("window"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}

/// Lays what a script drew over a picture twice as wide.
fn lay_over(overlay: &Overlay, rgba: &mut [u8]) {
    for (pair, &[above @ .., opacity]) in rgba.chunks_exact_mut(8).zip(overlay.pixels()) {
        for pixel in pair.chunks_exact_mut(4) {
            for (below, above) in pixel.iter_mut().zip(above) {
                let (opacity, above) = (u32::from(opacity), u32::from(above));
                *below = ((above * opacity + u32::from(*below) * (255 - opacity) + 127) / 255) as u8;
            }
        }
    }
}

/// Returns how a picture of that width lies in memory.
fn rows_of(width: u32) -> wgpu::TexelCopyBufferLayout {
    wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * width),
        rows_per_image: Some(PICTURE_HEIGHT),
    }
}

fn texture(device: &wgpu::Device, label: &str, width: u32) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height: PICTURE_HEIGHT, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}
