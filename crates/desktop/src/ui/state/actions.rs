//! What the player asks for by shortcut, by menu or by dropping a file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{AppRequest, UiState};
use crate::config::settings::MOST_LEVEL;
use crate::config::table::Setting;
use crate::messages::command::{
    Command, DebugCommand, NetworkCommand, PracticeCommand, Recording, ScriptCommand,
};
use crate::messages::status::MessageKind;
use crate::record::screenshot;
use crate::ui::clipboard::ClipboardError;
use crate::ui::folder::{self, Kind};
use crate::ui::games::Act;
use crate::ui::loss::loss;
use crate::ui::menu::{MenuAction, MenuPosition};
use crate::ui::page::Page;
use crate::ui::shortcut::Shortcut;
use crate::video::render_settings::palette_file;

impl UiState {
    /// Does it, or asks first if a game would be lost. `places` is where the player was in the
    /// menu.
    pub(super) fn perform_if_wanted(
        &mut self,
        action: MenuAction,
        places: Vec<MenuPosition>,
    ) -> Option<AppRequest> {
        if action == MenuAction::Again {
            return self.new_game(places);
        }
        match loss(&action, &self.status) {
            Some(verb) => {
                self.menu.ask(places, verb, action);
                None
            }
            None => self.perform(action),
        }
    }

    /// Opens a file that was chosen or dropped on the window, or asks first if a game would be
    /// lost.
    pub(crate) fn open_if_wanted(&mut self, path: PathBuf) {
        self.perform_if_wanted(MenuAction::Open(path), vec![]);
        self.sync();
    }

    pub(super) fn perform(&mut self, action: MenuAction) -> Option<AppRequest> {
        match action {
            MenuAction::Send(command) => {
                // A position stands still until the player's first press.
                let stands =
                    matches!(&command, Command::Practice(PracticeCommand::Begin { position: Some(_), .. }));
                self.handle.send(command);
                if stands {
                    self.wait_for_press();
                }
            }
            MenuAction::Open(path) => self.open(&path),
            MenuAction::Dialog => self.dialog.open(&self.menu.folder.path, Instant::now()),
            MenuAction::BuiltIn => {
                if let Some((title, image)) = self.files.built_in.clone() {
                    self.handle.send(Command::Insert(title, image));
                }
            }
            MenuAction::Record(recording) => self.record(recording),
            MenuAction::ContinueMovie => {
                if let Some(path) = self.new_recording(Recording::Movie) {
                    self.handle.send(Command::ContinueMovie(path));
                }
            }
            MenuAction::SaveMovie => {
                if let Some(path) = self.new_recording(Recording::Movie) {
                    self.handle.send(Command::SaveMovie(path));
                }
            }
            MenuAction::ToggleDebugger => self.toggle_debugger(),
            MenuAction::Pad(player, answer) => self.answer_about_pad(player, answer),
            MenuAction::OpenSound => self.handle.open_sound(),
            MenuAction::BeforeCrash => self.go_back_before_crash(),
            MenuAction::Confirmed(action) => return self.perform(*action),
            MenuAction::Screenshot => self.screenshot(),
            MenuAction::Review => self.review_worst(),
            MenuAction::Learn => {
                if let Some(review) = self.status.review.clone() {
                    self.menu.learn(&review.reviews, review.hands);
                }
            }
            MenuAction::CopyPosition => {
                let written = self.clipboard.write(self.menu.editor.text());
                self.after_clipboard(written, "position copied");
            }
            MenuAction::PastePosition => {
                let read = self.clipboard.read().and_then(|text| Ok(self.menu.editor.paste(&text)?));
                self.after_clipboard(read, "position pasted");
            }
            MenuAction::Games(act) => self.act_on_games(act),
            MenuAction::CopyAddress => self.copy_address(),
            MenuAction::JoinCopied => self.join_copied(),
            MenuAction::Again => return self.new_game(vec![]),
            MenuAction::Quit => return Some(AppRequest::Quit),
        }
        None
    }

