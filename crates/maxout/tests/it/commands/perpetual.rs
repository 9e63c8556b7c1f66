//! `maxout ai perpetual-demo`, and games in memory as the cartridge shows them, as their user meets
//! them.

use std::fs;
use std::process::Output;

use serde_json::Value;

use super::program::call;

fn maxout(arguments: &[&str]) -> Output {
    call(arguments).output()
}

fn json(arguments: &[&str]) -> Value {
    call(arguments).json()
}

#[test]
fn the_movie_of_a_perpetual_demo_ends_each_round_on_a_clear_board() {
    let folder = tempfile::tempdir().unwrap();
    let [movie, pieces, memory] = ["demo.fm2", "demo.txt", "ram.bin"].map(|name| folder.path().join(name));
    let [movie, pieces, memory] = [&movie, &pieces, &memory].map(|path| path.to_str().expect("UTF-8"));
    let bounds = ["--shortest", "15", "--longest", "40"];
    let demo = ["ai", "perpetual-demo", "--movie-out", movie, "--pieces-out", pieces, "--json"];
    let report = json(&[&demo[..], &bounds[..]].concat());
    let round = report["pieces"].as_u64().unwrap();
    let frames: Vec<u64> =
        report["frames"].as_array().unwrap().iter().map(|frame| frame.as_u64().unwrap()).collect();
    assert!((15..=40).contains(&round) && frames.len() == 3, "{report}");
    let letters = fs::read_to_string(pieces).unwrap();
    let sequence = report["sequence"].as_str().unwrap();
    assert_eq!(letters.trim_end(), format!("{}{}", sequence.repeat(2), &sequence[..2]));
    for (number, frame) in frames.iter().enumerate() {
        let frames = frame.to_string();
        let replay = [
            "run",
            "--input",
            movie,
            "--pieces",
            pieces,
            "--frames",
            &frames,
            "--dump-ram",
            memory,
            "--json",
        ];
        json(&replay);
        let ram = fs::read(memory).unwrap();
        assert!(ram[0x0400..0x0400 + 200].iter().all(|&cell| cell >= 0xEF), "round {number}");
        // Two digits a byte, low byte first.
        let lines = u64::from(ram[0x50] & 15) + 10 * u64::from(ram[0x50] >> 4) + 100 * u64::from(ram[0x51]);
        assert_eq!(lines, number as u64 * round * 4 / 10);
    }
}

#[test]
fn a_round_of_any_length_is_found_on_the_model() {
    let model = [
        "ai",
        "perpetual-demo",
        "--model",
        "--shortest",
        "500",
        "--longest",
        "5000",
        "--rounds",
        "3",
        "--json",
    ];
    let report = json(&model);
    assert!(report["pieces"].as_u64().unwrap() >= 500 && report["frames"].is_null(), "{report}");
}

#[test]
fn bounds_that_no_game_keeps_are_an_error() {
    let output =
        maxout(&["ai", "perpetual-demo", "--model", "--shortest", "6", "--longest", "9", "--tries", "20"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("20 seeds"), "{output:?}");
    let output = maxout(&["ai", "perpetual-demo", "--shortest", "9", "--longest", "6"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no longer than"), "{output:?}");
}

#[test]
fn the_last_board_of_a_game_is_drawn_as_the_cartridge_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.png");
    let file = path.to_str().expect("UTF-8");
    let play = ["ai", "play", "--pieces", "77", "--seed", "6", "--json"];
    let report = json(&[&play[..], &["--screenshot", file]].concat());
    assert_eq!(report, json(&play), "a game that is drawn is the same game");
    let rows: Vec<u64> =
        report["by_game"][0]["board"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap()).collect();
    assert!(rows.iter().any(|&row| row != 0));
    let picture = image::open(&path).unwrap().to_rgb8();
    // The field's corner, and a pixel within a cell that every tile of a piece paints.
    let pixel = |x: u32, y: u32| *picture.get_pixel(96 + 8 * x + 3, 48 + 8 * y + 3);
    let paper = pixel(5, 0);
    for (y, row) in (0..).zip(rows) {
        for x in 0..10 {
            assert_eq!(pixel(x, y) != paper, row >> x & 1 == 1, "{x}, {y}");
        }
    }
}

#[test]
fn a_game_is_watched_in_a_terminal_and_alone() {
    for (arguments, found) in [
        (&["--watch"][..], "expected a terminal"),
        (&["--watch", "--games", "2"], "--watch: expected one game"),
        (&["--screenshot", "a.png", "--games", "2"], "--screenshot: expected one game"),
        (&["--speed", "3"], "--watch"),
        (&["--watch", "--speed", "0"], "pieces a second"),
    ] {
        let output = maxout(&[&["ai", "play", "--pieces", "1"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(found), "{error}");
    }
}
