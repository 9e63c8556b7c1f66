//! The window: events in, pictures out. The console runs elsewhere (`machine`), so nothing here can slow it down.

use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::PhysicalKey;
use winit::window::{Fullscreen, Window, WindowId};

use crate::error::reason;
use crate::keyboard::{Shortcut, shortcut};
use crate::mailbox::{Dots, blank};
use crate::picture::Picture;
use crate::{Aspect, Command, DesktopError, Notice, Options, PICTURE_HEIGHT, PICTURE_WIDTH, Remote};

/// The state of the window.
pub(crate) struct App {
    options: Options,
    remote: Remote,
    view: Option<View>,
    dots: Box<Dots>,
    paused: bool,
    muted: bool,
    meter: Meter,
    error: Option<DesktopError>,
    shown: u64,
}

/// The window and what is drawn in it.
struct View {
    window: Arc<Window>,
    picture: Picture,
}

impl App {
    pub(crate) fn new(options: Options, remote: Remote) -> Self {
        Self {
            muted: options.settings.sound.mute,
            options,
            meter: Meter::new(),
            remote,
            view: None,
            dots: blank(),
            paused: false,
            error: None,
            shown: 0,
        }
    }

    /// What made the window close, if it was not the player; and how many pictures were shown.
    pub(crate) fn into_result(self) -> Result<u64, DesktopError> {
        self.error.map_or(Ok(self.shown), Err)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<View, DesktopError> {
        let (width, height) = start_size(event_loop, self.options.aspect, self.options.scale);
        let attributes = Window::default_attributes()
            .with_title(self.title())
            .with_inner_size(LogicalSize::new(width, height))
            .with_min_inner_size(LogicalSize::new(PICTURE_WIDTH, PICTURE_HEIGHT))
            .with_fullscreen(self.options.fullscreen.then_some(Fullscreen::Borderless(None)));
        let window =
            event_loop.create_window(attributes).map_err(|error| DesktopError::Window(reason(&error)))?;
        let window = Arc::new(window);
        let picture = Picture::new(Arc::clone(&window), self.options.palette.clone(), self.options.aspect)?;
        Ok(View { window, picture })
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: DesktopError) {
        self.error.get_or_insert(error);
        event_loop.exit();
    }

    fn send(&self, command: Command) {
        self.remote.send(command);
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(view) = &mut self.view else { return };
        match view.picture.draw(&self.dots) {
            Ok(shown) => self.shown += u64::from(shown),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        if event.repeat {
            return;
        }
        if let PhysicalKey::Code(code) = event.physical_key
            && self.remote.key(code, pressed)
        {
        } else if pressed && let Some(shortcut) = shortcut(&event.logical_key) {
            self.obey(event_loop, shortcut);
        }
    }

    fn obey(&mut self, event_loop: &ActiveEventLoop, shortcut: Shortcut) {
        match shortcut {
            Shortcut::Quit => event_loop.exit(),
            Shortcut::Reset => self.send(Command::Reset),
            Shortcut::Pause => {
                self.paused = !self.paused;
                self.meter = Meter::new();
                self.send(if self.paused { Command::Pause } else { Command::Resume });
                self.show_title();
            }
            Shortcut::Mute => {
                self.muted = !self.muted;
                self.send(Command::Mute(self.muted));
                self.show_title();
            }
            Shortcut::Aspect => {
                if let Some(View { window, picture }) = &mut self.view {
                    let size = picture.toggle_aspect();
                    if window.fullscreen().is_none() && !window.is_maximized() {
                        let _ = window.request_inner_size(PhysicalSize::new(size.0, size.1));
                    }
                    window.request_redraw();
                }
            }
            Shortcut::Fullscreen => {
                if let Some(View { window, .. }) = &self.view {
                    let wanted = window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
                    window.set_fullscreen(wanted);
                }
            }
        }
    }

    /// A file was dropped on the window: another cartridge.
    fn insert(&self, path: &Path) {
        self.send(Command::OpenRom(path.to_owned()));
    }

    fn title(&self) -> String {
        let name = match self.options.title.as_str() {
            "" => "Maxout".to_owned(),
            title => format!("Maxout – {title}"),
        };
        let muted = if self.muted { " – muted" } else { "" };
        match self.meter.rate {
            _ if self.paused => format!("{name} – paused{muted}"),
            Some(rate) => format!("{name} – {rate:.1} fps{muted}"),
            None => format!("{name}{muted}"),
        }
    }

    fn show_title(&self) {
        if let Some(View { window, .. }) = &self.view {
            window.set_title(&self.title());
        }
    }
}

impl ApplicationHandler<Notice> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.view.is_none() {
            match self.open(event_loop) {
                Ok(view) => self.view = Some(view),
                Err(error) => self.fail(event_loop, error),
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, notice: Notice) {
        match notice {
            Notice::Picture => {
                self.remote.picture(&mut self.dots);
                if self.meter.read(Instant::now(), self.remote.frames()) {
                    self.show_title();
                }
                if let Some(View { window, .. }) = &self.view {
                    window.request_redraw();
                }
            }
            Notice::Status => {
                let title = self.remote.status().title;
                if title != self.options.title {
                    self.options.title = title;
                    self.show_title();
                }
            }
            Notice::Stopped => event_loop.exit(),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => self.draw(event_loop),
            WindowEvent::Resized(size) => {
                if let Some(view) = &mut self.view {
                    view.picture.resize(size.width, size.height);
                    view.window.request_redraw();
                }
            }
            // A synthetic press stands for a key that was down before the window was entered: not meant for it.
            WindowEvent::KeyboardInput { event, is_synthetic, .. }
                if !(is_synthetic && event.state == ElementState::Pressed) =>
            {
                self.key(event_loop, &event);
            }
            WindowEvent::Focused(false) => {
                self.remote.release_keys();
            }
            WindowEvent::DroppedFile(path) => self.insert(&path),
            _ => {}
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // Surface and window go while the event loop that they belong to is still there.
        mem::drop(self.view.take());
    }
}

/// The window's size at the start: `scale`, or the largest smaller one that leaves a tenth of the screen free.
fn start_size(event_loop: &ActiveEventLoop, aspect: Aspect, scale: u32) -> (u32, u32) {
    let screen = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let room = screen.map_or((u32::MAX, u32::MAX), |screen| {
        let size = screen.size().to_logical::<f64>(screen.scale_factor());
        ((size.width * 0.9) as u32, (size.height * 0.9) as u32)
    });
    let fits = |&scale: &u32| {
        let (width, height) = aspect.size(scale);
        width <= room.0 && height <= room.1
    };
    let scale = (1..=scale.clamp(1, 16)).rev().find(fits).unwrap_or(1);
    aspect.size(scale)
}

/// Frames a second, measured over two seconds at a time.
#[derive(Debug, Clone, Copy)]
struct Meter {
    since: Option<(Instant, u64)>,
    rate: Option<f64>,
}

impl Meter {
    fn new() -> Self {
        Self { since: None, rate: None }
    }

    /// So many `frames` are done at `now`. Answers whether the rate is a new one.
    fn read(&mut self, now: Instant, frames: u64) -> bool {
        let (start, first) = *self.since.get_or_insert((now, frames));
        let seconds = (now - start).as_secs_f64();
        if seconds < 2.0 {
            return false;
        }
        self.rate = Some(frames.saturating_sub(first) as f64 / seconds);
        self.since = Some((now, frames));
        true
    }
}
