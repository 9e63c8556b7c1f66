use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nes::{Buttons, Cartridge, Config, Console};
use practice::{Kept, Kind, Start};
use tetris::{Profile, View};

use super::super::both_cartridges::{BUILT_IN, OTHER, Rig, SLOW};
use crate::messages::command::{DebugCommand, PracticeCommand, Recording};
use crate::messages::status::{PracticeStatus, ReviewStatus};
use crate::{Command, RunState};

impl Rig {
    pub(super) fn practise(&mut self, mode: &str, options: &str) {
        let mut set = practice::Options::default();
        options.split_whitespace().for_each(|word| set.set(word).unwrap());
        let (mode, position) = (mode.parse().unwrap(), None);
        self.ask(PracticeCommand::Begin { mode, options: set, position });
    }

    /// Has the game reviewed, and waits for the end.
    fn review(&mut self, hertz: u8) -> Arc<ReviewStatus> {
        self.reviewed(PracticeCommand::Review { hertz, reaction: 18 })
    }

    fn review_file(&mut self, path: &Path) -> Arc<ReviewStatus> {
        self.reviewed(PracticeCommand::ReviewFile { path: path.to_owned(), hertz: 12, reaction: 18 })
    }

    fn reviewed(&mut self, command: PracticeCommand) -> Arc<ReviewStatus> {
        self.ask(command);
        for _ in 0..6000 {
            if let Some(review) = self.shared.status().review.as_ref().filter(|review| review.is_done) {
                return Arc::clone(review);
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
            self.machine.update_status();
        }
        panic!("the coach comes to no end")
    }

    pub(super) fn ask(&mut self, command: PracticeCommand) {
        self.machine.command(Command::Practice(command));
        self.machine.update_status();
    }

    pub(super) fn status(&self) -> Option<PracticeStatus> {
        self.shared.status().practice.clone()
    }

    pub(super) fn count(&self) -> u32 {
        View::new(self.machine.engine.state().ram()).piece_counts().iter().sum()
    }

    /// Plays until so many pieces have come in, with a shift and a soft drop of each. They go to
    /// both sides: whatever is dealt, so few do not fill the field.
    pub(super) fn pieces_in(&mut self, count: u32) {
        for frame in 0..20_000_u32 {
            if self.count() >= count {
                return;
            }
            let held = match frame % 30 {
                0..2 if self.count().is_multiple_of(2) => Buttons::LEFT,
                0..2 => Buttons::RIGHT,
                4..28 => Buttons::DOWN,
                _ => Buttons::empty(),
            };
            self.shared.input.hold(0, held);
            self.machine.frame();
        }
        panic!("{} of {count} pieces came in", self.count());
    }
}

pub(super) fn kept_in(place: &tempfile::TempDir) -> Rig {
    kept(BUILT_IN, place)
}

pub(super) fn kept(image: &[u8], place: &tempfile::TempDir) -> Rig {
    Rig::with(image, |options| options.folders.games = Some(place.path().join("games")))
}

pub(super) fn games(place: &tempfile::TempDir) -> Vec<PathBuf> {
    let folder = fs::read_dir(place.path().join("games")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    // In the order in which they began; of those of one second the first has no number.
    paths.sort_by_key(|path| (read(path).header.begun, path.to_string_lossy().len(), path.clone()));
    paths
}

pub(super) fn read(path: &PathBuf) -> Kept {
    Kept::read(&fs::read(path).unwrap()).unwrap()
}

/// Plays a kept game again. Returns the hash of its last state.
pub(super) fn replayed(image: &[u8], game: &Kept) -> u64 {
    let (cartridge, profile) = (Cartridge::from_bytes(image).unwrap(), Profile::of_image(image).unwrap());
    let config = Config { video: false, ..Config::default() };
    let mut replay = practice::Replay::new(game, cartridge, profile, config).unwrap();
    while replay.step().unwrap().is_some() {}
    replay.console().state_hash()
}

pub(super) fn hash(rig: &Rig) -> u64 {
    let mut console: Console = rig.machine.engine.state().clone();
    console.clear_samples();
    console.state_hash()
}

#[test]
fn a_mode_begins_another_game_each_time_and_a_seed_the_same_on_both_cartridges() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        let mut games = |mode: &str| -> usize {
            let begun = (0..4).map(|_| {
                rig.practise(mode, "level=18");
                let ram = rig.machine.engine.state().ram();
                (ram[0x17], ram[0x18], View::new(ram).playfield().to_vec())
            });
            begun.collect::<std::collections::HashSet<_>>().len()
        };
        for mode in ["tetris", "b-type=5", "checkerboard=3"] {
            assert!(games(mode) > 1, "{mode}");
        }
        assert_eq!(games("seed=12AB34"), 1);
    }
}

