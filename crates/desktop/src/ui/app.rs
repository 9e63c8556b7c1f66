//! The windows: events in, pictures out. The console runs elsewhere (`machine`), so nothing here
//! can slow it down.

mod window;

use std::mem;
use std::time::{Duration, Instant};

use egui_winit::accesskit_winit;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalPosition, PhysicalSize, Size};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::{Fullscreen, Window, WindowId};

use crate::messages::handle::MachineHandle;
use crate::messages::status::{MessageKind, RunState};
use crate::ui::pages;
use crate::ui::shortcut::shortcut;
use crate::ui::state::{AppRequest, UiState};
use crate::ui::view::{Drawn, View};
use crate::video::filter::Filter;
use crate::video::render_settings::{PictureSettings, RenderSettings};
use crate::video::surface::{Shown, WindowSurface};
use crate::video::viewport::{Framing, Scaling};
use crate::{DesktopError, Notice, Options, PICTURE_HEIGHT, PICTURE_WIDTH};
#[cfg(test)]
pub(crate) use window::size_within;
use window::{LEAST_SIZE, function_key, remembered_place, remembered_size, start_size, window};

/// How often pads are looked at while no picture comes, and how often it is looked for one where
/// none is plugged in.
const GLANCE: Duration = Duration::from_millis(16);
const GLANCE_FOR_PADS: Duration = Duration::from_millis(100);

/// Pictures from one look at the machine's status to the next: 67 ms, so that a press that asks for
/// the menu is seen.
const GLANCE_PICTURES: u32 = 4;

/// The state of the windows.
pub(crate) struct App {
    state: UiState,
    view: Option<View>,
    /// The window for recording software.
    clean: Option<WindowSurface>,
    render: RenderSettings,
    /// What the windows show.
    shown: PictureSettings,
    modifiers: ModifiersState,
    menu_was_open: bool,
    /// Whether the window was moved or resized since it was opened.
    has_moved: bool,
    title: String,
    pictures: u32,
    drawn: u64,
    error: Option<DesktopError>,
    /// What screen readers send their wishes by.
    proxy: EventLoopProxy<AppEvent>,
}

impl App {
    pub(crate) fn new(options: &Options, handle: MachineHandle, proxy: EventLoopProxy<AppEvent>) -> Self {
        let mut state = UiState::new(options, handle);
        // There it would have to run on this thread, which draws.
        state.menu.has_dialog = cfg!(not(target_os = "macos"));
        state.menu.has_sidebar = true;
        state.open_home(options);
        let (render, error) = RenderSettings::new(&state.settings.picture);
        if let Some(error) = error {
            state.say(MessageKind::Error, error.to_string());
        }
        Self {
            // A second window is opened once the first is there.
            shown: PictureSettings { clean_feed: 0, ..state.settings.picture.clone() },
            state,
            view: None,
            clean: None,
            render,
            modifiers: ModifiersState::empty(),
            menu_was_open: false,
            has_moved: false,
            title: String::new(),
            pictures: 0,
            drawn: 0,
            error: None,
            proxy,
        }
    }

