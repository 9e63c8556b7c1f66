use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use winit::keyboard::KeyCode;

use super::*;
use nes::Pads;

use crate::config::folders::Folders;
use crate::config::table::Setting;
use crate::input::bindings::PadInput;
use crate::input::held::FramePads;
use crate::messages::command::{PracticeCommand, Recording, ScriptCommand};
use crate::messages::handle::Shared;
use crate::messages::machine_message::MachineMessage;
use crate::messages::status::{CrashStatus, MovieStatus, PadStatus, RecordingStatus, ScriptStatus};
use crate::ui::menu::MenuAction;

/// The user interface of a machine that only listens.
pub(crate) struct Room {
    pub(crate) state: UiState,
    queue: Receiver<MachineMessage>,
    shared: Arc<Shared>,
    pub(crate) folder: tempfile::TempDir,
}

impl Room {
    pub(crate) fn new() -> Self {
        Self::beside(Arc::new(Shared::new()))
    }

    /// Returns the interface of the machine that has the other end of `shared`.
    pub(crate) fn beside(shared: Arc<Shared>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new("game", vec![]).in_folders(Folders::inside(folder.path()));
        options.settings.input.known_pads = vec!["pad".into()];
        let (sender, queue) = mpsc::channel();
        let state = UiState::new(&options, MachineHandle::new(sender, Arc::clone(&shared)));
        let room = Self { state, queue, shared, folder };
        room.sent();
        room
    }

    /// Returns what the machine was told since the last look.
    pub(crate) fn sent(&self) -> Vec<Command> {
        let commands = self.queue.try_iter().filter_map(|message| match message {
            MachineMessage::Command(command) => Some(command),
            _ => None,
        });
        commands.collect()
    }

    /// The machine has carried out all commands, and tells the interface of it.
    pub(crate) fn done(&mut self, change: impl FnOnce(&mut Status)) {
        {
            let mut status = self.shared.status();
            status.commands_done = self.state.handle.commands_sent();
            change(&mut status);
        }
        self.state.update_status();
    }

    /// Presses F1 and takes the machine's answer: the debugger is open, and the game stands still.
    fn open_debugger(&mut self) {
        self.press(KeyCode::F1, Some(Shortcut::Debugger));
        assert_eq!(self.sent(), [Command::Debug(DebugCommand::Open)]);
        self.done(|status| {
            status.debugger = Some(Arc::default());
            status.run_state = RunState::Paused;
        });
    }

    pub(crate) fn press(&mut self, code: KeyCode, shortcut: Option<Shortcut>) -> Option<AppRequest> {
        let request = self.state.key(Some(code), true, shortcut);
        request.or(self.state.key(Some(code), false, shortcut))
    }
}

#[test]
fn the_menu_stops_the_game_and_a_pause_outlasts_the_menu() {
    let mut room = Room::new();
    room.state.welcome = false;
    let escape = |room: &mut Room| {
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        room.sent()
    };
    assert_eq!(escape(&mut room), [Command::Pause]);
    assert_eq!(room.state.menu.page(), Some(Page::Pause));
    assert_eq!(escape(&mut room), [Command::Resume]);
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.sent(), [Command::Pause]);
    assert_eq!(escape(&mut room), []);
    assert_eq!(escape(&mut room), []);
    assert!(room.state.title().ends_with("paused"));
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.sent(), [Command::Resume]);
}

#[test]
fn what_a_key_held_asked_for_ends_when_the_keyboard_goes_elsewhere() {
    let mut room = Room::new();
    room.state.key(Some(KeyCode::Tab), true, Some(Shortcut::FastForward));
    room.state.release_keys();
    assert_eq!(room.sent(), [Command::FastForward(true), Command::FastForward(false)]);
    room.state.release_keys();
    assert_eq!(room.sent(), []);
}

