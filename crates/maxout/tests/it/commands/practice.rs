//! `maxout practice` as its user meets it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::program::{PROGRAM, call};

const SECOND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");

#[test]
fn the_list_has_every_mode_with_its_numbers() {
    let listed = call(&["practice", "--list", "--json"]).json();
    let modes = listed["modes"].as_array().expect("modes");
    assert_eq!(modes.len(), 21);
    let floor = modes.iter().find(|mode| mode["name"] == "floor").expect("floor");
    assert_eq!((floor["least"].as_u64(), floor["most"].as_u64()), (Some(0), Some(12)));
    let text = call(&["practice", "--list"]).printed();
    assert!(text.contains("floor=0..12") && text.contains("cap-effect"), "{text}");
}

#[test]
fn a_mode_is_played_on_both_cartridges_and_says_what_came_of_it() {
    for rom in [&[][..], &[SECOND]] {
        let arguments =
            ["practice", "garbage=0", "--option", "level=9", "--pieces", "12", "--seed", "3", "--json"];
        let played = call(&[&arguments[..], rom].concat()).json();
        assert_eq!(
            (played["mode"].as_str(), played["outcome"].as_str()),
            (Some("garbage=0"), Some("playing"))
        );
        assert!(played["statistics"]["pieces"].as_u64() >= Some(10), "{played}");
    }
    let pressed =
        call(&["practice", "tap=1", "--press", "a left:1 .:1 left:1", "--frames", "900", "--json"]).json();
    assert_eq!(pressed["frames"].as_u64(), Some(900));
}

#[test]
fn a_game_is_another_each_time_and_its_seed_plays_it_again() {
    for rom in [&[][..], &[SECOND]] {
        let play = |seed: &[&str]| {
            let arguments = ["practice", "tetris", "--option", "level=18", "--pieces", "3", "--json"];
            call(&[&arguments[..], seed, rom].concat()).json()
        };
        let [one, other] = [play(&[]), play(&[])];
        assert_ne!(one["seed"], other["seed"]);
        let seed = one["seed"].to_string();
        let again = play(&["--seed", &seed]);
        assert_eq!((&again["state"], &again["statistics"]), (&one["state"], &one["statistics"]));
        assert_ne!(play(&["--seed", "1"])["state"], play(&["--seed", "2"])["state"]);
    }
}

#[test]
fn a_kept_game_replays_to_its_state_is_listed_exported_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let arguments = [
        "practice", "pace=10", "--option", "level=18", "--pieces", "5", "--seed", "3", "--keep", path,
        "--json",
    ];
    let played = call(&arguments).json();
    let game = played["kept"].as_str().expect("a file").to_owned();
    let replayed = call(&["practice", "replay", &game, "--json"]).json();
    assert_eq!((&replayed["state"], &replayed["statistics"]), (&played["state"], &played["statistics"]));
    let listed = call(&["practice", "games", path, "--json"]).json();
    assert_eq!((listed[0]["mode"].as_str(), listed[0]["lost_bytes"].as_u64()), (Some("pace=10"), Some(0)));
    let movie = folder.path().join("game.fm2");
    let movie = movie.to_str().expect("UTF-8");
    call(&["practice", "export", &game, "--out", movie]).printed();
    let run = call(&["run", "--input", movie, "--no-sound", "--no-video", "--json"]).json();
    assert_eq!(run["state"], played["state"]);
    let page = folder.path().join("game.html");
    let out = page.to_str().expect("UTF-8");
    call(&["practice", "report", &game, "--html", "--out", out]).printed();
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.contains("<svg") && html.contains("position") && !html.contains("http"));
    let report = call(&["practice", "report", &game, "--json"]).json();
    assert!(report["worst"].as_array().is_some_and(|worst| worst.len() <= 10));
    assert!(report["holes"]["oldest"].is_u64() && html.contains("Holes by age"), "{report}");
    assert!(html.contains("Taps a second, needed and made") && html.contains("column 10"));
    let points = ["practice", "report", &game, "--evaluator", "points", "--hertz", "16", "--reaction", "20"];
    let points = call(&[&points[..], &["--json"]].concat()).json();
    let unit = points["unit"].as_str().expect("a unit");
    assert!(unit.contains("bt-15hz-20f-cartridge") && points["unrated"] == 0, "{points}");
    assert!(unit.starts_with("points of") && points["in_points"] == true, "{points}");
    let dear = points["worst"].as_array().expect("placements");
    assert!(dear.iter().all(|dear| dear["loss"]["error"].as_f64() >= Some(0.0)), "{points}");
    let nets = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");
    let by_nets = call(&["practice", "report", &game, "--net", nets, "--hertz", "30", "--json"]).json();
    let unit = by_nets["unit"].as_str().expect("a unit");
    assert!(unit.starts_with("points of") && by_nets["unrated"] == 0, "{by_nets}");
    // Weights say tens, points thousands.
    assert!(by_nets["mean_cost"].as_f64() > Some(100.0), "{by_nets}");
    for evaluator in ["weights", "article"] {
        let report = ["practice", "report", &game, "--evaluator", evaluator];
        let other = call(&report).with(&["--json"]).json();
        let unit = other["unit"].as_str().expect("a unit");
        assert!(unit.contains(evaluator) && other["in_points"] == false, "{other}");
        let printed = call(&report).printed();
        assert!(printed.contains("do not compare"), "{printed}");
        let error = call(&report).with(&["--net", nets]).refused();
        assert!(error.contains("--evaluator points"), "{error}");
    }
    let printed = call(&["practice", "report", &game]).printed();
    assert!(!printed.contains("do not compare") && printed.contains("; best column"), "{printed}");
    let position = played["position"].as_str().expect("a position");
    let on = call(&["practice", "tetris", "--position", position, "--pieces", "5", "--seed", "3", "--json"])
        .json();
    assert_eq!(on["level"], 18);
}

