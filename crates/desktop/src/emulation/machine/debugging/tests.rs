use std::cell::RefCell;
use std::path::{Path, PathBuf};

use emulator::Emulator;
use nes::apu::{Channel, ChannelLevels};
use nes::fm2::{Commands, FrameInput, Movie, RamInit};
use nes::{Buttons, Cartridge};

use super::*;
use crate::debugger::{Panel, PanelState};
use crate::messages::command::{Recording, ScriptCommand};
use crate::messages::handle::Shared;
use crate::{Command, Options, Pieces};

/// The built-in cartridge.
const IMAGE: &[u8] = include_bytes!("../../../../../../roms/maxout.nes");
/// One that is known by its hash alone.
const SLOW: &[u8] = include_bytes!("../../../../../../roms/maxout-slow.nes");

/// A machine without a window, and what it told.
struct Rig<'a, F> {
    machine: Machine<F>,
    told: &'a RefCell<Vec<Notice>>,
}

fn rig<'a>(
    told: &'a RefCell<Vec<Notice>>,
    change: &dyn Fn(&mut Options),
) -> Rig<'a, impl Fn(Notice) + use<'a>> {
    let mut options = Options::new("game", IMAGE.to_vec());
    change(&mut options);
    let cartridge = Cartridge::from_bytes(&options.image).unwrap();
    let tell = |notice| told.borrow_mut().push(notice);
    Rig { machine: Machine::new(cartridge, &options, Arc::new(Shared::new()), tell), told }
}

impl<F: Fn(Notice)> Rig<'_, F> {
    fn order(&mut self, order: DebugCommand) {
        self.machine.command(Command::Debug(order));
    }

    fn say(&mut self, line: &str) {
        self.order(DebugCommand::Execute(line.into()));
    }

    /// Records a movie and the sound.
    fn record(&mut self, path: &Path) {
        self.machine.command(Command::Record(Recording::Movie, path.with_extension("fm2")));
        self.machine.command(Command::Record(Recording::Wave, path.with_extension("wav")));
    }

    /// So many frames, with Start pressed now and then.
    fn frames(&mut self, count: u64) {
        for _ in 0..count {
            let frame = self.frame_number();
            let held = if frame.is_multiple_of(20) { Buttons::START } else { Buttons::DOWN };
            self.machine.shared.input.hold(0, held);
            self.machine.frame();
        }
    }

    fn frame_number(&self) -> u64 {
        self.machine.engine.frame_number()
    }

    fn is_open(&self) -> bool {
        self.machine.shared.status().debugger.is_some()
    }

    fn final_messages(&self) -> String {
        self.machine.shared.status().messages.back().map_or_else(String::new, |last| last.text.clone())
    }
}

#[test]
fn breakpoints_stay_when_the_panels_are_closed_and_a_hit_opens_them_again() {
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.frames(10);
    rig.order(DebugCommand::Open);
    assert!(rig.is_open() && rig.machine.run_state() == RunState::Paused);
    rig.say("break nmi after 5");
    assert_eq!(rig.machine.run_state(), RunState::Paused);
    rig.order(DebugCommand::Close);
    assert!(!rig.is_open() && rig.machine.is_under_debugger());
    assert_eq!(rig.machine.run_state(), RunState::Running, "it goes on as before");
    rig.frames(4);
    assert!(!rig.is_open());
    rig.told.borrow_mut().clear();
    rig.frames(2);
    assert!(rig.is_open() && rig.machine.run_state() == RunState::Paused, "{}", rig.frame_number());
    assert!(rig.told.borrow().contains(&Notice::Status), "the interface is not told");
    rig.say("delete all");
    rig.order(DebugCommand::Close);
    assert!(!rig.machine.is_under_debugger(), "nothing is in force any more");
    rig.order(DebugCommand::Open);
    rig.say("break nmi");
    rig.say("run");
    assert_eq!(rig.machine.run_state(), RunState::Running);
    rig.order(DebugCommand::Stop);
    assert_eq!(rig.machine.run_state(), RunState::Paused);
}