#[test]
fn a_setting_reaches_the_machine_and_the_file() {
    let mut room = Room::new();
    Setting::Volume.step(&mut room.state.settings, -1);
    Setting::Filter.step(&mut room.state.settings, 1);
    room.state.sync();
    let [Command::Sound(sound)] = &room.sent()[..] else { panic!("only the sound is the machine's") };
    assert_eq!(sound.volume, 95);
    room.state.save_settings();
    let kept = ConfigFile::read(room.folder.path().join("config.toml"));
    assert_eq!(kept.settings(), &room.state.settings);
}

#[test]
fn what_the_command_line_overrides_is_not_kept() {
    let room = Room::new();
    fs::write(room.folder.path().join("config.toml"), "[sound]\nvolume = 10\n").unwrap();
    let mut options = Options::new("game", vec![]).in_folders(Folders::inside(room.folder.path()));
    options.settings.picture.fullscreen = true;
    let mut state = UiState::new(&options, room.state.handle.clone());
    assert!(!state.welcome, "who has settings has played");
    state.save_settings();
    let text = fs::read_to_string(room.folder.path().join("config.toml")).unwrap();
    assert!(!text.contains("fullscreen"), "{text}");
}

#[test]
fn files_are_opened_by_what_they_are() {
    let mut room = Room::new();
    let file = |name: &str, bytes: &[u8]| {
        let path = room.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let (rom, movie, script) = (file("a.nes", b""), file("b.FM2", b""), file("e.lua", b""));
    let (palette, garbage) = (file("c.pal", &[1; 192]), file("d.pal", &[1; 191]));
    for path in [&rom, &movie, &script, &palette, &garbage] {
        room.state.open(path);
    }
    let commands = room.sent();
    assert_eq!(commands[..2], [Command::OpenRom(rom.clone()), Command::PlayMovie(movie)]);
    assert_eq!(commands[2], Command::Script(ScriptCommand::Run(script)));
    assert!(matches!(commands[3..], [Command::Palette(_)]), "{commands:?}");
    assert_eq!(room.state.settings.picture.palette, palette);
    assert!(room.notes().iter().any(|note| note.contains("d.pal") && note.contains("191")));
    assert_eq!(room.state.menu.folder.path, fs::canonicalize(rom).unwrap().parent().unwrap());
}

#[test]
fn the_pause_of_a_script_is_the_players_to_end_and_the_scripts_too() {
    let mut room = Room::new();
    let paused = |paused| Some(ScriptStatus { path: "a.lua".into(), running: true, paused });
    room.shared.status().script = paused(true);
    room.state.update_status();
    assert_eq!(room.sent(), [Command::Pause]);
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.sent(), [Command::Resume]);
    room.state.update_status();
    assert_eq!(room.sent(), [], "the machine has not yet heard");
    for (now, told) in [(false, vec![]), (true, vec![Command::Pause]), (false, vec![Command::Resume])] {
        room.shared.status().script = paused(now);
        room.state.update_status();
        assert_eq!(room.sent(), told);
    }
}

#[test]
fn a_script_says_one_thing_at_a_time() {
    let mut room = Room::new();
    room.shared.status().say(MessageKind::Note, "saved");
    for n in 0..100 {
        room.shared.status().say(MessageKind::Script, format!("frame {n}"));
        room.state.update_status();
    }
    assert_eq!(room.notes(), ["Saved", "frame 99"]);
}

#[test]
fn a_message_of_the_machine_is_shown_once() {
    let mut room = Room::new();
    room.shared.status().say(MessageKind::Note, "saved");
    room.state.update_status();
    assert_eq!(room.notes(), ["Saved"]);
    room.state.notes.forget(Instant::now() + std::time::Duration::from_secs(60));
    room.state.update_status();
    assert!(room.notes().is_empty());
}

#[test]
fn a_slot_chosen_by_its_number_is_saved_and_loaded() {
    let mut room = Room::new();
    room.press(KeyCode::Digit7, Some(Shortcut::Slot(7)));
    assert_eq!(room.notes(), ["Slot 7, empty"]);
    room.press(KeyCode::F5, Some(Shortcut::Save));
    room.press(KeyCode::F8, Some(Shortcut::Load));
    assert_eq!(room.sent(), [Command::SaveSlot(7), Command::LoadSlot(7)]);
}

