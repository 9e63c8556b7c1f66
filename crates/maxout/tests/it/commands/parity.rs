//! `maxout tetris parity` on each cartridge that it knows, and on recordings of the one that is not
//! here.

use serde_json::Value;

use super::program::{call, text};

const SLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");
const PAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-pal.nes");
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/us-traces");
const CRASHED: Option<i32> = Some(3);

#[test]
fn the_built_in_cartridge_and_its_other_builds_are_each_compared_with_the_model_of_their_own() {
    for rom in [&[][..], &[SLOW], &[PAL]] {
        let arguments = ["tetris", "parity", "--frames", "60000", "--seeds", "4", "--seed", "100", "--json"];
        let output = call(&arguments).with(rom).output();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(0) || output.status.code() == CRASHED, "{rom:?}: {said}");
        let outcome: Value = serde_json::from_slice(&output.stdout).expect("one JSON value");
        assert_eq!(outcome["differences"], 0, "{rom:?}: {outcome:#}");
        assert_eq!((&outcome["frames"], &outcome["lost"]), (&60_000.into(), &0.into()), "{rom:?}");
        assert!(outcome["lines"].as_u64() > Some(50), "{rom:?}: {outcome:#}");
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let said = call(&["tetris", "parity", "--frames", "2000"]).printed();
    assert!(said.contains("of 2048 compared each frame; not sprites, sound, stack and scratch"), "{said}");
}

#[test]
fn a_recording_is_compared_and_its_crash_is_named() {
    let trace = |number| format!("{TRACES}/us-{number}.trace.gz");
    let said = call(&["tetris", "parity", "--trace", &trace(1001), &trace(1006)]).printed();
    assert!(said.contains("us-1001.trace.gz: 30000 frames, 0 with a difference"), "{said}");
    assert!(
        said.contains("516 frames left out, from frame 10138 on, in which the game had crashed"),
        "{said}"
    );
    assert!(said.contains("9 took longer than a frame; of 9 frames the trace said"), "{said}");
    assert!(said.contains("not compared: sprites, sound, stack and scratch"), "{said}");
}

#[test]
fn a_change_of_a_recording_is_a_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    // Two frames after power-on, the second with a byte of the table of high scores.
    let changed = folder.path().join("changed.trace");
    std::fs::write(&changed, [0, 0, 0, 0, 0, 0, 1, 0, 0x30, 0x07, 9]).expect("a file");
    let output = call(&["tetris", "parity", "--trace", changed.to_str().expect("UTF-8")]).output();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("2 frames, 1 with a difference") && said.contains("found $09"), "{said}");
}
