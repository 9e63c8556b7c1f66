//! Pieces taken back, positions, kept games.

use nes::{Buttons, Cartridge, Config, Console};
use practice::{Header, History, Kept, Log, Luck, Position, Recorder, Replay, Session, Start, Statistics};
use tetris::ram::play_state;
use tetris::{Piece, Profile};

use crate::rig::{IMAGES, Rig, both};

/// Buttons that place pieces here and there.
fn buttons(frame: u64) -> Buttons {
    match frame / 8 % 7 {
        0 => Buttons::LEFT,
        2 => Buttons::A,
        4 => Buttons::RIGHT,
        5 | 6 => Buttons::DOWN,
        _ => Buttons::empty(),
    }
}

/// Plays until so many pieces have come in.
fn play(rig: &mut Rig, history: &mut History, pieces: u32) {
    for _ in 0..20_000 {
        if rig.view().piece_counts().iter().sum::<u32>() >= pieces {
            return;
        }
        let held = buttons(rig.console.frame_number());
        let records = rig.session.frame(&mut rig.console, held);
        history.observe(&rig.console, &rig.session, &records);
    }
    panic!("no {pieces} pieces");
}

#[test]
fn a_piece_is_taken_back_and_again_the_one_before_with_the_same_luck_or_new() {
    for mut rig in both("floor=2 level=9") {
        let mut history = History::new(50);
        play(&mut rig, &mut history, 5);
        let fifth = rig.clone();
        play(&mut rig, &mut history, 8);
        let eighth = rig.view().next();
        for _ in 0..3 {
            assert_eq!(history.back(&mut rig.console, &mut rig.session, Luck::Same), Ok(None));
        }
        assert!(rig.console == fifth.console && rig.session.save() == fifth.session.save());
        // The same buttons at the same frames lead to the same piece.
        play(&mut rig, &mut history, 8);
        assert_eq!(rig.view().next(), eighth);
        let mut seen = std::collections::HashSet::new();
        for seed in 0..12 {
            let lfsr = history.back(&mut rig.console, &mut rig.session, Luck::New(seed)).unwrap().unwrap();
            assert_eq!(rig.view().lfsr(), lfsr);
            play(&mut rig, &mut history, 8);
            seen.insert(rig.view().next());
        }
        assert!(seen.len() > 2, "{seen:?}");
    }
}

#[test]
fn a_marked_position_is_tried_again_and_counted_and_a_qualifier_takes_nothing_back() {
    for mut rig in both("tetris level=9") {
        let mut history = History::new(3);
        play(&mut rig, &mut history, 5);
        assert_eq!(history.len(), 2, "only the last three are kept");
        let mark = history.mark().unwrap();
        let there = rig.console.clone();
        play(&mut rig, &mut history, 7);
        for tries in 2..5 {
            history.retry(mark, &mut rig.console, &mut rig.session, Luck::Same).unwrap();
            assert!(rig.console == there);
            assert_eq!(history.marks()[mark].tries, tries);
            play(&mut rig, &mut history, 7);
        }
        assert!(history.retry(7, &mut rig.console, &mut rig.session, Luck::Same).is_err());
    }
    for mut rig in both("tetris level=9 qual") {
        let mut history = History::new(9);
        play(&mut rig, &mut history, 4);
        let error = history.back(&mut rig.console, &mut rig.session, Luck::Same).unwrap_err().to_string();
        assert!(error.contains("qual"), "{error}");
    }
}

#[test]
fn a_game_goes_on_from_a_position_as_it_did_from_the_piece_itself() {
    for mut rig in both("tetris level=18") {
        let mut history = History::new(9);
        play(&mut rig, &mut history, 6);
        let position = Position::of(&rig.session).unwrap();
        let text = position.to_string();
        let mut other = Rig::new(rig_image(&rig), "tetris level=18");
        other.session.enter(&mut other.console, &text.parse().unwrap()).unwrap();
        assert_eq!(Position::of(&other.session), Some(position));
        // As many frames later the same pieces have come, and lie in the same places.
        let first = rig.console.frame_number();
        let from = other.console.frame_number();
        for frame in 0..1_500 {
            let held = buttons(frame);
            rig.session.frame(&mut rig.console, held);
            other.session.frame(&mut other.console, held);
            if frame % 300 == 299 {
                assert_eq!(rig.view().rows(), other.view().rows(), "frame {frame} of {first} and {from}");
                assert_eq!(rig.view().next(), other.view().next());
                assert_eq!(rig.session.score(), other.session.score());
            }
        }
    }
}