#[test]
fn a_recording_is_begun_and_ended_by_the_same_line() {
    let mut room = Room::new();
    room.state.perform(MenuAction::Record(Recording::Wave));
    let [Command::Record(Recording::Wave, path)] = &room.sent()[..] else { panic!("a recording begins") };
    assert!(path.starts_with(room.folder.path().join("recordings")));
    room.state.status.recordings.push(RecordingStatus {
        recording: Recording::Wave,
        path: path.clone(),
        frames: 3,
    });
    room.state.perform(MenuAction::Record(Recording::Wave));
    assert_eq!(room.sent(), [Command::StopRecording(Recording::Wave)]);
}

#[test]
fn a_movie_that_plays_is_recorded_on_into_a_new_file() {
    let mut room = Room::new();
    room.state.status.movie = Some(MovieStatus { path: "a.fm2".into(), frame: 5, length: Some(9) });
    room.state.menu.open(Page::Record);
    let rows = room.state.rows();
    let at = rows.iter().position(|row| row.label.contains("record a new movie")).unwrap();
    room.state.menu.point(at);
    assert_eq!(room.state.step(Step::Enter), None);
    let sent = room.sent();
    let [Command::ContinueMovie(path)] = &sent[..] else { panic!("{sent:?}") };
    assert!(path.starts_with(room.folder.path().join("recordings")) && path.extension().unwrap() == "fm2");
    room.state.status.movie = None;
    room.state.menu.open(Page::Record);
    assert!(room.state.rows().iter().all(|row| !row.label.contains("record a new movie")));
}

#[test]
fn what_closes_the_menu_on_a_pad_is_not_the_games() {
    let mut room = Room::new();
    room.state.menu.open(Page::Pause);
    room.state.sync();
    let a = [PadInput::Press(gilrs::Button::East)];
    let buttons = room.shared.input.set_pad(0, &a);
    *room.shared.pads() =
        vec![PadStatus { name: "pad".into(), player: Some(0), held: a.to_vec(), buttons, stick: [0.0; 2] }];
    room.state.update_status();
    room.state.poll_pads();
    assert_eq!(room.state.menu.page(), None, "A went on");
    let seen = || FramePads::new(&room.shared.input, 0).sample()[0];
    assert_eq!(seen(), nes::Buttons::empty());
    room.shared.input.set_pad(0, &[]);
    room.shared.input.set_pad(0, &a);
    assert_eq!(seen(), nes::Buttons::A);
}

#[test]
fn a_screenshot_is_written_in_its_folder() {
    let mut room = Room::new();
    room.press(KeyCode::F12, Some(Shortcut::Screenshot));
    let shots: Vec<_> = fs::read_dir(room.folder.path().join("screenshots")).unwrap().flatten().collect();
    assert_eq!(shots.len(), 1);
    assert!(shots[0].file_name().to_string_lossy().starts_with("game-"));
}

#[test]
fn the_key_that_quits_does_so_in_the_menu_as_well() {
    let mut room = Room::new();
    room.state.menu.open(Page::Help);
    assert_eq!(room.press(KeyCode::KeyQ, Some(Shortcut::Quit)), Some(AppRequest::Quit));
}

#[test]
fn a_pad_alone_opens_the_menu_walks_in_it_and_saves() {
    use gilrs::Button;

    let mut room = Room::new();
    let mut hold = |buttons: nes::Buttons, held: &[Button]| {
        *room.shared.pads() = vec![PadStatus {
            name: "pad".into(),
            player: Some(0),
            held: held.iter().map(|&button| PadInput::Press(button)).collect(),
            buttons,
            stick: [0.0; 2],
        }];
        room.state.update_status();
        assert_eq!(room.state.poll_pads().1, None);
        room.state.menu.page()
    };
    let none = nes::Buttons::empty();
    assert_eq!(hold(none, &[Button::Mode]), Some(Page::Pause));
    hold(none, &[]);
    hold(nes::Buttons::DOWN, &[]);
    hold(none, &[]);
    assert_eq!(hold(nes::Buttons::A, &[]), Some(Page::Save));
    hold(none, &[]);
    assert_eq!(hold(nes::Buttons::B, &[]), Some(Page::Pause), "B leads back");
    hold(nes::Buttons::A, &[]);
    hold(nes::Buttons::DOWN, &[]);
    assert_eq!(hold(nes::Buttons::A, &[]), None);
    assert_eq!(room.sent(), [Command::Pause, Command::SaveSlot(1), Command::Resume]);
}

