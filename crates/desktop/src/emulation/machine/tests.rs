mod files;

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::sync::mpsc;

use nes::fm2::{Movie, RamInit};
use nes::{Buttons, Console, Region};
use nes_testing::Image;

use super::*;
use crate::Command;
use crate::config::settings::{RegionChoice, TimeSettings};
use crate::messages::command::Recording;
use crate::messages::status::{Message, Status};

/// Its PAL build.
const PAL: &[u8] = include_bytes!("../../../../../roms/maxout-pal.nes");

/// The built-in cartridge, which looks at the pads in every frame.
const IMAGE: &[u8] = include_bytes!("../../../../../roms/maxout.nes");

struct MachineRun {
    frames: u64,
    /// How often the interface was told of a picture.
    told: u64,
    status: Status,
}

impl MachineRun {
    fn final_messages(&self) -> &str {
        self.status.messages.back().map_or("", |Message { text, .. }| text)
    }

    fn messages(&self) -> String {
        let texts: Vec<_> = self.status.messages.iter().map(|message| message.text.as_str()).collect();
        texts.join("\n")
    }
}

/// Returns a game whose frames do not wait for anybody: at its fastest, with `commands` given
/// between the frames in which they stand.
fn game(change: impl FnOnce(&mut Options), commands: &[(u64, Command)], limit: u64) -> MachineRun {
    let mut options = Options::new("game", IMAGE.to_vec());
    change(&mut options);
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let shared = Arc::new(Shared::new());
    let told = Cell::new(0);
    let tell = |notice| told.set(told.get() + u64::from(notice == Notice::Picture));
    let mut machine = Machine::new(cartridge, &options, Arc::clone(&shared), tell);
    let (_sender, queue) = mpsc::channel();
    let frames = || shared.frames.load(Ordering::Relaxed);
    for (frame, command) in commands {
        while frames() < *frame {
            machine.frame();
        }
        let _ = machine.handle(MachineMessage::Command(command.clone()));
    }
    while frames() < limit {
        machine.frame();
    }
    machine.run(&queue, Some(limit));
    let status = shared.status().clone();
    MachineRun { frames: shared.frames.load(Ordering::Relaxed), told: told.get(), status }
}

/// Returns the thread as it is, in real time.
fn thread(commands: Vec<Command>, limit: Option<u64>) -> u64 {
    let options = Options::new("game", IMAGE.to_vec());
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let shared = Arc::new(Shared::new());
    let (sender, queue) = mpsc::channel();
    for command in commands {
        sender.send(MachineMessage::Command(command)).unwrap();
    }
    Machine::new(cartridge, &options, Arc::clone(&shared), |_| {}).run(&queue, limit);
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
    assert_eq!((outcome.status.frame, outcome.status.run_state), (25, RunState::Paused));
    let held = [(3, Command::Pause), (3, Command::FastForward(true)), (9, Command::FastForward(false))];
    assert_eq!(game(|_| {}, &held, 9).status.run_state, RunState::Paused);
}

#[test]
fn a_slot_takes_the_game_back_after_the_program_was_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let states = |options: &mut Options| options.states = Some(folder.path().to_owned());
    let saved = game(states, &[(100, Command::SaveSlot(2))], 150);
    assert_eq!(saved.final_messages(), "saved to slot 2");
    assert_eq!(saved.status.slots[2].as_ref().unwrap().frame, 100);
    let loaded = game(states, &[(3, Command::LoadSlot(2)), (3, Command::LoadSlot(1))], 13);
    assert_eq!(loaded.status.frame, 110);
    assert_eq!(loaded.final_messages(), "slot 1 is empty");
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
        assert!(outcome.final_messages().starts_with("cannot "), "{}", outcome.final_messages());
        assert_eq!((outcome.status.frame, outcome.status.title.as_str()), (30, "game"));
    }
    let outcome = game(|_| {}, &[(20, Command::OpenRom(good))], 30);
    assert_eq!((outcome.status.frame, outcome.status.title.as_str()), (10, "other"));
}

