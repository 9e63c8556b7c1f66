use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use winit::keyboard::KeyCode;

use super::*;
use nes::Pads;

use crate::emulation::script::{ScriptOrder, ScriptStatus};
use crate::input::bindings::PadInput;
use crate::input::held::FramePads;
use crate::messages::command::Recording;
use crate::messages::handle::Shared;
use crate::messages::message::Order;
use crate::messages::status::{CrashStatus, MovieStatus, PadStatus, RecordingStatus};
use crate::ui::knob::Knob;
use crate::ui::menu::Ask;

/// A desk whose machine only listens.
struct Room {
    desk: Desk,
    orders: Receiver<Order>,
    shared: Arc<Shared>,
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new("game", vec![]).in_folders(Folders::inside(folder.path()));
        let (sender, orders) = mpsc::channel();
        let shared = Arc::new(Shared::new());
        let desk = Desk::new(&options, Remote::new(sender, Arc::clone(&shared)));
        let room = Self { desk, orders, shared, folder };
        room.ordered();
        room
    }

    /// What the machine was told since the last look.
    fn ordered(&self) -> Vec<Command> {
        let commands = self.orders.try_iter().filter_map(|order| match order {
            Order::Command(command) => Some(command),
            _ => None,
        });
        commands.collect()
    }

    fn press(&mut self, code: KeyCode, shortcut: Option<Shortcut>) -> Option<Wish> {
        let wish = self.desk.key(Some(code), true, shortcut);
        wish.or(self.desk.key(Some(code), false, shortcut))
    }

    fn notes(&self) -> Vec<String> {
        self.desk.notes.lines().into_iter().map(|(_, text)| text).collect()
    }
}

#[test]
fn the_menu_stops_the_game_and_a_pause_outlasts_the_menu() {
    let mut room = Room::new();
    room.desk.welcome = false;
    let escape = |room: &mut Room| {
        room.press(KeyCode::Escape, Some(Shortcut::Menu));
        room.ordered()
    };
    assert_eq!(escape(&mut room), [Command::Pause]);
    assert_eq!(room.desk.menu.page(), Some(Page::Pause));
    assert_eq!(escape(&mut room), [Command::Resume]);
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.ordered(), [Command::Pause]);
    assert_eq!(escape(&mut room), []);
    assert_eq!(escape(&mut room), []);
    assert!(room.desk.title().ends_with("paused"));
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.ordered(), [Command::Resume]);
}

#[test]
fn what_a_key_held_asked_for_ends_when_the_keyboard_goes_elsewhere() {
    let mut room = Room::new();
    room.desk.key(Some(KeyCode::Tab), true, Some(Shortcut::FastForward));
    room.desk.release_keys();
    assert_eq!(room.ordered(), [Command::FastForward(true), Command::FastForward(false)]);
    room.desk.release_keys();
    assert_eq!(room.ordered(), []);
}

#[test]
fn a_setting_reaches_the_machine_and_the_file() {
    let mut room = Room::new();
    Knob::Volume.turn(&mut room.desk.settings, -1);
    Knob::Filter.turn(&mut room.desk.settings, 1);
    room.desk.settle();
    let [Command::Sound(sound)] = &room.ordered()[..] else { panic!("only the sound is the machine's") };
    assert_eq!(sound.volume, 95);
    room.desk.keep_settings();
    let kept = ConfigFile::read(room.folder.path().join("config.toml"));
    assert_eq!(kept.settings(), &room.desk.settings);
}

#[test]
fn what_the_command_line_overrides_is_not_kept() {
    let room = Room::new();
    fs::write(room.folder.path().join("config.toml"), "[sound]\nvolume = 10\n").unwrap();
    let mut options = Options::new("game", vec![]).in_folders(Folders::inside(room.folder.path()));
    options.settings.picture.fullscreen = true;
    let mut desk = Desk::new(&options, room.desk.remote.clone());
    assert!(!desk.welcome, "who has settings has played");
    desk.keep_settings();
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
        room.desk.open(path);
    }
    let commands = room.ordered();
    assert_eq!(commands[..2], [Command::OpenRom(rom.clone()), Command::PlayMovie(movie)]);
    assert_eq!(commands[2], Command::Script(ScriptOrder::Run(script)));
    assert!(matches!(commands[3..], [Command::Palette(_)]), "{commands:?}");
    assert_eq!(room.desk.settings.picture.palette, palette);
    assert!(room.notes().iter().any(|note| note.contains("d.pal") && note.contains("191")));
    assert_eq!(room.desk.menu.folder.path, fs::canonicalize(rom).unwrap().parent().unwrap());
}

#[test]
fn the_pause_of_a_script_is_the_players_to_end_and_the_scripts_too() {
    let mut room = Room::new();
    let paused = |paused| Some(ScriptStatus { path: "a.lua".into(), running: true, paused });
    room.shared.status().script = paused(true);
    room.desk.look();
    assert_eq!(room.ordered(), [Command::Pause]);
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.ordered(), [Command::Resume]);
    room.desk.look();
    assert_eq!(room.ordered(), [], "the machine has not yet heard");
    for (now, told) in [(false, vec![]), (true, vec![Command::Pause]), (false, vec![Command::Resume])] {
        room.shared.status().script = paused(now);
        room.desk.look();
        assert_eq!(room.ordered(), told);
    }
}

#[test]
fn a_script_says_one_thing_at_a_time() {
    let mut room = Room::new();
    room.shared.status().say(MessageKind::Note, "saved");
    for n in 0..100 {
        room.shared.status().say(MessageKind::Script, format!("frame {n}"));
        room.desk.look();
    }
    assert_eq!(room.notes(), ["saved", "frame 99"]);
}

