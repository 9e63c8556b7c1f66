//! What a game says, and what a stream adds.

use std::time::Duration;

use nes::Buttons;
use practice::{Log, Options, Session, Statistics};
use serde_json::json;
use stream::{Added, Body, Broadcast, Feed, Figures, Hub, Line, QUEUE, Source, State, Wants};
use tetris::events::{Event, Watcher};
use tetris::{View, ram};

use crate::rig::{Game, IMAGES, hub, until, value};

fn figures(lines: &[Line]) -> Option<&Figures> {
    lines.iter().rev().find_map(|line| match &line.body {
        Body::Stream(Added::Statistics(figures)) => Some(&**figures),
        _ => None,
    })
}

fn spawn(lines: &[Line]) -> Option<(u32, u32)> {
    lines.iter().find_map(|line| match line.event() {
        Some(Event::Spawn { number, drought, .. }) => Some((*number, *drought)),
        _ => None,
    })
}

#[test]
fn events_are_those_of_the_watcher_and_figures_those_of_practice() {
    for image in IMAGES {
        let mut game = Game::new(image, 1, 18);
        let (mut source, mut watcher) = (Source::default(), Watcher::default());
        let mut log = Log::default();
        let mode = "tetris".parse().unwrap();
        let mut session =
            Session::of_image(image, mode, Options { level: 18, ..Options::default() }).unwrap();
        let mut compared = 0;
        for _ in 0..12_000 {
            let buttons = game.buttons();
            let records = session.frame(&mut game.console, buttons);
            let snapshot = game.snapshot();
            let update = source.observe(&snapshot);
            let watched = watcher.observe(snapshot.frame, &snapshot.ram);
            let events: Vec<_> = update.lines.iter().filter_map(Line::event).cloned().collect();
            assert_eq!(events, watched.into_iter().map(|record| record.event).collect::<Vec<_>>());
            log.observe(snapshot.frame, &session, &records);
            let Some(figures) = figures(&update.lines) else { continue };
            let expected = Statistics::of(&log);
            assert!(figures.complete);
            assert_eq!(
                (figures.pieces, figures.lines, figures.clears, figures.burn, figures.burns),
                (expected.pieces, expected.lines, expected.clears, expected.burn, expected.burns)
            );
            assert_eq!(
                (figures.drought, figures.droughts, figures.longest_drought, figures.transition),
                (expected.drought, expected.droughts, expected.longest_drought, expected.transition)
            );
            assert_eq!(figures.das_losses, expected.das_losses);
            let close = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs() < 1e-9,
                (one, other) => one == other,
            };
            assert!(close(figures.tetris_rate, expected.tetris_rate));
            assert!(close(figures.efficiency, expected.efficiency));
            assert!(close(figures.das_mean, expected.das_mean));
            let score = snapshot.score;
            assert!(figures.runway.is_some_and(|runway| runway > score + 900_000), "{figures:?}");
            assert!(figures.projection <= figures.runway);
            compared += 1;
        }
        assert!(compared > 100, "{compared}");
    }
}

#[test]
fn rows_vanish_from_the_middle_while_ram_has_lost_them() {
    for image in IMAGES {
        let mut game = Game::new(image, 1, 18);
        let mut source = Source::default();
        let mut seen = Vec::new();
        for _ in 0..20_000 {
            let snapshot = game.frame();
            let State { field, phase, .. } = source.observe(&snapshot).state;
            let view = View::new(&snapshot.ram);
            if phase == stream::Phase::Clear && view.byte(ram::LINES_COMPLETED) > 0 {
                let row = view.bytes(ram::CLEARED_ROWS).iter().copied().max().unwrap();
                seen.push(field[usize::from(row)].replace(['1', '2', '3'], "x"));
            } else if !seen.is_empty() {
                break;
            }
        }
        seen.dedup();
        assert_eq!(
            seen,
            ["xxxxxxxxxx", "xxxx..xxxx", "xxx....xxx", "xx......xx", "x........x"],
            "the built-in game shows every step for four frames"
        );
    }
}

