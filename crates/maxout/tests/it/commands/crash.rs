//! A game that crashes, as the user of each command meets it: on the slow build of our cartridge.

use autopilot::{Autopilot, Mode, Settings};
use nes::{Buttons, Cartridge, Config, Console};
use nes_debug::{Crash, CrashWatch};
use serde_json::Value;
use tetris::ram::play_state::ROW_CHECK;
use tetris::{Profile, View};

use super::program::{call, text};

const SLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");
const CRASHED: Option<i32> = Some(3);

/// A crash, and a state from some frames before it from which it comes without a button.
fn crash() -> (Crash, Vec<u8>) {
    let image = std::fs::read(SLOW).expect("the slow build is in the tree");
    let profile = Profile::of_image(&image).expect("it is known by its hash");
    let cartridge = Cartridge::from_bytes(&image).expect("it is a cartridge");
    let mut console = Console::new(cartridge, Config { video: false, ..Config::default() });
    let settings = Settings { mode: Mode::Teleport, level: 155, ..Settings::default() };
    let mut player = Autopilot::new(profile.clone(), settings);
    let mut watch = CrashWatch::new(&profile, &console);
    let mut before = Vec::new();
    for _ in 0..100_000 {
        let state = View::new(console.ram()).play_state();
        let buttons = if state == ROW_CHECK {
            before = console.save();
            Buttons::empty()
        } else {
            player.prepare(&mut console)
        };
        let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut watch);
        if let Some(crash) = watch.end_frame(&console) {
            return (crash, before);
        }
    }
    panic!("no crash in 100,000 frames from level 155 on");
}

#[test]
fn a_game_that_crashes_ends_with_its_own_status_and_says_where() {
    let output = call(&["ai", "run", SLOW, "--mode", "teleport", "--level", "155", "--json"]).output();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), CRASHED, "{said}");
    assert!(said.contains("the game has crashed in frame") && said.contains("instead of $"), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON value");
    let game = &report["games"][0];
    assert_eq!((game["ending"].as_str(), report["games_crashed"].as_u64()), (Some("crashed"), Some(1)));
    assert!(game["crash"].as_str().expect("how it crashed").contains("at level 1"));
}

#[test]
fn a_crash_of_one_game_leaves_the_others_of_a_batch_and_the_guard_prevents_it() {
    let arguments = ["ai", "run", SLOW, "--mode", "teleport", "--level", "155", "--lines", "200", "--json"];
    let output = call(&arguments).with(&["--games", "4"]).output();
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON value");
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    let crashed = games.iter().filter(|game| game["ending"] == "crashed").count();
    assert!(crashed > 0 && output.status.code() == CRASHED, "{crashed} of 4, {:?}", output.status);
    let guarded = call(&arguments).with(&["--guard"]).json();
    assert_eq!(guarded["games"][0]["ending"], "limit");
}

#[test]
fn watching_a_game_ends_with_the_event_of_its_crash() {
    let (crash, before) = crash();
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("before.state");
    std::fs::write(&state, before).expect("the state can be written");
    let state = state.to_str().expect("a path in UTF-8");
    let output = call(&["tetris", "watch", SLOW, "--load-state", state, "--json"]).output();
    assert_eq!(output.status.code(), CRASHED, "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let last: Value = serde_json::from_str(lines.lines().last().expect("an event")).expect("JSON");
    let jump = crash.jump.expect("the jump was seen");
    assert_eq!((last["event"].as_str(), last["cause"].as_str()), (Some("crash"), Some("jump")));
    assert_eq!(last["level"].as_u64(), Some(crash.level.into()));
    let seen = ["from", "meant", "went"].map(|name| last["jump"][name].as_u64().expect("an address"));
    assert_eq!(seen, [jump.from, jump.meant, jump.went].map(u64::from));
    // So does every command that plays a movie or a state of a game.
    let output = call(&["tetris", "forecast", SLOW, "--load-state", state, "--frames", "200"]).output();
    assert_eq!(output.status.code(), CRASHED, "{}", text(&output.stderr));
}
