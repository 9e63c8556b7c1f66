//! `maxout puzzle` as its user meets it.

use std::path::Path;

use serde_json::Value;

use super::program::call;

const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../notation/tests/it/ngf/level18-230lines.ngf.gz");
const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

fn place(place: &Value) -> String {
    let numbers: Vec<String> = place.as_array().expect("numbers").iter().map(ToString::to_string).collect();
    numbers.join(",")
}

#[test]
fn a_puzzle_is_asked_answered_rated_and_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = path(folder.path(), "puzzles.json");
    let usual = ["puzzle", "--net", NETS, "--store", &store, "--json"];
    let asked = call(&usual).json();
    let link = asked["link"].as_str().expect("a link");
    assert!(link.len() <= 100 && asked["board"].as_array().is_some_and(|rows| rows.len() == 20), "{asked}");
    let places = asked["places"].as_array().expect("places");
    let id = u32::from_str_radix(asked["puzzle"].as_str().expect("a number"), 16).expect("a number");
    let bank = puzzle::Bank::built_in();
    let puzzle = bank.by_id(id).expect("a puzzle of the bank");
    let [best, then] =
        [puzzle.best, puzzle.then].map(|place| format!("{},{},{}", place.x, place.y, place.orientation.id()));
    assert!(places.iter().any(|shown| place(shown) == best), "{asked}");
    let judge = |first: &str, then: &str| call(&usual).with(&[link, "--answer", first, "--answer", then]);
    let solved = judge(&best, &then).json();
    assert_eq!((solved["grade"].as_str(), &solved["puzzle"]), (Some("solved"), &asked["puzzle"]));
    let wrong = place(&places[0]);
    let history = call(&usual).with(&["--history"]).json();
    assert!(history["answered"] == 1 && history["rating"].as_f64() > Some(1_500.0), "{history}");
    let command = ["puzzle", "history", "--store", &store];
    assert_eq!(call(&command).with(&["--json"]).json(), history);
    assert_eq!(history["days"].as_array().map(Vec::len), Some(1));
    let shown = call(&command).printed();
    assert!(shown.contains("answered   1 of ") && !shown.contains('●'), "{shown}");
    judge(&best, &then).json();
    let shown = call(&command).with(&["--last", "1"]).printed();
    assert!(shown.contains('●') && shown.matches("days ago").count() == 1, "{shown}");
    let refused = judge("9,0,2", &wrong).refused();
    assert!(refused.contains("cannot be brought to") || refused.contains("orientation"), "{refused}");
}

#[test]
fn the_puzzle_of_the_day_is_the_same_for_all_and_themes_are_asked_for() {
    let daily = |store: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let store = path(folder.path(), store);
        call(&["puzzle", "--daily", "--net", NETS, "--store", &store, "--json"]).json()
    };
    assert_eq!(daily("a.json")["link"], daily("b.json")["link"]);
    let folder = tempfile::tempdir().expect("a folder");
    let store = path(folder.path(), "puzzles.json");
    let usual = ["puzzle", "--net", NETS, "--store", &store];
    let dig = call(&usual).with(&["--theme", "dig", "--json"]).json();
    assert!(dig["themes"].as_array().is_some_and(|themes| themes.contains(&"dig".into())), "{dig}");
    let shown = call(&usual).printed();
    assert!(shown.contains("taps a second") && shown.contains("maxout:"), "{shown}");
    let refused = call(&usual).with(&["maxout:AAAA"]).refused();
    assert!(refused.contains("expected a link of Maxout"), "{refused}");
}

#[test]
fn puzzles_are_made_of_a_game_and_checked_by_playing_them_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let bank = path(folder.path(), "bank.bin");
    let make =
        ["puzzle", "make", "--net", NETS, "--out", &bank, "--games", "1", REAL, "--json", "--confirm", "10"];
    let made = call(&make).json();
    let puzzles = made["puzzles"].as_u64().expect("a number");
    assert!(puzzles >= 10 && made["positions"].as_u64() > Some(600), "{made}");
    let first = std::fs::read(&bank).expect("a bank");
    call(&make).printed();
    assert_eq!(std::fs::read(&bank).expect("a bank"), first, "the same games make the same bank");
    let check = ["puzzle", "check", "--net", NETS, "--bank", &bank, "--sample", "6", "--games", "20"];
    let checked = call(&check).with(&["--json"]).json();
    assert_eq!((checked["puzzles"].as_u64(), checked["games"].as_u64()), (Some(6), Some(20)));
    assert!(checked["won"].as_f64() >= Some(50.0), "{checked}");
    // Those that do not win are left out of another bank: with two games each, some do not.
    let better = path(folder.path(), "better.bin");
    let all = ["puzzle", "check", "--net", NETS, "--sample", "1000", "--games", "2", "--json"];
    let checked = call(&all).with(&["--bank", &bank, "--out", &better]).json();
    let lost = checked["checked"].as_array().expect("puzzles").iter();
    let lost = lost.filter(|checked| checked["points"].as_f64() <= Some(0.0)).count() as u64;
    let left = call(&all).with(&["--bank", &better]).json()["puzzles"].as_u64();
    assert!(lost > 0 && left == Some(puzzles - lost), "{left:?} of {puzzles} without {lost}");
    let store = path(folder.path(), "puzzles.json");
    let own = call(&["puzzle", "--net", NETS, "--store", &store, "--from", REAL, "--json"]).json();
    assert!(own["link"].is_string());
    let refused = call(&["puzzle", "check", "--net", NETS, "--bank", REAL]).refused();
    assert!(refused.contains("expected a bank of puzzles"), "{refused}");
}