#[test]
fn a_menu_stops_the_game_though_the_status_of_the_closed_debugger_comes_late() {
    let mut room = Room::new();
    room.open_debugger();
    room.press(KeyCode::F1, Some(Shortcut::Debugger));
    assert_eq!(room.sent(), [Command::Debug(DebugCommand::Close)]);
    // The panels are gone already, but the game does not yet run.
    room.shared.status().debugger = None;
    room.state.update_status();
    room.state.update_status();
    room.done(|status| status.run_state = RunState::Running);
    assert_eq!(room.sent(), []);
    assert!(!room.state.is_stopped() && !room.state.title().contains("paused"));
    for _ in 0..2 {
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        assert_eq!(room.sent(), [Command::Pause]);
        room.done(|status| status.run_state = RunState::Paused);
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        assert_eq!(room.sent(), [Command::Resume]);
        room.done(|status| status.run_state = RunState::Running);
    }
}

#[test]
fn a_menu_that_opens_before_the_debugger_has_closed_stops_the_game() {
    let mut room = Room::new();
    room.open_debugger();
    room.press(KeyCode::F1, Some(Shortcut::Debugger));
    room.press(KeyCode::Escape, Some(Shortcut::Menu));
    assert_eq!(room.sent(), [Command::Debug(DebugCommand::Close), Command::Pause]);
    room.done(|status| {
        status.debugger = None;
        status.run_state = RunState::Paused;
    });
    room.press(KeyCode::Escape, Some(Shortcut::Menu));
    assert_eq!(room.sent(), [Command::Resume]);
}

#[test]
fn a_game_that_runs_behind_the_menu_is_told_to_pause_once_more() {
    let mut room = Room::new();
    room.state.menu.open(Page::Pause);
    room.state.sync();
    assert_eq!(room.sent(), [Command::Pause]);
    room.state.update_status();
    assert_eq!(room.sent(), [], "the machine has not yet carried it out");
    room.done(|status| status.run_state = RunState::Running);
    assert_eq!(room.sent(), [Command::Pause]);
}

#[test]
fn rewinding_a_paused_game_is_not_stopped() {
    let mut room = Room::new();
    room.state.welcome = false;
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    room.state.key(Some(KeyCode::KeyQ), true, Some(Shortcut::Rewind));
    assert_eq!(room.sent(), [Command::Pause, Command::Rewind(true)]);
    room.done(|status| status.run_state = RunState::Rewinding);
    assert_eq!(room.sent(), []);
}

#[test]
fn a_breakpoint_pauses_the_game_and_the_debuggers_run_lets_it_go_on() {
    let mut room = Room::new();
    room.done(|status| {
        status.debugger = Some(Arc::default());
        status.run_state = RunState::Paused;
    });
    assert!(room.state.is_stopped());
    room.done(|status| status.run_state = RunState::Running);
    assert!(!room.state.is_stopped());
    assert_eq!(room.sent(), []);
}