fn rig_image(rig: &Rig) -> &'static [u8] {
    if rig.session.profile().name == "Maxout" { IMAGES[0] } else { IMAGES[1] }
}

#[test]
fn a_position_begins_a_real_game_at_any_level_with_any_pieces() {
    for mut rig in both("tetris") {
        let mut position = Position::of(&rig.session).unwrap();
        (position.level, position.lines, position.score, position.das) = (29, 234, 1_234_567, 16);
        (position.piece, position.next) = (Piece::I, Piece::O);
        position.rows[16..].fill(0x1FF);
        rig.session.enter(&mut rig.console, &position).unwrap();
        assert_eq!(rig.view().piece(), Some(Piece::I));
        rig.put(9, 18, 0x11);
        let found = (rig.view().level(), rig.view().lines(), rig.session.score(), rig.view().piece());
        assert_eq!(found, (29, 238, 1_234_567 + 36_000, Some(Piece::O)));
        position.rows[0] = 0x3FF;
        let before = rig.console.clone();
        assert!(rig.session.enter(&mut rig.console, &position).is_err());
        assert!(rig.console == before);
    }
}

#[test]
fn a_kept_game_is_played_again_to_the_same_state_pieces_taken_back_included() {
    for image in IMAGES {
        for words in ["t-spins level=5", "drought=14 level=25", "tetris level=9 goofy"] {
            let mut parts = words.split_whitespace();
            let mode = parts.next().unwrap().parse().unwrap();
            let mut options = practice::Options::default();
            parts.for_each(|part| options.set(part).unwrap());
            let cartridge = Cartridge::from_bytes(image).unwrap();
            let config = Config { video: false, ..Config::default() };
            let mut console = Console::new(cartridge.clone(), config);
            let mut session = Session::of_image(image, mode, options).unwrap();
            let header = header(mode, options, &cartridge);
            let (mut recorder, mut bytes) = Recorder::new(&header);
            let mut history = History::new(20);
            for held in practice::begin(&mut console, &mut session, 0).unwrap() {
                bytes.extend(recorder.push([held, Buttons::empty()]).unwrap_or_default());
            }
            for frame in 0..3_000 {
                let held = buttons(frame);
                let records = session.frame(&mut console, held);
                history.observe(&console, &session, &records);
                bytes.extend(recorder.push([held, Buttons::empty()]).unwrap_or_default());
                if frame == 2_000 {
                    let lfsr = history.back(&mut console, &mut session, Luck::New(5)).unwrap().unwrap();
                    bytes.extend(recorder.back(console.frame_number()));
                    bytes.extend(recorder.chance(lfsr));
                }
            }
            bytes.extend(recorder.end(&[("score", session.score().to_string())]));
            let game = Kept::read(&bytes).unwrap();
            assert_eq!(game.frames.len() as u64, console.frame_number(), "{words}");
            let profile = session.profile().clone();
            let mut replay = Replay::new(&game, cartridge, profile, config).unwrap();
            while replay.step().unwrap().is_some() {}
            let log = replay.log();
            assert!(*replay.console() == console && replay.session().save() == session.save(), "{words}");
            let statistics = Statistics::of(log);
            let counts = replay.session().profile().as_mapped(console.ram());
            assert_eq!(statistics.counts, tetris::View::new(&counts).piece_counts(), "{words}");
            assert_eq!(log.last.2, session.score());
        }
    }
}

fn header(mode: practice::Mode, options: practice::Options, cartridge: &Cartridge) -> Header {
    let crc32 = cartridge.crc32();
    Header { mode, options, cartridge: "x".to_owned(), crc32, begun: 1, pieces: None, score: None }
}

/// Games that a build before format 2 has kept: their mode, and how they ended. The state at their
/// end is that of the console of then, in which the PPU's address pins did not carry v while
/// nothing is drawn.
#[test]
fn games_of_the_first_format_play_again_to_the_end_that_they_name() {
    for (image, bytes) in IMAGES.into_iter().zip([
        include_bytes!("../games/format-1.mxgame").as_slice(),
        include_bytes!("../games/format-1-slow.mxgame"),
    ]) {
        assert_eq!(bytes[6], 1, "the format");
        let game = Kept::read(bytes).unwrap();
        assert_eq!(
            (game.lost, &game.start, game.header.mode.to_string().as_str()),
            (0, &Start::PowerOn, "floor=2")
        );
        let (console, session, log) = replayed(image, &game);
        for (name, value) in practice::result(&session, &log, console.state_hash()) {
            if ["outcome", "score", "lines", "level", "pieces", "trt"].contains(&name) {
                assert_eq!(game.result_of(name), Some(value.as_str()), "{name}");
            }
        }
    }
}

