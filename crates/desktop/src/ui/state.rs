//! The state of the user interface: settings, menu, messages, keys and pads. It is the same in a
//! window and in a terminal.

mod actions;
mod files;
mod held_keys;
mod new_pad;
mod pads;
mod pause;
mod press;
mod review;
mod settings_sync;
mod thought;
mod typing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use autopilot::Thought;
use nes::Palette;
use nes_debug::command::of_key;
use nes_lua::Overlay;
use puzzle::Store;
use winit::keyboard::KeyCode;

use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::config::table::Setting;
use crate::messages::command::{Command, DebugCommand};
use crate::messages::handle::MachineHandle;
use crate::messages::latest_frame::{Framebuffer, blank_framebuffer};
use crate::messages::status::{MessageKind, RunState, Status, VersusStatus};
use crate::ui::clipboard::Lines;
use crate::ui::dialog::{Answer, FileDialog};
use crate::ui::menu::Menu;
use crate::ui::notes::Notes;
use crate::ui::page::{self, Page, Row, Scene};
use crate::ui::puzzle::PuzzleDesk;
use crate::ui::remap::{PadSteps, key_step};
use crate::ui::shortcut::Shortcut;
use crate::ui::step::Step;
use crate::video::presented_frame::PresentedFrame;
use crate::video::render_settings::RenderSettings;
use crate::{DesktopError, Options};
use files::Files;
use held_keys::HeldKeys;
use new_pad::NewPads;
use pause::Pause;
use settings_sync::SettingsSync;

/// Frames from power-on to the title of the games.
const FIRST_PICTURE: u64 = 60;

/// What the front end itself has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppRequest {
    Quit,
}

/// What the player sees and does, but for the picture's place in the window.
pub(crate) struct UiState {
    pub(crate) handle: MachineHandle,
    pub(crate) settings: Settings,
    pub(crate) menu: Menu,
    pub(crate) status: Status,
    pub(crate) notes: Notes,
    pub(crate) presented: PresentedFrame,
    /// The computer's picture, while it plays against the player.
    opponent: Box<Framebuffer>,
    /// What the computer thought of its last piece, and whether it is the opponent.
    thought: Option<(Arc<Thought>, bool)>,
    /// Whether the keys are shown for someone who has never played.
    pub(crate) welcome: bool,
    files: Files,
    dialog: FileDialog,
    clipboard: Lines,
    keys: HeldKeys,
    pads: PadSteps,
    new_pads: NewPads,
    pause: Pause,
    settings_sync: SettingsSync,
    /// The slot for saving and loading by key.
    slot: usize,
    /// Whether another window has the keyboard.
    in_background: bool,
    /// Whether the window has ever had the keyboard.
    had_keyboard: bool,
    /// Whether a menu was open when the machine was last told anything.
    in_menu: bool,
    /// Whether the game has not come to its first picture yet.
    is_starting: bool,
    /// Whether the game stands still until the first press.
    waits_for_press: bool,
    /// Whether a button of a pad was held at the last look.
    pad_was_pressed: bool,
    /// What says which day it is.
    pub(crate) clock: fn() -> SystemTime,
    start: Instant,
    stop: Arc<AtomicBool>,
}

impl UiState {
    pub(crate) fn new(options: &Options, handle: MachineHandle) -> Self {
        let config = options.folders.config.clone().map(ConfigFile::read);
        let mut state = Self {
            settings: options.settings.clone(),
            menu: Menu::default(),
            status: Status {
                title: options.title.clone(),
                versus: options.versus.as_ref().map(|_| VersusStatus::default()),
                ..handle.status()
            },
            notes: Notes::default(),
            presented: PresentedFrame::default(),
            opponent: blank_framebuffer(),
            thought: None,
            welcome: config.as_ref().is_some_and(|config| !config.found()),
            files: Files::new(options.folders.clone(), options.built_in.clone()),
            dialog: FileDialog::default(),
            clipboard: Lines::default(),
            keys: HeldKeys::default(),
            pads: PadSteps::default(),
            new_pads: NewPads::default(),
            pause: Pause::default(),
            settings_sync: SettingsSync::new(&options.settings, config),
            slot: 0,
            in_background: false,
            had_keyboard: false,
            in_menu: false,
            is_starting: false,
            waits_for_press: false,
            pad_was_pressed: false,
            clock: SystemTime::now,
            start: Instant::now(),
            stop: Arc::clone(&options.stop),
            handle,
        };
        state.handle.send(Command::Palette(Box::new(state.palette())));
        let warnings = state.settings_sync.file().map(|file| file.warnings().to_vec()).unwrap_or_default();
        for warning in warnings {
            tty::tell!("maxout: {warning}");
            state.say(MessageKind::Warning, warning);
        }
        state.menu.games_folder.clone_from(&options.folders.games);
        let store = options.folders.games.as_deref().map(Store::beside);
        state.menu.puzzles = PuzzleDesk::new(store, options.nets.clone());
        if let Some(last) = state.files.recent().first().and_then(|path| path.parent()) {
            last.clone_into(&mut state.menu.folder.path);
        }
        if let Some(path) = &options.path {
            state.remember(path);
        }
        state
    }