#[test]
fn who_goes_back_is_told_and_counts_on_as_before() {
    for image in IMAGES {
        let mut game = Game::new(image, 1, 18);
        let mut source = Source::default();
        let mut kept = None;
        let mut first = Vec::new();
        let mut lines = 0;
        for _ in 0..9_000 {
            let update = source.observe(&game.frame());
            if let Some((number, drought)) = spawn(&update.lines) {
                if number == 20 {
                    kept = Some(game.clone());
                }
                if number > 20 {
                    first.push((number, drought, figures(&update.lines).unwrap().clone()));
                }
            }
            lines += update.lines.len();
            if first.len() == 20 {
                break;
            }
        }
        assert!(lines > 1_000);
        let mut game = kept.expect("twenty pieces");
        let frame = game.console.frame_number();
        let update = source.observe(&game.frame());
        assert!(update.sought);
        assert!(matches!(update.lines[0].body, Body::Stream(Added::Seek { from }) if from > frame));
        assert!(matches!(&update.lines.last().unwrap().body, Body::Stream(Added::State(_))));
        let mut again = Vec::new();
        while again.len() < 20 {
            let update = source.observe(&game.frame());
            if let Some((number, drought)) = spawn(&update.lines) {
                again.push((number, drought, figures(&update.lines).unwrap().clone()));
            }
        }
        assert_eq!(first, again);
    }
}

#[test]
fn another_game_that_is_loaded_is_not_counted_as_if_it_had_been_seen() {
    let [mut one, mut other] = [18, 9].map(|level| Game::new(IMAGES[0], 1, level));
    let mut source = Source::default();
    (0..4_000).for_each(|_| {
        source.observe(&one.frame());
    });
    (0..5_000).for_each(|_| {
        other.frame();
    });
    source.seek();
    let mut last = None;
    for _ in 0..2_000 {
        let update = source.observe(&other.frame());
        last = figures(&update.lines).cloned().or(last);
        if let Some((number, _)) = spawn(&update.lines) {
            let counts: [u32; 7] = update.state.counts.into();
            assert_eq!(number, counts.iter().sum::<u32>());
        }
    }
    let last = last.expect("pieces came");
    assert!(!last.complete && last.runway.is_none() && last.transition.is_none());
}

#[test]
fn any_ram_makes_lines_and_no_panic() {
    let mut random = tetris::SplitMix64::new(5);
    let mut source = Source::default();
    for frame in 0..3_000 {
        let mut ram = [0; 0x800];
        for byte in &mut ram {
            *byte = random.next_u64() as u8;
        }
        if frame % 3 > 0 {
            ram[ram::GAME_MODE.at()] = 4;
            ram[ram::RENDER_MODE.at()] = 3;
            ram[ram::MODE_STATE.at()] = 4;
            ram[ram::PLAY_STATE.at()] = (frame % 12) as u8;
        }
        let update =
            source.observe(&stream::Snapshot { player: 1, frame, ram, score: random.next_u64() as u32 });
        update.lines.iter().for_each(|line| assert!(value(&line.json()).is_object()));
    }
}

#[test]
fn a_reader_that_comes_late_has_the_whole_game_in_its_first_lines() {
    let mut game = Game::new(IMAGES[0], 1, 18);
    let hub = hub(1);
    let mut broadcast = Broadcast::new(hub.clone());
    (0..3_000).for_each(|_| {
        broadcast.frame(&game.frame());
    });
    let reader = hub.reader(Wants::default());
    let hello = value(&reader.next().unwrap());
    assert_eq!((&hello["event"], &hello["schema"]), (&json!("hello"), &json!(1)));
    assert_eq!(
        hello["players"],
        json!([{"player": 1, "name": "P1", "cartridge": "Maxout", "rate": 60.0988}])
    );
    let state = value(&reader.next().unwrap());
    assert_eq!((&state["event"], &state["frame"]), (&json!("state"), &json!(3_000)));
    assert_eq!((&state["mode"], &state["level"]), (&json!("game"), &json!(18)));
    assert_eq!(state["field"].as_array().unwrap().len(), 20);
    let figures = value(&reader.next().unwrap());
    assert_eq!((&figures["event"], &figures["complete"]), (&json!("statistics"), &json!(true)));
    assert_eq!(reader.next(), None);
    broadcast.frame(&game.frame());
    reader.ask_for_states();
    let lines: Vec<_> = std::iter::from_fn(|| reader.next()).map(|line| value(&line)).collect();
    let [.., state, again] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((&state["event"], &state["frame"]), (&json!("state"), &json!(3_001)));
    assert_eq!(again, &figures);
}