#[test]
fn a_game_that_went_through_the_debugger_is_the_one_that_did_not_movie_and_sound_included() {
    let folder = tempfile::tempdir().unwrap();
    let [there, here] = ["there", "here"].map(|name| folder.path().join(name));
    let (told, other) = (RefCell::default(), RefCell::default());
    let mut plain = rig(&told, &|_| {});
    let mut debugged = rig(&other, &|_| {});
    plain.record(&there);
    debugged.record(&here);
    plain.frames(600);
    debugged.frames(200);
    debugged.order(DebugCommand::Open);
    debugged.say("break write 0xFFFF");
    debugged.frames(150);
    debugged.order(DebugCommand::Close);
    debugged.frames(150);
    debugged.order(DebugCommand::Open);
    debugged.say("back 40 frames");
    debugged.frames(40);
    debugged.say("delete all");
    debugged.order(DebugCommand::Close);
    debugged.frames(100);
    assert!(debugged.machine.engine.save() == plain.machine.engine.save());
    assert!(debugged.machine.engine.movie.is_recording());
    plain.machine.finish_recordings();
    debugged.machine.finish_recordings();
    let movies = [&there, &here]
        .map(|path| crate::emulation::movie::read(&path.with_extension("fm2")).unwrap().frames);
    let others: Vec<_> = (0..600).filter(|&frame| movies[0].get(frame) != movies[1].get(frame)).collect();
    for path in [&there, &here] {
        let told = RefCell::default();
        let mut replay = rig(&told, &|_| {});
        replay.machine.command(Command::PlayMovie(path.with_extension("fm2")));
        (0..600).for_each(|_| replay.machine.frame());
        let same = replay.machine.engine.save() == plain.machine.engine.save();
        assert!(same, "{} goes another way; frames {others:?} differ", path.display());
    }
    let length = |path: &Path| std::fs::metadata(path.with_extension("wav")).unwrap().len();
    // Forty frames are heard twice.
    let (there, here) = (length(&there) / 600, length(&here) / 640);
    assert!(there.abs_diff(here) <= 4, "{there} bytes a frame, and {here}");
}

#[test]
fn what_no_buttons_do_ends_the_recording_of_a_movie() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.machine.command(Command::Record(Recording::Movie, folder.path().join("a.fm2")));
    rig.frames(100);
    rig.order(DebugCommand::Open);
    rig.say("set [0x44] = 9");
    rig.order(DebugCommand::Close);
    assert!(!rig.machine.engine.movie.is_recording() && rig.machine.engine.movie.has_diverged());
    assert!(rig.final_messages().contains("a.fm2"), "{}", rig.final_messages());
    assert_eq!(rig.machine.engine.console().peek(0x44), 9);
}

#[test]
fn a_look_takes_nothing_from_the_way_back() {
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    rig.frames(100);
    rig.order(DebugCommand::Open);
    let panels = Panel::ALL.to_vec();
    rig.order(DebugCommand::Show(Box::new(PanelState { panels, ..PanelState::default() })));
    assert!(rig.machine.shared.status().debugger.as_ref().is_some_and(|snapshot| snapshot.memory.is_some()));
    rig.order(DebugCommand::Close);
    assert_eq!(rig.machine.engine.rewind().len(), 100);
}

