//! What the window does with the game, on a cartridge that is known by its hash alone, and on those
//! that are not known.

mod before_crash;
mod computer;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use autopilot::{Autopilot, Substitution};
use nes::fm2::{Commands, Movie, RamInit};
use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::Space;
use randomizers::Kind;
use tetris::{Feature, Hashes, Piece, Profile, View, hooks};

use self::before_crash::before_the_crash;
use super::Machine;
use crate::config::settings::TetrisSettings;
use crate::debugger::{DebugSnapshot, Panel, PanelState};
use crate::messages::command::{DebugCommand, LAST_SESSION, Recording, ScriptCommand};
use crate::messages::handle::Shared;
use crate::messages::status::{CrashStatus, MessageKind};
use crate::{Command, Notice, Options, Pieces, RunState, Versus};

pub(super) const BUILT_IN: &[u8] = include_bytes!("../../../../../roms/maxout.nes");
pub(super) const SLOW: &[u8] = include_bytes!("../../../../../roms/maxout-slow.nes");
pub(super) const OTHER: &[u8] = include_bytes!("../../../../../roms/tests/pads_read_twice.nes");

/// A machine without a window.
pub(super) struct Rig {
    pub(super) machine: Machine<fn(Notice)>,
    pub(super) shared: Arc<Shared>,
}

impl Rig {
    pub(super) fn new(image: &[u8]) -> Self {
        Self::with(image, |_| {})
    }

    pub(super) fn with(image: &[u8], change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::new("game", image.to_vec());
        options.prints = false;
        change(&mut options);
        let shared = Arc::new(Shared::new());
        let cartridge = Cartridge::from_bytes(&options.image).unwrap();
        let machine = Machine::new(cartridge, &options, Arc::clone(&shared), (|_| {}) as fn(Notice));
        Self { machine, shared }
    }

    /// Frames in which Start is pressed until a game is on, and Down in it.
    fn frames(&mut self, count: u32) {
        for frame in 0..count {
            let playing = View::new(self.machine.engine.console().ram()).in_game();
            let held = match frame % 40 {
                0..2 if !playing => Buttons::START,
                2.. if playing => Buttons::DOWN,
                _ => Buttons::empty(),
            };
            self.machine.shared.input.hold(0, held);
            self.machine.frame();
        }
    }

    /// Frames in which nobody presses anything.
    pub(super) fn wait(&mut self, count: u32) {
        self.machine.shared.input.hold(0, Buttons::empty());
        (0..count).for_each(|_| self.machine.frame());
    }

    fn crash(&self) -> Option<CrashStatus> {
        self.shared.status().crash
    }

    /// Plays the built-in cartridge until its CPU jams, and the slow build until its game crashes
    /// by itself.
    fn play_to_crash(&mut self, image: &[u8]) -> CrashStatus {
        self.frames(1000);
        if image == BUILT_IN {
            self.machine.engine.console().ram_mut()[0x7F0] = 0x02;
            self.machine.engine.console().cpu.pc = 0x7F0;
            self.wait(1);
        } else {
            let (state, mut player) = before_the_crash();
            self.machine.engine.load(state, vec![], RamInit::default()).unwrap();
            self.play_on(&mut player, |_, _| {});
        }
        self.crash().expect("it has crashed")
    }

    /// Lets a computer play until the game crashes; `each` sees every frame before it runs.
    fn play_on(&mut self, player: &mut Autopilot, mut each: impl FnMut(&Machine<fn(Notice)>, &Autopilot)) {
        for _ in 0..100_000 {
            each(&self.machine, player);
            let buttons = player.prepare(self.machine.engine.console());
            self.shared.input.hold(0, buttons);
            self.machine.frame();
            if self.crash().is_some() || self.machine.run_state() == RunState::Paused {
                break;
            }
        }
    }

    fn press_c(&mut self) -> String {
        self.machine.command(Command::LetComputerPlay(true));
        self.final_messages()
    }

    fn plays(&self) -> bool {
        self.machine.engine.has_computer()
    }

    fn pieces(&mut self) -> [u32; 7] {
        View::new(self.machine.engine.console().ram()).piece_counts()
    }

    pub(super) fn final_messages(&self) -> String {
        self.shared.status().messages.back().map_or_else(String::new, |last| last.text.clone())
    }