#[test]
fn a_slow_reader_loses_lines_and_is_told_how_many_and_where_the_game_is() {
    let mut game = Game::new(IMAGES[0], 1, 18);
    let hub = hub(1);
    let (slow, quick) = (hub.reader(Wants::default()), hub.reader(Wants::default()));
    let states = hub.reader(Wants { states: true, only: vec!["state".into()], player: None });
    let mut broadcast = Broadcast::new(hub.clone());
    let mut all = 0;
    for _ in 0..4_000 {
        broadcast.frame(&game.frame());
        all += std::iter::from_fn(|| quick.next()).count();
    }
    let lines: Vec<_> = std::iter::from_fn(|| slow.next()).map(|line| value(&line)).collect();
    let dropped = &lines[QUEUE];
    assert_eq!(dropped["event"], "dropped");
    assert_eq!(dropped["lines"].as_u64().unwrap(), (all - QUEUE) as u64);
    assert_eq!((&lines[QUEUE + 1]["event"], &lines[QUEUE + 1]["frame"]), (&json!("state"), &json!(4_000)));
    assert_eq!((lines.len(), slow.lost(), quick.lost()), (QUEUE + 3, (all - QUEUE) as u64, 0));
    // Of states only the newest waits: hello, and one state.
    assert_eq!(std::iter::from_fn(|| states.next()).count(), 2);
    assert_eq!(hub.readers(), 3);
    drop((slow, quick, states));
    assert_eq!(hub.readers(), 0);
}

#[test]
fn a_feed_hands_on_every_frame_and_never_waits() {
    let mut games = vec![Game::new(IMAGES[0], 1, 18), Game::new(IMAGES[1], 2, 19)];
    let hub = hub(2);
    let reader = hub.reader(Wants { only: vec!["spawn".into()], ..Wants::default() });
    let mut feed = Feed::new(Broadcast::new(hub.clone()));
    let (mut spawns, mut lost) = ([0_u32; 2], 0);
    for _ in 0..2_500 {
        for game in &mut games {
            feed.frame(game.frame());
        }
        lost += feed.lost();
        while let Some(line) = reader.next() {
            let line = value(&line);
            if line["event"] == "spawn" {
                spawns[line["player"].as_u64().unwrap() as usize - 1] += 1;
            }
        }
    }
    drop(feed);
    until("the rest is handed on", || {
        while let Some(line) = reader.wait(Duration::from_millis(1)) {
            let line = value(&line);
            if line["event"] == "spawn" {
                spawns[line["player"].as_u64().unwrap() as usize - 1] += 1;
            }
        }
        true
    });
    let counts: Vec<u32> =
        games.iter().map(|game| View::new(&game.snapshot().ram).piece_counts().iter().sum()).collect();
    assert!(lost > 0 || spawns[..] == counts[..], "{spawns:?} of {counts:?}");
    assert!(spawns[0] > 10 && spawns[1] > 10);
}

#[test]
fn an_end_is_said_and_nothing_comes_after_it() {
    let hub: Hub = hub(1);
    let reader = hub.reader(Wants::default());
    hub.end();
    assert_eq!(value(&reader.next().unwrap())["event"], "hello");
    assert_eq!(&*reader.next().unwrap(), r#"{"event":"end"}"#);
    assert_eq!(reader.wait(Duration::from_secs(60)), None);
    let mut game = Game::new(IMAGES[0], 1, 18);
    game.hold(Buttons::empty());
}