    fn after_clipboard(&mut self, done: Result<(), ClipboardError>, text: &str) {
        match done {
            Ok(()) => self.say(MessageKind::Note, text),
            Err(reason) => self.say(MessageKind::Error, reason.to_string()),
        }
    }

    /// Copies or pastes by key, if the page that is open has anything for that. Returns whether it
    /// has.
    pub(crate) fn clipboard_key(&mut self, letters: &str) -> bool {
        let action = match letters {
            "c" | "C" => MenuAction::CopyPosition,
            "v" | "V" => MenuAction::PastePosition,
            _ => return false,
        };
        let on_page = self.menu.page() == Some(Page::Editor);
        on_page.then(|| self.perform(action)).is_some()
    }

    /// Deletes the kept games that are selected, brings deleted ones back, or writes the results of
    /// selected ones as CSV.
    fn act_on_games(&mut self, act: Act) {
        let shelf = &mut self.menu.shelf;
        let said = match act {
            Act::Delete => {
                format!("Games deleted: {}. They can be restored on this page", shelf.delete())
            }
            Act::BringBack => format!("Games restored: {}", shelf.bring_back()),
            Act::Export => {
                let text = shelf.csv(&self.menu.games);
                let Some(folder) = self.menu.games_folder.clone() else { return };
                let written = draft::create_new(&folder, "games", "csv")
                    .and_then(|(mut file, path)| file.write_all(text.as_bytes()).map(|()| path));
                match written {
                    Ok(path) => format!("Results written to {}", path.display()),
                    Err(error) => {
                        let text = format!("Cannot write to {}: {error}", folder.display());
                        return self.say(MessageKind::Error, text);
                    }
                }
            }
            Act::Reverse | Act::Deselect => return,
        };
        self.menu.list_games();
        self.say(MessageKind::Note, said);
    }

    /// Opens a file that was chosen, or dropped on the window.
    pub(crate) fn open(&mut self, path: &Path) {
        match folder::kind(path) {
            Some(Kind::Palette) => match palette_file(path) {
                Ok(_) => path.clone_into(&mut self.settings.picture.palette),
                Err(error) => self.report_error(Err(error)),
            },
            Some(Kind::Movie) => {
                self.handle.send(Command::PlayMovie(path.to_owned()));
                self.remember(path);
            }
            Some(Kind::Script) => {
                self.handle.send(Command::Script(ScriptCommand::Run(path.to_owned())));
                self.list_folder_of(path);
            }
            Some(Kind::Game) => {
                self.practise(PracticeCommand::Replay(path.to_owned()));
                self.list_folder_of(path);
            }
            Some(Kind::Placements) => {
                let (hertz, reaction) = (self.settings.practice.hertz, self.settings.practice.reaction);
                self.practise(PracticeCommand::ReviewFile { path: path.to_owned(), hertz, reaction });
                self.list_folder_of(path);
                self.menu.open_section(Page::Games);
                self.menu.open_over(Page::Coach);
            }
            Some(Kind::Battery) => {
                self.handle.send(Command::BringBattery(path.to_owned()));
                self.list_folder_of(path);
            }
            Some(Kind::Patch) => {
                self.handle.send(Command::OpenRom(path.to_owned()));
                // An IPS patch means something over the game that is on only.
                let is_ips = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ips"));
                if is_ips { self.list_folder_of(path) } else { self.remember(path) }
            }
            // Whatever its name, the loader says what it is.
            Some(Kind::Cartridge) | None => {
                self.handle.send(Command::OpenRom(path.to_owned()));
                self.remember(path);
            }
        }
        self.sync();
    }

    /// The list of files begins where this file lies.
    fn list_folder_of(&mut self, path: &Path) {
        if let Some(parent) = path.parent() {
            // A bare name lies in the folder in which the program was started, whose path is empty
            // here.
            parent.clone_into(&mut self.menu.folder.path);
        }
    }

