//! The interface drawn over the picture: egui, its events and its painting.

use std::mem;
use std::sync::Arc;

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use egui_winit::accesskit_winit;
use pixels::wgpu;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use crate::ui::app::AppEvent;
use crate::ui::reader;
use crate::ui::theme::{self, Theme};
use crate::video::surface::{Above, WindowSurface};

/// One window's interface.
pub(crate) struct Gui {
    context: egui::Context,
    state: egui_winit::State,
    renderer: Renderer,
    window: Arc<Window>,
    shapes: Vec<egui::ClippedPrimitive>,
    textures: egui::TexturesDelta,
    points: f32,
    /// The target that the shapes were prepared for.
    screen: ScreenDescriptor,
    /// Whether the shapes have not been prepared yet.
    is_new: bool,
    /// Textures that the shapes use last.
    freed: Vec<egui::TextureId>,
}

impl Gui {
    /// Returns an interface for the window of `picture`.
    pub(crate) fn new(picture: &WindowSurface) -> Self {
        let (device, format) = picture.device();
        let window = Arc::clone(picture.window());
        let context = egui::Context::default();
        context.options_mut(|options| options.zoom_with_keyboard = false);
        theme::set_fonts(&context);
        let limit = device.limits().max_texture_dimension_2d as usize;
        let state = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &*window,
            Some(window.scale_factor() as f32),
            None,
            Some(limit),
        );
        Self {
            state,
            renderer: Renderer::new(
                device,
                format,
                RendererOptions { dithering: false, ..RendererOptions::default() },
            ),
            context,
            window,
            shapes: vec![],
            textures: egui::TexturesDelta::default(),
            points: 1.0,
            screen: ScreenDescriptor { size_in_pixels: [0; 2], pixels_per_point: 1.0 },
            is_new: true,
            freed: vec![],
        }
    }

    /// Offers what the window shows to screen readers. The window is not to be seen yet.
    pub(crate) fn offer_to_readers(&mut self, event_loop: &ActiveEventLoop, proxy: EventLoopProxy<AppEvent>) {
        self.state.init_accesskit(event_loop, &self.window, proxy);
    }

    /// A screen reader begins, asks for something, or ends.
    pub(crate) fn hear_reader(&mut self, event: accesskit_winit::WindowEvent) {
        match event {
            accesskit_winit::WindowEvent::InitialTreeRequested => self.context.enable_accesskit(),
            accesskit_winit::WindowEvent::ActionRequested(request) => {
                self.state.on_accesskit_action_request(request);
            }
            accesskit_winit::WindowEvent::AccessibilityDeactivated => self.context.disable_accesskit(),
        }
    }

    /// Tells the interface of the mouse and of the window. Keys are the menu's own business.
    pub(crate) fn handle_event(&mut self, event: &WindowEvent) {
        if !matches!(
            event,
            WindowEvent::KeyboardInput { .. } | WindowEvent::Ime(_) | WindowEvent::RedrawRequested
        ) {
            let _ = self.state.on_window_event(&self.window, event);
        }
    }

    /// Tells the interface of a key, for a line that is being typed.
    pub(crate) fn handle_key(&mut self, event: &WindowEvent) {
        let _ = self.state.on_window_event(&self.window, event);
    }

    /// Returns whether a line is being typed.
    pub(crate) fn is_typing(&self) -> bool {
        self.context.wants_keyboard_input()
    }

    /// Sets the pixels per point from the next layout on. Returns whether they changed.
    pub(crate) fn set_zoom(&mut self, pixels: f32) -> bool {
        let zoom = pixels / self.window.scale_factor() as f32;
        let changes = (self.context.zoom_factor() - zoom).abs() > 1e-3;
        if changes {
            self.context.set_zoom_factor(zoom);
        }
        changes
    }

    /// Gives egui's own widgets the colours of a theme.
    pub(crate) fn set_theme(&self, theme: Theme) {
        theme::apply(&self.context, theme);
    }

    /// Lays out what `show` asks for. Returns whether it wants to be laid out once more at once.
    pub(crate) fn lay_out(&mut self, show: impl FnMut(&egui::Context)) -> bool {
        let input = self.state.take_egui_input(&self.window);
        let mut output = self.context.run(input, show);
        if let Some(update) = &mut output.platform_output.accesskit_update {
            reader::complete(&self.context, update);
        }
        self.state.handle_platform_output(&self.window, output.platform_output);
        self.points = output.pixels_per_point;
        self.shapes = self.context.tessellate(output.shapes, output.pixels_per_point);
        self.textures.append(output.textures_delta);
        self.is_new = true;
        output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero())
    }
}

impl Above for Gui {
    fn prepare(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        size: [u32; 2],
    ) {
        let is_new = mem::take(&mut self.is_new) || self.screen.size_in_pixels != size;
        if !is_new {
            return;
        }
        self.screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: self.points };
        let textures = mem::take(&mut self.textures);
        // The layout before this one, which may have used them, is not drawn again.
        for id in mem::replace(&mut self.freed, textures.free) {
            self.renderer.free_texture(&id);
        }
        for (id, image) in &textures.set {
            self.renderer.update_texture(device, queue, *id, image);
        }
        self.renderer.update_buffers(device, queue, encoder, &self.shapes, &self.screen);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'static>) {
        self.renderer.render(pass, &self.shapes, &self.screen);
    }
}
