//! The player's desk: settings, menu, messages and what keys and pads ask, the same in a window and in a terminal.

mod orders;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use nes::Palette;
use nes_debug::command::of_key;
use winit::keyboard::KeyCode;

use crate::config::ConfigFile;
use crate::config::folders::{Folders, Recent};
use crate::config::settings::Settings;
use crate::messages::command::{BenchOrder, Command};
use crate::messages::handle::Remote;
use crate::messages::latest::{Dots, blank};
use crate::messages::status::{MessageKind, Motion, Status};
use crate::ui::menu::Menu;
use crate::ui::notes::Notes;
use crate::ui::page::{self, Page, Row, Scene};
use crate::ui::remap::{PadSteps, key_step};
use crate::ui::shortcut::Shortcut;
use crate::ui::step::Step;
use crate::video::presented_frame::Sheet;
use crate::{DesktopError, Options};

/// The image that is put in when the player asks for the built-in cartridge.
type BuiltIn = (String, Vec<u8>);

/// What the front end itself has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Quit,
}

/// Everything that a player has before them, but for the picture's place.
pub(crate) struct Desk {
    pub(crate) remote: Remote,
    pub(crate) settings: Settings,
    pub(crate) menu: Menu,
    pub(crate) status: Status,
    pub(crate) sheet: Sheet,
    /// The computer's picture, while it plays against the player.
    beside: Box<Dots>,
    /// Whether the keys are shown for someone who has never played.
    pub(crate) welcome: bool,
    /// Whether what goes wrong is only shown, and not written to the error output as well.
    pub(crate) quiet: bool,
    config: Option<ConfigFile>,
    folders: Folders,
    recent: Recent,
    built_in: Option<BuiltIn>,
    keys: Vec<KeyCode>,
    /// Those of the shortcuts that last as long as their key is held.
    held: Vec<Shortcut>,
    slot: usize,
    paused: bool,
    /// Whether the script had paused the game when the machine was last looked at.
    script_paused: bool,
    /// Whether a menu was open when the machine was last told anything.
    in_menu: bool,
    /// What the machine was last told.
    sent: Settings,
    /// What the configuration file was last asked to say.
    kept: Settings,
    stopped: bool,
    pads: PadSteps,
    pub(crate) notes: Notes,
    /// The number of the last message of the machine's that was shown.
    heard: u64,
    start: Instant,
    stop: Arc<AtomicBool>,
}

impl Desk {
    pub(crate) fn new(options: &Options, remote: Remote) -> Self {
        let folders = options.folders.clone();
        let mut desk = Self {
            settings: options.settings.clone(),
            sent: options.settings.clone(),
            kept: options.settings.clone(),
            menu: Menu::default(),
            status: Status { title: options.title.clone(), duel: options.duel.is_some(), ..remote.status() },
            sheet: Sheet::default(),
            beside: blank(),
            welcome: false,
            config: folders.config.clone().map(ConfigFile::read),
            recent: Recent::read(folders.recent.clone()),
            quiet: false,
            built_in: options.built_in.clone(),
            folders,
            remote,
            keys: vec![],
            held: vec![],
            slot: 0,
            paused: false,
            script_paused: false,
            in_menu: false,
            stopped: false,
            pads: PadSteps::default(),
            notes: Notes::default(),
            heard: 0,
            start: Instant::now(),
            stop: Arc::clone(&options.stop),
        };
        desk.remote.send(Command::Palette(Box::new(desk.palette())));
        if let Some(config) = &desk.config {
            desk.welcome = !config.found();
            let warnings = config.warnings().to_vec();
            for warning in warnings {
                eprintln!("maxout: {warning}");
                desk.say(MessageKind::Warning, warning);
            }
        }
        if let Some(last) = desk.recent.paths.first().and_then(|path| path.parent()) {
            last.clone_into(&mut desk.menu.folder.path);
        }
        if let Some(path) = &options.path {
            desk.remember(path);
        }
        desk
    }

    /// A line for the player.
    pub(crate) fn say(&mut self, kind: MessageKind, text: impl Into<String>) {
        self.notes.say(kind, text.into(), Instant::now());
    }

    fn report(&self, trouble: &str) {
        if !self.quiet {
            eprintln!("maxout: {trouble}");
        }
    }