#[test]
fn from_a_crash_a_key_and_the_menu_lead_back_while_the_rewind_reaches() {
    let mut room = Room::new();
    let label = |room: &Room| room.state.rows().iter().any(|row| row.item == page::Item::BeforeCrash);
    room.state.menu.open(Page::Tools);
    assert!(!label(&room), "the game is well");
    let cause = nes_debug::CrashCause::Jammed;
    let crash = nes_debug::Crash { frame: 900, level: 157, pc: 0x1234, cause, jump: None };
    room.shared.status().crash = Some(CrashStatus { crash, way_back: false });
    room.state.update_status();
    assert!(!label(&room), "there is no way back");
    room.shared.status().crash = Some(CrashStatus { crash, way_back: true });
    room.state.update_status();
    assert!(label(&room));
    let at = room.state.rows().iter().position(|row| row.item == page::Item::BeforeCrash).unwrap();
    room.state.menu.point(at);
    room.state.step(Step::Enter);
    assert!(room.sent().contains(&Command::BeforeCrash));
    assert!(room.state.menu.page().is_none() && room.state.is_stopped(), "it is paused before the crash");
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.sent(), [Command::Resume]);
    room.press(KeyCode::KeyB, Some(Shortcut::BeforeCrash));
    assert_eq!(room.sent(), [Command::BeforeCrash]);
    assert!(room.state.is_stopped());
}

/// Returns whether the machine would drop the game that is on.
fn loses(command: &Command) -> bool {
    matches!(
        command,
        Command::LoadSlot(_)
            | Command::OpenRom(_)
            | Command::Insert(..)
            | Command::BringBattery(_)
            | Command::Reset
            | Command::PowerCycle
            | Command::Record(Recording::Movie, _)
            | Command::PlayMovie(_)
            | Command::NewGame
            | Command::Versus(_)
            | Command::Network(_)
            | Command::Practice(PracticeCommand::Begin { .. } | PracticeCommand::Replay(_))
    )
}

#[test]
fn no_row_of_the_menu_loses_a_game_unasked() {
    let mut room = Room::new();
    fs::write(room.folder.path().join("other.nes"), "").unwrap();
    room.state.menu.folder.path = room.folder.path().to_owned();
    let last =
        crate::messages::status::Slot { saved: SystemTime::UNIX_EPOCH, frame: 1, thumbnail: Arc::new([]) };
    room.done(|status| {
        status.in_game = true;
        status.last_session = Some(last);
        status.position = Some(crate::ui::editor::Editor::default().position);
    });
    let (mut pages, mut at, mut questions) = (vec![Page::Pause], 0, 0);
    while let Some(&page) = pages.get(at) {
        at += 1;
        room.state.menu.open(page);
        for number in 0..room.state.rows().len() {
            room.state.menu.open(page);
            let Some(row) = room.state.rows().get(number).cloned() else { continue };
            if let page::Item::Goto(next) | page::Item::Section(next) | page::Item::Tab(next) = row.item
                && !pages.contains(&next)
            {
                pages.push(next);
            }
            room.state.menu.point(number);
            if !row.is_choice() {
                continue;
            }
            room.state.step(Step::Enter);
            let sent = room.sent();
            assert!(!sent.iter().any(loses), "{page:?}, {}: {sent:?}", row.label);
            if room.state.menu.page() == Some(Page::Question) {
                questions += 1;
                room.state.step(Step::Enter);
                assert_eq!(room.state.menu.page(), Some(page), "{}: the game goes on", row.label);
                room.state.step(Step::Enter);
                room.state.step(Step::Down);
                room.state.step(Step::Enter);
                let sent = room.sent();
                // Where there is no clipboard there is no address to join at.
                let does = sent.iter().any(loses) || row.item == page::Item::JoinCopied;
                assert!(does, "{page:?}, {}: {sent:?}", row.label);
            }
        }
    }
    // New game, versus, host, ten slots, the last session, reset and power, movie, editor, modes.
    assert!(questions > 15 + practice::Kind::ALL.len(), "{questions}");
}

#[test]
fn a_key_or_a_file_that_would_lose_a_game_asks_first_and_one_that_loses_none_does_not() {
    let mut room = Room::new();
    room.state.welcome = false;
    let rom = room.folder.path().join("other.nes");
    fs::write(&rom, "").unwrap();
    for in_game in [false, true] {
        room.done(|status| status.in_game = in_game);
        room.press(KeyCode::F6, Some(Shortcut::NewGame));
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        room.press(KeyCode::KeyR, Some(Shortcut::Reset));
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        room.state.open_if_wanted(rom.clone());
        let lost: Vec<_> = room.sent().into_iter().filter(loses).collect();
        assert_eq!(lost.len(), if in_game { 0 } else { 3 }, "{lost:?}");
    }
    assert_eq!(room.state.menu.page(), Some(Page::Question));
    room.state.step(Step::Down);
    room.state.step(Step::Enter);
    assert!(room.sent().contains(&Command::OpenRom(rom)));
}