/// Plays movie `path` without a window, as `maxout run` does; answers the hash of the state.
fn headless(path: &std::path::Path) -> (u64, Movie) {
    let movie = Movie::parse(&fs::read(path).unwrap()).unwrap();
    let cartridge = Cartridge::from_bytes(IMAGE).unwrap();
    let config = Config { ram_fill: movie.ram.into(), ..Config::default() };
    let mut console = Console::new(cartridge.clone(), config);
    for frame in &movie.frames {
        console.carry_out(frame.commands, &cartridge, config);
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
    assert!(outcome.final_messages().contains("writable"), "{}", outcome.final_messages());
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

#[test]
fn on_pal_sound_rewind_and_movies_go_by_fifty_frames_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let (wave, movie) = (folder.path().join("a.wav"), folder.path().join("a.fm2"));
    let commands = [
        (0, Command::Record(Recording::Movie, movie.clone())),
        (10, Command::Record(Recording::Wave, wave.clone())),
        (60, Command::StopRecording(Recording::Wave)),
        (70, Command::StopRecording(Recording::Movie)),
    ];
    let outcome = game(|options| options.image = PAL.to_vec(), &commands, 80);
    assert_eq!(outcome.status.region, Region::Pal);
    assert!(
        (outcome.status.rewind.as_secs_f64() - 80.0 / 50.007).abs() < 0.03,
        "{:?}",
        outcome.status.rewind
    );
    let samples = hound::WavReader::open(&wave).unwrap().duration();
    assert!((50.0 * 48_000.0 / 50.006_978 - f64::from(samples)).abs() < 2.0, "{samples}");
    let text = fs::read_to_string(&movie).unwrap();
    assert!(text.contains("palFlag 1\n"), "{text}");
    // A movie brings its region along.
    let played = game(|_| {}, &[(5, Command::PlayMovie(movie))], 30);
    assert_eq!(played.status.region, Region::Pal);
}

#[test]
fn the_region_is_the_cartridges_the_settings_or_the_command_lines() {
    let region =
        |change: &dyn Fn(&mut Options), commands: &[(u64, Command)]| game(change, commands, 20).status.region;
    let chosen = |region| move |options: &mut Options| options.settings.time.region = region;
    assert_eq!(region(&|_| {}, &[]), Region::Ntsc);
    assert_eq!(region(&|options| options.image = PAL.to_vec(), &[]), Region::Pal);
    assert_eq!(region(&chosen(RegionChoice::Pal), &[]), Region::Pal);
    let both = |options: &mut Options| {
        chosen(RegionChoice::Pal)(options);
        options.config.region = Some(Region::Ntsc);
    };
    assert_eq!(region(&both, &[]), Region::Ntsc);
    // A choice in the menu holds from the next power-on.
    let pal = TimeSettings { region: RegionChoice::Pal, ..TimeSettings::default() };
    assert_eq!(region(&|_| {}, &[(5, Command::Time(pal))]), Region::Ntsc);
    assert_eq!(region(&|_| {}, &[(5, Command::Time(pal)), (6, Command::PowerCycle)]), Region::Pal);
}

/// Returns a cartridge that enables its interrupt at once and never again; the interrupt counts in
/// $10.
fn impatient() -> Vec<u8> {
    let program = [0xA9, 0x80, 0x8D, 0x00, 0x20, 0x4C, 0x05, 0x80]; // LDA #$80; STA $2000; JMP to itself
    Image::nrom(&program).put(0x1000, &[0xE6, 0x10, 0x40]).bytes()
}

#[test]
fn a_strict_start_is_chosen_by_settings_or_command_line_and_what_it_ignored_is_told() {
    let told = |change: &dyn Fn(&mut Options), commands: &[(u64, Command)]| {
        let change = |options: &mut Options| {
            options.image = impatient();
            change(options);
        };
        game(change, commands, 20).messages().matches("$80 to $2000 in cycle").count()
    };
    assert_eq!(told(&|_| {}, &[]), 0, "the writes arrive");
    assert_eq!(told(&|options| options.settings.time.strict_ppu_start = true, &[]), 1);
    assert_eq!(told(&|options| options.config.quirks.strict_start = true, &[]), 1);
    // A choice in the menu holds from the next power-on.
    let strict = TimeSettings { strict_ppu_start: true, ..TimeSettings::default() };
    assert_eq!(told(&|_| {}, &[(5, Command::Time(strict))]), 0);
    assert_eq!(told(&|_| {}, &[(5, Command::Time(strict)), (6, Command::PowerCycle)]), 1);
}

#[test]
fn after_a_reset_writes_that_the_ppu_ignored_are_told_where_the_screen_stays_off() {
    let told = |image: Vec<u8>| {
        let change = |options: &mut Options| options.image.clone_from(&image);
        game(change, &[(20, Command::Reset)], 100).messages().contains("the PPU ignored 1 write")
    };
    assert!(told(impatient()));
    // This one writes again in each frame, as most programs do.
    let patient = [
        0xA9, 0x80, 0x8D, 0x00, 0x20, // LDA #$80; STA $2000
        0xAD, 0x02, 0x20, 0x10, 0xFB, // 8005 LDA $2002; BPL $8005
        0xA9, 0x80, 0x8D, 0x00, 0x20, 0xA9, 0x1E, 0x8D, 0x01, 0x20, // LDA; STA $2000; LDA; STA $2001
        0x4C, 0x05, 0x80, // JMP $8005
    ];
    assert!(!told(Image::nrom(&patient).put(0x1000, &[0x40]).bytes()));
}

#[test]
fn a_battery_without_ram_is_told_when_its_cartridge_is_inserted() {
    let image = Image::nes2(0, 0, 2, 1, 0, 0).with(6, 2).bytes();
    let outcome = game(|options| options.image.clone_from(&image), &[], 5);
    assert!(outcome.messages().contains("what the game saves is lost"), "{}", outcome.messages());
    let outcome = game(|_| {}, &[(3, Command::Insert("saves".into(), image))], 8);
    assert!(outcome.messages().contains("what the game saves is lost"), "{}", outcome.messages());
}

#[test]
fn a_state_of_the_other_region_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let states = |options: &mut Options| options.states = Some(folder.path().to_owned());
    game(states, &[(10, Command::SaveSlot(2))], 20);
    let pal = |options: &mut Options| {
        states(options);
        options.config.region = Some(Region::Pal);
    };
    let outcome = game(pal, &[(10, Command::LoadSlot(2))], 20);
    assert!(outcome.final_messages().contains("state of an NTSC console"), "{}", outcome.final_messages());
    assert_eq!(outcome.status.frame, 20);
}

