//! The same buttons make the same game in every front end: the window's machine, the page's, the
//! environments for Python, `maxout run` and `maxout practice replay`, whatever goes along with it.
//!
//! Each case is drawn by chance. What a running game comes to without any front end is what the
//! others have to come to: the hash of the console, what happened, and the file of the game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use autopilot::Substitution;
use desktop::hostile::Window;
use desktop::{Folders, Options, Pieces};
use emulator::{Attached, Emulator, Practice, RewindLimits};
use nes::fm2::{FrameInput, Movie};
use nes::{Buttons, Cartridge, Config};
use practice::{Kept, Kind, Position, Session};
use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, TestRunner};
use serde_json::Value;
use tetris::events::Event;
use tetris::{Feature, Profile, SplitMix64, View};

const IMAGES: [&[u8]; 2] = [nes_testing::MAXOUT, include_bytes!("../../../../roms/maxout-slow.nes")];

/// Frames within which a game begins.
const WAY_IN: u64 = 1_500;

/// Frames that one step of a rewind goes back on the page.
const STEP_BACK: usize = 3;

/// What goes along with a game.
#[derive(Clone, Debug)]
struct Case {
    /// Which cartridge.
    image: usize,
    seed: u64,
    /// Frames of the game, and steps of a rewind after them.
    stretches: Vec<(u64, usize)>,
    ahead: u8,
    /// The seed of other pieces.
    pieces: Option<u16>,
    /// Whether a script looks on and draws.
    script: bool,
    /// Whether the window records a movie.
    records: bool,
}

/// What is done to a game.
#[derive(Clone, Copy, Debug)]
enum Step {
    Frame(Buttons),
    /// A step of a rewind.
    Back,
}

impl Step {
    fn go(self, emulator: &mut Emulator) {
        match self {
            Self::Frame(held) => drop(emulator.frame(&mut [held, Buttons::empty()], Attached::default())),
            Self::Back => assert!(emulator.step_back_by(STEP_BACK), "the way back is long enough"),
        }
    }
}

impl Case {
    fn any() -> impl Strategy<Value = Self> {
        let stretches = proptest::collection::vec((1..90_u64, 0..12_usize), 1..4);
        let others = (0..=2_u8, proptest::option::of(1..9_999_u16), any::<[bool; 2]>());
        (0..IMAGES.len(), any::<u64>(), stretches, others).prop_map(
            |(image, seed, stretches, (ahead, pieces, [script, records]))| Self {
                image,
                seed,
                stretches,
                ahead,
                pieces,
                script,
                records,
            },
        )
    }

    fn profile(&self) -> Profile {
        Profile::for_feature(IMAGES[self.image], Feature::Practice).expect("it is known")
    }

    fn pieces(&self) -> Option<Pieces> {
        let seed = self.pieces?.to_string();
        let dealer = randomizers::Kind::Tgm3.dealer(&seed).expect("a seed");
        let dealt = Substitution::new(self.profile(), dealer);
        Some(Pieces::new(dealt, format!("--randomizer tgm3 --seed {seed}")))
    }
}

/// The game without a front end.
fn emulator(image: usize) -> Emulator {
    let cartridge = Cartridge::from_bytes(IMAGES[image]).expect("a cartridge");
    let limits = RewindLimits { seconds: 20, megabytes: 16 };
    Emulator::new(cartridge, Config { video: false, ..Config::default() }, limits)
}

fn session(profile: Profile, mode: &str, options: &str) -> Session {
    let mode = if mode.is_empty() { Kind::Tetris.usual() } else { mode.parse().expect("a mode") };
    let mut set = practice::Options::default();
    options.split_whitespace().for_each(|word| set.set(word).expect("an option"));
    Session::new(profile, mode, set).expect("the cartridge carries it")
}

/// Plays a case by chance: Start until a game is on, and in it whatever, held for some frames.
fn play(case: &Case) -> (Emulator, Vec<Step>) {
    const HELD: [Buttons; 6] =
        [Buttons::empty(), Buttons::LEFT, Buttons::RIGHT, Buttons::DOWN, Buttons::A, Buttons::B];
    let mut emulator = emulator(case.image);
    emulator.set_pieces(case.pieces());
    emulator.set_practice(Some(Practice::watching(session(case.profile(), "", ""))));
    let mut random = SplitMix64::new(case.seed);
    let mut steps = Vec::new();
    let plays = |emulator: &Emulator| {
        let memory = case.profile().as_mapped(emulator.state().ram());
        View::new(&memory).in_game() && View::new(&memory).in_play()
    };
    while !plays(&emulator) {
        let number = emulator.frame_number();
        assert!(number < WAY_IN, "no game begins: {case:?}");
        // Long enough to be seen: the window keeps a tap that no game has looked at, the page does
        // not.
        let held = if number % 40 >= 28 { Buttons::START } else { Buttons::empty() };
        steps.push(Step::Frame(held));
        steps.last().expect("a step").go(&mut emulator);
    }
    for &(frames, back) in &case.stretches {
        let mut held = Buttons::empty();
        for number in 0..frames {
            if number % 5 == 0 {
                held = HELD[random.below(HELD.len() as u32) as usize];
            }
            steps.push(Step::Frame(held));
            steps.last().expect("a step").go(&mut emulator);
        }
        for _ in 0..back {
            steps.push(Step::Back);
            Step::Back.go(&mut emulator);
        }
    }
    (emulator, steps)
}