/// Plays a kept game again.
fn replayed(image: &[u8], game: &Kept) -> (Console, Session, Log) {
    let (cartridge, profile) = (Cartridge::from_bytes(image).unwrap(), Profile::of_image(image).unwrap());
    let config = Config { video: false, ..Config::default() };
    let mut replay = Replay::new(game, cartridge, profile, config).unwrap();
    while replay.step().unwrap().is_some() {}
    (replay.console().clone(), replay.session().clone(), replay.log().clone())
}

#[test]
fn a_game_from_a_position_a_state_or_other_pieces_plays_again_to_its_end() {
    let position: Position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458".parse().unwrap();
    for image in IMAGES {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let config = Config { video: false, ..Config::default() };
        let (mode, options): (practice::Mode, _) = ("tetris".parse().unwrap(), practice::Options::default());
        let profile = Profile::of_image(image).unwrap();
        let pieces = "--randomizer tgm3 --seed 7";
        let dealt = practice::sequence(pieces, profile).unwrap();
        let session = Session::of_image(image, mode, options).unwrap();
        let mut console = Console::new(cartridge.clone(), config);
        let mut session = session.with_pieces(dealt);
        let header = Header { pieces: Some(pieces.to_owned()), ..header(mode, options, &cartridge) };
        let (mut recorder, mut bytes) = Recorder::new(&header);
        for held in practice::begin(&mut console, &mut session, 0).unwrap() {
            bytes.extend(recorder.push([held, Buttons::empty()]).unwrap_or_default());
        }
        bytes.extend(recorder.position(&position));
        session.enter(&mut console, &position).unwrap();
        let (mut later, mut second) = (Vec::new(), None);
        for frame in 0..1_500 {
            if frame == 150 {
                let begun;
                (begun, later) = Recorder::new(&header);
                later.extend(Recorder::begin_from(&console.save(), &session.save()));
                second = Some(begun);
            }
            let held = buttons(frame);
            session.frame(&mut console, held);
            let pads = [held, Buttons::empty()];
            bytes.extend(recorder.push(pads).unwrap_or_default());
            later.extend(second.as_mut().and_then(|second| second.push(pads)).unwrap_or_default());
        }
        bytes.extend(recorder.end(&[]));
        later.extend(second.unwrap().end(&[]));
        let (whole, part) = (Kept::read(&bytes).unwrap(), Kept::read(&later).unwrap());
        assert_eq!(part.frames.len(), 1_350);
        for game in [&whole, &part] {
            let (again, then, log) = replayed(image, game);
            assert!(again == console && then.save() == session.save());
            assert_eq!(log.last, (session.level(), 120, session.score()), "no line was cleared");
            assert!(log.pieces.len() > 3, "{} pieces", log.pieces.len());
            assert!(!game.is_a_movie(&then));
        }
    }
}

#[test]
fn a_log_tells_taps_charges_and_locks() {
    for mut rig in both("tetris level=18") {
        let mut log = Log::default();
        log.begin(rig.console.frame_number(), &rig.session);
        rig.until_active();
        for frame in 0..400 {
            let held = match frame {
                0 | 4 | 8 => Buttons::LEFT,
                20..60 => Buttons::RIGHT,
                100..400 => Buttons::DOWN,
                _ => Buttons::empty(),
            };
            let records = rig.session.frame(&mut rig.console, held);
            log.observe(rig.console.frame_number(), &rig.session, &records);
            if rig.view().play_state() != play_state::ACTIVE && frame > 100 {
                break;
            }
        }
        let played = &log.pieces[0];
        let taps: Vec<i8> =
            played.shifts.iter().filter(|shift| !shift.auto).map(|shift| shift.side).collect();
        assert_eq!(taps, [-1, -1, -1, 1]);
        let autos: Vec<u16> =
            played.shifts.iter().filter(|shift| shift.auto).map(|shift| shift.frame).collect();
        assert!(autos.windows(2).all(|pair| pair[1] - pair[0] == 6) && autos.len() > 2, "{autos:?}");
        assert!(played.das_lost && played.changes.iter().any(|change| change.das == 0));
        let bursts = practice::taps(&log);
        assert_eq!((bursts.len(), bursts[0].intervals.as_slice()), (1, &[4, 4][..]));
        assert!((bursts[0].hertz - 15.02).abs() < 0.01);
    }
}