#[test]
fn every_mode_begins_on_both_cartridges_and_goes_on_for_some_pieces() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        for &kind in Kind::ALL {
            rig.practise(kind.usual().to_string().as_str(), "level=18");
            let status = rig.status().unwrap_or_else(|| panic!("{kind:?}: {}", rig.final_messages()));
            assert_eq!((status.mode, status.level), (kind.usual(), 18), "{kind:?}");
            rig.wait(90);
            assert!(rig.status().is_some_and(|status| status.das <= 16), "{kind:?}");
        }
    }
}

#[test]
fn a_game_is_kept_while_it_is_played_and_plays_again_to_the_same_state() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.practise("garbage=3", "level=12");
        rig.pieces_in(9);
        let [path] = &games(&place)[..] else { panic!("one game") };
        // What a killed program leaves behind: all but the last half second.
        let frames = rig.machine.engine.frame_number();
        let game = read(path);
        assert!(game.frames.len() as u64 + 30 >= frames, "{} of {frames}", game.frames.len());
        assert!(game.result.is_empty());
        rig.machine.end_game_file();
        let (game, end) = (read(path), hash(&rig));
        assert_eq!(game.frames.len() as u64, frames);
        assert_eq!(game.result_of("outcome"), Some("playing"));
        assert_eq!(replayed(image, &game), end);
        // The window plays it again as well, and the player can take over.
        rig.ask(PracticeCommand::Replay(path.clone()));
        assert_eq!(rig.status().unwrap().replay, Some((0, frames)));
        rig.shared.input.hold(0, Buttons::START);
        (0..frames).for_each(|_| rig.machine.frame());
        assert_eq!(hash(&rig), end);
        rig.machine.frame();
        assert_eq!(rig.status().unwrap().replay, None);
        rig.ask(PracticeCommand::Replay(path.clone()));
        (0..frames - 60).for_each(|_| rig.machine.frame());
        rig.ask(PracticeCommand::TakeOver);
        rig.wait(90);
        assert_eq!(rig.status().unwrap().replay, None);
    }
}

#[test]
fn pieces_are_taken_back_and_the_kept_game_has_what_counted() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.practise("tetris", "level=5");
    rig.pieces_in(6);
    let spawn = hash_at_spawn(&mut rig);
    rig.pieces_in(8);
    rig.ask(PracticeCommand::Undo { other_luck: false });
    rig.ask(PracticeCommand::Undo { other_luck: false });
    assert_eq!((rig.count(), hash(&rig)), (6, spawn));
    assert_eq!(rig.machine.engine.movie.frame(), rig.machine.engine.frame_number());
    // Other pieces come from here; the file knows of it.
    rig.pieces_in(8);
    rig.ask(PracticeCommand::Undo { other_luck: true });
    assert!(rig.final_messages().contains("other pieces"), "{}", rig.final_messages());
    rig.pieces_in(12);
    rig.machine.end_game_file();
    let game = read(&games(&place)[0]);
    assert_eq!((game.chances.len(), game.frames.len() as u64), (1, rig.machine.engine.frame_number()));
    assert_eq!(replayed(BUILT_IN, &game), hash(&rig));
}

/// Goes to the frame of the spawn that was last. Returns the state's hash.
fn hash_at_spawn(rig: &mut Rig) -> u64 {
    rig.ask(PracticeCommand::Mark);
    rig.ask(PracticeCommand::Retry { other_luck: false });
    hash(rig)
}

#[test]
fn a_marked_position_is_tried_again_and_counted() {
    let mut rig = Rig::new(SLOW);
    rig.practise("floor=3", "");
    rig.pieces_in(4);
    let spawn = hash_at_spawn(&mut rig);
    assert!(rig.final_messages().contains("attempt 2"), "{}", rig.final_messages());
    rig.pieces_in(7);
    rig.ask(PracticeCommand::Retry { other_luck: false });
    assert_eq!((rig.count(), hash(&rig), rig.status().unwrap().marks), (4, spawn, 1));
    assert!(rig.final_messages().contains("attempt 3"), "{}", rig.final_messages());
}

