//! What docs/stability.md promises: every field of version 1.0.0's JSON is still there, with its
//! type, and a state that it saved is read, or refused by the number of its format.

use std::collections::BTreeSet;
use std::{env, fs};

use nes::{Buttons, Config, Console, StateError};
use nes_testing::Image;
use serde_json::Value;

use super::program::call;
use super::review::{REAL, begin};

const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");
/// A player of whom nothing is known yet.
const NO_STORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stable/no-such-player.json");

const CALLS: &[&[&str]] = &[
    &["run", "--frames", "2", "--json"],
    &["inspect", "--json"],
    &["test", concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms"), "--json"],
    &["ai", "run", "--mode", "teleport", "--lines", "4", "--json"],
    &["ai", "stats", "--games", "2", "--pieces", "40", "--json"],
    &["ai", "play", "--pieces", "5", "--json"],
    &["randomizer", "list", "--json"],
    &["randomizer", "deal", "nes", "-n", "20", "--json"],
    &["randomizer", "stats", "nes", "--pieces", "1000", "--json"],
    &["practice", "--list", "--json"],
    &["tetris", "levels", "--json"],
    &["tetris", "orientations", "--json"],
    &["tetris", "colours", "--json"],
    &["tetris", "legal", "--json"],
    &["review", REAL, "--net", NETS, "--fresh", "--json"],
    &["puzzle", "--daily", "--net", NETS, "--store", NO_STORE, "--json"],
    &["puzzle", "--history", "--net", NETS, "--store", NO_STORE, "--json"],
];

/// A line for each field, with the names above it and what it holds.
fn describe(path: &str, value: &Value, lines: &mut BTreeSet<String>) {
    let kind = match value {
        // What may be missing says nothing of its type.
        Value::Null => return,
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(values) => {
            for value in values {
                describe(&format!("{path}[]"), value, lines);
            }
            "a list"
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                describe(&format!("{path}.{name}"), value, lines);
            }
            return;
        }
    };
    lines.insert(format!("{path}: {kind}"));
}

/// With `MAXOUT_RECORD` set, what was added since is written down, too.
#[test]
fn the_fields_of_version_1_are_still_there() {
    let mut now = BTreeSet::new();
    let folder = tempfile::tempdir().expect("a folder");
    let short = begin(folder.path());
    for arguments in CALLS {
        // Of the game of a real console its first frames will do.
        let called: Vec<&str> =
            arguments.iter().map(|word| if *word == REAL { short.as_str() } else { *word }).collect();
        for line in call(&called).printed().lines() {
            let value = serde_json::from_str(line).expect("one JSON value a line");
            let words: Vec<&str> = arguments.iter().filter(|word| !word.contains('/')).copied().collect();
            describe(&words.join(" "), &value, &mut now);
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stable/json.txt");
    let known = fs::read_to_string(path).unwrap_or_default();
    let gone: Vec<&str> = known.lines().filter(|line| !now.contains(*line)).collect();
    assert!(gone.is_empty(), "promised by docs/stability.md, and no longer there: {gone:#?}");
    if env::var_os("MAXOUT_RECORD").is_some() {
        fs::write(path, now.into_iter().collect::<Vec<_>>().join("\n") + "\n").expect("a file");
    } else {
        assert!(known.lines().count() > 60, "{path} is not whole");
    }
}

/// Whoever changes the form of states changes its number with it. With `MAXOUT_RECORD` set, a file
/// that is not there is written.
#[test]
fn a_state_of_version_1_is_read_or_refused_by_its_number() {
    // LDA #$1E, STA $2001, and for ever INC $10, JMP $8005.
    let code = [0xA9, 0x1E, 0x8D, 0x01, 0x20, 0xE6, 0x10, 0x4C, 0x05, 0x80];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stable/console.state");
    let mut console = Console::new(Image::nrom(&code).with(6, 2).cartridge(), Config::default());
    let mut pads = [Buttons::A, Buttons::empty()];
    if env::var_os("MAXOUT_RECORD").is_some() && fs::metadata(path).is_err() {
        let mut recorded = console.clone();
        for _ in 0..60 {
            assert!(recorded.run_frame(&mut pads, &mut ()).is_continue());
        }
        fs::write(path, recorded.save()).expect("a file");
    }
    let bytes = fs::read(path).expect("a state");
    match console.load(&bytes) {
        Ok(()) => {
            assert!(console.save() == bytes, "it is another when it is saved again");
            assert!(console.frame_number() == 60 && console.run_frame(&mut pads, &mut ()).is_continue());
        }
        Err(error @ StateError::WrongVersion { expected, found }) => {
            let text = error.to_string();
            assert!(text.contains(&expected.to_string()) && text.contains(&found.to_string()), "{text}");
        }
        Err(error) => panic!("the form of states is another and its number is not: {error}"),
    }
}