    fn warnings(&self) -> Vec<String> {
        let status = self.shared.status();
        let warnings = status.messages.iter().filter(|message| message.kind == MessageKind::Warning);
        warnings.map(|message| message.text.clone()).collect()
    }

    /// Carries out a line of the debugger, and returns what all its panels show then.
    fn snapshot(&mut self, line: &str) -> DebugSnapshot {
        self.machine.command(Command::Debug(DebugCommand::Open));
        self.machine.command(Command::Debug(DebugCommand::Execute(line.to_owned())));
        let panels = Panel::ALL.to_vec();
        let panel_state =
            PanelState { panels, memory: Space::Cpu, ask: Some("@lock".into()), ..PanelState::default() };
        self.machine.command(Command::Debug(DebugCommand::Show(Box::new(panel_state))));
        (*self.shared.status().debugger.clone().expect("it is open")).clone()
    }
}

/// Returns a profile of an image, as its owner writes it.
fn profile_of(image: &[u8], more: &str) -> Profile {
    let text = format!("name = \"Mine\"\nsha1 = [\"{}\"]\n{more}", Hashes::of(image).contents);
    Profile::parse(&text).unwrap()
}

/// Returns the slow build with another byte where nothing is read: nobody knows it.
fn unknown_hack() -> Vec<u8> {
    let mut image = SLOW.to_vec();
    let end = 16 + 0x8000;
    let free = image[..end].windows(64).rposition(|bytes| bytes == [0xFF; 64]).unwrap();
    image[free + 32] = 0;
    image
}

#[test]
fn c_lets_the_computer_play_both_cartridges() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.wait(10);
        assert!(rig.press_c().starts_with("the computer plays"), "{}", rig.final_messages());
        rig.wait(2500);
        let pieces: u32 = rig.pieces().iter().sum();
        assert!(rig.plays() && pieces > 10, "{pieces} pieces");
    }
}

#[test]
fn c_does_not_mind_another_header() {
    let mut image = SLOW.to_vec();
    image[7..16].copy_from_slice(b"DiskDude!");
    let mut rig = Rig::new(&image);
    assert!(rig.press_c().starts_with("the computer plays"), "{}", rig.final_messages());
}

#[test]
fn c_says_in_plain_words_why_it_does_nothing() {
    for image in [OTHER, &unknown_hack()] {
        let mut rig = Rig::new(image);
        let said = rig.press_c();
        assert!(!rig.plays());
        assert!(said.starts_with("C ") && said.contains("Tetris") && said.contains("profile"), "{said}");
    }
    assert!(Rig::new(OTHER).press_c().starts_with("C only works with Tetris; this ROM isn't recognised"));
}

#[test]
fn c_plays_a_hack_whose_profile_was_given_and_that_one_alone() {
    let hack = unknown_hack();
    let given = profile_of(&hack, "");
    let mut rig = Rig::with(&hack, |options| options.profile = Some(given.clone()));
    rig.press_c();
    rig.wait(2500);
    assert!(rig.plays() && rig.pieces().iter().sum::<u32>() > 10);
    let mut rig = Rig::with(OTHER, |options| options.profile = Some(given));
    rig.press_c();
    assert!(!rig.plays());
    let partial = profile_of(&hack, "partial = [\"ram\"]\n[ram]\nscore = 0x0C\n");
    let mut rig = Rig::with(&hack, |options| options.profile = Some(partial));
    let said = rig.press_c();
    assert!(said.starts_with("C does not work on Mine: its memory map lacks "), "{said}");
}

#[test]
fn every_seed_of_the_menu_deals_another_game() {
    let mut rig = Rig::new(BUILT_IN);
    let profile = Profile::for_feature(BUILT_IN, Feature::Pieces).unwrap();
    for kind in Kind::ALL {
        let mut games = std::collections::HashSet::new();
        // The tests of the randomizers check that all numbers are different games.
        for seed in (1..=9_999).step_by(101) {
            rig.machine.tetris.seed = seed;
            let name = rig.machine.pieces(profile.clone(), kind).unwrap().name;
            let written = name.strip_prefix(&format!("--randomizer {kind} --seed ")).unwrap();
            let dealt: String = kind.dealer(written).unwrap().take(50).map(tetris::Piece::letter).collect();
            assert!(games.insert(dealt), "{name}");
        }
    }
}

