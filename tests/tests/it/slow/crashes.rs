//! The crash of the slow build, its forecast, and the guard.

use autopilot::Guard;
use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::{Breakpoint, Crash, CrashCause, CrashWatch, Debugger, Goal, Stop, Trigger};
use tetris::events::Event;
use tetris::kill_screen::Timing;
use tetris::ram::play_state;
use tetris::{SplitMix64, View};

use super::profile;
use super::scene::{Scene, frame};

/// Frames within which a lock that was scored leads to the next piece.
const TO_SPAWN: usize = 40;

/// Runs the frame that comes, and on to the next piece. Gives the crash, if it comes to that.
fn outcome(console: &mut Console, buttons: Buttons) -> Option<Crash> {
    let mut watch = CrashWatch::new(&profile(), console);
    for number in 0..TO_SPAWN {
        let buttons = if number == 0 { buttons } else { Buttons::empty() };
        let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut watch);
        if let Some(crash) = watch.end_frame(console) {
            return Some(crash);
        }
        if number > 2 && View::new(console.ram()).play_state() == play_state::ACTIVE {
            return None;
        }
    }
    panic!("neither a crash nor the next piece in {TO_SPAWN} frames, PC ${:04X}", console.cpu.pc);
}

#[derive(Default, Debug)]
struct Tally {
    locks: u32,
    forecast: u32,
    crashes: u32,
    by_rows: [u32; 5],
    /// Those of the B-type, whose forecast is wider.
    b_type: BType,
}

#[derive(Default, Debug)]
struct BType {
    locks: u32,
    forecast: u32,
    crashes: u32,
}

/// Scored locks at levels 155–255: whether those that crash were forecast, and none with the guard.
fn prove(locks: u32, seed: u64) -> Tally {
    let mut random = SplitMix64::new(seed);
    let mut tally = Tally::default();
    let mut guard = Guard::new(&profile());
    for number in 0..locks {
        // Where the danger is, for most of them: by kind of clear.
        let rows = (number % 5) as u8;
        let (first, last) = match (random.below(4), rows) {
            (0, _) => (155, 255),
            (_, 0) => (245, 255),
            (_, 1) => (155, 162),
            _ => (164, 176),
        };
        let scene = Scene::chance(&mut random, rows, first, last);
        let mut console = scene.set();
        let (buttons, lock) = scene.lead(&mut console);
        let mut guarded = console.clone();
        let forecast = Timing::US.may_crash(&lock);
        let crash = outcome(&mut console, buttons);
        assert!(crash.is_none() || forecast, "not forecast: {crash:?} of {scene:?}: {lock:?}");
        tally.locks += 1;
        tally.forecast += u32::from(forecast);
        tally.crashes += u32::from(crash.is_some());
        tally.by_rows[usize::from(rows)] += u32::from(crash.is_some());
        if scene.b_type {
            tally.b_type.locks += 1;
            tally.b_type.forecast += u32::from(forecast);
            tally.b_type.crashes += u32::from(crash.is_some());
        }

        let mut watch = CrashWatch::new(&profile(), &guarded);
        let _ = guarded.run_frame(&mut [buttons, Buttons::empty()], &mut (&mut watch, &mut guard));
        let spawned = (0..TO_SPAWN).any(|_| {
            assert_eq!(watch.end_frame(&guarded), None, "guarded: {scene:?}");
            frame(&mut guarded, Buttons::empty());
            View::new(guarded.ram()).play_state() == play_state::ACTIVE
        });
        assert!(spawned, "guarded, and no next piece: {scene:?}");
    }
    tally
}

#[test]
fn of_four_hundred_scored_locks_each_that_crashes_was_forecast_and_none_crashes_with_the_guard() {
    let tally = prove(400, 1);
    // Each kind of clear has crashed, and a good part of what was forecast.
    assert!(tally.by_rows.iter().all(|&crashes| crashes > 0), "{tally:?}");
    let BType { forecast, crashes, .. } = tally.b_type;
    assert!((tally.crashes - crashes) * 4 > tally.forecast - forecast, "{tally:?}");
}

#[test]
#[ignore = "minutes: cargo test -p maxout-tests --release --test it ten_thousand_scored -- --ignored --nocapture"]
fn of_ten_thousand_scored_locks_each_that_crashes_was_forecast_and_none_crashes_with_the_guard() {
    let shares: Vec<_> = (0..8).map(|seed| std::thread::spawn(move || prove(1_250, 1_000 + seed))).collect();
    let mut sum = Tally::default();
    for share in shares {
        let tally = share.join().expect("a share of the proof holds");
        sum.locks += tally.locks;
        sum.forecast += tally.forecast;
        sum.crashes += tally.crashes;
        sum.b_type.locks += tally.b_type.locks;
        sum.b_type.forecast += tally.b_type.forecast;
        sum.b_type.crashes += tally.b_type.crashes;
        (0..5).for_each(|rows| sum.by_rows[rows] += tally.by_rows[rows]);
    }
    println!("{sum:?}");
    assert_eq!(sum.locks, 10_000);
}

#[test]
fn a_crash_says_frame_level_and_the_jump_that_went_wild() {
    let mut random = SplitMix64::new(7);
    let (crash, level) = (0..400)
        .find_map(|_| {
            let scene = Scene::chance(&mut random, 1, 155, 162);
            let mut console = scene.set();
            let (buttons, _) = scene.lead(&mut console);
            outcome(&mut console, buttons).zip(Some(console.ram()[tetris::ram::LEVEL.at()]))
        })
        .expect("one of 400 singles at levels 155 to 162 crashes");
    let jump = crash.jump.expect("the jump was seen");
    let dispatch = profile().address(tetris::hooks::DISPATCH);
    assert!((dispatch..dispatch + 32).contains(&jump.from), "{jump:?}");
    assert!(jump.meant >= 0x8000 && jump.went != jump.meant, "{jump:?}");
    assert_eq!(crash.level, level);
    let said = crash.to_string();
    assert!(said.contains(&format!("level {level}")) && said.contains("instead of $"), "{said}");
}

#[test]
fn the_debugger_stops_at_the_crash_that_its_frames_come_to_where_a_breakpoint_asks_for_it() {
    let mut random = SplitMix64::new(7);
    let mut scenes = (0..400).map(|_| Scene::chance(&mut random, 1, 155, 162)).filter(|scene| !scene.select);
    let (before, crash) = scenes
        .find_map(|scene| {
            let mut console = scene.set();
            scene.lead(&mut console);
            let before = console.clone();
            outcome(&mut console, Buttons::empty()).map(|crash| (before, crash))
        })
        .expect("one of 400 singles at levels 155 to 162 crashes");
    let cartridge = Cartridge::from_bytes(super::IMAGE).expect("the image is a cartridge");
    let config = Config { video: false, ..Config::default() };
    let mut debugger = Debugger::new(cartridge, config, Some(profile()));
    debugger.load(&before.save()).expect("a state of this cartridge");
    debugger.breakpoints.add(Breakpoint::new(Trigger::Event("crash".into())));
    let stop = debugger.run(&Goal::Free, 60, &mut || true);
    let Stop::Event { number: Some(1), record } = stop else { panic!("{stop:?}") };
    assert_eq!(debugger.crash(), Some(&crash));
    assert!(matches!(crash.cause, CrashCause::Jump(_)) && matches!(record.event, Event::Crash { .. }));
}