/// Returns a cartridge with a battery, which counts in $6000 how often it was powered on.
fn counter() -> Vec<u8> {
    let program = [0xEE, 0x00, 0x60, 0x4C, 0x03, 0xC0]; // C000 INC $6000, C003 JMP $C003
    Image::ines(0, 1, 0).with(6, 2).put(0, &program).vectors(0xFFFF, 0xC000, 0xFFFF).bytes()
}

#[test]
fn a_battery_keeps_what_it_has_to_from_one_power_on_to_the_next_but_not_what_a_movie_did() {
    let folder = tempfile::tempdir().unwrap();
    let saves = folder.path().join("saves");
    let with_battery = |options: &mut Options| {
        options.image = counter();
        options.folders.saves = Some(saves.clone());
    };
    let kept = || {
        let file = fs::read_dir(&saves).unwrap().next().unwrap().unwrap().path();
        fs::read(file).unwrap()[0]
    };
    let play = |commands: &[(u64, Command)]| game(with_battery, commands, 20);
    play(&[]);
    assert_eq!(kept(), 1);
    play(&[(5, Command::PowerCycle)]);
    assert_eq!(kept(), 3);
    let movie = folder.path().join("a.fm2");
    play(&[(5, Command::Record(Recording::Movie, movie.clone())), (10, Command::PowerCycle)]);
    assert_eq!(kept(), 4, "the movie's power-ons do not count");
    let outcome = play(&[(3, Command::ContinueMovie(folder.path().join("b.fm2")))]);
    assert!(outcome.final_messages().contains("battery"), "{}", outcome.final_messages());
    assert_eq!(kept(), 5);
    let outcome =
        play(&[(5, Command::PlayMovie(movie)), (10, Command::StopMovie), (12, Command::PowerCycle)]);
    assert!(outcome.final_messages().contains("stays as it is"), "{}", outcome.final_messages());
    assert_eq!(kept(), 7);
    // Another cartridge: what the old one keeps is written, and it is there when it comes back.
    let commands = [
        (5, Command::Insert("other".into(), IMAGE.to_vec())),
        (10, Command::Insert("game".into(), counter())),
    ];
    play(&commands);
    assert_eq!(kept(), 9);
}