    /// Returns what made the window close, if it was not the player; and how many pictures were
    /// shown.
    pub(crate) fn into_result(self) -> Result<u64, DesktopError> {
        self.error.map_or(Ok(self.drawn), Err)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<View, DesktopError> {
        let picture = &self.state.settings.picture;
        let abreast = self.pictures_abreast();
        let (width, height) = {
            let look = &self.state.settings.look;
            // Two pictures have one rail, and what belongs to both below them.
            let rails = u32::from(look.left_rail && abreast == 1) + u32::from(look.right_rail);
            start_size(event_loop, self.render.framing, (picture.scale, abreast), rails)
        };
        self.title = self.state.title();
        let size = match remembered_size(event_loop, &picture.window_size) {
            Some(size) if abreast == 1 => size.into(),
            _ => Size::from(LogicalSize::new(width, height)),
        };
        let attributes = Window::default_attributes()
            .with_title(&self.title)
            // Until screen readers have been told of it.
            .with_visible(false)
            .with_inner_size(size)
            .with_min_inner_size(LogicalSize::new(PICTURE_WIDTH, PICTURE_HEIGHT))
            .with_fullscreen(picture.fullscreen.then_some(Fullscreen::Borderless(None)));
        let attributes = match remembered_place(event_loop, &picture.window_place) {
            Some(place) => attributes.with_position(place),
            None => attributes,
        };
        View::new(window(event_loop, attributes)?, event_loop, self.proxy.clone())
    }

    /// Pictures side by side: the computer has one of its own.
    fn pictures_abreast(&self) -> u32 {
        if self.state.opponent().is_some() { 2 } else { 1 }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: DesktopError) {
        self.error.get_or_insert(error);
        event_loop.exit();
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop, id: WindowId) {
        let odd = self.state.handle.frames() % 2 == 1;
        let result = match (&mut self.view, &mut self.clean) {
            (Some(view), _) if view.id() == id => view.draw(&mut self.state, odd, &self.render),
            (_, Some(clean)) if clean.window().id() == id => {
                // Whatever the player's own window looks like, this one is for another program to
                // work on.
                let framing = Framing { scaling: Scaling::Fit, ..self.render.framing };
                let render = RenderSettings { filter: Filter::None, framing, ..self.render.clone() };
                {
                    let pads = self.state.clean_feed_pads();
                    let dots = &self.state.presented.dots;
                    let shown =
                        Shown { dots, overlay: pads.as_ref(), opponent: None, room: None, ground: [0; 3] };
                    clean.draw(shown, odd, &render, None)
                }
                .map(|_| Drawn::default())
            }
            _ => return,
        };
        match result {
            Ok(Drawn { shown, clicked, request }) => {
                self.drawn += u64::from(shown);
                if clicked {
                    self.after_input(event_loop, request);
                }
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        let in_menu = self.state.menu.page().is_some();
        if event.repeat && !in_menu {
            return;
        }
        let code = match event.physical_key {
            PhysicalKey::Code(code) => Some(code),
            PhysicalKey::Unidentified(_) => None,
        };
        let control = self.modifiers.control_key() || self.modifiers.super_key();
        if let Key::Character(letters) = &event.logical_key
            && in_menu
            && pressed
            && !control
            && self.state.type_letters(letters)
        {
            return self.redraw();
        }
        if let Key::Character(letters) = &event.logical_key
            && pressed
            && control
            && self.state.clipboard_key(letters)
        {
            return self.redraw();
        }
        let shortcut = shortcut(&event.logical_key, control);
        // A key of the game is none while Ctrl is held.
        if control
            && pressed
            && let Some(shortcut) = shortcut
        {
            let request = self.state.do_shortcut(shortcut);
            return self.after_input(event_loop, request);
        }
        let request = self.state.key(code, pressed, shortcut);
        self.after_input(event_loop, request);
    }

    /// Returns whether a key is the debugger's: one of its function keys, or a letter of the line
    /// that is typed.
    fn debugger_key(&mut self, event: &WindowEvent) -> bool {
        let WindowEvent::KeyboardInput { event: key, .. } = event else { return false };
        if self.state.status.debugger.is_none() || self.state.menu.page().is_some() {
            return false;
        }
        if let Key::Named(named) = &key.logical_key
            && let Some(number) = function_key(*named)
        {
            let pressed = key.state == ElementState::Pressed;
            return number >= 5 && (!pressed || self.state.debugger_key(number, self.modifiers.shift_key()));
        }
        self.view.as_mut().is_some_and(|view| view.handle_key(event))
    }

    /// After anything that the player did.
    fn after_input(&mut self, event_loop: &ActiveEventLoop, request: Option<AppRequest>) {
        if request == Some(AppRequest::Quit) {
            event_loop.exit();
        }
        let open = self.state.menu.page().is_some();
        if self.menu_was_open && !open {
            self.state.save_settings();
        }
        if open || self.menu_was_open {
            self.redraw();
        }
        if let Some(view) = &self.view
            && self.menu_was_open != open
        {
            view.window().set_cursor_visible(open || view.window().fullscreen().is_none());
        }
        self.menu_was_open = open;
        self.show_title();
        self.show_settings(event_loop);
    }

    /// Makes the windows what the settings say.
    fn show_settings(&mut self, event_loop: &ActiveEventLoop) {
        let new = &self.state.settings.picture;
        let region = self.state.status.region;
        let old_framing = self.render.framing;
        if *new == self.shown && region == old_framing.region {
            return;
        }
        let abreast = self.pictures_abreast();
        let Some(view) = &mut self.view else { return };
        let old = mem::replace(&mut self.shown, new.clone());
        let (render, error) = RenderSettings::new(new);
        self.render = render.on(region);
        let framing = self.render.framing;
        let window = view.window();
        if old.fullscreen != new.fullscreen {
            window.set_fullscreen(new.fullscreen.then_some(Fullscreen::Borderless(None)));
            window.set_cursor_visible(!new.fullscreen || self.menu_was_open);
        } else if old_framing != framing && new.scaling == Scaling::Whole && !new.fullscreen {
            view.keep_scale(old_framing, framing, abreast);
        }
        let clean_feed = new.clean_feed;
        let same_frame = old.clean_feed == clean_feed && old_framing == framing;
        if let Some(error) = error {
            self.state.say(MessageKind::Error, error.to_string());
        }
        if !same_frame {
            self.clean = None;
            if clean_feed > 0 {
                self.open_clean(event_loop, clean_feed);
            }
        }
        self.redraw();
    }

    /// Opens the window for recording software, at `scale` window pixels to a dot.
    fn open_clean(&mut self, event_loop: &ActiveEventLoop, scale: u8) {
        let (width, height) = self.render.framing.size(u32::from(scale.min(8)));
        let attributes = Window::default_attributes()
            .with_title("Maxout – clean feed")
            .with_inner_size(PhysicalSize::new(width, height))
            .with_resizable(false)
            .with_active(false);
        let attributes = match self.state.settings.picture.clean_feed_place[..] {
            [x, y] => attributes.with_position(PhysicalPosition::new(x, y)),
            _ => attributes,
        };
        match window(event_loop, attributes).and_then(WindowSurface::new) {
            Ok(picture) => self.clean = Some(picture),
            Err(error) => {
                self.state.settings.picture.clean_feed = 0;
                self.shown.clean_feed = 0;
                self.state.say(MessageKind::Error, error.to_string());
            }
        }
    }

    /// The window is opened again as large as it was and where it was, as far as the system lets
    /// it. Two pictures need a size of their own, and a full screen has none.
    fn note_size(&mut self) {
        let Some(window) = self.view.as_ref().map(View::window) else { return };
        if window.fullscreen().is_some() || window.is_maximized() || self.pictures_abreast() > 1 {
            return;
        }
        let PhysicalSize { width, height } = window.inner_size();
        let place = window.outer_position().map(|place| vec![place.x, place.y]).unwrap_or_default();
        if width.min(height) >= LEAST_SIZE {
            for picture in [&mut self.state.settings.picture, &mut self.shown] {
                picture.window_size = vec![width, height];
                picture.window_place.clone_from(&place);
            }
        }
    }

    /// The clean feed is opened again where it was.
    fn note_place(&mut self, id: WindowId) {
        if let Some(clean) = self.clean.as_ref().filter(|clean| clean.window().id() == id)
            && let Ok(PhysicalPosition { x, y }) = clean.window().outer_position()
        {
            self.state.settings.picture.clean_feed_place = vec![x, y];
            self.shown.clean_feed_place = vec![x, y];
        }
    }

    /// Has the windows drawn anew with everything that is in them.
    fn redraw(&mut self) {
        if let Some(view) = &mut self.view {
            view.refresh();
        }
        self.request_redraw();
    }

    fn request_redraw(&self) {
        if let Some(view) = &self.view {
            view.window().request_redraw();
        }
        if let Some(clean) = &self.clean {
            clean.window().request_redraw();
        }
    }

    fn show_title(&mut self) {
        let title = self.state.title();
        if let Some(view) = &self.view
            && title != self.title
        {
            view.window().set_title(&title);
            self.title = title;
        }
    }

    fn close_window(&mut self, event_loop: &ActiveEventLoop, id: WindowId) {
        if self.clean.as_ref().is_some_and(|clean| clean.window().id() == id) {
            self.state.settings.picture.clean_feed = 0;
            self.show_settings(event_loop);
        } else {
            event_loop.exit();
        }
    }

    fn resize(&mut self, id: WindowId, size: PhysicalSize<u32>) {
        match (&mut self.view, &mut self.clean) {
            (Some(view), _) if view.id() == id => view.resize(size),
            (_, Some(clean)) if clean.window().id() == id => clean.resize(size.width, size.height),
            _ => {}
        }
        self.redraw();
    }
}

/// What comes into the window's event loop from elsewhere.
#[derive(Debug)]
pub(crate) enum AppEvent {
    /// From the machine's thread.
    Machine(Notice),
    /// From a screen reader.
    Reader(accesskit_winit::Event),
}

impl From<accesskit_winit::Event> for AppEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Reader(event)
    }
}

impl ApplicationHandler<AppEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.view.is_none() {
            match self.open(event_loop) {
                Ok(view) => {
                    view.window().set_cursor_visible(!self.shown.fullscreen);
                    self.view = Some(view);
                }
                Err(error) => self.fail(event_loop, error),
            }
            self.show_settings(event_loop);
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: AppEvent) {
        match event {
            AppEvent::Reader(event) => {
                if let Some(view) = self.view.as_mut().filter(|view| view.id() == event.window_id) {
                    view.hear_reader(event.window_event);
                    view.window().request_redraw();
                }
            }
            AppEvent::Machine(Notice::Picture) => {
                self.state.take_pictures();
                self.pictures = self.pictures.wrapping_add(1);
                // A press that asks for an action may be as short as a frame.
                let has_actions = !self.state.settings.input.actions.pad.is_empty();
                let live = self.shown.input_display || self.state.status.practice.is_some() || has_actions;
                if live || self.pictures.is_multiple_of(GLANCE_PICTURES) {
                    self.state.update_status();
                    let (_, request) = self.state.poll_pads();
                    self.after_input(event_loop, request);
                }
                // Rails come later where they can.
                self.request_redraw();
            }
            AppEvent::Machine(Notice::Status) => {
                self.state.update_status();
                self.show_title();
                self.redraw();
            }
            AppEvent::Machine(Notice::Stopped) => event_loop.exit(),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        if self.debugger_key(&event) {
            return;
        }
        if let Some(view) = self.view.as_mut().filter(|view| view.id() == id)
            && view.handle_event(&event)
            && (self.state.menu.page().is_some()
                || self.state.status.debugger.is_some()
                // A game that runs draws the overlays anyway.
                || (view.has_overlays() && self.state.status.run_state == RunState::Paused))
        {
            view.window().request_redraw();
        }
        if let Some(view) = self.view.as_ref().filter(|view| view.id() == id) {
            view.point(&event, self.render.framing, &self.state.handle, self.pictures_abreast());
        }
        match event {
            WindowEvent::CloseRequested => self.close_window(event_loop, id),
            WindowEvent::RedrawRequested => self.draw(event_loop, id),
            WindowEvent::Resized(size) => {
                self.resize(id, size);
                self.has_moved |= self.view.as_ref().is_some_and(|view| view.id() == id);
            }
            WindowEvent::Moved(_) => {
                self.note_place(id);
                self.has_moved |= self.view.as_ref().is_some_and(|view| view.id() == id);
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            // A synthetic press stands for a key that was down before the window was entered: not
            // meant for it.
            WindowEvent::KeyboardInput { event, is_synthetic, .. }
                if !(is_synthetic && event.state == ElementState::Pressed) =>
            {
                self.key(event_loop, &event);
            }
            WindowEvent::Focused(has_keyboard) if self.view.as_ref().is_some_and(|view| view.id() == id) => {
                self.state.focus(has_keyboard);
                self.show_title();
            }
            WindowEvent::Focused(false) => self.state.release_keys(),
            WindowEvent::DroppedFile(path) => {
                self.state.menu.close();
                self.state.open_if_wanted(path);
                self.after_input(event_loop, None);
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        tty::panics::where_asked();
        if self.state.is_over() {
            event_loop.exit();
        }
        let page = self.state.menu.page();
        if page.is_some() || self.state.is_stopped() {
            // No pictures come that would be an occasion to look.
            let before = mem::take(&mut self.state.status.pads);
            self.state.update_status();
            let moved = page.is_some_and(pages::is_live) && before != self.state.status.pads;
            let (acted, request) = self.state.poll_pads();
            if moved || acted {
                self.after_input(event_loop, request);
                self.redraw();
            }
        }
        if self.state.notes.forget(Instant::now()) {
            self.redraw();
        }
        let next = if self.state.menu.page().is_some() || self.state.is_stopped() {
            let has_pads = !self.state.status.pads.is_empty();
            Some(Instant::now() + if has_pads { GLANCE } else { GLANCE_FOR_PADS })
        } else {
            self.state.notes.next_change()
        };
        event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if self.has_moved {
            self.note_size();
        }
        self.state.save_settings();
        // Surface and window go while the event loop that they belong to is still there.
        mem::drop((self.view.take(), self.clean.take()));
    }
}
