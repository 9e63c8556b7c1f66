//! Games as other programs write them down: exported, and read where games are read.

use std::fs;
use std::path::Path;

use super::program::{call, text};

const SECOND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");
const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../notation/tests/it/ngf/level18-230lines.ngf.gz");

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

/// The columns of CSV without the times, which frames tell to the nearest.
fn placements(file: &str) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a file");
    text.lines().map(|line| line.rsplit_once(',').expect("columns").0.to_owned()).collect()
}

#[test]
fn a_kept_game_and_its_recording_have_the_same_placements_on_both_cartridges() {
    for rom in [&[][..], &[SECOND]] {
        let folder = tempfile::tempdir().expect("a folder");
        let keep = path(folder.path(), "games");
        let arguments = ["practice", "tetris", "--option", "level=18", "--pieces", "40", "--seed", "3"];
        let played = call(&arguments).with(&["--keep", &keep, "--json"]).with(rom).json();
        let game = played["kept"].as_str().expect("a file").to_owned();
        let [packed, plain, movie] = ["g.ngf.gz", "g.ngf", "g.fm2"].map(|name| path(folder.path(), name));
        for out in [&packed, &plain, &movie] {
            call(&["practice", "export", &game, "--out", out]).with(rom).printed();
        }
        let by_movie = path(folder.path(), "m.ngf");
        call(&["practice", "export", &movie, "--out", &by_movie]).with(rom).printed();
        assert_eq!(fs::read(&by_movie).ok(), fs::read(&plain).ok());
        fs::copy(&packed, path(&folder.path().join("games"), "g.ngf.gz")).expect("a copy");
        let several = call(&["practice", "report", &keep, "--json"]).with(rom).json();
        assert_eq!(several["games"].as_array().map(Vec::len), Some(2), "the kept game and its recording");
        let of_game = path(folder.path(), "kept.csv");
        call(&["practice", "export", &game, "--out", &of_game]).with(rom).printed();
        let of_game = placements(&of_game);
        assert!(of_game.len() >= 39, "{} lines", of_game.len());
        for recording in [&packed, &plain] {
            let lines = path(folder.path(), "found.csv");
            call(&["practice", "export", recording, "--out", &lines]).printed();
            assert_eq!(placements(&lines), of_game);
            let again = path(folder.path(), "again.jsonl");
            call(&["practice", "export", &lines, "--out", &again]).printed();
            call(&["practice", "export", &again, "--out", &lines]).printed();
            assert_eq!(placements(&lines), of_game);
        }
    }
}

#[test]
fn a_game_of_a_real_console_is_reported_and_analysed_without_what_nobody_knows_of_it() {
    let report = call(&["practice", "report", REAL, "--evaluator", "el-tetris", "--json"]).json();
    let statistics = &report["statistics"];
    assert_eq!((statistics["lines"].as_u64(), statistics["pieces"].as_u64()), (Some(230), Some(592)));
    assert!(
        report["charge"].is_null() && report["finesse"].is_null() && report["taps"] == serde_json::json!([])
    );
    assert_eq!(report["placements"].as_array().map(Vec::len), Some(592));
    let shown = call(&["practice", "report", REAL, "--evaluator", "el-tetris"]).printed();
    assert!(shown.contains("592 placements of 594 that the game counted; 0 of 9274 frames"), "{shown}");
    assert!(!shown.contains("charge") && !shown.contains("finesse"), "{shown}");
    let analysed = call(&["ai", "analyse", REAL, "--json"]).json();
    assert_eq!(analysed["placements"].as_array().map(Vec::len), Some(592));
    let several = call(&["practice", "report", REAL, REAL, "--json"]).json();
    assert_eq!(several["games"][0]["das_loss"], serde_json::Value::Null);
    assert_eq!(several["over"]["lines"], 460);
}

#[test]
fn of_a_damaged_recording_the_frames_before_are_read_and_the_one_at_fault_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = path(folder.path(), "g.ngf");
    let bytes = fs::read(REAL).expect("a game");
    let torn = path(folder.path(), "torn.ngf.gz");
    fs::write(&torn, &bytes[..bytes.len() / 2]).expect("a file");
    let lines = path(folder.path(), "torn.csv");
    let told = call(&["practice", "export", &torn, "--out", &lines]).output();
    assert!(told.status.success());
    let told = text(&told.stderr);
    assert!(told.contains("cannot be unpacked behind frame"), "{told}");
    assert!(placements(&lines).len() > 250);
    fs::write(&plain, [0x68; 40]).expect("a file");
    let refused = call(&["practice", "report", &plain]).refused();
    assert!(refused.contains("frame 1") && refused.contains("found 40"), "{refused}");
    fs::write(&plain, [0xFF; 800]).expect("a file");
    let refused = call(&["ai", "analyse", &plain]).refused();
    assert!(refused.contains("expected a frame of version 1, 2 or 3, found version 7"), "{refused}");
    fs::write(&lines, "board,piece\n").expect("a file");
    let refused = call(&["practice", "report", &lines]).refused();
    assert!(refused.contains("one placement a line"), "{refused}");
}