#[test]
fn a_movie_says_what_it_was_recorded_with_and_a_difference_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (movie, other) = (folder.path().join("a.fm2"), folder.path().join("other.nes"));
    let mut image = IMAGE.to_vec();
    image[20] ^= 1;
    fs::write(&other, image).unwrap();
    let profile = tetris::Profile::of_image(IMAGE).unwrap();
    let pieces = |letters: &'static str| {
        let pieces = letters.chars().filter_map(tetris::Piece::from_letter);
        crate::Pieces::new(
            autopilot::Substitution::new(profile.clone(), pieces),
            format!("--pieces {letters}"),
        )
    };
    let with = |letters| move |options: &mut Options| options.pieces = letters;
    let record = [(2, Command::Record(Recording::Movie, movie.clone()))];
    game(with(Some(pieces("TTT"))), &record, 30);
    let recorded = Movie::parse(&fs::read(&movie).unwrap()).unwrap();
    assert_eq!(recorded.comments, ["pieces --pieces TTT"]);
    assert!(recorded.rom_checksum.starts_with("base64:") && recorded.rom_checksum.len() == 31);

    let play = [(2, Command::PlayMovie(movie.clone()))];
    let warnings = |outcome: &MachineRun| {
        let kinds = outcome.status.messages.iter().filter(|message| message.kind == MessageKind::Warning);
        kinds.map(|message| message.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(warnings(&game(with(Some(pieces("TTT"))), &play, 9)), [""; 0]);
    let [text] = &warnings(&game(with(None), &play, 9))[..] else { panic!("one warning") };
    assert!(text.contains("maxout play --pieces TTT"), "{text}");
    let commands = [(1, Command::OpenRom(other)), (2, Command::PlayMovie(movie))];
    let outcome = game(with(Some(pieces("TTT"))), &commands, 9);
    assert!(outcome.status.messages.iter().any(|message| message.text.contains("deals its own")));
    let [cartridge, pieces] = &warnings(&outcome)[..] else { panic!("two warnings") };
    assert!(
        cartridge.contains("another cartridge")
            && cartridge.matches("base64:").count() == 2
            && pieces.contains("--pieces TTT"),
        "{cartridge} {pieces}"
    );
}

/// As FCEUX writes them: of 300 lines, with a reset, striped RAM, a comment and a subtitle.
fn of_fceux() -> String {
    let mut text =
        "version 3\r\nemuVersion 20605\r\nrerecordCount 4\r\npalFlag 0\r\nromFilename x\r\nport0 1\r\n\
        port1 1\r\nport2 0\r\nRAMInitOption 0\r\ncomment author somebody\r\nsubtitle 9 look here\r\n"
            .to_owned();
    for line in 0..300 {
        let (command, start) = (u8::from(line == 50), if line % 40 == 0 { 'T' } else { '.' });
        write!(text, "|{command}|....{start}...|........||\r\n").unwrap();
    }
    text
}

#[test]
fn a_movie_of_fceuxs_that_is_recorded_on_keeps_its_ram_its_comments_and_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let [movie, on, later] = ["a.fm2", "b.fm2", "c.fm2"].map(|name| folder.path().join(name));
    fs::write(&movie, of_fceux()).unwrap();
    let states = |options: &mut Options| options.states = Some(folder.path().to_owned());
    let commands = [
        (0, Command::PlayMovie(movie.clone())),
        (100, Command::ContinueMovie(on.clone())),
        (150, Command::SaveSlot(1)),
        (160, Command::LoadSlot(1)),
        (200, Command::StopRecording(Recording::Movie)),
    ];
    game(states, &commands, 205);
    // The slot brings along what RAM held.
    game(states, &[(5, Command::LoadSlot(1)), (6, Command::ContinueMovie(later.clone()))], 30);
    let (original, on, later) = (headless(&movie).1, headless(&on).1, headless(&later).1);
    assert_eq!((on.ram, later.ram), (RamInit::Stripes, RamInit::Stripes));
    assert_eq!(on.comments, ["author somebody"]);
    assert_eq!(on.fields, original.fields);
    assert_eq!((on.rerecord_count, on.frames.len(), later.frames.len()), (5, 190, 175));
    assert_eq!((&on.frames[..100], &later.frames[..100]), (&original.frames[..100], &original.frames[..100]));
}

/// Runs a session to its end.
fn session(options: &Options) -> crate::PlaySummary {
    let (tell, told) = mpsc::channel();
    let running = crate::Running::start(options, move |notice| {
        let _ = tell.send(notice);
    })
    .unwrap();
    while told.recv().unwrap() != Notice::Stopped {}
    running.finish().unwrap()
}

#[test]
fn a_movie_of_fceuxs_leaves_the_state_that_a_run_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fm2");
    fs::write(&path, of_fceux()).unwrap();
    let (hash, movie) = headless(&path);
    assert_eq!(movie.frames.len(), 298);
    let mut options = Options::new("game", IMAGE.to_vec());
    options.settings.time.speed = 200;
    (options.movie, options.quit_at_end) = (Some(path), true);
    assert_eq!(session(&options).state_hash, hash);
}