    fn complain(&mut self, result: Result<(), DesktopError>) {
        if let Err(error) = result {
            self.report(&error.to_string());
            self.say(MessageKind::Error, error.to_string());
        }
    }

    /// Whether someone other than the player has asked for the end.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Takes the newest pictures over.
    pub(crate) fn take_pictures(&mut self) -> bool {
        self.remote.picture_beside(&mut self.beside);
        self.remote.picture(&mut self.sheet)
    }

    /// The computer's picture, while it plays against the player.
    pub(crate) fn beside(&self) -> Option<&Dots> {
        self.status.duel.then_some(&*self.beside)
    }

    /// Whether the game stands still for the menu or the player.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at how the machine does.
    pub(crate) fn look(&mut self) {
        let was_open = self.status.bench.is_some();
        self.status = self.remote.status();
        if (was_open || self.status.bench.is_some()) && self.menu.page().is_none() {
            // A breakpoint stops it as well, and shutting the panels lets it go on.
            self.paused = self.status.motion == Motion::Paused;
            self.stopped = self.paused;
        }
        let paused = self.status.script.as_ref().is_some_and(|script| script.paused);
        if paused != self.script_paused {
            self.script_paused = paused;
            self.paused = paused;
            self.settle();
        }
        let new: Vec<_> =
            self.status.messages.iter().filter(|message| message.number > self.heard).cloned().collect();
        for message in new {
            self.heard = message.number;
            if message.kind.is_trouble() {
                self.report(&message.text);
            }
            self.say(message.kind, message.text);
        }
    }

    /// What the window's title says.
    pub(crate) fn title(&self) -> String {
        let name = match self.status.title.as_str() {
            "" => "Maxout".to_owned(),
            title => format!("Maxout – {title}"),
        };
        let how = match self.status.motion {
            _ if self.stopped => " – paused".into(),
            Motion::Paused => " – paused".into(),
            Motion::Rewinding => " – rewind".into(),
            _ if self.status.fps > 0.0 => format!(" – {:.2} fps", self.status.fps),
            _ => String::new(),
        };
        let computer = if self.status.computer { " – the computer plays" } else { "" };
        let muted = if self.settings.sound.mute { " – muted" } else { "" };
        format!("{name}{computer}{how}{muted}")
    }