#[test]
fn slots_and_cartridges_are_changed_under_the_debugger() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|options| options.states = Some(folder.path().to_owned()));
    rig.frames(50);
    rig.order(DebugCommand::Open);
    rig.say("break write 0xFFFF");
    rig.frames(10);
    rig.machine.command(Command::SaveSlot(1));
    assert!(rig.machine.is_under_debugger() && rig.is_open());
    rig.frames(10);
    rig.say("back 15 frames");
    assert_eq!(rig.frame_number(), 55, "saving has forgotten the past");
    rig.machine.command(Command::LoadSlot(1));
    assert_eq!(rig.frame_number(), 60);
    assert!(
        rig.is_open()
            && rig
                .machine
                .debugger
                .as_ref()
                .is_some_and(|session| session.is_armed(rig.machine.engine.state()))
    );
    rig.machine.command(Command::Reset);
    rig.machine.command(Command::Insert("other".into(), IMAGE.to_vec()));
    assert!(rig.machine.is_under_debugger() && rig.frame_number() == 0, "the same cartridge, switched on");
    let mut other = IMAGE.to_vec();
    other[0x20] ^= 0xFF;
    rig.machine.command(Command::Insert("other".into(), other));
    assert!(!rig.is_open() && rig.machine.debugger.is_none(), "those were the other program's breakpoints");
    assert_eq!(rig.machine.run_state(), RunState::Running);
}

#[test]
fn the_computer_plays_on_under_the_debugger() {
    let (told, other) = (RefCell::default(), RefCell::default());
    let (mut plain, mut debugged) = (rig(&told, &|_| {}), rig(&other, &|_| {}));
    for _ in 0..2 {
        plain.machine.command(Command::LetComputerPlay(true));
        debugged.machine.command(Command::LetComputerPlay(true));
        plain.frames(300);
        debugged.order(DebugCommand::Open);
        debugged.say("break write 0xFFFF");
        debugged.frames(150);
        debugged.order(DebugCommand::Close);
        debugged.frames(150);
    }
    assert!(debugged.machine.engine.save() == plain.machine.engine.save());
}

/// Runs everything at once: a script that hooks and holds, other pieces, muted channels, a frame
/// run ahead, the debugger with breakpoints, a movie that is recorded, the computer at the first
/// pad for a while. `frame` is called after each frame.
fn everything(
    image: &[u8],
    folder: &Path,
    breakpoints: &[&str],
    frames: u64,
    mut frame: impl FnMut(&Emulator),
) -> (u64, u32, Vec<FrameInput>) {
    let told = RefCell::default();
    let script = folder.join("all.lua");
    let source = "
        local writes = 0
        memory.registerwrite(0x4014, function() writes = writes + 1 end)
        emu.registerafter(function() gui.text(8, 8, tostring(writes)) end)
        while true do
            -- The second pad is the script's; what it adds to the first one is the player's A.
            joypad.set(2, {B = emu.framecount() % 7 < 3})
            if joypad.get(1).A then joypad.set(1, {A = false, select = emu.framecount() % 2 == 0}) end
            emu.frameadvance()
        end";
    std::fs::write(&script, source).unwrap();
    let mut rig = rig(&told, &|options| {
        options.image = image.to_vec();
        let profile = Profile::of_image(image).unwrap();
        let dealer = randomizers::Kind::Tgm3.dealer("7").unwrap();
        options.pieces = Some(Pieces::new(autopilot::Substitution::new(profile, dealer), "tgm3"));
        options.settings.time.run_ahead = 1;
        options.settings.sound.muted_channels = vec![Channel::Pulse2, Channel::Noise];
    });
    rig.record(&folder.join("all"));
    rig.machine.command(Command::Script(ScriptCommand::Run(script)));
    rig.order(DebugCommand::Open);
    for breakpoint in breakpoints {
        rig.say(breakpoint);
    }
    rig.order(DebugCommand::Close);
    let mut stops = 0;
    while rig.frame_number() < frames {
        let now = rig.frame_number();
        if now == 1000 {
            rig.machine.command(Command::LetComputerPlay(true));
        }
        let starts = now < 900 && now % 40 < 2;
        let held = if starts { Buttons::START } else { Buttons::A | Buttons::DOWN };
        rig.machine.shared.input.hold(0, held);
        rig.machine.frame();
        if rig.frame_number() > now {
            frame(&rig.machine.engine);
        }
        if rig.is_open() {
            stops += 1;
            // A few instructions by hand; then it goes on as the game does.
            rig.say("step 20");
            assert_eq!(rig.machine.run_state(), RunState::Paused);
            rig.order(DebugCommand::Close);
        }
    }
    assert!(rig.machine.script.live.is_some() && rig.machine.engine.movie.is_recording());
    assert!(rig.machine.script.live.as_ref().is_some_and(|live| live.overlay.is_some()), "the script draws");
    let hash = rig.machine.engine.state_hash();
    rig.machine.finish_recordings();
    let movie = crate::emulation::movie::read(&folder.join("all.fm2")).unwrap();
    (hash, stops, movie.frames)
}

