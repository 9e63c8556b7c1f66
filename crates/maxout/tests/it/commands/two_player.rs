//! `maxout tetris two-player` as its user meets it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use sha1::{Digest, Sha1};

use super::program::call;

const IMAGE: &[u8] = include_bytes!("../../../../../roms/maxout.nes");

fn two_player(folder: &Path, arguments: &[&str]) -> Output {
    call(&["tetris", "two-player"]).with(arguments).inside(folder).output()
}

fn standing(folder: &Path, arguments: &[&str]) -> Value {
    call(&["tetris", "two-player"]).with(arguments).inside(folder).json()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn both_sides_clear_rows_and_what_one_sends_the_other_gets() {
    let folder = tempfile::tempdir().expect("a folder");
    let played = standing(folder.path(), &["--frames", "12000", "--level", "9", "--seed", "3", "--json"]);
    assert!(played["over"] == true || played["frames"] == 12_000);
    let players = played["players"].as_array().expect("two players");
    let mut exchanged = 0;
    for (player, other) in [(&players[0], &players[1]), (&players[1], &players[0])] {
        let clears: Vec<u64> = player["clears"].as_array().expect("four").iter().map(number).collect();
        assert!(clears.iter().sum::<u64>() > 0, "{player}");
        // What has been cleared but not counted yet is at most the last clear.
        let rows: u64 = clears.iter().zip(1..).map(|(clears, rows)| clears * rows).sum();
        assert!((rows - 4..=rows).contains(&number(&player["lines"])), "{player}");
        let garbage: u64 = clears.iter().zip([0, 1, 2, 4]).map(|(clears, rows)| clears * rows).sum();
        assert_eq!(number(&player["sent"]), garbage, "{player}");
        assert_eq!(number(&other["received"]) + number(&other["pending"]), garbage, "{other}");
        exchanged += garbage;
    }
    assert!(exchanged > 0, "no garbage in {played}");
}

#[test]
fn the_picture_has_both_fields_side_by_side_and_a_seed_plays_the_same_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--frames", "1200", "--hands", "random", "--json", "--out", "two.png"];
    let first = standing(folder.path(), &arguments);
    let picture = image::open(folder.path().join("two.png")).expect("a picture").into_rgb8();
    assert_eq!(picture.dimensions(), (256, 240));
    for (player, left) in [(0, 32), (1, 144)] {
        let field = first["players"][player]["field"].as_array().expect("rows");
        let taken =
            |x: u32, y: u32| field[y as usize].as_str().expect("a row").as_bytes()[x as usize] == b'#';
        let lit = |x: u32, y: u32| picture.get_pixel(left + 8 * x + 3, 48 + 8 * y + 3).0 != [0; 3];
        let cells = || (0..20).flat_map(|y| (0..10).map(move |x| (x, y)));
        assert!(cells().any(|(x, y)| taken(x, y)), "player {player} has locked a piece");
        assert!(cells().all(|(x, y)| !taken(x, y) || lit(x, y)), "player {player}");
        // What is lit without being taken is the piece in play, at most.
        assert!(cells().filter(|&(x, y)| lit(x, y) && !taken(x, y)).count() <= 4, "player {player}");
    }
    assert_eq!(first, standing(folder.path(), &arguments));
    assert_ne!(first, standing(folder.path(), &[&arguments[..], &["--seed", "9"]].concat()));
}

/// The number of players that `play_mode` compares with: at 3, a second player never comes.
#[test]
fn a_cartridge_without_the_mode_is_named_in_one_line() {
    const COMPARE: &[u8] = &[0xA5, 0xA7, 0xA6, 0xBE, 0xE0, 2];
    let folder = tempfile::tempdir().expect("a folder");
    let mut image = IMAGE.to_vec();
    let place = image.windows(COMPARE.len()).position(|bytes| bytes == COMPARE).expect("play_mode");
    image[place + COMPARE.len() - 1] = 3;
    let hash = Sha1::digest(&image).iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
    std::fs::write(folder.path().join("alone.nes"), image).expect("a file");
    let profile = format!("name = \"Alone\"\nsha1 = [\"{hash}\"]\n");
    std::fs::write(folder.path().join("alone.toml"), profile).expect("a file");
    let output = two_player(folder.path(), &["alone.nes", "--profile", "alone.toml", "--out", "two.png"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: alone.nes: expected a second player"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(!folder.path().join("two.png").exists());
}
