//! The player's window: the picture with everything that is drawn over it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui_winit::accesskit_winit;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use crate::config::settings::Sync;
use crate::messages::command::{DebugCommand, PracticeCommand};
use crate::messages::handle::MachineHandle;
use crate::ui::app::AppEvent;
use crate::ui::bars::BarClick;
use crate::ui::debugger;
use crate::ui::gui::Gui;
use crate::ui::interface::{Interface, Laid};
use crate::ui::layout::{Layout, Wanted};
use crate::ui::pages::{Click, Textures};
use crate::ui::state::{AppRequest, UiState};
use crate::ui::theme;
use crate::video::presented_frame::PresentedFrame;
use crate::video::render_settings::RenderSettings;
use crate::video::surface::{Above, Shown, WindowSurface};
use crate::video::viewport::{Framing, Viewport};
use crate::{Command, DesktopError};

/// What came of a drawing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drawn {
    /// Whether the picture was shown.
    pub(crate) shown: bool,
    /// Whether the mouse did something in the menu.
    pub(crate) clicked: bool,
    /// What that asks of the window.
    pub(crate) request: Option<AppRequest>,
}

/// A window, the picture in it and the interface over that.
pub(crate) struct View {
    picture: WindowSurface,
    gui: Gui,
    textures: Textures,
    debugger: debugger::Kept,
    /// The part of the window that the interface leaves to the picture; none for all of it.
    room: Option<Viewport>,
    /// The frame of a kept game at which the mouse holds the slider.
    scrubbed: Option<u64>,
    /// Whether the interface had something to show when it was laid out last.
    busy: bool,
    /// The colour of what is outside of the picture's room.
    ground: egui::Color32,
    /// When that was, and whether something has happened since.
    laid_out: Option<Instant>,
    stale: bool,
    /// The colours that egui's own widgets have.
    theme: Option<theme::Theme>,
}

/// How often rails are laid out anew while a game runs: fifteen times a second.
const RAIL_TIME: Duration = Duration::from_millis(66);

impl View {
    /// Takes hold of the graphics driver for `window`.
    pub(crate) fn new(
        window: Arc<Window>,
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<AppEvent>,
    ) -> Result<Self, DesktopError> {
        let picture = WindowSurface::new(window)?;
        let mut gui = Gui::new(&picture);
        gui.offer_to_readers(event_loop, proxy);
        picture.window().set_visible(true);
        Ok(Self {
            picture,
            gui,
            textures: Textures::default(),
            debugger: debugger::Kept::default(),
            room: None,
            scrubbed: None,
            busy: false,
            ground: theme::AROUND_PICTURE,
            laid_out: None,
            stale: true,
            theme: None,
        })
    }

    /// Names the window.
    pub(crate) fn id(&self) -> WindowId {
        self.picture.window().id()
    }

    /// Returns the window.
    pub(crate) fn window(&self) -> &Arc<Window> {
        self.picture.window()
    }