    /// The lines of the page that is open.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.menu.page().map(|page| page.rows(&self.scene())).unwrap_or_default()
    }

    /// The lines for someone who has never played.
    pub(crate) fn welcome_rows(&self) -> Vec<Row> {
        page::welcome(&self.scene())
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            settings: &self.settings,
            status: &self.status,
            recent: &self.recent.paths,
            folder: &self.menu.folder,
            keys: &self.keys,
            now: SystemTime::now(),
        }
    }

    /// A key goes down or up: the menu's while it is open, the game's otherwise, or else a shortcut's.
    pub(crate) fn key(
        &mut self,
        code: Option<KeyCode>,
        pressed: bool,
        shortcut: Option<Shortcut>,
    ) -> Option<Wish> {
        if let Some(code) = code {
            self.keys.retain(|&key| key != code);
            if pressed {
                self.keys.push(code);
            }
        }
        let wish = match self.menu.page() {
            Some(_) if pressed => self.menu_key(code, shortcut),
            Some(_) => None,
            None if code.is_some_and(|code| self.remote.key(code, pressed)) => {
                self.welcome = false;
                None
            }
            None => shortcut.and_then(|shortcut| self.obey(shortcut, pressed)),
        };
        self.settle();
        wish
    }

    /// A function key while the debugger is open. Answers whether it is one of the debugger's.
    pub(crate) fn bench_key(&mut self, number: u8, shift: bool) -> bool {
        let Some(line) = of_key(number, shift).filter(|_| self.status.bench.is_some()) else { return false };
        let running = self.status.motion != Motion::Paused;
        self.remote.interrupt();
        self.remote.send(match line {
            "run" if running => Command::Pause,
            _ => Command::Bench(BenchOrder::Say(line.to_owned())),
        });
        true
    }

    /// The keyboard went elsewhere.
    pub(crate) fn release_keys(&mut self) {
        self.keys.clear();
        self.remote.release_keys();
        for shortcut in std::mem::take(&mut self.held) {
            self.obey(shortcut, false);
        }
    }

    fn menu_key(&mut self, code: Option<KeyCode>, shortcut: Option<Shortcut>) -> Option<Wish> {
        let code = code?;
        if let Some(listening) = &self.menu.listening
            && code != KeyCode::Escape
        {
            if listening.key(code, &mut self.settings) {
                self.menu.listening = None;
            }
            return None;
        }
        match (key_step(code), shortcut) {
            (Some(step), _) => self.step(step),
            (None, Some(Shortcut::Quit)) => Some(Wish::Quit),
            (None, Some(Shortcut::Help)) => {
                self.menu.close();
                None
            }
            (None, Some(shortcut @ (Shortcut::Fullscreen | Shortcut::Screenshot))) => {
                self.obey(shortcut, true)
            }
            _ => None,
        }
    }

    /// One step in the menu, from wherever.
    pub(crate) fn step(&mut self, step: Step) -> Option<Wish> {
        let rows = self.rows();
        let ask = self.menu.step(step, &rows, &mut self.settings);
        let wish = ask.and_then(|ask| self.fulfil(ask));
        self.settle();
        wish
    }

    /// Looks at the pads: they open the menu, step in it, and answer what a button is to be. Answers whether
    /// anything came of it.
    pub(crate) fn look_at_pads(&mut self) -> (bool, Option<Wish>) {
        let pads = std::mem::take(&mut self.status.pads);
        let asked = self.pads.menu(&pads);
        let step = self.pads.step(&pads, self.start.elapsed());
        let listening = self.menu.listening.is_some();
        if self.menu.listening.as_mut().is_some_and(|listening| listening.pads(&pads, &mut self.settings)) {
            self.menu.listening = None;
        }
        self.status.pads = pads;
        let mut wish = None;
        if asked {
            match self.menu.page() {
                Some(_) => self.menu.close(),
                None => self.menu.open(Page::Pause),
            }
        } else if let Some(step) = step
            && self.menu.page().is_some()
            && !listening
        {
            wish = self.step(step);
        }
        self.settle();
        (asked || step.is_some() || listening, wish)
    }

    /// Tells the machine what has changed.
    pub(crate) fn settle(&mut self) {
        let open = self.menu.page().is_some();
        if self.in_menu && !open {
            self.remote.spend_pads();
        }
        self.in_menu = open;
        let stop = self.paused || open;
        if stop != self.stopped {
            self.stopped = stop;
            if stop {
                self.remote.release_keys();
                for shortcut in std::mem::take(&mut self.held) {
                    self.obey(shortcut, false);
                }
            }
            self.remote.send(if stop { Command::Pause } else { Command::Resume });
        }
        if self.sent == self.settings {
            return;
        }
        let (old, new) = (&self.sent, &self.settings);
        let colours = |settings: &Settings| {
            let picture = &settings.picture;
            (picture.hue, picture.saturation, picture.palette.clone())
        };
        if colours(old) != colours(new) {
            self.remote.send(Command::Palette(Box::new(self.palette())));
        }
        if old.time != new.time {
            self.remote.send(Command::Time(new.time));
        }
        if old.sound != new.sound {
            self.remote.send(Command::Sound(new.sound.clone()));
        }
        if old.input != new.input {
            self.remote.send(Command::Input(Box::new(new.input.clone())));
        }
        if old.rewind != new.rewind {
            self.remote.send(Command::RewindLimits(new.rewind));
        }
        if old.recording != new.recording {
            self.remote.send(Command::Recordings(new.recording.clone()));
        }
        self.sent = self.settings.clone();
    }

    fn palette(&self) -> Palette {
        crate::video::look::Look::new(&self.settings.picture).0.palette
    }

    /// Writes the settings, if the player has changed any or there is no file yet: what the command line overrode
    /// is not worth keeping.
    pub(crate) fn keep_settings(&mut self) {
        let Some(config) = &mut self.config else { return };
        if config.found() && self.kept == self.settings {
            return;
        }
        self.kept = self.settings.clone();
        let kept = config.write(&self.settings);
        self.complain(kept);
    }
}

#[cfg(test)]
mod tests;