#[test]
fn what_is_wrong_is_refused_with_what_was_expected() {
    for (arguments, word) in [
        (&["practice", "flor"][..], "expected one of tetris"),
        (&["practice", "floor=13"], "0 to 12"),
        (&["practice", "tetris", "--option", "level=300"], "0 to 255"),
        (&["practice", "tetris", "--press", "lft"], "lft"),
        (&["practice", "tetris", "--position", "1 2 3"], "12 words"),
        (&["practice", "replay", SECOND], "MXGAME"),
        (&["practice", "taps", "--level", "256"], "256"),
        (&["practice", "taps", "--reaction", "61"], "61"),
        (&["practice", "taps", SECOND], "expected games"),
        (&["practice", "report", "gone.mxgame", "--evaluator", "best"], "points"),
    ] {
        let error = call(arguments).refused();
        assert!(error.contains(word), "{error}");
    }
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/tests/single_screen.nes");
    assert!(call(&["practice", "tetris", other]).refused().contains("the practice suite"));
}

#[test]
fn a_game_from_a_position_is_kept_and_exported_as_a_gif_but_not_as_a_movie() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let position = "1 0 T I 18 120 500000 16 8988 7 513 56BBA458";
    for rom in [None, Some(SECOND)] {
        let mut arguments = vec!["practice", "tetris"];
        arguments.extend(rom);
        arguments.extend(["--position", position, "--pieces", "9", "--seed", "3", "--keep", path, "--json"]);
        let played = call(&arguments).json();
        let game = played["kept"].as_str().expect("a file").to_owned();
        let with = |words: &[&str]| {
            let mut arguments = vec!["practice", words[0], &game];
            arguments.extend(rom);
            arguments.extend(&words[1..]);
            call(&arguments)
        };
        let replayed = with(&["replay", "--json"]).json();
        assert_eq!((&replayed["state"], &replayed["statistics"]), (&played["state"], &played["statistics"]));
        let out = |ending: &str| {
            folder.path().join("game").with_extension(ending).to_str().expect("UTF-8").to_owned()
        };
        assert!(with(&["export", "--out", &out("fm2")]).refused().contains("position"));
        assert!(with(&["export", "--out", &out("avi")]).refused().contains(".gif or .mp4"));
        if cfg!(feature = "window") {
            with(&["export", "--out", &out("gif")]).printed();
            let bytes = std::fs::read(out("gif")).expect("a GIF");
            assert!(bytes.starts_with(b"GIF89a") && bytes.len() > 10_000);
        }
    }
}