    /// The window has a new size.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.picture.resize(size.width, size.height);
    }

    /// Asks for a window in which scanlines stay as high as they are when `old` becomes `new`.
    /// There are so many `pictures` side by side.
    pub(crate) fn keep_scale(&self, old: Framing, new: Framing, pictures: u32) {
        let (width, height) = self.picture.wanted_size();
        let (width, height) = new.size(old.scale(width / pictures, height).unwrap_or(1));
        if !self.window().is_maximized() {
            let _ = self.window().request_inner_size(PhysicalSize::new(width * pictures, height));
        }
    }

    /// Tells the interface of an event. Returns whether it came from the mouse.
    pub(crate) fn handle_event(&mut self, event: &WindowEvent) -> bool {
        self.gui.handle_event(event);
        // The pointer over a picture changes nothing but hover.
        self.stale |= !matches!(event, WindowEvent::CursorMoved { .. } | WindowEvent::RedrawRequested);
        matches!(
            event,
            WindowEvent::CursorMoved { .. } | WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. }
        )
    }

    /// A screen reader begins, asks for something, or ends.
    pub(crate) fn hear_reader(&mut self, event: accesskit_winit::WindowEvent) {
        self.gui.hear_reader(event);
        self.stale = true;
    }

    /// Returns whether something was drawn over the picture last.
    pub(crate) fn has_overlays(&self) -> bool {
        self.busy
    }

    /// Tells the script's side of the pointer and its buttons.
    pub(crate) fn point(&self, event: &WindowEvent, framing: Framing, handle: &MachineHandle, pictures: u32) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let PhysicalSize { width, height } = self.window().inner_size();
                let (room, framing) = match self.room {
                    Some(room) => {
                        (room, framing.docked(Viewport { width: (room.width / pictures).max(1), ..room }))
                    }
                    None => (Viewport::whole(width, height), framing),
                };
                let place = (position.x - f64::from(room.x), position.y - f64::from(room.y));
                handle.point(framing.dot(place, (room.width / pictures, room.height)));
            }
            WindowEvent::MouseInput { state, button, .. } => {
                handle.click(*button, *state == ElementState::Pressed);
            }
            _ => {}
        }
    }

    /// Tells the interface of a key. Returns whether it goes into a line that is being typed.
    pub(crate) fn handle_key(&mut self, event: &WindowEvent) -> bool {
        let typing = self.gui.is_typing();
        if typing {
            self.gui.handle_key(event);
            self.window().request_redraw();
        }
        typing
    }

    /// Draws everything.
    pub(crate) fn draw(
        &mut self,
        state: &mut UiState,
        odd: bool,
        render: &RenderSettings,
    ) -> Result<Drawn, DesktopError> {
        let (click, bar) = if self.must_lay_out(state) { self.lay_out(state, render) } else { (None, None) };
        let waiting = state.settings.time.sync == Sync::Display;
        self.picture.set_waiting(waiting);
        let gui = self.busy.then_some(&mut self.gui as &mut dyn Above);
        let PresentedFrame { dots, overlay } = &state.presented;
        let (opponent, room) = (state.opponent(), self.room);
        let [red, green, blue, _] = self.ground.to_array();
        let ground = [red, green, blue];
        let shown = Shown { dots, overlay: overlay.as_deref(), opponent, room, ground };
        let shown = self.picture.draw(shown, odd, render, gui)?;
        if shown && waiting {
            state.handle.presented();
        }
        if bar == Some(BarClick::Menu) {
            state.open_menu();
        }
        let request = click.and_then(|click| {
            state.menu.point(click.row);
            let step = click.step?;
            state.menu.pick(click.row);
            state.step(step)
        });
        self.stale |= click.is_some() || bar.is_some();
        Ok(Drawn { shown, clicked: click.is_some() || bar.is_some(), request })
    }

    /// The interface has something else to show than when it was laid out last.
    pub(crate) fn refresh(&mut self) {
        self.stale = true;
    }

    /// Returns whether the interface is laid out anew: always while a page or the debugger is open,
    /// and so often while a game runs that its figures can be read.
    fn must_lay_out(&mut self, state: &UiState) -> bool {
        let is_live = state.menu.page().is_some() || state.status.debugger.is_some();
        let is_stale = std::mem::take(&mut self.stale);
        lays_out(is_stale || is_live, self.laid_out.map(|at| at.elapsed()))
    }

    /// Returns where everything is in the window as it is now.
    fn layout(&self, state: &UiState, framing: Framing) -> Layout {
        let look = &state.settings.look;
        let type_size = f64::from(look.type_size.factor());
        Layout::of(&Wanted {
            window: self.picture.wanted_size(),
            desktop: self.window().scale_factor() * type_size,
            framing,
            pictures: if state.opponent().is_some() { 2 } else { 1 },
            rails: [look.left_rail, look.right_rail],
        })
    }

    fn lay_out(&mut self, state: &mut UiState, render: &RenderSettings) -> (Option<Click>, Option<BarClick>) {
        let framing = render.framing;
        self.laid_out = Some(Instant::now());
        let layout = self.layout(state, framing);
        let snapshot = state.status.debugger.clone();
        if snapshot.is_none() {
            debugger::closed(&mut self.debugger);
        }
        let changed = self.gui.set_zoom(if snapshot.is_some() {
            self.window().scale_factor() as f32
        } else {
            layout.zoom as f32
        });
        let chosen = state.settings.look.theme;
        if self.theme != Some(chosen) {
            self.theme = Some(chosen);
            self.gui.set_theme(chosen);
        }
        let replay = state.status.practice.as_ref().and_then(|practice| practice.replay);
        if replay.is_none() {
            self.scrubbed = None;
        }
        let mut laid = Laid::default();
        let again = self.gui.lay_out(|context| {
            let mut interface = Interface {
                state,
                layout: &layout,
                framing,
                palette: &render.palette,
                textures: &mut self.textures,
                panels: &mut self.debugger,
                scrubbed: &mut self.scrubbed,
            };
            laid = interface.draw(context);
        });
        self.busy = laid.busy;
        self.ground = laid.ground;
        self.room = match laid.docked {
            Some(docked) => Some(docked),
            None if layout.stage
                == Viewport::whole(self.picture.wanted_size().0, self.picture.wanted_size().1) =>
            {
                None
            }
            None => Some(layout.stage),
        };
        if let Some(frame) = laid.sought {
            state.handle.send(Command::Practice(PracticeCommand::Seek(frame)));
        }
        for command in laid.commands {
            if !matches!(command, DebugCommand::Show(_)) {
                state.handle.interrupt();
            }
            state.handle.send(Command::Debug(command));
        }
        if again || changed {
            self.stale = true;
            self.window().request_redraw();
        }
        (laid.click, laid.bar)
    }
}

/// Returns whether rails and bars are laid out for the picture that comes: where something else has
/// changed, or so many milliseconds after the last time. Other pictures are shown with those that
/// there are.
pub(crate) fn lays_out(has_changed: bool, since_last: Option<Duration>) -> bool {
    has_changed || since_last.is_none_or(|since| since >= RAIL_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rails_are_laid_out_fifteen_times_a_second_and_at_once_after_a_change() {
        // Ten seconds of pictures, of a display of 60 and of one of 144.
        for rate in [60_u32, 144] {
            let (mut last, mut laid_out) = (None, 0);
            for picture in 0..10 * rate {
                let now = Duration::from_secs(1) * picture / rate;
                if lays_out(false, last.map(|last| now.saturating_sub(last))) {
                    (last, laid_out) = (Some(now), laid_out + 1);
                }
            }
            assert!((10..=150).contains(&laid_out), "{laid_out} times, 15 a second at most");
        }
        assert!(lays_out(true, Some(Duration::ZERO)), "what the player does is seen at once");
    }
}
