//! Other pieces in the game, and the forecast of its own: the program as its user meets it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::program::{call, text};

const MOVIE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/movies/game.fm2");
const OTHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/tests/single_screen.nes");

fn maxout(folder: &Path, arguments: &[&str]) -> Output {
    call(arguments).inside(folder).output()
}

/// RAM after 1,500 frames of the movie with these arguments.
fn ram(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let run = ["run", "--input", MOVIE, "--frames", "1500", "--no-sound", "--dump-ram", "ram.bin"];
    let output = maxout(folder, &[&run[..], arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::read(folder.join("ram.bin")).expect("RAM was written")
}

fn next(ram: &[u8]) -> u8 {
    ram[tetris::ram::NEXT_PIECE.at()]
}

#[test]
fn a_run_with_a_sequence_has_its_pieces_from_letters_a_file_or_a_recorded_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let spawn = tetris::Orientation::spawn(tetris::Piece::I).id();
    let letters = "I".repeat(60);
    assert_eq!(next(&ram(folder, &["--pieces", &letters])), spawn);
    std::fs::write(folder.join("pieces.txt"), &letters).expect("a file");
    assert_eq!(next(&ram(folder, &["--pieces", "pieces.txt"])), spawn);

    // The pieces of the movie's own game, by the events of it: then nothing is different.
    let watch = ["tetris", "watch", "--movie", MOVIE, "--frames", "1500", "--json"];
    std::fs::write(folder.join("game.jsonl"), maxout(folder, &watch).stdout).expect("a file");
    assert_eq!(ram(folder, &["--pieces", "game.jsonl"]), ram(folder, &[]));
}

#[test]
fn a_run_with_a_randomizer_is_the_run_with_the_pieces_it_deals() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let dealt = maxout(folder, &["randomizer", "deal", "tgm3", "--seed", "7", "-n", "100"]);
    let letters = text(&dealt.stdout);
    let by_seed = ram(folder, &["--randomizer", "tgm3", "--seed", "7"]);
    assert_eq!(by_seed, ram(folder, &["--pieces", letters.trim()]));
    assert_ne!(by_seed, ram(folder, &[]));
}

#[test]
fn what_is_no_sequence_is_one_line_and_status_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("bad.txt"), "TJX").expect("a file");
    std::fs::write(folder.join("empty.txt"), "\n").expect("a file");
    for (arguments, wanted) in [
        (&["run", "--pieces", "TJX"][..], "TJX: no such file"),
        (&["run", "--pieces", "bad.txt"], "bad.txt: expected letters of TJZOSLI"),
        (&["run", "--pieces", "empty.txt"], "empty.txt: expected letters of TJZOSLI"),
        (&["run", "--pieces", ""], ": no such file"),
        (&["run", OTHER, "--randomizer", "tgm3"], "only works with Tetris; this ROM isn't recognised"),
        (&["run", "--randomizer", "tgm3", "--seed", "x"], "seed"),
        (&["run", "--randomizer", "tgm9"], "expected one of nes, sega"),
        (&["run", "--seed", "7"], "--randomizer"),
        (&["tetris", "forecast"], "frame 0: expected a game being played"),
        (&["tetris", "forecast", OTHER], "only works with Tetris; this ROM isn't recognised"),
    ] {
        let output = maxout(folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(wanted), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_forecast_of_a_pick_of_the_movie_is_what_the_game_picks() {
    let folder = tempfile::tempdir().expect("a folder");
    let watch = ["tetris", "watch", "--movie", MOVIE, "--frames", "3000", "--json"];
    let events = text(&maxout(folder.path(), &watch).stdout);
    let spawns: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event"))
        .filter(|event: &Value| event["event"] == "spawn" && event["number"].as_u64() > Some(1))
        .collect();
    assert!(spawns.len() >= 5, "{} pieces", spawns.len());
    // Each forecast plays the movie up to its frame.
    for spawn in spawns.iter().step_by(2) {
        for ahead in [1, 20] {
            let frame = spawn["frame"].as_u64().expect("a number");
            let frames = (frame - ahead).to_string();
            let arguments =
                ["tetris", "forecast", "--movie", MOVIE, "--frames", &frames, "-n", "20", "--json"];
            let output = maxout(folder.path(), &arguments);
            let forecast: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let pick = &forecast["picks"][ahead as usize - 1];
            assert_eq!(pick["frame"], spawn["frame"]);
            assert_eq!(pick["piece"], spawn["next"], "{forecast}");
            assert_eq!(forecast["next"], spawn["piece"]);
        }
    }
}