/// The movie of everything that led to the state, in `folder`.
fn movie(folder: &Path, log: &[FrameInput]) -> PathBuf {
    let path = folder.join("log.fm2");
    let movie = Movie { frames: log.to_vec(), rom_filename: "game".into(), ..Movie::default() };
    fs::write(&path, movie.to_string()).expect("a movie");
    path
}

/// What the program prints as JSON.
fn maxout(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_maxout")).args(arguments).output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

fn rom(folder: &Path, image: usize) -> PathBuf {
    let path = folder.join("game.nes");
    fs::write(&path, IMAGES[image]).expect("a cartridge");
    path
}

/// The state that `maxout run` leaves after a movie.
fn run(rom: &Path, movie: &Path, case: &Case) -> String {
    let seed = case.pieces.map(|seed| seed.to_string());
    let mut arguments = vec!["run", path(rom), "--input", path(movie), "--no-video", "--no-sound", "--json"];
    if let Some(seed) = &seed {
        arguments.extend(["--randomizer", "tgm3", "--seed", seed]);
    }
    maxout(&arguments)["state"].as_str().expect("a hash").to_owned()
}

/// The state that `maxout practice replay` leaves after a kept game.
fn replay(rom: &Path, game: &Path) -> String {
    maxout(&["practice", "replay", path(game), path(rom), "--json"])["state"]
        .as_str()
        .expect("a hash")
        .to_owned()
}

fn window(folder: &Path, case: &Case) -> Window {
    let mut options = Options::new("game", IMAGES[case.image].to_vec()).in_folders(Folders::inside(folder));
    options.prints = false;
    options.pieces = case.pieces();
    options.settings.time.run_ahead = case.ahead;
    if case.script {
        let script = folder.join("looks.lua");
        let source = "while true do gui.text(4, 4, memory.readbyte(0xBE)) emu.frameadvance() end";
        fs::write(&script, source).expect("a script");
        options.script = Some(script);
    }
    Window::new(&options).expect("it begins")
}

/// The only kept game in the window's folder.
fn kept(folder: &Path) -> Option<PathBuf> {
    let mut games = fs::read_dir(folder.join("games")).ok()?.map(|entry| entry.expect("an entry").path());
    let game = games.next();
    assert!(games.next().is_none(), "more than one game was kept");
    game
}

fn one_game_in_all_front_ends(case: &Case) {
    let (mut emulator, steps) = play(case);
    let hash = format!("{:016x}", emulator.state_hash());
    let folder = tempfile::tempdir().expect("a folder");
    let rom = rom(folder.path(), case.image);

    // Headless, by the buttons that are left after the rewinds.
    assert_eq!(run(&rom, &movie(folder.path(), emulator.movie.log()), case), hash, "run");

    // The window.
    let mut window = window(folder.path(), case);
    let recorded = folder.path().join("recorded.fm2");
    if case.records {
        window.command(desktop::Command::Record(desktop::hostile::Recording::Movie, recorded.clone()));
    }
    for &step in &steps {
        match step {
            Step::Frame(held) => window.frame([held, Buttons::empty()]),
            Step::Back => window.rewind(STEP_BACK),
        }
    }
    assert_eq!(format!("{:016x}", window.emulator().state_hash()), hash, "window");
    let log = |emulator: &Emulator| emulator.watched().map(|practice| practice.log().clone());
    assert_eq!(log(window.emulator()), log(&emulator), "pieces in the window");
    window.finish();
    if case.records {
        assert_eq!(run(&rom, &recorded, case), hash, "the window's movie");
    }
    let of_window = kept(folder.path()).expect("the window keeps the game");
    assert_eq!(replay(&rom, &of_window), hash, "the window's game");

    // The page, which deals other pieces in practice alone.
    if case.pieces.is_some() {
        return;
    }
    let mut page = web::Machine::new(48_000);
    page.insert("game", IMAGES[case.image], &[]).expect("a cartridge");
    page.set_ahead(case.ahead);
    for &step in &steps {
        match step {
            Step::Frame(held) => page.frame([held.bits(), 0]),
            Step::Back => assert!(page.step_back()),
        }
    }
    assert_eq!(format!("{:016x}", page.state_hash()), hash, "page");
    let mut records = emulator.watched_mut().expect("a session").take_played().records;
    records.retain(|record| !matches!(record.event, Event::Input { .. }));
    let events: Value = serde_json::from_str(&page.events()).expect("JSON");
    assert_eq!(events, serde_json::to_value(&records).expect("JSON"), "events of the page");
    let of_page = folder.path().join("page.mxgame");
    fs::write(&of_page, page.game_file().expect("a game")).expect("a file");
    assert_eq!(replay(&rom, &of_page), hash, "the page's game");
    let frames = |path: &Path| Kept::read(&fs::read(path).expect("a game")).expect("a game").frames;
    let held: Vec<_> = emulator.movie.log().iter().map(|input| input.pads).collect();
    assert!(frames(&of_page) == held, "the buttons of the page's game");
    // In a frame in which the game looks at no pads, the window keeps a tap for the next.
    assert_eq!(frames(&of_window).len(), held.len(), "the frames of the window's game");
}

/// A practice game.
#[derive(Clone, Debug)]
struct Practising {
    image: usize,
    mode: &'static str,
    options: &'static str,
    lfsr: u16,
    /// Buttons, each held for some frames.
    held: Vec<(u8, usize)>,
    ahead: u8,
}

impl Practising {
    fn any() -> impl Strategy<Value = Self> {
        let mode = proptest::sample::select(vec!["", "floor=3", "garbage=4", "seed=12AB34", "hard-drop"]);
        let options = proptest::sample::select(vec!["", "level=18", "level=5 goofy"]);
        let button = proptest::sample::select(vec![0, 1, 2, 4, 64, 128]);
        let held = proptest::collection::vec((button, 1..20_usize), 1..16);
        (0..IMAGES.len(), mode, options, 0x200..=u16::MAX, held, 0..=2_u8).prop_map(
            |(image, mode, options, lfsr, held, ahead)| Self { image, mode, options, lfsr, held, ahead },
        )
    }
}

fn one_practice_game_in_all_front_ends(case: &Practising) {
    let &Practising { image, mode, options, lfsr, ahead, .. } = case;
    let buttons = || case.held.iter().flat_map(|&(held, frames)| std::iter::repeat_n(held, frames));

    // The environments for Python begin every game in a position.
    let (of_mode, of_options) = {
        let profile = Profile::for_feature(IMAGES[image], Feature::Practice).expect("it is known");
        let session = session(profile, mode, options);
        (session.mode(), *session.options())
    };
    let prototype =
        maxout_python::Prototype::cartridge(IMAGES[image], of_mode, of_options).expect("a game begins");
    let position = Position {
        rows: [0; 20],
        piece: tetris::Piece::T,
        next: tetris::Piece::L,
        level: of_options.level,
        lines: 0,
        score: 0,
        das: 0,
        lfsr,
        spawns: 3,
        frame: 0,
    };
    let mut game = prototype.begin(&position, None).expect("there is room");

    // The page, through the same menus.
    let mut page = web::Machine::new(48_000);
    page.insert("game", IMAGES[image], &[]).expect("a cartridge");
    page.set_ahead(ahead);
    page.practise(mode, options, "", &position.to_string(), 0).expect("a game begins");
    for held in buttons() {
        game.frame(held, false);
        page.frame([held, 0]);
    }
    let maxout_python::Frames::Cartridge(played) = &game else { panic!("no cartridge plays") };
    let hash = format!("{:016x}", page.state_hash());
    assert_eq!(format!("{:016x}", played.emulator.state_hash()), hash, "Python: {case:?}");

    // The file of the game, by the command line and in the window.
    let folder = tempfile::tempdir().expect("a folder");
    let (rom, file) = (rom(folder.path(), image), folder.path().join("page.mxgame"));
    let bytes = page.game_file().expect("a game");
    let frames = Kept::read(&bytes).expect("a game").frames.len();
    fs::write(&file, bytes).expect("a file");
    assert_eq!(replay(&rom, &file), hash, "replay");
    let case = Case { image, seed: 0, stretches: vec![], ahead, pieces: None, script: false, records: false };
    let mut window = window(folder.path(), &case);
    window.command(desktop::Command::Practice(desktop::hostile::PracticeCommand::Replay(file)));
    for _ in 0..frames {
        window.frame([Buttons::empty(); 2]);
    }
    assert_eq!(format!("{:016x}", window.emulator().state_hash()), hash, "the window's replay");
}

fn cases<C: std::fmt::Debug>(count: u32, any: impl Strategy<Value = C>, test: fn(&C)) {
    let mut cases = Cases { failure_persistence: None, max_shrink_iters: 20, ..Cases::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        cases.cases = count;
    }
    let run = TestRunner::new(cases).run(&any, |case| {
        test(&case);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// More of them by `PROPTEST_CASES`.
#[test]
fn the_same_buttons_make_the_same_game_in_window_page_and_run() {
    cases(4, Case::any(), one_game_in_all_front_ends);
}

#[test]
fn a_game_that_goes_back_to_before_its_first_piece_is_the_same_game_in_all_front_ends() {
    let stretches = vec![(21, 8), (56, 7), (50, 8)];
    for image in 0..IMAGES.len() {
        let (stretches, pieces) = (stretches.clone(), None);
        let case = Case { image, seed: 14, stretches, ahead: 1, pieces, script: false, records: false };
        one_game_in_all_front_ends(&case);
    }
}

#[test]
fn the_same_buttons_make_the_same_practice_game_in_page_python_replay_and_window() {
    cases(6, Practising::any(), one_practice_game_in_all_front_ends);
}
