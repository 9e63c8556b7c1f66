//! `maxout review` as its user meets it.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use notation::ngf::Version;

use super::program::{call, text};

const SECOND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/maxout-slow.nes");
pub(super) const REAL: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../notation/tests/it/ngf/level18-230lines.ngf.gz");
const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_game_of_a_real_console_is_reviewed_shown_as_a_page_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = path(folder.path(), "game.ngf.gz");
    fs::copy(REAL, &game).expect("a copy");
    let page = path(folder.path(), "game.html");
    // A file of placements is reviewed without the name of the command.
    let review = call(&[&game, "--net", NETS, "--html", &page, "--json"]).json();
    let reviews = review["reviews"].as_array().expect("reviews");
    assert_eq!((reviews.len(), review["placements"].as_u64()), (592, Some(592)));
    assert!(review["accuracy"].as_f64().is_some_and(|accuracy| (70.0..99.0).contains(&accuracy)));
    learns(folder.path());
}

/// Writes the first frames of the game of a real console. Returns the file's name.
pub(super) fn begin(folder: &Path) -> String {
    let mut frames = Vec::new();
    GzDecoder::new(fs::File::open(REAL).expect("it is there")).read_to_end(&mut frames).expect("gzip");
    let game = path(folder, "begin.ngf");
    fs::write(&game, &frames[..1800 * Version::V2.size()]).expect("a copy");
    game
}

/// Tries what is made of a review, with the first frames of the same game.
fn learns(folder: &Path) {
    let game = begin(folder);
    let page = path(folder, "begin.html");
    let review = call(&[&game, "--net", NETS, "--html", &page, "--json"]).json();
    let reviews = review["reviews"].as_array().expect("reviews");
    assert!((60..200).contains(&reviews.len()), "{}", reviews.len());
    assert_eq!((review["measured"].as_bool(), review["gaps"].as_u64()), (Some(true), Some(0)));
    let html = fs::read_to_string(&page).expect("a page");
    assert!(html.contains("Expected final score") && html.contains("<svg") && !html.contains("http"));
    let kept = fs::read(path(folder, "begin.ngf.review.json")).expect("it is kept");
    let again = call(&["review", &game, "--net", NETS, "--json"]).json();
    assert_eq!((&again["reviews"], &again["loss"]), (&review["reviews"], &review["loss"]));
    // Its mistakes are asked with their legal places, and answers are judged.
    let learn = ["review", &game, "--net", NETS, "--learn", "--json"];
    let lesson = call(&learn).json();
    let mistakes = lesson["mistakes"].as_array().expect("mistakes");
    let dear =
        reviews.iter().filter(|review| matches!(review["class"].as_str(), Some("mistake" | "blunder")));
    let dear: Vec<_> = dear.collect();
    assert!(mistakes.len() == dear.len() && !dear.is_empty(), "{} of {}", mistakes.len(), dear.len());
    let (first, asked) = (dear[0], &mistakes[0]);
    let answer = |place: &serde_json::Value| {
        let place = place.as_array().expect("numbers").iter().map(ToString::to_string);
        let words: Vec<String> = [first["number"].to_string()].into_iter().chain(place).collect();
        call(&learn).with(&["--answer", &words.join(",")]).json()["corrections"][0].clone()
    };
    assert!(asked["places"].as_array().expect("places").contains(&first["best"]["place"]));
    assert_eq!(answer(&first["best"]["place"])["grade"], "solved");
    assert_eq!(answer(&first["chosen"]["place"])["cost"], first["loss"]);
    let refused = call(&learn).with(&["--answer", "0,1,1,1"]).refused();
    assert!(refused.contains("expected the number of a mistake"), "{refused}");
    // For other hands it is another review; a damaged one is made anew.
    let slower = call(&["review", &game, "--net", NETS, "--hertz", "8", "--json", "--fresh"]).json();
    assert_ne!(slower["reviews"], review["reviews"]);
    fs::write(path(folder, "begin.ngf.review.json"), &kept[..kept.len() / 2]).expect("a file");
    let shown = call(&["review", &game, "--net", NETS, "--worst", "3"]).printed();
    assert!(shown.contains("accuracy") && shown.contains("mistake"), "{shown}");
    assert_eq!(shown.matches("; better column").count(), 3);
}

#[test]
fn kept_games_of_both_cartridges_are_reviewed_for_hands_that_are_chosen() {
    for rom in [&[][..], &[SECOND]] {
        let folder = tempfile::tempdir().expect("a folder");
        let keep = path(folder.path(), "games");
        let arguments = ["practice", "tetris", "--option", "level=18", "--pieces", "30", "--seed", "3"];
        let played = call(&arguments).with(&["--keep", &keep, "--json"]).with(rom).json();
        let game = played["kept"].as_str().expect("a file");
        let review = call(&["review", game, "--net", NETS, "--hertz", "15", "--json"]).with(rom).json();
        assert_eq!(review["format"], "bt-15hz-18f-cartridge");
        assert!(review["reviews"].as_array().is_some_and(|reviews| reviews.len() >= 29));
    }
}

#[test]
fn what_is_no_game_is_refused_with_what_was_expected() {
    let refused = call(&["review", SECOND]).refused();
    assert!(refused.contains("expected a game that ends in .mxgame, .fm2"), "{refused}");
    let refused = call(&["review", REAL, "--hertz", "0", "--net", NETS]).refused();
    assert!(refused.contains("expected 1 to 60 taps"), "{refused}");
    let output = call(&["review", REAL, "--html", REAL, "--net", NETS]).output();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