#[test]
fn a_new_game_begins_at_once_at_the_level_and_with_the_pieces_that_are_set() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.wait(30);
        let tetris =
            TetrisSettings { start_level: 18, randomizer: Some(Kind::Tgm3), seed: 7, ..Default::default() };
        rig.machine.command(Command::Tetris(tetris.clone()));
        let dealt = |rig: &mut Rig| {
            rig.machine.command(Command::NewGame);
            let said = rig.final_messages();
            let seed = Kind::Tgm3.seed_of(7);
            assert_eq!(said, format!("new game at level 18, --randomizer tgm3 --seed {seed}"));
            let (level, playing) = {
                let memory = *rig.machine.engine.console().ram();
                let view = View::new(&memory);
                (view.level(), view.in_play())
            };
            assert_eq!((level, playing), (18, true));
            rig.frames(400);
            rig.pieces()
        };
        let first = dealt(&mut rig);
        assert!(first.iter().sum::<u32>() > 2);
        assert_eq!(dealt(&mut rig), first, "the same pieces once more");
        // What is in the log leads to the game, so it can be saved as a movie.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.fm2");
        rig.machine.command(Command::SaveMovie(path.clone()));
        let movie = Movie::parse(&fs::read(&path).unwrap()).unwrap();
        let substitution =
            Substitution::new(Profile::for_feature(image, Feature::Pieces).unwrap(), Kind::Tgm3.seeded(7));
        let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), Config::default());
        let mut substitution = substitution;
        for input in &movie.frames {
            assert_eq!(input.commands, Commands::empty());
            let _ = console.run_frame(&mut input.pads.clone(), &mut substitution);
        }
        assert_eq!(console.state_hash(), rig.machine.engine.state_hash());
        rig.machine.command(Command::Tetris(TetrisSettings { randomizer: None, ..tetris }));
        rig.machine.command(Command::NewGame);
        assert_eq!(rig.final_messages(), "new game at level 18");
    }
}

#[test]
fn what_was_played_when_the_window_closed_can_be_resumed() {
    for image in [BUILT_IN, SLOW] {
        let folder = tempfile::tempdir().unwrap();
        let rig = || Rig::with(image, |options| options.states = Some(folder.path().into()));
        let mut first = rig();
        first.machine.list_slots();
        assert!(first.shared.status().last_session.is_none());
        first.frames(700);
        first.machine.keep_session();
        let left = first.machine.engine.state_hash();
        let mut second = rig();
        second.machine.list_slots();
        assert_eq!(second.shared.status().last_session.as_ref().map(|last| last.frame), Some(700));
        second.machine.command(Command::LoadSlot(LAST_SESSION));
        assert_eq!(second.machine.engine.state_hash(), left);
        assert!(second.shared.status().last_session.is_none());
        second.machine.command(Command::SaveMovie(folder.path().join("session.fm2")));
        let movie = Movie::parse(&fs::read(folder.path().join("session.fm2")).unwrap()).unwrap();
        assert_eq!(movie.frames.len(), 700, "and what was held is known still");
    }
}

#[test]
fn a_session_goes_on_from_a_file_with_a_state() {
    let folder = tempfile::tempdir().unwrap();
    let (states, raw) = (folder.path().join("states"), folder.path().join("game.state"));
    let mut rig = Rig::with(SLOW, |options| options.states = Some(states.clone()));
    rig.frames(500);
    rig.machine.command(Command::SaveSlot(3));
    fs::write(&raw, rig.machine.engine.save()).unwrap();
    let slot = states
        .join(crate::config::folders::cartridge_name("game", Cartridge::from_bytes(SLOW).unwrap().crc32()));
    for file in [slot.join("slot-3.png"), raw] {
        assert_eq!(crate::state_cartridge(&file).unwrap(), Cartridge::from_bytes(SLOW).unwrap().crc32());
        let mut other = Rig::with(SLOW, |options| options.state = Some(file.clone()));
        assert_eq!(other.machine.engine.state_hash(), rig.machine.engine.state_hash());
        let mut wrong = Rig::with(BUILT_IN, |options| options.state = Some(file.clone()));
        let refused = wrong.machine.take_refused().expect("it is refused");
        assert!(refused.starts_with("cannot load "), "{refused}");
        other.frames(1);
    }
}