#[test]
fn a_script_pieces_mutes_a_frame_run_ahead_the_debugger_and_a_recording_are_the_headless_run_together() {
    [IMAGE, SLOW].into_iter().for_each(compare_everything);
}

fn compare_everything(image: &[u8]) {
    const FRAMES: u64 = 900;
    let folder = tempfile::tempdir().unwrap();
    let (mut rams, mut pictures, mut sound) = (vec![], vec![], vec![]);
    // One that is never hit, one by the CPU, one by the PPU's position.
    let breakpoints = ["break write 0xFFFF", "break nmi after 600", "break line 100 if frame % 300 == 299"];
    let (hash, stops, movie) = everything(image, folder.path(), &breakpoints, FRAMES, |engine| {
        rams.push(engine.state().ram().to_vec());
        pictures.push(engine.state().picture().pixels().to_vec());
        sound.extend_from_slice(engine.sound());
    });
    assert!(stops > 100, "{stops} stops");
    assert!(
        movie.iter().any(|input| input.pads[1].contains(Buttons::B)),
        "the script's buttons are the movie's"
    );

    let profile = Profile::of_image(image).unwrap();
    let dealer = randomizers::Kind::Tgm3.dealer("7").unwrap();
    let mut pieces = autopilot::Substitution::new(profile.clone(), dealer);
    let config = nes::Config { sample_rate: Some(crate::SAMPLE_RATE), ..nes::Config::default() };
    let mut headless = nes::Console::new(Cartridge::from_bytes(image).unwrap(), config);
    headless.set_channel_levels(ChannelLevels::without([Channel::Pulse2, Channel::Noise]));
    assert_eq!(movie.len() as u64, FRAMES);
    for ((input, picture), ram) in movie.iter().zip(&pictures).zip(&rams) {
        let _ = headless.run_frame(&mut input.pads.clone(), &mut pieces);
        assert!(headless.ram()[..] == ram[..], "RAM of frame {}", headless.frame_number());
        assert!(headless.picture().pixels()[..] == picture[..], "frame {}", headless.frame_number());
    }
    assert_eq!(headless.state_hash(), hash);
    assert!(headless.samples() == sound, "the sound is another");
    assert!(sound.iter().any(|sample| sample.abs() > 0.02), "nothing sounds");
    let counts = tetris::View::new(&profile.as_mapped(headless.ram())).piece_counts();
    assert!(counts.iter().sum::<u32>() > 3, "no pieces have come: {counts:?}");

    // And without any stop it is the same game.
    let (unstopped, stops, again) = everything(image, folder.path(), &breakpoints[..1], FRAMES, |_| {});
    assert_eq!((unstopped, stops), (hash, 0));
    assert!(again == movie);
}