#[test]
fn a_key_beside_a_row_does_in_the_menu_what_it_does_outside() {
    let keys = [
        (KeyCode::F1, Shortcut::Debugger),
        (KeyCode::F2, Shortcut::Help),
        (KeyCode::F3, Shortcut::InputDisplay),
        (KeyCode::F5, Shortcut::Save),
        (KeyCode::F6, Shortcut::NewGame),
        (KeyCode::F7, Shortcut::Filter),
        (KeyCode::F8, Shortcut::Load),
        (KeyCode::KeyO, Shortcut::Open),
        (KeyCode::KeyR, Shortcut::Reset),
        (KeyCode::KeyC, Shortcut::Computer),
        (KeyCode::KeyM, Shortcut::Mute),
        (KeyCode::KeyU, Shortcut::UndoPiece),
        (KeyCode::KeyB, Shortcut::BeforeCrash),
    ];
    for (code, shortcut) in keys {
        let told = |in_menu: bool| {
            let mut room = Room::new();
            room.state.welcome = false;
            if in_menu {
                room.state.menu.open(Page::Play);
            }
            room.press(code, Some(shortcut));
            let sent =
                room.sent().into_iter().filter(|sent| !matches!(sent, Command::Pause | Command::Resume));
            (sent.collect::<Vec<_>>(), room.state.menu.page().filter(|page| *page != Page::Play))
        };
        assert_eq!(told(true), told(false), "{shortcut:?}");
    }
    let mut room = Room::new();
    room.state.settings.input.players[0].keys.bind(crate::input::bindings::Control::A, KeyCode::KeyR);
    room.state.menu.open(Page::Play);
    room.sent();
    room.press(KeyCode::KeyR, Some(Shortcut::Reset));
    assert!(!room.sent().contains(&Command::Reset), "the key is the game's");
}

#[test]
fn the_game_stands_still_while_another_window_has_the_keyboard() {
    let mut room = Room::new();
    room.state.focus(false);
    assert_eq!(room.sent(), [], "it has just opened, behind another window");
    room.state.focus(true);
    room.sent();
    room.state.focus(false);
    assert_eq!(room.sent(), [Command::Pause]);
    room.done(|status| status.run_state = RunState::Paused);
    room.state.focus(true);
    assert_eq!(room.sent(), [Command::Resume]);
    room.done(|status| status.run_state = RunState::Running);
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    room.state.focus(false);
    room.state.focus(true);
    assert_eq!(room.sent(), [Command::Pause], "the player's own pause stays");
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    room.sent();
    let plays_on: [fn(&mut Status); 2] = [
        |status| status.network = Some(crate::messages::status::NetworkStatus::default()),
        |status| status.computer = true,
    ];
    for change in plays_on {
        room.done(|status| {
            (status.network, status.computer, status.run_state) = (None, false, RunState::Running);
            change(status);
        });
        room.state.focus(false);
        room.state.focus(true);
        assert_eq!(room.sent(), []);
    }
    room.done(|status| (status.network, status.computer) = (None, false));
    Setting::PauseInBackground.step(&mut room.state.settings, 1);
    room.state.sync();
    room.sent();
    room.state.focus(false);
    assert_eq!(room.sent(), []);
}

#[test]
fn the_row_opens_the_sound_device_again() {
    let mut room = Room::new();
    room.state.menu.open(Page::Sound);
    let at = room.state.rows().iter().position(|row| row.label == "Reconnect sound").unwrap();
    room.state.menu.point(at);
    room.state.step(Step::Enter);
    assert!(room.shared.sound_again.load(Ordering::Relaxed));
}

mod actions;
mod new_pad;
mod opening;
mod press;
mod rooms;