#[test]
fn a_new_game_is_refused_where_it_cannot_be() {
    let mut rig = Rig::new(OTHER);
    rig.machine.command(Command::NewGame);
    assert!(rig.final_messages().starts_with("New game only works with Tetris"), "{}", rig.final_messages());
    let mut rig = Rig::new(BUILT_IN);
    rig.machine.command(Command::Debug(DebugCommand::Open));
    rig.machine.command(Command::NewGame);
    assert!(rig.final_messages().contains("close it first (F1)"));
}

#[test]
fn a_duel_is_begun_and_ended_from_the_menu_and_both_may_get_the_same_pieces() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.machine.command(Command::Tetris(TetrisSettings { same_pieces: true, ..Default::default() }));
        rig.machine.command(Command::Versus(true));
        rig.wait(400);
        let versus = rig.machine.opponent.versus().unwrap();
        let theirs = versus.opponent_console().expect("the computer plays").clone();
        let order = |console: &Console| {
            let view = View::new(console.ram());
            (view.piece_counts().iter().sum::<u32>(), view.piece_counts())
        };
        // Whoever is ahead has had what the other has.
        let (ours, theirs) = (order(rig.machine.engine.console()), order(&theirs));
        let (less, more) = if ours.0 < theirs.0 { (ours, theirs) } else { (theirs, ours) };
        assert!(
            less.0 >= 1 && less.1.iter().zip(more.1).all(|(less, more)| *less <= more),
            "{less:?} {more:?}"
        );
        rig.machine.command(Command::Versus(false));
        rig.wait(1);
        assert_eq!(rig.shared.status().versus, None);
    }
}

#[test]
fn a_duel_begins_on_both_when_the_player_does() {
    for image in [BUILT_IN, SLOW] {
        let profile = Profile::for_feature(image, Feature::Versus).unwrap();
        let versus = Versus::new(
            profile,
            Cartridge::from_bytes(image).unwrap(),
            emulator::Computer::default(),
            autopilot::Nets::default().into(),
        );
        let mut rig = Rig::with(image, |options| options.versus = Some(versus));
        rig.frames(4000);
        let status = rig.shared.status().clone();
        let said = status.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
        assert!(status.versus.is_some() && said.contains("plays against you, starting at level 0"), "{said}");
        assert!(said.contains("the computer wins"), "{said}");
    }
}

#[test]
fn a_match_against_the_computer_has_the_games_that_are_set_and_goes_on_with_the_next_one() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.machine.command(Command::Tetris(TetrisSettings { match_best_of: 3, ..Default::default() }));
        rig.machine.command(Command::Versus(true));
        let stands = |rig: &mut Rig| {
            rig.machine.update_status();
            let players = rig.shared.status().players.clone().expect("a match");
            (players.wins, players.best_of)
        };
        assert_eq!(stands(&mut rig), ([0, 0], Some(3)));
        let until_lost = |rig: &mut Rig, wins: u32| {
            for _ in 0..100 {
                rig.frames(40);
                if stands(rig).0 == [0, wins] {
                    return rig.final_messages();
                }
            }
            panic!("no game is lost: {:?}", rig.shared.status().messages)
        };
        let said = until_lost(&mut rig, 1);
        assert!(said.contains("The match stands 0:1 of 3. Start: the next game"), "{said}");
        // F6 is the next game as well.
        rig.machine.command(Command::NewGame);
        assert_eq!(stands(&mut rig), ([0, 1], Some(3)));
        let said = until_lost(&mut rig, 2);
        assert!(said.contains("The match goes to the computer, 0:2 of 3. Start: a rematch"), "{said}");
        rig.machine.command(Command::NewGame);
        rig.wait(1);
        assert_eq!(stands(&mut rig), ([0, 0], Some(3)));
    }
}

#[test]
fn other_pieces_come_on_both() {
    for image in [BUILT_IN, SLOW] {
        let profile = Profile::for_feature(image, Feature::Pieces).unwrap();
        let pieces = Pieces::new(Substitution::new(profile, core::iter::repeat(Piece::I)), "--pieces I");
        let mut rig = Rig::with(image, |options| options.pieces = Some(pieces));
        rig.frames(1500);
        let counts = rig.pieces();
        assert!(counts[6] > 3 && counts[..6] == [0; 6], "{counts:?}");
    }
}

