//! The player's window: the picture with everything that is drawn over it.

use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::window::{Window, WindowId};

use crate::debugger::BenchOrder;
use crate::messages::status::{CrashStatus, Motion};
use crate::ui::debugger;
use crate::ui::desk::{Desk, Wish};
use crate::ui::gui::Gui;
use crate::ui::paint::{self, Click, Kept};
use crate::video::look::Look;
use crate::video::presented_frame::Sheet;
use crate::video::surface::{Above, Picture, Shown};
use crate::{Command, DesktopError, Framing, Remote, Sync};

/// What came of a drawing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drawn {
    /// Whether the picture was shown.
    pub(crate) shown: bool,
    /// Whether the mouse did something in the menu.
    pub(crate) clicked: bool,
    /// What that asks of the window.
    pub(crate) wish: Option<Wish>,
}

/// A window, the picture in it and the interface over that.
pub(crate) struct View {
    picture: Picture,
    gui: Gui,
    kept: Kept,
    bench: debugger::Kept,
    /// Whether the interface had something to show when it was drawn last.
    busy: bool,
}

impl View {
    /// Takes hold of the graphics driver for `window`.
    pub(crate) fn new(window: Arc<Window>) -> Result<Self, DesktopError> {
        let picture = Picture::new(window)?;
        let gui = Gui::new(&picture);
        Ok(Self { picture, gui, kept: Kept::default(), bench: debugger::Kept::default(), busy: false })
    }

    /// Names the window.
    pub(crate) fn id(&self) -> WindowId {
        self.picture.window().id()
    }

    /// The window.
    pub(crate) fn window(&self) -> &Arc<Window> {
        self.picture.window()
    }

    /// The window has a new size.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.picture.resize(size.width, size.height);
    }

    /// Asks for a window in which scanlines stay as high as they are when `old` becomes `new`.
    /// There are so many `pictures` beside each other.
    pub(crate) fn keep_scale(&self, old: Framing, new: Framing, pictures: u32) {
        let (width, height) = self.picture.wanted_size();
        let (width, height) = new.size(old.scale(width / pictures, height).unwrap_or(1));
        if !self.window().is_maximized() {
            let _ = self.window().request_inner_size(PhysicalSize::new(width * pictures, height));
        }
    }

    /// Tells the interface of an event. Answers whether it came from the mouse.
    pub(crate) fn hear(&mut self, event: &WindowEvent) -> bool {
        self.gui.hear(event);
        matches!(
            event,
            WindowEvent::CursorMoved { .. } | WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. }
        )
    }

    /// Tells the script's side of the pointer and its buttons.
    pub(crate) fn point(&self, event: &WindowEvent, framing: Framing, remote: &Remote, pictures: u32) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let PhysicalSize { width, height } = self.window().inner_size();
                remote.point(framing.dot((position.x, position.y), (width / pictures, height)));
            }
            WindowEvent::MouseInput { state, button, .. } => {
                remote.click(*button, *state == ElementState::Pressed);
            }
            _ => {}
        }
    }

    /// Tells the interface of a key. Answers whether it goes into a line that is being typed.
    pub(crate) fn hear_key(&mut self, event: &WindowEvent) -> bool {
        let typing = self.gui.is_typing();
        if typing {
            self.gui.hear_key(event);
            self.window().request_redraw();
        }
        typing
    }

    /// Draws everything.
    pub(crate) fn draw(&mut self, desk: &mut Desk, odd: bool, look: &Look) -> Result<Drawn, DesktopError> {
        let click = self.lay_out(desk, look.framing);
        let waiting = desk.settings.time.sync == Sync::Display;
        self.picture.set_waiting(waiting);
        let gui = self.busy.then_some(&mut self.gui as &mut dyn Above);
        let Sheet { dots, overlay } = &desk.sheet;
        let shown = Shown { dots, overlay: overlay.as_deref(), beside: desk.beside() };
        let shown = self.picture.draw(shown, odd, look, gui)?;
        if shown && waiting {
            desk.remote.presented();
        }
        let wish = click.and_then(|click| {
            desk.menu.point(click.row);
            click.step.and_then(|step| desk.step(step))
        });
        Ok(Drawn { shown, clicked: click.is_some(), wish })
    }

    fn lay_out(&mut self, desk: &mut Desk, framing: Framing) -> Option<Click> {
        let messages = desk.notes.lines();
        let rows = desk.rows();
        let pads = desk.settings.picture.input_display;
        let open = desk.menu.page().is_some();
        let papers = desk.status.bench.clone();
        if papers.is_none() {
            debugger::shut(&mut self.bench);
        }
        let crash = desk.status.crash.filter(|crash| crash.way_back && !open);
        let above = crash.is_some() || papers.is_some() || !messages.is_empty();
        self.busy = open || pads || desk.welcome || above;
        if !self.busy {
            return None;
        }
        let welcome = if desk.welcome && !open { desk.welcome_rows() } else { vec![] };
        let (mut click, mut orders) = (None, vec![]);
        let (kept, panels) = (&mut self.kept, &mut self.bench);
        let size = self.picture.window().inner_size();
        let again = self.gui.lay_out(|context| {
            if pads {
                let second = !desk.status.buttons[1].is_empty()
                    || desk.status.pads.iter().any(|pad| pad.player == Some(1));
                paint::pads(context, desk.status.buttons, second);
            }
            if !welcome.is_empty() {
                paint::welcome(context, &welcome);
            }
            if let Some(CrashStatus { crash, .. }) = &crash {
                paint::crash(context, crash);
            }
            if let Some(papers) = &papers {
                let settings = &mut desk.settings.debugger;
                let running = desk.status.motion != Motion::Paused;
                let window = (framing, size.into());
                orders.extend(debugger::bench(context, papers, panels, settings, running, window));
            }
            click = paint::menu(context, &desk.menu, &rows, &desk.status.slots, kept).or(click);
            paint::messages(context, &messages);
        });
        for order in orders {
            if !matches!(order, BenchOrder::Look(_)) {
                desk.remote.interrupt();
            }
            desk.remote.send(Command::Bench(order));
        }
        if again {
            self.window().request_redraw();
        }
        click
    }
}