#[test]
fn what_a_script_changes_under_the_debugger_can_be_gone_back_over() {
    let told = RefCell::default();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("poke.lua");
    // Within a frame, and between two.
    let source =
        "memory.registerwrite(0x4014, function() memory.writebyte(0x700, emu.framecount() % 256) end)
        while true do memory.writebyte(0x701, emu.framecount() % 256) emu.frameadvance() end";
    std::fs::write(&script, source).unwrap();
    let mut rig = rig(&told, &|_| {});
    rig.machine.command(Command::Script(ScriptCommand::Run(script)));
    rig.order(DebugCommand::Open);
    rig.say("break write 0xFFFF");
    rig.order(DebugCommand::Close);
    let mut states = vec![];
    for _ in 0..90 {
        rig.frames(1);
        states.push(rig.machine.engine.save());
    }
    rig.order(DebugCommand::Open);
    for frame in [80_u8, 40, 30] {
        rig.say(&format!("frame {frame}"));
        assert_eq!(rig.frame_number(), u64::from(frame), "{}", rig.final_messages());
        assert!(rig.machine.engine.save() == states[usize::from(frame) - 1], "frame {frame}");
        let console = rig.machine.engine.state();
        // The change at the beginning of the frame that comes has been made again.
        assert_eq!((console.peek(0x700), console.peek(0x701)), (frame - 1, frame), "frame {frame}");
    }
}

/// Returns a movie whose power is switched before frame 60, and that is reset before frame 150.
fn movie_with_a_switch(folder: &Path, ram: RamInit) -> PathBuf {
    let path = folder.join("switch.fm2");
    let frame = |number: u32| FrameInput {
        commands: match number {
            60 => Commands::POWER,
            150 => Commands::RESET,
            _ => Commands::empty(),
        },
        pads: [if number % 20 < 2 { Buttons::START } else { Buttons::DOWN }, Buttons::empty()],
        ..FrameInput::default()
    };
    let movie = Movie { ram, frames: (0..300).map(frame).collect(), ..Movie::default() };
    std::fs::write(&path, movie.to_string()).unwrap();
    path
}

impl<F: Fn(Notice)> Rig<'_, F> {
    /// Plays a movie in the debugger, which stays attached with its panels shut.
    fn play_in_debugger(&mut self, path: &Path) {
        self.order(DebugCommand::Open);
        self.say("break write 0xFFFF");
        self.say(&format!("movie {}", path.display()));
        self.order(DebugCommand::Close);
    }

    /// So many frames in which the player holds nothing. Returns the state after each.
    fn rest(&mut self, count: usize) -> Vec<u64> {
        self.machine.shared.input.hold(0, Buttons::empty());
        let states = (0..count).map(|_| {
            self.machine.frame();
            self.machine.engine.state_hash()
        });
        states.collect()
    }

    /// The player's key to go back.
    fn rewind(&mut self, count: usize) {
        self.machine.command(Command::Rewind(true));
        (0..count).for_each(|_| self.machine.frame());
        self.machine.command(Command::Rewind(false));
    }

    fn finish_movie(&mut self, path: &Path) -> Movie {
        self.machine.finish_recordings();
        crate::emulation::movie::read(path).unwrap()
    }
}

/// Returns the state after each frame of the movie at `path`.
fn replayed(path: &Path) -> Vec<u64> {
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    let frames = crate::emulation::movie::read(path).unwrap().frames.len();
    rig.machine.command(Command::PlayMovie(path.to_owned()));
    rig.rest(frames)
}

#[test]
fn over_the_power_switch_of_the_debuggers_movie_one_goes_back_to_where_the_movie_was() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    let path = movie_with_a_switch(folder.path(), RamInit::Zeros);
    rig.play_in_debugger(&path);
    let states = rig.rest(250);
    assert!(states == replayed(&path)[..250], "the movie plays another way in the debugger");
    assert_eq!(rig.frame_number(), 190, "the power came on before frame 60");
    let log = rig.machine.engine.movie.log().to_vec();
    // Behind the switch, over it, and over it once more.
    for frames in [50, 200, 195] {
        rig.rewind(frames);
        assert_eq!(rig.machine.engine.movie.frame(), 250 - frames as u64);
        assert!(rig.rest(frames) == states[250 - frames..], "{frames} frames back and on");
        assert!(rig.machine.engine.movie.log() == log, "{frames} frames back and on: other buttons");
    }
    // The debugger's own past is that of the console which was gone back to.
    rig.rewind(200);
    assert!(rig.rest(5) == states[50..55]);
    rig.order(DebugCommand::Open);
    rig.say("back 3 frames");
    assert_eq!(rig.machine.engine.movie.frame(), 52, "{}", rig.final_messages());
    rig.order(DebugCommand::Close);
    assert!(rig.rest(198) == states[52..]);
}