    pub(super) fn remember(&mut self, path: &Path) {
        self.list_folder_of(path);
        let added = self.files.remember(path);
        self.report_error(added);
    }

    /// Does what a shortcut's key asks, when it goes down or up.
    pub(crate) fn handle_shortcut(&mut self, shortcut: Shortcut, pressed: bool) -> Option<AppRequest> {
        match shortcut {
            Shortcut::FastForward | Shortcut::Rewind => {
                self.keys.shortcut(shortcut, pressed);
                self.handle.send(match shortcut {
                    Shortcut::Rewind => Command::Rewind(pressed),
                    _ => Command::FastForward(pressed),
                });
            }
            _ if !pressed => {}
            Shortcut::Quit => return Some(AppRequest::Quit),
            Shortcut::Menu if self.welcome => self.welcome = false,
            Shortcut::Menu => self.menu.open(Page::Pause),
            Shortcut::Debugger => self.toggle_debugger(),
            Shortcut::Computer => self.handle.send(Command::LetComputerPlay(!self.status.computer)),
            Shortcut::Help => self.menu.open(Page::Help),
            Shortcut::Open => self.menu.open(Page::Open),
            Shortcut::Pause => self.pause.toggle(),
            Shortcut::BeforeCrash => self.go_back_before_crash(),
            Shortcut::FrameAdvance => {
                self.pause.set_on();
                self.handle.send(Command::FrameAdvance);
            }
            Shortcut::Slower | Shortcut::Faster => {
                let by = if shortcut == Shortcut::Faster { 1 } else { -1 };
                self.step_setting(Setting::Speed, by);
            }
            Shortcut::Reset => return self.perform_if_wanted(MenuAction::Send(Command::Reset), vec![]),
            Shortcut::NewGame => return self.new_game(vec![]),
            Shortcut::UndoPiece => self.practise(PracticeCommand::Undo { other_luck: false }),
            Shortcut::OtherPieces => self.practise(PracticeCommand::Undo { other_luck: true }),
            Shortcut::MarkPosition => self.practise(PracticeCommand::Mark),
            Shortcut::RetryPosition => self.practise(PracticeCommand::Retry { other_luck: false }),
            Shortcut::RetryOther => self.practise(PracticeCommand::Retry { other_luck: true }),
            Shortcut::EndPractice => self.practise(PracticeCommand::End),
            Shortcut::Review => self.review_worst(),
            Shortcut::TakeOver => self.practise(PracticeCommand::TakeOver),
            Shortcut::Seek(seconds) => self.practise(PracticeCommand::SeekBy(60 * seconds)),
            Shortcut::Mute => self.toggle(Setting::Mute),
            Shortcut::InputDisplay => self.toggle(Setting::InputDisplay),
            Shortcut::CleanFeed => {
                let feed = &mut self.settings.picture.clean_feed;
                *feed = if *feed == 0 { 3 } else { 0 };
            }
            Shortcut::Save => self.handle.send(Command::SaveSlot(self.slot)),
            Shortcut::Load => self.handle.send(Command::LoadSlot(self.slot)),
            Shortcut::Slot(slot) => {
                self.slot = slot;
                let what = if self.status.slots[slot].is_some() { "" } else { ", empty" };
                self.say(MessageKind::Note, format!("slot {slot}{what}"));
            }
            Shortcut::Filter => self.step_setting(Setting::Filter, 1),
            Shortcut::Scaling => self.step_setting(Setting::Scaling, 1),
            Shortcut::Aspect => self.step_setting(Setting::Aspect, 1),
            Shortcut::Fullscreen => self.settings.picture.fullscreen ^= true,
            Shortcut::LeftRail => self.settings.look.left_rail ^= true,
            Shortcut::RightRail => self.settings.look.right_rail ^= true,
            Shortcut::Find => self.menu.open_find(),
            Shortcut::Screenshot => self.screenshot(),
        }
        None
    }