    /// Opens Home, where the program was started to play nothing in particular.
    pub(crate) fn open_home(&mut self, options: &Options) {
        let is_asked = options.path.is_some()
            || options.state.is_some()
            || options.game.is_some()
            || options.review.is_some()
            || options.battery.is_some()
            || options.movie.is_some()
            || options.script.is_some()
            || options.versus.is_some()
            || options.network.is_some()
            || options.exit_after_frames.is_some()
            || self.status.computer;
        if options.review.is_some() {
            self.menu.open_section(Page::Games);
            self.menu.open_over(Page::Coach);
            self.is_starting = true;
            self.sync();
        }
        if self.settings.look.home && !is_asked {
            self.menu.open(Page::Home);
            self.is_starting = true;
            self.sync();
        }
    }

    /// A line for the player.
    pub(crate) fn say(&mut self, kind: MessageKind, text: impl Into<String>) {
        self.notes.say(kind, text.into(), Instant::now());
    }

    /// A line about a setting, in place of the last one about it.
    fn say_setting(&mut self, setting: Setting) {
        let text = format!("{}: {}", setting.label(), setting.value(&self.settings));
        self.notes.say_about(setting.label(), text, Instant::now());
    }

    fn report_error(&mut self, result: Result<(), DesktopError>) {
        if let Err(error) = result {
            self.notes.report(&error.to_string());
            self.say(MessageKind::Error, error.to_string());
        }
    }

    /// Returns whether someone other than the player has asked for the end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Takes the newest pictures over.
    pub(crate) fn take_pictures(&mut self) -> bool {
        self.handle.opponent_picture(&mut self.opponent);
        self.handle.picture(&mut self.presented)
    }

    /// Returns the computer's picture, while it plays against the player.
    pub(crate) fn opponent(&self) -> Option<&Framebuffer> {
        self.status.versus.map(|_| &*self.opponent)
    }

    /// Returns the pads as the clean feed shows them; none where it does not.
    pub(crate) fn clean_feed_pads(&self) -> Option<Overlay> {
        let second =
            !self.status.buttons[1].is_empty() || self.status.pads.iter().any(|pad| pad.player == Some(1));
        let ports = if second { 2 } else { 1 };
        self.settings
            .picture
            .clean_feed_input
            .then(|| crate::ui::pads::overlay(&self.status.buttons[..ports]))
    }

    /// Returns whether the game stands still for the menu or the player.
    pub(crate) fn is_stopped(&self) -> bool {
        self.pause.is_on()
    }

    /// Reads the machine's status, and follows what the machine did by itself.
    pub(crate) fn update_status(&mut self) {
        self.status = self.handle.status();
        self.keep_thought();
        if let Some(search) = &self.status.puzzle_search {
            self.menu.puzzles.take_own(search);
        }
        let stands_still = self.menu.page().is_some() || self.pauses_in_background();
        self.pause.follow(&self.status, self.is_current(), stands_still);
        self.notes.take_new(&self.status, Instant::now());
        self.after_dialog();
        self.follow_worst();
        self.sync();
    }

    /// Opens what was chosen in the desktop's own dialog, if anything was.
    fn after_dialog(&mut self) {
        match self.dialog.answer(Instant::now()) {
            None | Some(Answer::Cancelled) => {}
            Some(Answer::Chosen(path)) => {
                self.menu.close();
                self.open_if_wanted(path);
            }
            Some(Answer::NotThere) => {
                let text = "this desktop offers no file dialog: choose from the list";
                self.say(MessageKind::Warning, text);
            }
        }
    }

    /// Returns whether the status is later than all commands that were sent.
    fn is_current(&self) -> bool {
        self.status.commands_done == self.handle.commands_sent()
    }