#[test]
fn the_debugger_has_labels_panel_and_steps_on_both_and_says_why_not_elsewhere() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.frames(700);
        let lock = rig.snapshot("until pc == @lock");
        assert_eq!(lock.answer, Some(("@lock".into(), Some(hooks::LOCK.address.into()))));
        assert!(lock.registers.contains(&format!("PC {:04X}", hooks::LOCK.address)), "{}", lock.registers);
        let text = &lock.texts[&Panel::Game];
        assert!(text.contains("level 0") && text.contains("DAS"), "{text}");
        let spawn = rig.snapshot("until pc == @spawn");
        assert!(spawn.registers.contains(&format!("PC {:04X}", hooks::SPAWN.address)), "{}", spawn.registers);
        let back = rig.snapshot("back spawn");
        assert!(back.registers != spawn.registers, "{}", back.registers);
    }
    let text = Rig::new(OTHER).snapshot("registers").texts[&Panel::Game].clone();
    assert!(text.contains("isn't recognised as Tetris"), "{text}");
}

#[test]
fn a_script_runs_beside_both() {
    for image in [BUILT_IN, SLOW] {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("hud.lua");
        fs::write(&path, include_str!("../../../../../docs/scripts/hud.lua")).unwrap();
        let mut rig = Rig::new(image);
        rig.machine.command(Command::Script(ScriptCommand::Run(path)));
        rig.frames(900);
        let live = rig.machine.script.live.as_ref().expect("it runs");
        assert!(
            live.overlay.as_ref().is_some_and(|overlay| overlay.pixels().iter().any(|dot| *dot != [0; 4]))
        );
        let errors = rig.shared.status().messages.iter().filter(|m| m.kind == MessageKind::Error).count();
        assert_eq!(errors, 0, "{}", rig.final_messages());
    }
}

#[test]
fn a_header_that_promises_more_than_the_board_holds_is_said_and_the_game_runs() {
    // NROM, with CHR-ROM of twice the size that it can address.
    let mut image = OTHER.to_vec();
    let prg = usize::from(image[4]) << 14;
    (image[5], image[6], image[7]) = (2, image[6] & 0x0F, 0);
    image[8..16].fill(0);
    image.resize(16 + prg + 0x4000, 0);
    let mut rig = Rig::new(&image);
    rig.wait(5);
    let [warning] = &rig.warnings()[..] else { panic!("{:?}", rig.warnings()) };
    assert!(warning.contains("16384 bytes of CHR-ROM") && warning.contains("left out"), "{warning}");
    let mut rig = Rig::new(BUILT_IN);
    rig.machine.command(Command::Insert("gym".into(), image));
    assert_eq!(rig.warnings().len(), 1);
}

/// What FCEUX has after each line of these movies is committed beside them, and compared in
/// `tests/tests/it/fceux.rs`.
#[test]
fn the_window_records_movies_with_the_same_ram_in_every_frame_as_those_that_fceux_has_played() {
    for (name, image) in [("maxout", BUILT_IN), ("maxout-slow", SLOW)] {
        let path = format!("{}/../../tests/movies/{name}.fm2", env!("CARGO_MANIFEST_DIR"));
        let committed = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let folder = tempfile::tempdir().unwrap();
        let recorded = folder.path().join("window.fm2");
        let Rig { mut machine, shared } = Rig::new(image);
        machine.command(Command::Record(Recording::Movie, recorded.clone()));
        for frame in &Movie::parse(committed.as_bytes()).unwrap().frames {
            match frame.commands {
                Commands::RESET => machine.command(Command::Reset),
                Commands::POWER => machine.command(Command::PowerCycle),
                _ => {}
            }
            shared.input.hold(0, frame.pads[0]);
            machine.frame();
        }
        machine.command(Command::StopRecording(Recording::Movie));
        let recorded = fs::read_to_string(recorded).unwrap();
        let [ours, theirs] = [recorded, committed].map(|text| Movie::parse(text.as_bytes()).unwrap());
        let facts = |movie: &Movie| (movie.frames.len(), movie.ram, movie.rom_checksum.clone());
        assert_eq!(facts(&ours), facts(&theirs), "{name}");
        assert!(theirs.frames.len() > 9_000, "{name}: {} lines", theirs.frames.len());
        // Where the game does not look at its pads, the window has written down what it saw last.
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let config = Config { video: false, ram_fill: theirs.ram.into(), ..Config::default() };
        let mut one = Console::new(cartridge.clone(), config);
        // The other is run where it differs.
        let mut other = None;
        for (line, (ours, theirs)) in (0..).zip(ours.frames.iter().zip(&theirs.frames)) {
            assert_eq!(ours.commands, theirs.commands, "{name}, line {line}");
            if other.is_none() && ours.pads != theirs.pads {
                other = Some(one.clone());
            }
            for (console, input) in std::iter::once((&mut one, ours)).chain(other.as_mut().zip(Some(theirs)))
            {
                console.carry_out(input.commands, &cartridge, config);
                let _ = console.run_frame(&mut input.pads.clone(), &mut ());
            }
            assert!(other.as_ref().is_none_or(|other| one.ram() == other.ram()), "{name}, line {line}");
            other = other.filter(|other| one != *other);
        }
    }
}