    /// The address of the overlays goes to the clipboard.
    fn copy_address(&mut self) {
        let Some(address) = self.status.stream.whole_address.clone() else { return };
        let written = self.clipboard.write(address.reveal().to_owned());
        self.after_clipboard(written, "address copied");
    }

    /// Joins the match at the address in the clipboard.
    fn join_copied(&mut self) {
        /// No address is longer.
        const MOST: usize = 260;
        match self.clipboard.read().map(|text| text.trim().to_owned()) {
            Ok(host) if !host.is_empty() && host.len() <= MOST && !host.contains(char::is_whitespace) => {
                self.handle.send(Command::Network(NetworkCommand::Join(host)));
            }
            Ok(_) => {
                self.say(
                    MessageKind::Warning,
                    "the clipboard has no address: copy one such as 192.0.2.7:5051",
                );
            }
            Err(error) => self.say(MessageKind::Warning, error.to_string()),
        }
    }

    fn practise(&self, command: PracticeCommand) {
        self.handle.send(Command::Practice(command));
    }

    /// Begins a new game: of the practice mode that is on, which is meant to be tried again and
    /// again, or a plain one.
    fn new_game(&mut self, places: Vec<MenuPosition>) -> Option<AppRequest> {
        match &self.status.practice {
            Some(status) => {
                let begin =
                    PracticeCommand::Begin { mode: status.mode, options: status.options, position: None };
                self.practise(begin);
                None
            }
            None if self.settings.tetris.start_level > MOST_LEVEL && self.status.versus.is_none() => {
                let (mode, options) = (practice::Kind::Tetris.usual(), self.settings.practice_options());
                let begin = PracticeCommand::Begin { mode, options, position: None };
                self.perform_if_wanted(MenuAction::Send(Command::Practice(begin)), places)
            }
            None => self.perform_if_wanted(MenuAction::Send(Command::NewGame), places),
        }
    }

    /// Goes back to before the crash in which the game is, if it can; then the game is paused.
    fn go_back_before_crash(&mut self) {
        if self.status.crash.is_some_and(|crash| crash.way_back) {
            self.pause.set_on();
        }
        self.handle.send(Command::BeforeCrash);
    }

    fn toggle_debugger(&mut self) {
        let command = if self.status.debugger.is_some() {
            self.pause.debugger_closes();
            DebugCommand::Close
        } else {
            self.pause.debugger_opens();
            self.welcome = false;
            DebugCommand::Open
        };
        self.handle.send(Command::Debug(command));
    }

    fn toggle(&mut self, setting: Setting) {
        self.step_setting(setting, 1);
    }

    fn step_setting(&mut self, setting: Setting, by: i32) {
        setting.step(&mut self.settings, by);
        self.say_setting(setting);
    }

    fn record(&mut self, recording: Recording) {
        let running = match recording {
            Recording::Movie => self.status.movie.as_ref().is_some_and(|movie| movie.length.is_none()),
            _ => self.status.recordings.iter().any(|one| one.recording == recording),
        };
        if running {
            return self.handle.send(Command::StopRecording(recording));
        }
        if let Some(path) = self.new_recording(recording) {
            self.handle.send(Command::Record(recording, path));
        }
    }

    /// Returns a file for a recording, in a folder that is there; or none, and tells the player
    /// why.
    fn new_recording(&mut self, recording: Recording) -> Option<PathBuf> {
        let file = self.files.new_recording(&self.status.title, recording);
        file.map_err(|reason| self.say(MessageKind::Error, reason.to_string())).ok()
    }

    fn screenshot(&mut self) {
        let path = match self.files.new_screenshot(&self.status.title) {
            Ok(path) => path,
            Err(reason) => return self.say(MessageKind::Error, reason.to_string()),
        };
        match screenshot::save(&self.presented, &self.palette(), &path) {
            Ok(()) => self.say(MessageKind::Note, format!("screenshot: {}", path.display())),
            Err(error) => self.report_error(Err(error)),
        }
    }
}
