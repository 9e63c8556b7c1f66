//! The player's window: the picture with everything that is drawn over it.

use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::window::{Window, WindowId};

use crate::config::settings::Sync;
use crate::messages::command::{DebugCommand, PracticeCommand};
use crate::messages::handle::MachineHandle;
use crate::messages::status::{CrashStatus, RunState};
use crate::ui::debugger;
use crate::ui::editor_panel;
use crate::ui::gui::Gui;
use crate::ui::page::Page;
use crate::ui::paint::{self, Click, Kept};
use crate::ui::practice_panel::{self, Place};
use crate::ui::scrubber;
use crate::ui::state::{AppRequest, UiState};
use crate::ui::thought_panel;
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
    kept: Kept,
    debugger: debugger::Kept,
    /// The part of the window that the debugger leaves to the picture.
    room: Option<Viewport>,
    /// The frame of a kept game at which the mouse holds the slider.
    scrubbed: Option<u64>,
    /// Whether the interface had something to show when it was drawn last.
    busy: bool,
}

impl View {
    /// Takes hold of the graphics driver for `window`.
    pub(crate) fn new(window: Arc<Window>) -> Result<Self, DesktopError> {
        let picture = WindowSurface::new(window)?;
        let gui = Gui::new(&picture);
        let (kept, debugger) = (Kept::default(), debugger::Kept::default());
        Ok(Self { picture, gui, kept, debugger, room: None, scrubbed: None, busy: false })
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
        matches!(
            event,
            WindowEvent::CursorMoved { .. } | WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. }
        )
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
                    Some(room) => (room, framing.docked(Viewport { width: room.width / pictures, ..room })),
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
        let click = self.lay_out(state, render.framing);
        let waiting = state.settings.time.sync == Sync::Display;
        self.picture.set_waiting(waiting);
        let gui = self.busy.then_some(&mut self.gui as &mut dyn Above);
        let PresentedFrame { dots, overlay } = &state.presented;
        let (opponent, room) = (state.opponent(), self.room);
        let shown = Shown { dots, overlay: overlay.as_deref(), opponent, room };
        let shown = self.picture.draw(shown, odd, render, gui)?;
        if shown && waiting {
            state.handle.presented();
        }
        let request = click.and_then(|click| {
            state.menu.point(click.row);
            click.step.and_then(|step| state.step(step))
        });
        Ok(Drawn { shown, clicked: click.is_some(), request })
    }

    fn lay_out(&mut self, state: &mut UiState, framing: Framing) -> Option<Click> {
        let messages = state.notes.lines();
        let rows = state.rows();
        let pads = state.settings.picture.input_display;
        let open = state.menu.page().is_some();
        let snapshot = state.status.debugger.clone();
        if snapshot.is_none() {
            debugger::closed(&mut self.debugger);
            self.room = None;
        }
        let crash = state.status.crash.filter(|crash| crash.way_back && !open);
        let signs = state.status.movie.is_some() || !state.status.recordings.is_empty();
        let above = crash.is_some() || snapshot.is_some() || signs || !messages.is_empty();
        let practice = state.status.practice.clone().filter(|_| state.settings.practice.panel);
        let thoughts = state.status.thoughts.clone().map(|thought| thought.filter(|_| !open));
        let replay = state.status.practice.as_ref().and_then(|practice| practice.replay).filter(|_| !open);
        if replay.is_none() {
            self.scrubbed = None;
        }
        self.busy = open || pads || state.welcome || above || practice.is_some() || replay.is_some();
        self.busy |= thoughts.iter().any(Option::is_some);
        if !self.busy {
            return None;
        }
        let first = state.shows_welcome() && crash.is_none();
        let welcome = if first { state.welcome_rows() } else { vec![] };
        let (mut click, mut commands) = (None, vec![]);
        let (kept, panels, scrubbed) = (&mut self.kept, &mut self.debugger, &mut self.scrubbed);
        let mut sought = None;
        let pictures = if state.opponent().is_some() { 2 } else { 1 };
        let mut room = None;
        let again = self.gui.lay_out(|context| {
            if let Some(snapshot) = &snapshot {
                let running = state.status.run_state != RunState::Paused;
                let scene = debugger::Scene { framing, pictures, running };
                let settings = &mut state.settings.debugger;
                commands.extend(debugger::panels(context, snapshot, panels, settings, scene));
                room = debugger::picture(panels).map(|room| (room, context.pixels_per_point()));
            }
            let screen = room.map_or_else(|| context.content_rect(), |(room, _)| room);
            if pads {
                let second = !state.status.buttons[1].is_empty()
                    || state.status.pads.iter().any(|pad| pad.player == Some(1));
                paint::pads(context, screen, state.status.buttons, second, &mut state.settings.practice);
            }
            if let Some(status) = practice.as_ref().filter(|_| !open) {
                let place = picture_place(framing, pictures, screen, context.pixels_per_point());
                practice_panel::texts(context, &place, &status.items);
                practice_panel::panel(context, screen, status, &mut state.settings.practice);
            }
            for (picture, thought) in (0..).zip(&thoughts) {
                let Some(thought) = thought else { continue };
                let mut place = picture_place(framing, pictures, screen, context.pixels_per_point());
                place.origin.x += screen.width() * picture as f32 / pictures as f32;
                thought_panel::candidates(context, &place, thought);
            }
            // The opponent's is the one to watch.
            let watched = (0..).zip(&thoughts).filter_map(|(at, thought)| Some((at, &**thought.as_ref()?)));
            if let Some(watched) = watched.last() {
                thought_panel::panel(context, screen, watched, &mut state.settings.practice);
            }
            if let Some(replay) = replay {
                sought = scrubber::slider(context, screen, replay, scrubbed).or(sought);
            }
            if !welcome.is_empty() {
                paint::welcome(context, &welcome);
            }
            paint::recording(context, screen, &state.status);
            if let Some(CrashStatus { crash, .. }) = &crash {
                paint::crash(context, crash);
            }
            match state.menu.page() {
                Some(Page::Editor) => editor_panel::field(context, &mut state.menu.editor),
                Some(Page::Games) => editor_panel::plot(context, &state.menu.games),
                _ => {}
            }
            click = paint::menu(context, &state.menu, &rows, &state.status, kept).or(click);
            let free = if replay.is_some() { scrubber::above(screen) } else { screen };
            paint::messages(context, free, &messages);
        });
        self.room = room.map(|(room, points)| debugger::pixels(room, points));
        if let Some(frame) = sought {
            state.handle.send(Command::Practice(PracticeCommand::Seek(frame)));
        }
        for command in commands {
            if !matches!(command, DebugCommand::Show(_)) {
                state.handle.interrupt();
            }
            state.handle.send(Command::Debug(command));
        }
        if again {
            self.window().request_redraw();
        }
        click
    }
}

/// Returns where the player's picture is on `screen`, which is all of the window or what the
/// debugger leaves of it.
fn picture_place(framing: Framing, pictures: u32, screen: egui::Rect, points: f32) -> Place {
    let room = Viewport {
        x: (screen.left() * points).max(0.0) as u32,
        y: (screen.top() * points).max(0.0) as u32,
        width: (screen.width() * points / pictures as f32).max(1.0) as u32,
        height: (screen.height() * points).max(1.0) as u32,
    };
    let inner = framing.viewport_within(room);
    let (columns, lines) = framing.crop.size();
    let scale = egui::vec2(inner.width as f32 / columns as f32, inner.height as f32 / lines as f32) / points;
    let [left, top, ..] = framing.crop.part();
    let cut = egui::vec2(left * crate::PICTURE_WIDTH as f32, top * crate::PICTURE_HEIGHT as f32);
    let origin = egui::pos2(inner.x as f32, inner.y as f32) / points - cut * scale;
    Place { origin: egui::pos2(origin.x, origin.y), scale }
}
