//! Reports over several games.

use std::path::Path;

use serde_json::Value;

use super::program::call;

const SECOND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");

/// Has the computer play a game that is kept in `folder`. Returns its file.
fn keep(folder: &str, rom: Option<&str>, words: &[&str]) -> String {
    let arguments = [&["practice"], words, rom.as_slice(), &["--keep", folder, "--json"]].concat();
    call(&arguments).json()["kept"].as_str().expect("a file").to_owned()
}

/// Plays a kept game of the computer again by its buttons alone, as a player would, so that it
/// counts. Returns its file.
fn again(folder: &str, rom: Option<&str>, mode: &str, game: &str) -> String {
    let movie = Path::new(game).with_extension("fm2");
    let movie = movie.to_str().expect("UTF-8");
    call(&[&["practice", "export", game], rom.as_slice(), &["--out", movie]].concat()).printed();
    let kept = keep(folder, rom, &[mode, "--option", "level=18", "--input", movie]);
    std::fs::remove_file(movie).expect("a file");
    kept
}

fn report(path: &str, rom: Option<&str>) -> Value {
    call(&[&["practice", "report", path], rom.as_slice(), &["--json"]].concat()).json()
}

#[test]
fn only_the_players_own_games_count_in_every_figure_over_several_games() {
    for rom in [None, Some(SECOND)] {
        let [all, own] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let [all, own] = [&all, &own].map(|folder| folder.path().to_str().expect("UTF-8"));
        let pieces = ["--pieces", "14", "--seed", "3"];
        let computer = keep(all, rom, &[&["tetris", "--option", "level=18"], &pieces[..]].concat());
        let position = ["--position", "1 0 T I 18 120 500000 16 8988 7 513 56BBA458"];
        keep(all, rom, &[&["tetris"], &position[..], &pieces].concat());
        keep(all, rom, &[&["transition=4"], &pieces[..]].concat());
        let player = again(all, rom, "tetris", &computer);
        std::fs::copy(&player, Path::new(own).join("player.mxgame")).expect("a copy");

        let (several, one) = (report(all, rom), report(own, rom));
        // One game alone is reported as one; a folder is reported as several.
        assert_eq!(
            (&several["over"]["counted"], several["games"].as_array().map(Vec::len)),
            (&1.into(), Some(4))
        );
        for (figure, value) in one["over"].as_object().expect("figures") {
            assert_eq!(&several["over"][figure], value, "{figure}");
        }
        assert!(
            one["over"]["pieces"].as_u64() >= Some(13)
                && one["over"]["made"].as_array().is_some_and(|made| !made.is_empty()),
            "{one}"
        );
        let taps = |path| call(&[&["practice", "taps", path], rom.as_slice(), &["--json"]].concat()).json();
        let (several, one) = (taps(all), taps(own));
        assert_eq!((&several["made"], &several["games"]), (&one["made"], &1.into()));
        assert_eq!(several["not_counted"], 3, "{several}");

        let listed = call(&["practice", "games", all, "--json"]).json();
        let notes = |by: &str, from: &str| {
            let games = listed.as_array().into_iter().flatten();
            games.filter(|game| game["by"] == by && game["from"] == from).count()
        };
        assert_eq!(
            (notes("player", "start"), notes("computer", "start"), notes("computer", "position")),
            (1, 1, 1),
            "{listed}"
        );
        let page = Path::new(own).join("games.html");
        let out = page.to_str().expect("UTF-8");
        call(&[&["practice", "report", all], rom.as_slice(), &["--html", "--out", out]].concat()).printed();
        let html = std::fs::read_to_string(&page).expect("a page");
        let score = html.split("<h2>").find(|chart| chart.starts_with("Score<")).expect("a chart");
        assert_eq!(
            (score.matches("stroke=\"#999\"").count(), score.matches("fill=\"#05a\"").count()),
            (3, 1)
        );
        assert!(score.contains("by the computer") && html.contains("do not count"), "{score}");
    }
}

#[test]
fn several_games_of_both_cartridges_are_reported_on_one_page_and_what_cannot_be_played_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    for (mode, rom, pieces) in
        [("tetris", None, "24"), ("pace=8", Some(SECOND), "30"), ("transition=4", None, "18")]
    {
        let played = keep(path, rom, &[mode, "--option", "level=18", "--pieces", pieces, "--seed", "3"]);
        if mode != "transition=4" {
            again(path, rom, mode, &played);
            std::fs::remove_file(played).expect("a file");
        }
    }
    std::fs::write(folder.path().join("0.mxgame"), "no game").expect("a file");
    let report = call(&["practice", "report", path, SECOND, "--json"]).json();
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 3, "{report}");
    // The game that began with 400,000 points does not count.
    let counted = games.iter().filter(|game| game["counted"] == true);
    let pieces: Vec<u64> = counted.filter_map(|game| game["pieces"].as_u64()).collect();
    assert_eq!((pieces.len(), &report["over"]["counted"]), (2, &2.into()), "{report}");
    assert_eq!(report["over"]["pieces"].as_u64(), Some(pieces.iter().sum()));
    let cells: u64 = report["over"]["cells"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|row| row.as_array().into_iter().flatten().filter_map(serde_json::Value::as_u64))
        .sum();
    // A piece of the first rows may reach out of the field.
    assert!(
        (4 * pieces.iter().sum::<u64>() - 6..=4 * pieces.iter().sum::<u64>()).contains(&cells),
        "{cells}"
    );
    let left_out = report["left_out"].as_array().expect("a list");
    assert!(left_out.len() == 1 && left_out[0]["reason"].as_str().is_some_and(|why| why.contains("MXGAME")));
    let page = folder.path().join("games.html");
    let out = page.to_str().expect("UTF-8");
    let warned = call(&["practice", "report", path, SECOND, "--html", "--out", out]);
    warned.printed();
    let html = std::fs::read_to_string(&page).expect("a page");
    for word in
        ["3 games", "Score", "EFF", "TRT", "Burns", "Droughts", "DAS loss", "Transition", "Pace", "covered"]
    {
        assert!(html.contains(word), "{word}");
    }
    for word in ["http:", "https:", "src=", "href=", "<script", "@import", "url("] {
        assert!(!html.contains(word), "{word}: a page without network");
    }
    assert!(html.matches("<circle").count() > 9 && html.matches("<rect").count() >= 200 + 200 + 70);
    let text = call(&["practice", "report", path, SECOND]).printed();
    assert!(text.contains("pace=8") && text.contains("best"), "{text}");
    // Without the second cartridge its game is left out, and named.
    let report = call(&["practice", "report", path, "--json"]).json();
    let left_out = report["left_out"].to_string();
    assert!(left_out.contains("CRC32") && report["games"].as_array().is_some_and(|games| games.len() == 2));
    let error = call(&["practice", "report", SECOND]).refused();
    assert!(error.contains("expected games"), "{error}");
}