#[test]
fn a_message_of_the_machine_is_shown_once() {
    let mut room = Room::new();
    room.shared.status().say(MessageKind::Note, "saved");
    room.desk.look();
    assert_eq!(room.notes(), ["saved"]);
    room.desk.notes.forget(Instant::now() + std::time::Duration::from_secs(60));
    room.desk.look();
    assert!(room.notes().is_empty());
}

#[test]
fn a_slot_chosen_by_its_number_is_saved_and_loaded() {
    let mut room = Room::new();
    room.press(KeyCode::Digit7, Some(Shortcut::Slot(7)));
    assert_eq!(room.notes(), ["slot 7, empty"]);
    room.press(KeyCode::F5, Some(Shortcut::Save));
    room.press(KeyCode::F8, Some(Shortcut::Load));
    assert_eq!(room.ordered(), [Command::SaveSlot(7), Command::LoadSlot(7)]);
}

#[test]
fn a_recording_is_begun_and_ended_by_the_same_line() {
    let mut room = Room::new();
    room.desk.fulfil(Ask::Record(Recording::Wave));
    let [Command::Record(Recording::Wave, path)] = &room.ordered()[..] else { panic!("a recording begins") };
    assert!(path.starts_with(room.folder.path().join("recordings")));
    room.desk.status.recordings.push(RecordingStatus {
        recording: Recording::Wave,
        path: path.clone(),
        frames: 3,
    });
    room.desk.fulfil(Ask::Record(Recording::Wave));
    assert_eq!(room.ordered(), [Command::StopRecording(Recording::Wave)]);
}

#[test]
fn a_movie_that_plays_is_recorded_on_into_a_new_file() {
    let mut room = Room::new();
    room.desk.status.movie = Some(MovieStatus { path: "a.fm2".into(), frame: 5, length: Some(9) });
    room.desk.menu.open(Page::Record);
    let rows = room.desk.rows();
    let at = rows.iter().position(|row| row.label.contains("record it on")).unwrap();
    room.desk.menu.point(at);
    assert_eq!(room.desk.step(Step::Enter), None);
    let ordered = room.ordered();
    let [Command::ContinueMovie(path)] = &ordered[..] else { panic!("{ordered:?}") };
    assert!(path.starts_with(room.folder.path().join("recordings")) && path.extension().unwrap() == "fm2");
    room.desk.status.movie = None;
    room.desk.menu.open(Page::Record);
    assert!(room.desk.rows().iter().all(|row| !row.label.contains("record it on")));
}

#[test]
fn what_closes_the_menu_on_a_pad_is_not_the_games() {
    let mut room = Room::new();
    room.desk.menu.open(Page::Pause);
    room.desk.settle();
    let a = [PadInput::Press(gilrs::Button::East)];
    let buttons = room.shared.input.set_pad(0, &a);
    *room.shared.pads() =
        vec![PadStatus { name: "pad".into(), player: Some(0), held: a.to_vec(), buttons, stick: [0.0; 2] }];
    room.desk.look();
    room.desk.look_at_pads();
    assert_eq!(room.desk.menu.page(), None, "A went on");
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
    room.desk.menu.open(Page::Help);
    assert_eq!(room.press(KeyCode::KeyQ, Some(Shortcut::Quit)), Some(Wish::Quit));
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
        room.desk.look();
        assert_eq!(room.desk.look_at_pads().1, None);
        room.desk.menu.page()
    };
    let none = nes::Buttons::empty();
    assert_eq!(hold(none, &[Button::Mode]), Some(Page::Pause));
    hold(none, &[]);
    hold(nes::Buttons::DOWN, &[]);
    assert_eq!(hold(nes::Buttons::A, &[]), Some(Page::Save));
    hold(none, &[]);
    assert_eq!(hold(nes::Buttons::B, &[]), Some(Page::Pause), "B leads back");
    hold(nes::Buttons::A, &[]);
    hold(nes::Buttons::DOWN, &[]);
    assert_eq!(hold(nes::Buttons::A, &[]), None);
    assert_eq!(room.ordered(), [Command::Pause, Command::SaveSlot(1), Command::Resume]);
}

#[test]
fn from_a_crash_a_key_and_the_menu_lead_back_while_the_rewind_reaches() {
    let mut room = Room::new();
    let label = |room: &Room| room.desk.rows().iter().any(|row| row.label == "Back to before the crash");
    room.desk.menu.open(Page::Pause);
    assert!(!label(&room), "the game is well");
    let cause = nes_debug::CrashCause::Jammed;
    let crash = nes_debug::Crash { frame: 900, level: 157, pc: 0x1234, cause, jump: None };
    room.shared.status().crash = Some(CrashStatus { crash, way_back: false });
    room.desk.look();
    assert!(!label(&room), "there is no way back");
    room.shared.status().crash = Some(CrashStatus { crash, way_back: true });
    room.desk.look();
    assert!(label(&room));
    room.desk.step(Step::Down);
    room.desk.step(Step::Enter);
    assert!(room.ordered().contains(&Command::BeforeCrash));
    assert!(room.desk.menu.page().is_none() && room.desk.is_stopped(), "it is paused before the crash");
    room.press(KeyCode::KeyP, Some(Shortcut::Pause));
    assert_eq!(room.ordered(), [Command::Resume]);
    room.press(KeyCode::KeyB, Some(Shortcut::BeforeCrash));
    assert_eq!(room.ordered(), [Command::BeforeCrash]);
    assert!(room.desk.is_stopped());
}
