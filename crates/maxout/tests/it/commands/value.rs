//! `maxout ai value` as its user meets it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::call;

fn printed(arguments: &[&str]) -> String {
    call(&["ai", "value"]).with(arguments).printed()
}

fn refused(arguments: &[&str]) -> String {
    call(&["ai", "value"]).with(arguments).refused()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON value")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let game = ["play", "--from", "420", "--json", "--games"];
    let mut whole = json(&printed(&[&game[..], &["6", "--threads", "1"]].concat()));
    let out = ["--out", text(&file)];
    printed(&[&game[..], &["2"], &out].concat());
    // A line that was cut short is played again.
    let cut = fs::read_to_string(&file).unwrap() + "{\"seed\":";
    fs::write(&file, cut).unwrap();
    let mut resumed = json(&printed(&[&game[..], &["6"], &out, &["--resume"]].concat()));
    assert_eq!(whole["games"], 6);
    for report in [&mut whole, &mut resumed] {
        report["decisions_per_second"] = Value::Null;
    }
    assert_eq!(whole, resumed);
    assert!(refused(&[&game[..], &["6"], &out].concat()).contains("games.jsonl"));
    let other = ["play", "--el-tetris", "--from", "420", "--games", "2", "--resume"];
    assert!(refused(&[&other[..], &out].concat()).contains("another format, player or start"));
}

#[test]
fn a_tuning_that_was_stopped_goes_on_to_the_same_bytes_and_its_weights_play() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken, weights, picture] =
        ["whole.json", "broken.json", "weights.json", "course.svg"].map(|name| folder.path().join(name));
    let plan = [
        "tune",
        "--speed",
        "39",
        "--lead",
        "4",
        "--games",
        "2",
        "--candidates",
        "4",
        "--seed",
        "3",
        "--quiet",
    ];
    let checkpoint = |path| ["--checkpoint", text(path), "--generations"];
    printed(&[&plan[..], &checkpoint(&whole), &["4"]].concat());
    printed(&[&plan[..], &checkpoint(&broken), &["1"]].concat());
    for generations in ["3", "4"] {
        let files = ["--out", text(&weights), "--report", text(&picture)];
        let resume = ["tune", "--resume", "--quiet"];
        printed(&[&resume[..], &checkpoint(&broken), &[generations], &files].concat());
    }
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
    assert!(fs::read_to_string(&picture).unwrap().contains("<svg"));
    let report = printed(&["play", "--weights", text(&weights), "--from", "424", "--games", "2", "--tuning"]);
    assert!(report.contains("2 games"), "{report}");
    fs::write(&broken, "{\"maxout_value_tuning\":1}").unwrap();
    assert!(refused(&["tune", "--resume", "--checkpoint", text(&broken)]).contains("tuning"));
    let twice = ["tune", "--checkpoint", text(&whole), "--resume", "--out", text(&whole)];
    assert!(refused(&twice).contains("--out"));
    fs::write(&weights, "{}").unwrap();
    let message = refused(&["play", "--weights", text(&weights)]);
    assert!(message.contains("maxout ai value tune --out"), "{message}");
}

#[test]
fn a_net_that_was_trained_in_two_goes_is_that_of_one_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken, net] = ["whole.train", "broken.train", "39.net"].map(|name| folder.path().join(name));
    let plan = ["train", "--speed", "39", "--games", "3", "--seed", "3", "--quiet", "--rounds"];
    printed(&[&plan[..], &["2", "--checkpoint", text(&whole)]].concat());
    printed(&[&plan[..], &["1", "--checkpoint", text(&broken)]].concat());
    let resume = ["train", "--resume", "--quiet", "--rounds", "2", "--checkpoint", text(&broken)];
    printed(&[&resume[..], &["--out", text(&net)]].concat());
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
    let report = json(&printed(&["play", "--net", text(&net), "--from", "420", "--games", "2", "--json"]));
    assert_eq!(report["games"], 2);
    assert!(refused(&["play", "--net", text(&whole)]).contains("MAXOUTVN"));
    for caution in ["1.5", "-1", "NaN", "much"] {
        let caution = format!("--caution={caution}");
        let message = refused(&["play", "--net", text(&net), &caution]);
        assert!(message.contains("expected a number from 0 to 1"), "{message}");
    }
    // A folder stands for the nets in it.
    let play = ["play", "--from", "420", "--games", "2", "--ahead", "3,2", "--json", "--net"];
    let [by_file, by_folder] = [text(&net), text(folder.path())].map(|path| {
        let mut report = json(&printed(&[&play[..], &[path]].concat()));
        report["decisions_per_second"] = Value::Null;
        report
    });
    assert_eq!(by_file, by_folder);
    assert_eq!(by_file["games"], 2);
    fs::remove_file(&net).unwrap();
    assert!(refused(&["play", "--net", text(folder.path())]).contains("found a folder without any"));
    let depths = ["3", "3,2"].map(|ahead| {
        json(&printed(&["play", "--from", "390", "--games", "2", "--json", "--ahead", ahead]))["score"]
            .clone()
    });
    assert_ne!(depths[0], depths[1], "a third piece changes nothing");
    for ahead in ["0", "401", "1,2,3", "six", "3,"] {
        let message = refused(&["play", "--games", "1", "--ahead", ahead]);
        assert!(message.contains("expected one number from 1 to 400, or 2"), "{message}");
    }
}
