use std::cell::Cell;
use std::fs;
use std::sync::mpsc;

use nes::controller::fm2::Movie;
use nes::{Buttons, Console};

use super::*;
use crate::{Message, Recording, Status};

/// The built-in cartridge, which looks at the pads in every frame.
const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

struct Outcome {
    frames: u64,
    /// How often the interface was told of a picture.
    told: u64,
    status: Status,
}

impl Outcome {
    fn last_words(&self) -> &str {
        self.status.messages.back().map_or("", |Message { text, .. }| text)
    }
}

/// A game whose frames do not wait for anybody: at its fastest, with `commands` given between the frames in which
/// they stand.
fn game(change: impl FnOnce(&mut Options), commands: &[(u64, Command)], limit: u64) -> Outcome {
    let mut options = Options::new("game", IMAGE.to_vec());
    change(&mut options);
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let shared = Arc::new(Shared::new());
    let told = Cell::new(0);
    let tell = |notice| told.set(told.get() + u64::from(notice == Notice::Picture));
    let mut machine = Machine::new(cartridge, &options, Arc::clone(&shared), tell);
    let (_sender, orders) = mpsc::channel();
    let frames = || shared.frames.load(Ordering::Relaxed);
    for (frame, command) in commands {
        while frames() < *frame {
            machine.frame();
        }
        let _ = machine.obey(Order::Command(command.clone()));
    }
    while frames() < limit {
        machine.frame();
    }
    machine.run(&orders, Some(limit));
    let status = shared.status().clone();
    Outcome { frames: shared.frames.load(Ordering::Relaxed), told: told.get(), status }
}

/// The thread as it is, in real time.
fn thread(commands: Vec<Command>, limit: Option<u64>) -> u64 {
    let options = Options::new("game", IMAGE.to_vec());
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let shared = Arc::new(Shared::new());
    let (sender, orders) = mpsc::channel();
    for command in commands {
        sender.send(Order::Command(command)).unwrap();
    }
    Machine::new(cartridge, &options, Arc::clone(&shared), |_| {}).run(&orders, limit);
    shared.frames.load(Ordering::Relaxed)
}

#[test]
fn it_ends_after_so_many_frames_and_tells_of_a_picture_until_it_is_taken() {
    let outcome = game(|_| {}, &[], 5);
    assert_eq!((outcome.frames, outcome.told), (5, 1));
    assert_eq!(thread(vec![], Some(5)), 5);
}

#[test]
fn a_pause_ends_with_the_next_command_that_says_so() {
    assert_eq!(thread(vec![Command::Pause, Command::Reset, Command::Resume], Some(3)), 3);
}

#[test]
fn it_quits_though_paused() {
    assert_eq!(thread(vec![Command::Pause, Command::Quit], None), 0);
}

#[test]
fn a_frame_at_a_time() {
    assert_eq!(thread(vec![Command::FrameAdvance, Command::FrameAdvance, Command::Quit], None), 2);
}

#[test]
fn a_key_for_rewinding_lets_go_into_what_was_before() {
    let commands = [(30, Command::Rewind(true)), (40, Command::Rewind(false)), (45, Command::Pause)];
    let outcome = game(|_| {}, &commands, 45);
    assert_eq!((outcome.status.frame, outcome.status.motion), (25, Motion::Paused));
    let held = [(3, Command::Pause), (3, Command::FastForward(true)), (9, Command::FastForward(false))];
    assert_eq!(game(|_| {}, &held, 9).status.motion, Motion::Paused);
}

#[test]
fn a_slot_takes_the_game_back_after_the_program_was_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let states = |options: &mut Options| options.states = Some(folder.path().to_owned());
    let saved = game(states, &[(100, Command::SaveSlot(2))], 150);
    assert_eq!(saved.last_words(), "saved to slot 2");
    assert_eq!(saved.status.slots[2].as_ref().unwrap().frame, 100);
    let loaded = game(states, &[(3, Command::LoadSlot(2)), (3, Command::LoadSlot(1))], 13);
    assert_eq!(loaded.status.frame, 110);
    assert_eq!(loaded.last_words(), "slot 1 is empty");
    assert_eq!(loaded.status.slots.iter().flatten().count(), 1);
}