#[test]
fn rewinding_takes_the_session_and_the_file_along() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.practise("transition=3", "level=8");
    rig.pieces_in(5);
    rig.machine.command(Command::Rewind(true));
    (0..200).for_each(|_| rig.machine.frame());
    rig.machine.command(Command::Rewind(false));
    assert_eq!(rig.machine.run_state(), RunState::Running);
    rig.pieces_in(9);
    rig.machine.end_game_file();
    let game = read(&games(&place)[0]);
    assert_eq!(replayed(BUILT_IN, &game), hash(&rig));
    assert_eq!(game.result_of("pieces"), Some("8"));
}

#[test]
fn frames_run_ahead_leave_the_game_as_it_is() {
    let run = |ahead: u8| {
        let mut rig = Rig::new(BUILT_IN);
        rig.machine.command(Command::RunAhead(ahead));
        rig.practise("hard-drop", "goofy das-only wait=5");
        rig.pieces_in(7);
        hash(&rig)
    };
    assert_eq!(run(2), run(0));
}

#[test]
fn blocks_of_the_invisible_mode_are_not_in_the_picture() {
    let mut rig = Rig::new(BUILT_IN);
    rig.practise("invisible", "");
    rig.pieces_in(4);
    let overlay = rig.machine.mode_overlay().expect("blocks are covered");
    let covered = overlay.pixels().iter().filter(|pixel| pixel[3] > 0).count();
    assert_eq!(covered, 3 * 4 * 64, "three pieces of four blocks");
    rig.practise("tetris", "");
    assert_eq!(rig.machine.mode_overlay(), None);
}

#[test]
fn practice_ends_with_whatever_it_cannot_go_along_with_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = Rig::with(BUILT_IN, |options| options.states = Some(place.path().to_owned()));
    let fresh = |rig: &mut Rig| {
        rig.practise("killscreen", "");
        assert!(rig.status().is_some(), "{}", rig.final_messages());
    };
    fresh(&mut rig);
    rig.machine.command(Command::SaveSlot(1));
    rig.practise("tetris", "");
    rig.machine.command(Command::Practice(PracticeCommand::End));
    rig.machine.command(Command::SaveSlot(2));
    fresh(&mut rig);
    rig.machine.command(Command::LoadSlot(2));
    rig.machine.update_status();
    assert_eq!(rig.status(), None);
    for command in [
        Command::NewGame,
        Command::PowerCycle,
        Command::Insert("other".into(), OTHER.to_vec()),
        Command::Practice(PracticeCommand::End),
    ] {
        rig.machine.command(Command::Insert("game".into(), BUILT_IN.to_vec()));
        fresh(&mut rig);
        rig.machine.command(command.clone());
        rig.machine.update_status();
        assert_eq!(rig.status(), None, "{command:?}");
    }
}

#[test]
fn a_review_names_what_placements_cost_and_a_game_begins_again_from_one() {
    for image in [BUILT_IN, SLOW] {
        let mut rig = Rig::new(image);
        rig.practise("tetris", "level=18");
        rig.pieces_in(9);
        let review = rig.review(12);
        assert_eq!((review.reviews.len(), review.total), (8, 8));
        assert!(review.notes[0].starts_with("For 12.0 taps a second (as set)"), "{:?}", review.notes);
        // Pieces were dropped to the sides whatever they were: that costs thousands of points.
        let dearest = review.reviews.iter().max_by(|one, other| one.loss.total_cmp(&other.loss)).unwrap();
        assert!((1_000.0..2_000_000.0).contains(&dearest.loss), "{dearest:?}");
        assert_ne!(dearest.chosen.place, dearest.best.place);
        let position = review.positions.iter().find(|(number, _)| *number == dearest.number).unwrap();
        let (mode, options) = (Kind::Tetris.usual(), practice::Options::default());
        rig.ask(PracticeCommand::Begin { mode, options, position: Some(position.1.clone()) });
        let status = rig.status().unwrap();
        assert_eq!((status.level, status.marks), (18, 1));
        let memory = rig.machine.engine.state().ram().to_vec();
        assert_eq!(View::new(memory[..].try_into().unwrap()).piece().unwrap().letter(), dearest.piece);
        let begun = hash(&rig);
        rig.wait(30);
        rig.ask(PracticeCommand::Retry { other_luck: false });
        assert_eq!(hash(&rig), begun);
    }
}