#[test]
fn a_crash_is_said_with_its_place_and_one_goes_back_to_two_seconds_before_it_on_both() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        let CrashStatus { crash, way_back } = rig.play_to_crash(image);
        let now = rig.machine.engine.frame_number();
        assert!(way_back && crash.frame == now, "{crash}, frame {now}");
        assert!(rig.warnings().contains(&crash.to_string()), "{:?}", rig.warnings());
        if image == SLOW {
            assert!(crash.jump.is_some_and(|jump| jump.meant != jump.went), "{crash}");
            assert!(crash.level >= 155, "{crash}");
        }
        // It goes on, is not said once more, and the way back is as long.
        rig.wait(100);
        assert_eq!(rig.warnings().len(), 1);
        assert_eq!(rig.crash(), Some(CrashStatus { crash, way_back }));
        rig.machine.command(Command::BeforeCrash);
        assert_eq!(rig.machine.engine.frame_number(), crash.frame - 1 - 120, "{}", rig.final_messages());
        assert_eq!((rig.crash(), rig.machine.run_state()), (None, RunState::Paused));
        rig.machine.command(Command::Resume);
        rig.wait(60);
        assert_eq!(rig.crash(), None, "the game is well");
        rig.machine.command(Command::BeforeCrash);
        assert_eq!(rig.final_messages(), "the game has not crashed");
    }
}

#[test]
fn a_crash_ends_with_the_game_that_was_in_it_and_without_a_rewind_there_is_no_way_back() {
    let mut rig = Rig::with(SLOW, |options| options.settings.rewind.seconds = 0);
    assert!(!rig.play_to_crash(SLOW).way_back);
    let frame = rig.machine.engine.frame_number();
    rig.machine.command(Command::BeforeCrash);
    assert!(rig.final_messages().contains("does not reach") && rig.machine.engine.frame_number() == frame);
    rig.machine.command(Command::PowerCycle);
    rig.wait(1);
    assert_eq!(rig.crash(), None);
    let mut rig = Rig::new(BUILT_IN);
    rig.play_to_crash(BUILT_IN);
    rig.machine.command(Command::Insert("other".into(), OTHER.to_vec()));
    rig.wait(400);
    assert_eq!(rig.crash(), None);
}

#[test]
fn the_debugger_stops_at_a_crash_by_itself_on_both() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.snapshot("break write 0xFFFF");
        rig.machine.command(Command::Debug(DebugCommand::Close));
        let CrashStatus { crash, .. } = rig.play_to_crash(image);
        assert_eq!(rig.machine.run_state(), RunState::Paused);
        let snapshot = rig.shared.status().debugger.clone().expect("the panels have opened");
        let said = snapshot.log.last().map(|(_, line)| line.clone()).unwrap_or_default();
        assert!(said.contains(&crash.to_string()), "{said}");
        let frame = rig.machine.engine.frame_number();
        let back = rig.snapshot("back 10 frames");
        assert!(rig.machine.engine.frame_number() == frame - 10 && rig.machine.engine.crash().is_none());
        drop(back);
        let mut rig = Rig::new(image);
        rig.snapshot("break write 0xFFFF");
        rig.snapshot("disable 0");
        rig.machine.command(Command::Debug(DebugCommand::Close));
        let crash = rig.play_to_crash(image).crash;
        let jammed = rig.machine.engine.state().cpu.jammed;
        assert_eq!(rig.machine.run_state() == RunState::Paused, jammed, "nothing else stops it: {crash}");
        let lines =
            rig.shared.status().debugger.as_ref().map(|snapshot| snapshot.log.clone()).unwrap_or_default();
        assert!(lines.iter().all(|(_, line)| !line.contains(&crash.to_string())), "{lines:?}");
    }
}