#[test]
fn a_movie_of_an_older_maxout_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fm2");
    let text = "version 3\nrerecordCount 0\npalFlag 0\nport0 1\nport1 1\nport2 0\nromFilename game\nromChecksum \n\
        |0|........|........||\n";
    fs::write(&path, text).unwrap();
    let outcome = game(|_| {}, &[(2, Command::PlayMovie(path))], 5);
    let messages = outcome.status.messages.iter();
    let warnings: Vec<_> = messages.filter(|message| message.kind == MessageKind::Warning).collect();
    let [warning] = &warnings[..] else { panic!("one warning") };
    assert!(warning.text.contains("older Maxout"), "{}", warning.text);
}

#[test]
fn a_movie_from_the_start_ends_the_session_in_the_state_that_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fm2");
    game(|_| {}, &[(0, Command::Record(Recording::Movie, path.clone()))], 200);
    let (hash, movie) = headless(&path);
    let mut options = Options::new("game", IMAGE.to_vec());
    options.settings.time.speed = 200;
    options.settings.time.run_ahead = 1;
    (options.movie, options.quit_at_end) = (Some(path), true);
    let session = session(&options);
    assert_eq!((session.state_hash, session.frames), (hash, movie.frames.len() as u64));
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    console.load(&emulator::SavedState::read(&session.state).unwrap().console).unwrap();
    assert_eq!(console.state_hash(), hash);
    options.movie = Some(folder.path().join("missing.fm2"));
    let refused = crate::Running::start(&options, |_| {}).map(drop);
    assert!(matches!(refused, Err(crate::DesktopError::Read { .. })));
}

#[test]
fn against_the_computer_nothing_is_taken_back_and_another_cartridge_ends_it() {
    let versus = |options: &mut Options| {
        let profile = tetris::Profile::of_image(IMAGE).unwrap();
        options.versus = Some(crate::Versus::new(
            profile,
            Cartridge::from_bytes(IMAGE).unwrap(),
            emulator::Computer::default(),
            autopilot::Nets::default().into(),
        ));
    };
    let unfair = [
        Command::Rewind(true),
        Command::SaveSlot(0),
        Command::LoadSlot(0),
        Command::Record(Recording::Movie, "a.fm2".into()),
        Command::PlayMovie("a.fm2".into()),
    ];
    for command in unfair {
        let outcome = game(versus, &[(20, command)], 30);
        assert!(
            outcome.final_messages().starts_with("not available in versus mode"),
            "{}",
            outcome.final_messages()
        );
        assert_eq!((outcome.status.frame, outcome.status.versus.is_some()), (30, true));
    }
    let commands = [
        (10, Command::Insert("other".into(), IMAGE.to_vec())),
        (30, Command::Rewind(true)),
        (35, Command::Rewind(false)),
    ];
    let outcome = game(versus, &commands, 35);
    assert_eq!((outcome.status.frame, outcome.status.versus.is_some()), (15, false));
    assert!(outcome.final_messages().contains("another cartridge"), "{}", outcome.final_messages());
}

#[test]
fn the_computer_plays_a_game_by_the_pad_alone_and_lets_go_of_it() {
    let MachineRun { status, .. } = game(|_| {}, &[(10, Command::LetComputerPlay(true))], 4000);
    assert!(status.computer);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("played.fm2");
    let commands = [
        (0, Command::Record(Recording::Movie, path.clone())),
        (10, Command::LetComputerPlay(true)),
        (4000, Command::LetComputerPlay(false)),
    ];
    let MachineRun { status, .. } = game(|_| {}, &commands, 4100);
    assert!(!status.computer);
    let movie = Movie::parse(&fs::read(&path).unwrap()).unwrap();
    let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
    for input in &movie.frames {
        let _ = console.run_frame(&mut input.pads.clone(), &mut ());
    }
    let pieces: u32 = tetris::View::new(console.ram()).piece_counts().iter().sum();
    assert!(pieces > 20, "{pieces} pieces");
    assert!(movie.frames[4010..].iter().all(|input| input.pads[0].is_empty()), "it has let go");
}

#[test]
fn the_computer_says_when_it_does_not_know_the_game() {
    let other = include_bytes!("../../../../../roms/tests/pads_read_twice.nes");
    let MachineRun { status, .. } =
        game(|options| options.image = other.to_vec(), &[(1, Command::LetComputerPlay(true))], 5);
    assert!(!status.computer);
    let said = status.messages.back().map(|message| message.text.clone()).unwrap_or_default();
    assert!(said.contains("only works with Tetris"), "{said}");
}