/// Kills the program so many times at moments of chance and looks at what is left.
#[cfg(unix)]
fn kill(times: u32, seed: u64) {
    let mut random = tetris::SplitMix64::new(seed);
    for _ in 0..times {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(PROGRAM)
            .args([
                "practice",
                "tetris",
                "--option",
                "level=18",
                "--frames",
                "100000",
                "--progress",
                "1",
                "--keep",
            ])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let wanted = 1 + random.below(3_000);
        let mut played = 0_u64;
        for _ in 0..wanted {
            let Some(Ok(line)) = lines.next() else { break };
            played = line.strip_prefix("frame ").and_then(|frame| frame.parse().ok()).unwrap_or(played);
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let files: Vec<PathBuf> =
            std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.path()).collect();
        let bytes = std::fs::read(&files[0]).expect("a game");
        let game = practice::Kept::read(&bytes).expect("a game that can be read");
        assert!(game.frames.len() as u64 + 60 >= played, "{} of {played} frames", game.frames.len());
    }
}

#[cfg(unix)]
#[test]
fn a_game_is_there_up_to_its_last_second_whenever_the_program_is_killed() {
    kill(5, 9);
}

#[cfg(unix)]
#[test]
#[ignore = "takes a while; cargo test -p maxout --test it killed -- --ignored"]
fn a_game_is_there_up_to_its_last_second_when_the_program_is_killed_a_hundred_times() {
    kill(100, 10);
}

#[test]
fn on_pal_taps_are_counted_in_its_seconds_and_needed_by_its_gravity() {
    const PAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-pal.nes");
    let table = call(&["practice", "taps", "--level", "29", "--region", "pal", "--json"]).json();
    assert_eq!(
        (table["pal"].as_bool(), table["needed"][0]["rows"][8][0]["hertz"].as_f64()),
        (Some(true), Some(20.0))
    );
    let text = call(&["practice", "taps", "--region", "pal"]).printed();
    assert!(text.contains("level 18 on PAL (2 frames a row)"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let press = ".:1 a+left:2 .:2 left:2 .:2 left:2 .:2 left:2 .:2 left:2 .:400";
    let played =
        call(&["practice", "tap=8", "--press", press, "--pieces", "2", "--keep", path, "--json", PAL]).json();
    assert_eq!(played["hits"].as_u64(), Some(1), "{played}");
    let made = call(&["practice", "taps", path, PAL, "--json"]).json();
    assert_eq!(made["pal"].as_bool(), Some(true), "the ROM's: {made}");
    assert!((made["made"][0]["made"].as_f64().expect("Hz") - 12.5).abs() < 0.1, "{made}");
}

#[test]
fn the_table_of_taps_has_every_column_and_what_was_made_in_games() {
    let table = call(&["practice", "taps", "--level", "29", "--reaction", "2", "--json"]).json();
    assert_eq!((table["needed"].as_array().map(Vec::len), table["games"].as_u64()), (Some(1), Some(0)));
    let row = &table["needed"][0]["rows"][5];
    assert_eq!(
        (row[0]["height"].as_u64(), row[0]["taps"].as_u64(), row[9]["taps"].as_u64()),
        (Some(5), Some(5), Some(4))
    );
    assert!(row[0]["hertz"].as_f64() >= row[9]["hertz"].as_f64() && row[0]["frames"].is_u64(), "{row}");
    let text = call(&["practice", "taps"]).printed();
    assert!(text.contains("level 18") && text.contains("level 29 (1 frames a row)"), "{text}");
    // An I is tapped into column 0 over a tower in column 1.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    for rom in [&[][..], &[SECOND]] {
        let press = ".:1 a+left:2 .:2 left:2 .:2 left:2 .:2 left:2 .:2 left:2 .:400";
        let tap = ["practice", "tap=8", "--press", press, "--pieces", "2", "--keep", path, "--json"];
        let played = call(&[&tap[..], rom].concat()).json();
        assert_eq!(played["hits"].as_u64(), Some(1), "{played}");
    }
    let made = call(&["practice", "taps", path, "--json"]).json();
    let rows = made["made"].as_array().expect("rows");
    assert_eq!(
        (made["games"].as_u64(), rows.len(), rows[0]["placements"].as_u64()),
        (Some(2), 1, Some(2)),
        "{made}"
    );
    assert_eq!((rows[0]["level"].as_u64(), rows[0]["column"].as_u64()), (Some(0), Some(0)));
    assert!((rows[0]["made"].as_f64().expect("Hz") - 15.0).abs() < 0.2, "{made}");
}
