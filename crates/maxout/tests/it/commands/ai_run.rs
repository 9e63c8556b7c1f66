//! `maxout ai run` as its user meets it, on the built-in cartridge.

use serde_json::Value;

use super::program::call;

fn json(arguments: &[&str]) -> Value {
    call(arguments).json()
}

fn refused(arguments: &[&str]) -> String {
    call(arguments).refused()
}

#[test]
fn a_movie_of_the_buttons_replays_to_the_same_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let movie = folder.path().join("game.fm2");
    let movie = movie.to_str().expect("a path in UTF-8");
    let played = json(&["ai", "run", "--level", "18", "--lines", "6", "--movie-out", movie, "--json"]);
    let game = &played["games"][0];
    assert_eq!((game["ending"].as_str(), game["level"].as_u64()), (Some("limit"), Some(18)));
    assert_eq!((game["mispredictions"].as_u64(), played["mode"].as_str()), (Some(0), Some("gamepad")));
    let replayed = json(&["run", "--input", movie, "--no-sound", "--no-video", "--json"]);
    assert_eq!(replayed["state"], game["state"]);
    assert_eq!(replayed["frames"], game["frames"]);
}

#[test]
fn games_differ_by_their_seed_and_agree_with_themselves() {
    let arguments = ["ai", "run", "--games", "3", "--seed", "7", "--pieces", "12", "--json"];
    let (first, second) = (json(&arguments), json(&arguments));
    let states = |report: &Value| {
        let games = report["games"].as_array().expect("games").clone();
        games.iter().map(|game| (game["seed"].clone(), game["state"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(states(&first), states(&second));
    assert_eq!(first["games"][2]["seed"], 9);
    assert!(states(&first).windows(2).all(|pair| pair[0].1 != pair[1].1));
}

#[test]
fn a_won_game_is_counted_and_pictured_in_its_ending_on_two_cartridges() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("ending.png");
    let path = picture.to_str().expect("a path in UTF-8");
    let arguments =
        ["ai", "run", "--mode", "teleport", "--type", "b", "--height", "2", "--screenshot", path, "--json"];
    let second = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");
    for rom in [&[][..], &[second]] {
        let report = json(&[&arguments, rom].concat());
        let game = &report["games"][0];
        assert_eq!((game["ending"].as_str(), game["lines"].as_u64()), (Some("won"), Some(0)), "{game}");
        let cleared = game["clears"].as_array().expect("four counts").iter().zip(1..);
        assert!(cleared.map(|(count, rows)| count.as_u64().expect("a count") * rows).sum::<u64>() >= 25);
        assert!(std::fs::metadata(&picture).expect("a picture").len() > 1_000);
        std::fs::remove_file(&picture).expect("a picture that was written");
    }
}

#[test]
fn dealt_pieces_take_the_place_of_the_games() {
    let count = |kind| {
        let arguments = ["ai", "run", "--mode", "teleport", "--randomizer", kind, "--pieces", "30", "--json"];
        json(&arguments)["games"][0]["state"].clone()
    };
    assert_ne!(count("tgm3"), count("tetrio-7bag"));
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let movie = ["ai", "run", "--movie-out", "never.fm2"];
    for more in [["--mode", "path"], ["--level", "20"], ["--guard", "--json"]] {
        let error = refused(&[&movie[..], &more[..]].concat());
        assert!(error.contains("buttons alone"), "{error}");
    }
    assert!(refused(&["ai", "run", "--games", "2", "--screenshot", "never.png"]).contains("--games 2"));
    assert!(refused(&["ai", "run", "--mode", "hands"]).contains("teleport, path, gamepad"));
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/tests/single_screen.nes");
    assert!(refused(&["ai", "run", other]).contains("only works with Tetris; this ROM isn't recognised"));
}