#[test]
fn a_saved_state_goes_on_with_its_session_in_another_window_as_well() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let open = || Rig::with(image, |options| options.states = Some(place.path().to_owned()));
        let mut rig = open();
        rig.practise("floor=4", "level=9 score=hidden");
        rig.pieces_in(5);
        rig.machine.command(Command::SaveSlot(3));
        rig.pieces_in(8);
        let end = hash(&rig);
        let mut later = open();
        later.machine.command(Command::LoadSlot(3));
        later.machine.update_status();
        let said = later.shared.status().messages.iter().any(|line| line.text.contains("continues: floor=4"));
        assert!(said, "{}", later.final_messages());
        let status = later.status().unwrap();
        assert_eq!((status.options.to_string().as_str(), status.level), ("level=9 score=hidden", 9));
        later.pieces_in(8);
        assert_eq!(hash(&later), end);
    }
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let mut rig = Rig::new(OTHER);
    rig.practise("tetris", "");
    assert!(rig.status().is_none() && rig.final_messages().contains("practice"), "{}", rig.final_messages());
    let mut rig = Rig::new(BUILT_IN);
    for command in [
        PracticeCommand::Undo { other_luck: false },
        PracticeCommand::Mark,
        PracticeCommand::Retry { other_luck: true },
        PracticeCommand::TakeOver,
        PracticeCommand::Replay("gone.mxgame".into()),
    ] {
        rig.ask(command);
        assert!(!rig.final_messages().is_empty());
        rig.shared.status().messages.clear();
    }
    rig.practise("tetris", "qual");
    rig.pieces_in(4);
    rig.ask(PracticeCommand::Undo { other_luck: false });
    assert!(rig.final_messages().contains("qual"), "{}", rig.final_messages());
    let position = Some("1 nothing".to_owned());
    let options = practice::Options::default();
    rig.ask(PracticeCommand::Begin { mode: Kind::Tetris.usual(), options, position });
    assert!(rig.final_messages().contains("12 words"), "{}", rig.final_messages());
    rig.machine.command(Command::Debug(DebugCommand::Open));
    rig.practise("tetris", "");
    assert!(rig.final_messages().contains("debugger"), "{}", rig.final_messages());
}

#[test]
fn a_game_of_another_cartridge_is_refused_and_names_both() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = kept_in(&place);
    rig.practise("tetris", "");
    rig.machine.end_game_file();
    let mut other = Rig::new(SLOW);
    other.ask(PracticeCommand::Replay(games(&place)[0].clone()));
    let text = other.final_messages();
    assert!(text.contains("CRC32") && text.contains("open the other one first"), "{text}");
    assert_eq!(other.status(), None);
}

#[test]
fn a_movie_of_a_plain_practice_game_leads_to_it_and_of_another_there_is_none() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("game.fm2");
    let mut rig = Rig::new(BUILT_IN);
    rig.practise("stacking", "level=9");
    rig.pieces_in(4);
    rig.machine.command(Command::SaveMovie(path.clone()));
    let movie = nes::fm2::Movie::parse(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(movie.frames.len() as u64, rig.machine.engine.frame_number());
    rig.practise("killscreen", "");
    rig.machine.command(Command::SaveMovie(place.path().join("none.fm2")));
    assert!(!place.path().join("none.fm2").exists(), "{}", rig.final_messages());
    rig.machine.command(Command::Record(Recording::Movie, place.path().join("none.fm2")));
    rig.machine.update_status();
    assert_eq!(rig.status(), None, "a recording begins at power-on, without practice");
}

