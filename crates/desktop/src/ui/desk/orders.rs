//! What the player orders by shortcut, by menu or by dropping a file.

use std::path::{Path, PathBuf};

use super::{Desk, Wish};
use crate::config::folders::new_file;
use crate::debugger::BenchOrder;
use crate::emulation::script::ScriptOrder;
use crate::messages::command::{Command, Recording};
use crate::messages::status::MessageKind;
use crate::record::screenshot;
use crate::ui::folder::{self, Kind};
use crate::ui::knob::Knob;
use crate::ui::menu::Ask;
use crate::ui::page::Page;
use crate::ui::shortcut::Shortcut;
use crate::video::look::palette_file;

impl Desk {
    pub(super) fn fulfil(&mut self, ask: Ask) -> Option<Wish> {
        match ask {
            Ask::Send(command) => self.remote.send(command),
            Ask::Open(path) => self.open(&path),
            Ask::BuiltIn => {
                if let Some((title, image)) = self.built_in.clone() {
                    self.remote.send(Command::Insert(title, image));
                }
            }
            Ask::Record(recording) => self.record(recording),
            Ask::ContinueMovie => {
                if let Some(path) = self.new_recording(Recording::Movie) {
                    self.remote.send(Command::ContinueMovie(path));
                }
            }
            Ask::BeforeCrash => self.go_back_before_crash(),
            Ask::Screenshot => self.screenshot(),
            Ask::Quit => return Some(Wish::Quit),
        }
        None
    }

    /// Opens a file that was chosen, or dropped on the window.
    pub(crate) fn open(&mut self, path: &Path) {
        match folder::kind(path) {
            Some(Kind::Palette) => match palette_file(path) {
                Ok(_) => path.clone_into(&mut self.settings.picture.palette),
                Err(error) => self.complain(Err(error)),
            },
            Some(Kind::Movie) => {
                self.remote.send(Command::PlayMovie(path.to_owned()));
                self.remember(path);
            }
            Some(Kind::Script) => {
                self.remote.send(Command::Script(ScriptOrder::Run(path.to_owned())));
                self.look_into(path);
            }
            // Whatever its name, the loader says what it is.
            Some(Kind::Cartridge) | None => {
                self.remote.send(Command::OpenRom(path.to_owned()));
                self.remember(path);
            }
        }
        self.settle();
    }

    /// The list of files begins where this file lies.
    fn look_into(&mut self, path: &Path) {
        if let Some(parent) = path.parent() {
            // A bare name lies in the folder in which the program was started, whose path is empty here.
            parent.clone_into(&mut self.menu.folder.path);
        }
    }

    pub(super) fn remember(&mut self, path: &Path) {
        self.look_into(path);
        let added = self.recent.add(path);
        self.complain(added);
    }