#[test]
fn a_recording_goes_over_the_power_switch_of_the_debuggers_movie_or_ends_before_it_where_ram_is_other() {
    for (ram, whole) in [(RamInit::Zeros, true), (RamInit::Ones, false)] {
        let folder = tempfile::tempdir().unwrap();
        let told = RefCell::default();
        let mut rig = rig(&told, &|_| {});
        let recorded = folder.path().join("recorded.fm2");
        rig.machine.command(Command::Record(Recording::Movie, recorded.clone()));
        let mut states = rig.rest(20);
        rig.play_in_debugger(&movie_with_a_switch(folder.path(), ram));
        // By a command, which runs on far behind the switch.
        rig.order(DebugCommand::Open);
        rig.say("step 20 frames");
        states.extend([0; 20]);
        rig.order(DebugCommand::Close);
        states.extend(rig.rest(10));
        rig.order(DebugCommand::Open);
        rig.say("step 50 frames");
        states.extend([0; 50]);
        rig.order(DebugCommand::Close);
        states.extend(rig.rest(20));
        assert_eq!((rig.machine.engine.movie.frame(), rig.frame_number()), (120, 60));
        assert_eq!(rig.machine.engine.movie.is_recording(), whole);
        let messages = rig.machine.shared.status().messages.clone();
        let said = messages.iter().any(|message| message.text.contains("other RAM"));
        assert_eq!(said, !whole, "{messages:?}");
        let length = rig.finish_movie(&recorded).frames.len();
        assert_eq!(length, if whole { 120 } else { 60 });
        let replayed = replayed(&recorded);
        let same = |(state, replayed): (&u64, &u64)| *state == 0 || state == replayed;
        assert!(states.iter().zip(&replayed).all(same), "the recording goes another way");
    }
}

#[test]
fn a_reset_pressed_while_the_debugger_has_stopped_a_frame_comes_with_the_next_and_can_be_gone_back_over() {
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::default();
    let mut rig = rig(&told, &|_| {});
    let recorded = folder.path().join("recorded.fm2");
    rig.machine.command(Command::Record(Recording::Movie, recorded.clone()));
    let mut states = rig.rest(100);
    rig.order(DebugCommand::Open);
    rig.say("break write 0xFFFF");
    rig.say("step 20");
    rig.machine.command(Command::Reset);
    rig.say("step 20");
    assert_eq!(rig.frame_number(), 100, "the frame is under way");
    rig.say("step 2 frames");
    assert_eq!(rig.frame_number(), 102);
    let commands = |frame: usize| rig.machine.engine.movie.log()[frame].commands;
    assert_eq!((commands(100), commands(101)), (Commands::empty(), Commands::RESET));
    states.extend([0, rig.machine.engine.state_hash()]);
    rig.order(DebugCommand::Close);
    states.extend(rig.rest(20));
    // In the debugger, and by the player's key.
    rig.order(DebugCommand::Open);
    rig.say("frame 101");
    assert_eq!(
        (rig.frame_number(), rig.machine.engine.movie.frame()),
        (101, 101),
        "{}",
        rig.final_messages()
    );
    rig.order(DebugCommand::Close);
    assert!(rig.rest(21) == states[101..], "back and on in the debugger");
    rig.rewind(21);
    assert!(rig.rest(21) == states[101..], "back and on by the player's key");
    assert!(rig.machine.engine.movie.is_recording());
    assert_eq!(rig.finish_movie(&recorded).frames.len(), states.len());
    let replayed = replayed(&recorded);
    assert!(states.iter().zip(&replayed).all(|(state, replayed)| *state == 0 || state == replayed));
}