#[test]
fn an_ordinary_game_is_kept_from_power_on_and_the_next_one_from_its_first_piece() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        rig.machine.command(Command::NewGame);
        rig.pieces_in(5);
        assert_eq!(rig.status(), None, "nobody practises");
        rig.machine.command(Command::NewGame);
        rig.pieces_in(3);
        // Up to the top, and on to another game without the power.
        let topped = |rig: &Rig| rig.machine.practice.is_over;
        (0..40_000).any(|frame| {
            // Down has to be let go for each piece.
            rig.shared.input.hold(0, if frame % 60 > 1 { Buttons::DOWN } else { Buttons::empty() });
            rig.machine.frame();
            topped(&rig)
        });
        assert!(topped(&rig), "the game is over");
        let end = hash(&rig);
        let over = read(&games(&place)[1]);
        assert_eq!((over.result_of("outcome"), over.result_of("computer")), (Some("topped-out"), None));
        assert_eq!((over.start == Start::PowerOn, replayed(image, &over)), (true, end));
        let counts = |rig: &Rig| rig.count();
        for frame in 0..6_000_u32 {
            let held = if frame % 50 < 3 { Buttons::START } else { Buttons::empty() };
            rig.shared.input.hold(0, held);
            rig.machine.frame();
            if games(&place).len() == 3 {
                break;
            }
        }
        rig.pieces_in(counts(&rig) + 4);
        rig.machine.end_game_file();
        let paths = games(&place);
        assert_eq!(paths.len(), 3, "{paths:?}");
        let [first, _, third] = [0, 1, 2].map(|number| read(&paths[number]));
        assert!(matches!(third.start, Start::State { .. }) && third.frames.len() > 60);
        assert_eq!(replayed(image, &third), hash(&rig));
        assert_eq!((first.result_of("outcome"), first.result_of("pieces")), (Some("playing"), Some("4")));
        assert!(first.is_a_movie(&first.session(Profile::of_image(image).unwrap()).unwrap()));
    }
}

#[test]
fn a_loaded_state_of_the_same_game_is_a_step_back_and_of_another_a_file_of_its_own() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let open = || {
            Rig::with(image, |options| {
                options.folders.games = Some(place.path().join("games"));
                options.states = Some(place.path().join("states"));
            })
        };
        let mut rig = open();
        rig.machine.command(Command::NewGame);
        rig.pieces_in(4);
        rig.machine.command(Command::SaveSlot(1));
        rig.pieces_in(8);
        rig.machine.command(Command::LoadSlot(1));
        rig.pieces_in(6);
        rig.machine.command(Command::Rewind(true));
        (0..90).for_each(|_| rig.machine.frame());
        rig.machine.command(Command::Rewind(false));
        rig.pieces_in(9);
        assert_eq!(games(&place).len(), 1, "it is one game");
        rig.machine.end_game_file();
        let game = read(&games(&place)[0]);
        assert_eq!((game.backs, game.result_of("pieces")), (2, Some("8")));
        assert_eq!(replayed(image, &game), hash(&rig));
        // Another window knows nothing of that game.
        let mut later = open();
        later.machine.command(Command::LoadSlot(1));
        later.pieces_in(7);
        later.machine.end_game_file();
        let paths = games(&place);
        assert_eq!(paths.len(), 2);
        let game =
            paths.iter().map(read).find(|game| game.start != Start::PowerOn).expect("one from a state");
        assert_eq!((game.result_of("level"), replayed(image, &game)), (Some("0"), hash(&later)));
        // It plays again in the window, and whoever takes over begins a file.
        let path = paths.iter().find(|path| read(path).start != Start::PowerOn).unwrap();
        let frames = game.frames.len() as u64;
        later.ask(PracticeCommand::Replay(path.clone()));
        assert_eq!(later.status().unwrap().replay, Some((0, frames)));
        (0..frames - 1).for_each(|_| later.machine.frame());
        later.ask(PracticeCommand::TakeOver);
        later.wait(60);
        later.machine.end_game_file();
        assert_eq!(games(&place).len(), 3);
    }
}