#[test]
fn another_cartridge_plays_on_the_same_thread_and_a_bad_one_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("other.nes"), folder.path().join("bad.nes"));
    fs::write(&good, IMAGE).unwrap();
    fs::write(&bad, "no cartridge").unwrap();
    let missing = folder.path().join("missing.nes");
    for wrong in [bad, missing] {
        let outcome = game(|_| {}, &[(20, Command::OpenRom(wrong.clone()))], 30);
        assert!(outcome.last_words().starts_with("cannot "), "{}", outcome.last_words());
        assert_eq!((outcome.status.frame, outcome.status.title.as_str()), (30, "game"));
    }
    let outcome = game(|_| {}, &[(20, Command::OpenRom(good))], 30);
    assert_eq!((outcome.status.frame, outcome.status.title.as_str()), (10, "other"));
}

/// Plays movie `path` without a window, as `maxout run` does; answers the hash of the state.
fn headless(path: &std::path::Path) -> (u64, Movie) {
    let movie = Movie::parse(&fs::read(path).unwrap()).unwrap();
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for frame in &movie.frames {
        if frame.commands.contains(nes::controller::fm2::Commands::RESET) {
            console.reset();
        }
        let mut pads = frame.pads;
        let _ = console.run_frame(&mut pads, &mut ());
    }
    (console.state_hash(), movie)
}

#[test]
fn a_movie_recorded_with_states_and_rewinds_plays_headless_to_the_same_state() {
    let folder = tempfile::tempdir().unwrap();
    let movie = folder.path().join("play.fm2");
    let mut options = Options::new("game", IMAGE.to_vec());
    options.states = Some(folder.path().to_owned());
    options.settings.time.run_ahead = 1;
    let shared = Arc::new(Shared::new());
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let mut machine = Machine::new(cartridge, &options, Arc::clone(&shared), |_| {});
    let play = |machine: &mut Machine<_>, frames: u64| {
        for frame in 0..frames {
            let bits = if frame % 30 < 2 {
                Buttons::START
            } else {
                Buttons::from_bits_retain(((frame * 77) >> 3) as u8)
            };
            shared.input.hold(0, bits - Buttons::SELECT);
            machine.frame();
        }
    };
    play(&mut machine, 20);
    machine.command(Command::Record(Recording::Movie, movie.clone()));
    play(&mut machine, 200);
    machine.command(Command::SaveSlot(0));
    machine.command(Command::Reset);
    play(&mut machine, 50);
    machine.command(Command::Rewind(true));
    (0..30).for_each(|_| machine.frame());
    machine.command(Command::Rewind(false));
    play(&mut machine, 90);
    machine.command(Command::LoadSlot(0));
    play(&mut machine, 150);
    let there = machine.engine.state_hash();
    machine.command(Command::StopRecording(Recording::Movie));
    let (hash, recorded) = headless(&movie);
    assert_eq!((hash, recorded.frames.len(), recorded.rerecord_count), (there, 350, 31));

    machine.command(Command::PlayMovie(movie.clone()));
    shared.input.hold(0, Buttons::A); // which the movie does not care about
    (0..350).for_each(|_| machine.frame());
    assert_eq!(machine.engine.state_hash(), hash);
    assert_eq!(shared.status().messages.back().unwrap().text, format!("{} is over", movie.display()));
}

#[test]
fn a_movie_can_be_taken_up_in_the_middle_and_recorded_on() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a.fm2"), folder.path().join("b.fm2"));
    let commands = [
        (0, Command::Record(Recording::Movie, first.clone())),
        (100, Command::StopRecording(Recording::Movie)),
        (100, Command::PlayMovie(first.clone())),
        (160, Command::ContinueMovie(second.clone())),
        (200, Command::StopRecording(Recording::Movie)),
    ];
    game(|_| {}, &commands, 200);
    assert_eq!((headless(&first).1.frames.len(), headless(&second).1.frames.len()), (100, 100));
    let unwritable = folder.path().join("no folder").join("c.fm2");
    let outcome = game(|_| {}, &[(1, Command::Record(Recording::Movie, unwritable))], 2);
    assert!(outcome.last_words().contains("writable"), "{}", outcome.last_words());
}

#[test]
fn sound_and_picture_are_recorded_frame_for_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (wave, gif) = (folder.path().join("a.wav"), folder.path().join("a.gif"));
    let commands = [
        (10, Command::Record(Recording::Wave, wave.clone())),
        (10, Command::Record(Recording::Gif, gif.clone())),
        (70, Command::StopRecording(Recording::Wave)),
    ];
    let outcome = game(|_| {}, &commands, 80);
    assert!(outcome.status.messages.iter().all(|message| message.kind == MessageKind::Note));
    let samples = hound::WavReader::open(&wave).unwrap().duration();
    assert!((60.0 * 48_000.0 / crate::FRAME_RATE - f64::from(samples)).abs() < 2.0, "{samples}");
    assert!(fs::metadata(&gif).unwrap().len() > 1000);
}