    /// Does what a shortcut's key asks, when it goes down or up.
    pub(crate) fn obey(&mut self, shortcut: Shortcut, pressed: bool) -> Option<Wish> {
        match shortcut {
            Shortcut::FastForward | Shortcut::Rewind => {
                self.held.retain(|&held| held != shortcut);
                if pressed {
                    self.held.push(shortcut);
                }
                self.remote.send(match shortcut {
                    Shortcut::Rewind => Command::Rewind(pressed),
                    _ => Command::FastForward(pressed),
                });
            }
            _ if !pressed => {}
            Shortcut::Quit => return Some(Wish::Quit),
            Shortcut::Menu if self.welcome => self.welcome = false,
            Shortcut::Menu => self.menu.open(Page::Pause),
            Shortcut::Bench => self.turn_bench(),
            Shortcut::Computer => self.remote.send(Command::LetComputerPlay(!self.status.computer)),
            Shortcut::Help => self.menu.open(Page::Help),
            Shortcut::Open => self.menu.open(Page::Open),
            Shortcut::Pause => self.paused ^= true,
            Shortcut::BeforeCrash => self.go_back_before_crash(),
            Shortcut::FrameAdvance => {
                self.paused = true;
                self.stopped = true;
                self.remote.send(Command::FrameAdvance);
            }
            Shortcut::Slower | Shortcut::Faster => {
                let by = if shortcut == Shortcut::Faster { 1 } else { -1 };
                let knob = Knob::Speed;
                knob.turn(&mut self.settings, by);
                self.say(MessageKind::Note, format!("{}: {}", knob.label(), knob.value(&self.settings)));
            }
            Shortcut::Reset => self.remote.send(Command::Reset),
            Shortcut::Mute => self.settings.sound.mute ^= true,
            Shortcut::InputDisplay => self.settings.picture.input_display ^= true,
            Shortcut::CleanFeed => {
                let feed = &mut self.settings.picture.clean_feed;
                *feed = if *feed == 0 { 3 } else { 0 };
            }
            Shortcut::Save => self.remote.send(Command::SaveSlot(self.slot)),
            Shortcut::Load => self.remote.send(Command::LoadSlot(self.slot)),
            Shortcut::Slot(slot) => {
                self.slot = slot;
                let what = if self.status.slots[slot].is_some() { "" } else { ", empty" };
                self.say(MessageKind::Note, format!("slot {slot}{what}"));
            }
            Shortcut::Filter => self.turn(Knob::Filter),
            Shortcut::Scaling => self.turn(Knob::Scaling),
            Shortcut::Aspect => self.turn(Knob::Aspect),
            Shortcut::Fullscreen => self.settings.picture.fullscreen ^= true,
            Shortcut::Screenshot => self.screenshot(),
        }
        None
    }

    /// Goes back to before the crash in which the game is, if it can; then the game is paused.
    fn go_back_before_crash(&mut self) {
        if self.status.crash.is_some_and(|crash| crash.way_back) {
            (self.paused, self.stopped) = (true, true);
        }
        self.remote.send(Command::BeforeCrash);
    }

    fn turn_bench(&mut self) {
        let order = if self.status.bench.is_some() {
            BenchOrder::Close
        } else {
            (self.paused, self.stopped, self.welcome) = (true, true, false);
            BenchOrder::Open
        };
        self.remote.send(Command::Bench(order));
    }

    fn turn(&mut self, knob: Knob) {
        knob.turn(&mut self.settings, 1);
        self.say(MessageKind::Note, format!("{}: {}", knob.label(), knob.value(&self.settings)));
    }

    fn record(&mut self, recording: Recording) {
        let running = match recording {
            Recording::Movie => self.status.movie.as_ref().is_some_and(|movie| movie.length.is_none()),
            _ => self.status.recordings.iter().any(|one| one.recording == recording),
        };
        if running {
            return self.remote.send(Command::StopRecording(recording));
        }
        if let Some(path) = self.new_recording(recording) {
            self.remote.send(Command::Record(recording, path));
        }
    }

    /// A file for a recording, in a folder that is there; or none, which is said.
    fn new_recording(&mut self, recording: Recording) -> Option<PathBuf> {
        let Some(folder) = &self.folders.recordings else {
            self.say(MessageKind::Error, "there is no folder for recordings");
            return None;
        };
        if let Err(error) = std::fs::create_dir_all(folder) {
            let text = format!("cannot make the folder {}: {error}", folder.display());
            self.say(MessageKind::Error, text);
            return None;
        }
        Some(new_file(folder, &self.status.title, recording.extension()))
    }

    fn screenshot(&mut self) {
        let Some(folder) = &self.folders.screenshots else {
            return self.say(MessageKind::Error, "there is no folder for screenshots");
        };
        let path = new_file(folder, &self.status.title, "png");
        let palette = self.palette();
        match screenshot::save(&self.sheet, &palette, &path) {
            Ok(()) => self.say(MessageKind::Note, format!("screenshot: {}", path.display())),
            Err(error) => self.complain(Err(error)),
        }
    }
}