#[test]
fn a_game_from_a_position_and_one_with_other_pieces_are_kept_and_play_again_in_the_window() {
    for image in [BUILT_IN, SLOW] {
        let place = tempfile::tempdir().unwrap();
        let mut rig = kept(image, &place);
        let position = Some("1 0 T I 18 120 500000 16 8988 7 513 56BBA458".to_owned());
        let (mode, options) = (Kind::Tetris.usual(), practice::Options::default());
        rig.ask(PracticeCommand::Begin { mode, options, position });
        rig.wait(200);
        rig.ask(PracticeCommand::Retry { other_luck: false });
        rig.wait(120);
        rig.machine.end_game_file();
        let game = read(&games(&place)[0]);
        assert_eq!((game.positions.len(), game.result_of("level")), (1, Some("18")));
        assert_eq!(replayed(image, &game), hash(&rig));
        rig.ask(PracticeCommand::Replay(games(&place)[0].clone()));
        (0..game.frames.len()).for_each(|_| rig.machine.frame());
        assert_eq!(Some(format!("{:016x}", hash(&rig)).as_str()), game.result_of("state"));
        let mut tetris = rig.machine.tetris.clone();
        (tetris.randomizer, tetris.seed) = (Some(randomizers::Kind::Tgm3), 7);
        rig.machine.command(Command::Tetris(tetris.clone()));
        rig.machine.command(Command::NewGame);
        rig.pieces_in(9);
        rig.machine.end_game_file();
        let game = read(&games(&place)[1]);
        let name = format!("--randomizer tgm3 --seed {}", randomizers::Kind::Tgm3.seed_of(7));
        assert_eq!(game.header.pieces.as_deref(), Some(&*name));
        assert_eq!(replayed(image, &game), hash(&rig));
        // Practice has the same pieces, unless the mode deals its own.
        let begin = |kind: Kind| PracticeCommand::Begin {
            mode: kind.usual(),
            options: practice::Options::default(),
            position: None,
        };
        for (kind, dealt) in [(Kind::Tetris, Some(&*name)), (Kind::Tap, None)] {
            rig.ask(begin(kind));
            assert_eq!(rig.machine.engine.pieces().map(ToString::to_string).as_deref(), dealt, "{kind:?}");
        }
        rig.ask(begin(Kind::Tetris));
        rig.wait(300);
        rig.machine.end_game_file();
        let game = read(games(&place).last().unwrap());
        assert_eq!(game.header.pieces.as_deref(), Some(&*name));
        assert_eq!(replayed(image, &game), hash(&rig));
        let count = games(&place).len();
        // And whoever does not want it has nothing kept.
        tetris.keep_games = false;
        rig.machine.command(Command::Tetris(tetris));
        rig.machine.command(Command::NewGame);
        rig.wait(120);
        assert_eq!(games(&place).len(), count);
    }
}

#[test]
fn pieces_of_the_command_line_are_those_of_new_games_practice_and_versus_until_others_are_set() {
    for image in [BUILT_IN, SLOW] {
        let name = "--randomizer tgm3 --seed 7";
        let given = || {
            let profile = tetris::Profile::of_image(image).unwrap();
            let dealer = randomizers::Kind::Tgm3.dealer("7").unwrap();
            crate::Pieces::new(autopilot::Substitution::new(profile, dealer), name)
        };
        let mut rig = Rig::with(image, |options| options.pieces = Some(given()));
        let dealt = |rig: &Rig| rig.machine.engine.pieces().map(ToString::to_string);
        let first = |rig: &mut Rig| {
            rig.pieces_in(3);
            let dealt = rig.machine.engine.dealt().unwrap().substitution.pieces(3);
            dealt.iter().map(|piece| piece.letter()).collect::<String>()
        };
        rig.machine.command(Command::NewGame);
        let expected = first(&mut rig);
        rig.practise("tetris", "level=18");
        assert_eq!((dealt(&rig).as_deref(), first(&mut rig)), (Some(name), expected.clone()), "practice");
        // This mode deals its own.
        rig.practise("tap=3", "");
        assert_eq!(dealt(&rig), None);
        rig.ask(PracticeCommand::End);
        rig.machine.command(Command::NewGame);
        assert_eq!((dealt(&rig).as_deref(), first(&mut rig)), (Some(name), expected.clone()), "a new game");
        rig.machine.command(Command::Versus(true));
        assert_eq!((dealt(&rig).as_deref(), first(&mut rig)), (Some(name), expected), "versus");
        rig.machine.command(Command::Versus(false));
        let mut tetris = rig.machine.tetris.clone();
        (tetris.randomizer, tetris.seed) = (Some(randomizers::Kind::Nes), 5);
        rig.machine.command(Command::Tetris(tetris));
        rig.practise("tetris", "level=18");
        assert_eq!(dealt(&rig).as_deref(), Some("--randomizer nes --seed 5"));
    }
}

mod files;