    /// Returns what the window's title says.
    pub(crate) fn title(&self) -> String {
        let name = match self.status.title.as_str() {
            "" => "Maxout".to_owned(),
            title => format!("Maxout – {title}"),
        };
        let how = match self.status.run_state {
            _ if self.pause.is_on() => " – paused".into(),
            RunState::Paused => " – paused".into(),
            RunState::Rewinding => " – rewind".into(),
            _ if self.status.fps > 0.0 => format!(" – {:.2} fps", self.status.fps),
            _ => String::new(),
        };
        let computer = if self.status.computer { " – computer player" } else { "" };
        let other = if self.status.network.is_some() { "the other" } else { "computer" };
        let versus = self.status.versus.map_or(String::new(), |VersusStatus { lines, sent, .. }| {
            format!(
                " – lines: you {}, {other} {} – rows sent: you {}, {other} {}",
                lines[0], lines[1], sent[0], sent[1]
            )
        });
        let network = self.status.network.as_ref();
        let network = network.map_or(String::new(), |network| format!(" – {}", network.text));
        let muted = if self.settings.sound.mute { " – muted" } else { "" };
        format!("{name}{computer}{versus}{network}{how}{muted}")
    }

    /// Returns the lines of the page that is open.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = self.menu.page().map(|page| page.rows(&self.scene())).unwrap_or_default();
        if let Some(text) = self.menu.typed_number()
            && let Some(row) = self.menu.cursor(&rows).and_then(|at| rows.get_mut(at))
        {
            row.value = text;
        }
        rows
    }

    /// Returns whether the keys are shown for someone who has never played. While the computer
    /// plays there is something to look at, and no key to press.
    pub(crate) fn shows_welcome(&self) -> bool {
        self.welcome && !self.status.computer && self.menu.page().is_none()
    }

    /// Does what a shortcut asks, whatever else its key means.
    pub(crate) fn do_shortcut(&mut self, shortcut: Shortcut) -> Option<AppRequest> {
        let request = match self.menu.page() {
            Some(_) => self.menu_shortcut(shortcut),
            None => self.handle_shortcut(shortcut, true),
        };
        self.sync();
        request
    }

    /// Opens the menu of the game that is on.
    pub(crate) fn open_menu(&mut self) {
        self.menu.open(Page::Pause);
        self.sync();
    }

    /// Returns the lines for someone who has never played.
    pub(crate) fn welcome_rows(&self) -> Vec<Row> {
        page::welcome(&self.scene())
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            settings: &self.settings,
            status: &self.status,
            recent: self.files.recent(),
            folder: &self.menu.folder,
            games: &self.menu.games,
            shelf: &self.menu.shelf,
            editor: &self.menu.editor,
            puzzles: &self.menu.puzzles,
            question: self.menu.question(),
            dialog: self.menu.has_dialog,
            sidebar: self.menu.has_sidebar,
            texts: &self.menu.texts,
            keys: self.keys.codes(),
            listening: self.menu.listening.as_ref().map(|listening| listening.target),
            now: (self.clock)(),
        }
    }

    /// A key goes down or up: the menu's while it is open, the game's otherwise, or else a
    /// shortcut's.
    pub(crate) fn key(
        &mut self,
        code: Option<KeyCode>,
        pressed: bool,
        shortcut: Option<Shortcut>,
    ) -> Option<AppRequest> {
        if let Some(code) = code {
            self.keys.key(code, pressed);
        }
        let request = match self.menu.page() {
            Some(_) if pressed => self.menu_key(code, shortcut),
            Some(_) => None,
            None if code.is_some_and(|code| self.handle.key(code, pressed)) => {
                self.welcome = false;
                self.go_on_after_press(pressed);
                None
            }
            None => self
                .bound_shortcut(code)
                .or(shortcut)
                .and_then(|shortcut| self.handle_shortcut(shortcut, pressed)),
        };
        self.sync();
        request
    }

    /// Returns a function key while the debugger is open. Returns whether it is one of the
    /// debugger's.
    pub(crate) fn debugger_key(&mut self, number: u8, shift: bool) -> bool {
        let Some(line) = of_key(number, shift).filter(|_| self.status.debugger.is_some()) else {
            return false;
        };
        let running = self.status.run_state != RunState::Paused;
        self.handle.interrupt();
        self.handle.send(match line {
            "run" if running => Command::Pause,
            _ => Command::Debug(DebugCommand::Execute(line.to_owned())),
        });
        true
    }

    /// The window gets the keyboard, or another one does.
    pub(crate) fn focus(&mut self, has_keyboard: bool) {
        if !has_keyboard {
            self.release_keys();
        }
        self.had_keyboard |= has_keyboard;
        // A window that opens behind others shows its first picture all the same.
        self.in_background = !has_keyboard && self.had_keyboard;
        self.sync();
    }

    /// Returns whether the game stands still because nobody can play it. The other player of a
    /// match does not wait, and a computer needs no keyboard.
    fn pauses_in_background(&self) -> bool {
        let is_played = self.status.network.is_none() && !self.status.computer;
        self.in_background && self.settings.time.pause_in_background && is_played
    }

    /// The keyboard went elsewhere.
    pub(crate) fn release_keys(&mut self) {
        self.keys.release();
        self.release_game_keys();
    }

    /// Nothing is held for the game any more, and no shortcut either.
    fn release_game_keys(&mut self) {
        self.handle.release_keys();
        for shortcut in self.keys.take_shortcuts() {
            self.handle_shortcut(shortcut, false);
        }
    }

    fn menu_key(&mut self, code: Option<KeyCode>, shortcut: Option<Shortcut>) -> Option<AppRequest> {
        let code = code?;
        if let Some(listening) = &self.menu.listening
            && code != KeyCode::Escape
        {
            let bound = listening.key(code, shortcut, &mut self.settings);
            self.after_binding(bound);
            return None;
        }
        let rows = self.rows();
        if self.menu.keyboard.is_some() && self.key_on_screen(code) {
            return None;
        }
        // A text may have several words.
        if code == KeyCode::Space
            && (self.menu.type_text(" ", &rows, &mut self.settings)
                || self.menu.page() == Some(Page::Find) && self.menu.type_ahead(" ", &rows, Instant::now()))
        {
            return None;
        }
        if code == KeyCode::Space && self.menu.page() == Some(Page::Games) {
            return self.step(Step::Draw);
        }
        if code == KeyCode::Backspace && self.menu.erase_digit(&rows, &mut self.settings) {
            return None;
        }
        match (key_step(code), shortcut) {
            (Some(step), _) => self.step(step),
            // A key of the game has no other meaning outside the menu either.
            _ if self.settings.input.players.iter().any(|one| one.keys.controls(&code).next().is_some()) => {
                None
            }
            (None, shortcut) => {
                let shortcut = self.bound_shortcut(Some(code)).or(shortcut);
                shortcut.and_then(|shortcut| self.menu_shortcut(shortcut))
            }
        }
    }

    /// One step in the menu, from wherever.
    pub(crate) fn step(&mut self, step: Step) -> Option<AppRequest> {
        if self.menu.keyboard.is_some() {
            self.step_on_screen(step);
            return None;
        }
        let (rows, places) = (self.rows(), self.menu.places());
        let action = self.menu.step(step, &rows, &mut self.settings);
        let request = action.and_then(|action| self.perform_if_wanted(action, places));
        if let Some(text) = self.menu.puzzles.says.take() {
            self.say(MessageKind::Warning, text);
        }
        self.sync();
        request
    }

    /// Tells the machine what has changed.
    pub(crate) fn sync(&mut self) {
        let open = self.menu.page().is_some();
        if self.in_menu && !open {
            self.handle.consume_pads();
        }
        self.in_menu = open;
        // A match over the network goes on beside the menu.
        let pauses = self.status.network.is_none();
        let runs = pauses
            && self.is_current()
            && self.status.run_state != RunState::Paused
            && !self.keys.has_shortcut();
        // Home shows the game's first picture.
        self.is_starting &= open && self.status.frame < FIRST_PICTURE;
        let stands_still = open && !self.is_starting;
        if let Some(command) = self.pause.command(stands_still || self.pauses_in_background(), runs) {
            if command == Command::Pause {
                self.release_game_keys();
            }
            self.handle.send(command);
        }
        for command in self.settings_sync.commands(&self.settings) {
            self.handle.send(command);
        }
        if self.settings_sync.is_due(Instant::now()) {
            self.save_settings();
        }
    }

    fn palette(&self) -> Palette {
        RenderSettings::new(&self.settings.picture).0.palette
    }

    /// Writes the settings into their file, if the player has changed any.
    pub(crate) fn save_settings(&mut self) {
        let saved = self.settings_sync.save(&self.settings);
        self.report_error(saved);
    }
}

#[cfg(test)]
pub(crate) mod tests;
