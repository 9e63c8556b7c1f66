//! `maxout ai` as its user meets it.

use std::path::Path;

use serde_json::{Value, json};

use super::program::call;

fn printed(arguments: &[&str], input: &[u8]) -> String {
    call(&["ai"]).with(arguments).reading(input).printed()
}

fn refused(arguments: &[&str], input: &[u8]) -> String {
    call(&["ai"]).with(arguments).reading(input).refused()
}

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ai/tests/golden").join(name);
    std::fs::read_to_string(path).expect("the records lie beside the player's tests")
}

/// What `search` says of every record, beside what the article's program said.
fn reproduces(name: &str, arguments: &[&str]) {
    let records = golden(name);
    let answers = printed(arguments, records.as_bytes());
    assert_eq!(answers.lines().count(), records.lines().count());
    for (answer, record) in answers.lines().zip(records.lines()) {
        let answer: Value = serde_json::from_str(answer).expect("an answer");
        let record: Value = serde_json::from_str(record).expect("a record");
        for key in ["n_locks", "locks", "n_evals", "result"] {
            assert_eq!(answer[key], record[key], "{}: {key}", record["id"]);
        }
        assert_eq!(answer.as_object().expect("an object").len(), 4);
    }
}

#[test]
fn search_reproduces_the_articles_records() {
    reproduces("search2_selfplay.jsonl", &["search", "--json"]);
    reproduces("search2_random.jsonl", &["search", "--json"]);
    reproduces("search2_wellfilter.jsonl", &["search", "--filter", "well", "--json"]);
}

#[test]
fn search_reads_one_piece_and_three_and_says_it_in_words() {
    let position = |more: &str| format!("{{\"rows\": {:?}, \"cur\": 3{more}}}\n", [0; 20]);
    let one: Value = serde_json::from_str(&printed(&["search", "--json"], position("").as_bytes())).unwrap();
    assert_eq!((&one["n_evals"], &one["result"]["second"]), (&json!(9), &Value::Null));
    let three = position(", \"next\": 3, \"then\": [3]");
    let three: Value = serde_json::from_str(&printed(&["search", "--json"], three.as_bytes())).unwrap();
    // Two O one column apart leave room under the upper one for the third.
    assert_eq!(three["n_evals"], 741);
    let words = printed(&["search"], position(", \"next\": 6").as_bytes());
    assert!(words.starts_with("OI: column ") && words.ends_with("boards\n"), "{words}");
}

#[test]
fn a_line_that_is_no_position_is_named() {
    let rows = |row: &str| {
        format!("{{\"rows\": [{row}0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], \"cur\": 0, \"next\": 1}}\n")
    };
    let fine = rows("0,");
    for (line, found) in [
        (rows("1024,"), "row 0: expected a number from 0 to 1023"),
        (rows(""), "expected 20 rows from the top, found 19"),
        (rows("-1,"), "invalid value: integer `-1`"),
        (fine.replace("\"cur\": 0", "\"cur\": 7"), "expected a piece from 0 to 6"),
        (fine.replace("\"cur\": 0, ", ""), "missing field `cur`"),
        ("nothing\n".into(), "expected"),
        ("{\"rows\"".into(), "EOF"),
        ("[".repeat(60_000) + "\n", "expected"),
        ("\u{0}\n".into(), "expected"),
        (" ".repeat(1 << 20), "more than 65536 bytes"),
    ] {
        let error = refused(&["search", "--json"], format!("{fine}\n{line}").as_bytes());
        assert!(error.starts_with("error: standard input, line 3: "), "{error}");
        assert!(error.contains(found), "{found}: {error}");
    }
    assert!(refused(&["search"], b"\xFF\xFE\n").contains("line 1"));
    assert_eq!(printed(&["search"], b"\n\n"), "");
}

#[test]
fn a_game_counts_what_it_did_and_a_seed_plays_it_again() {
    let arguments =
        ["play", "--games", "3", "--pieces", "300", "--randomizer", "uniform", "--seed", "5", "--json"];
    let text = printed(&arguments, b"");
    assert_eq!(text, printed(&arguments, b""));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&report["pieces"], &report["games"], &report["games_over"]),
        (&json!(900), &json!(3), &json!(0))
    );
    let sum =
        |key: &str| report[key].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("row_locks"), sum("piece_counts")), (900, 900));
    let lines = report["lines"].as_u64().unwrap();
    assert!((330..=360).contains(&lines), "{lines}");
    let alone =
        printed(&["play", "--pieces", "300", "--randomizer", "uniform", "--seed", "6", "--json"], b"");
    let alone: Value = serde_json::from_str(&alone).unwrap();
    assert_eq!(report["by_game"][1]["board"], alone["by_game"][0]["board"]);
}

#[test]
fn a_game_begins_on_the_board_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let play = |path: &str| printed(&["play", "--pieces", "0", "--seed-board", path, "--json"], b"");
    let drawn: Value = serde_json::from_str(&play(&file("a.txt", "#.........\n.########.\n"))).unwrap();
    let rows = &drawn["by_game"][0]["board"];
    assert_eq!((&rows[17], &rows[18], &rows[19]), (&json!(0), &json!(1), &json!(0b01_1111_1110)));
    let numbers: Value = serde_json::from_str(&play(&file("b.json", &rows.to_string()))).unwrap();
    assert_eq!(numbers["by_game"][0]["board"], *rows);
    for (name, text, found) in [
        ("short.txt", "..........\n.....\n", "line 2: expected ten cells"),
        ("empty.txt", "\n", "expected 1 to 20 rows"),
        ("tall.txt", &"..........\n".repeat(21), "found 21"),
        ("few.json", "[1, 2]", "expected 20 rows"),
        ("bytes.txt", "\u{0}\u{1}", "line 1"),
    ] {
        let error = refused(&["play", "--seed-board", &file(name, text)], b"");
        assert!(error.contains(name) && error.contains(found), "{error}");
    }
    assert!(refused(&["play", "--seed-board", "no-such-file"], b"").contains("no such file"));
}

#[test]
fn a_full_board_is_a_game_over_at_once_and_tables_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("full.txt");
    std::fs::write(&path, "#########.\n".repeat(20)).unwrap();
    let table = printed(&["play", "--seed-board", path.to_str().unwrap()], b"");
    assert!(table.starts_with("games                                   1   1 over\n"), "{table}");
}

#[test]
fn an_evaluator_comes_from_a_file_and_errors_name_the_line() {
    let weights = |name: &str| format!("{}/../ai/weights/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let position = format!("{{\"rows\": {:?}, \"cur\": 4, \"next\": 6}}\n", [0; 20]);
    let search =
        |evaluator: &str| printed(&["search", "--evaluator", evaluator, "--json"], position.as_bytes());
    assert_eq!(search(&weights("article")), search("article"));
    let example = weights("example");
    let play = ["play", "--pieces", "50", "--evaluator", example.as_str(), "--json"];
    let report: Value = serde_json::from_str(&printed(&play, b"")).unwrap();
    assert_eq!((&report["pieces"], &report["games_over"]), (&json!(50), &json!(0)));
    let folder = tempfile::tempdir().unwrap();
    for (text, found) in [
        ("lines = 1\nhole = 3\n", "line 2: `hole`: expected one of lines, lock_height"),
        ("lines = 1\n\nholes = \"3\"\n", "line 3: `holes`: weight: expected a number"),
        ("lines 1", "line 1: "),
    ] {
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, text).unwrap();
        let error = refused(&["play", "--evaluator", path.to_str().unwrap()], b"");
        assert!(error.contains("mine.toml") && error.contains(found), "{error}");
    }
    assert!(refused(&["play", "--evaluator", "none.toml"], b"").contains("none.toml"));
}

#[test]
fn a_picture_is_laid_from_the_bottom_up_and_filters_go_together() {
    let towers = format!("pattern:{}/../ai/patterns/towers.png", env!("CARGO_MANIFEST_DIR"));
    let play = |filter: &str| -> Value {
        let arguments = ["play", "--pieces", "6", "--randomizer", "uniform", "--filter", filter, "--json"];
        serde_json::from_str(&printed(&arguments, b"")).unwrap()
    };
    let laid = play(&towers);
    let row = laid["by_game"][0]["board"][19].as_u64().unwrap();
    assert!(row != 0 && row & !0b11_0011_0011 == 0, "{row:b}");
    assert_eq!(play(&format!("well+{towers}"))["filter"]["all"][0], "well");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.png");
    image::GrayImage::new(20, 10).save(&path).unwrap();
    let filter = format!("pattern:{}", path.display());
    assert!(refused(&["play", "--filter", &filter], b"").contains("found 20 by 10"));
    image::GrayImage::from_pixel(10, 20, image::Luma([255])).save(&path).unwrap();
    assert!(refused(&["play", "--filter", &filter], b"").contains("such a row is removed"));
    std::fs::write(&path, b"no picture").unwrap();
    assert!(refused(&["play", "--filter", &filter], b"").contains("expected a PNG file"));
    assert!(refused(&["play", "--filter", "well+wall"], b"").contains("filter `wall`"));
}

#[test]
fn names_that_are_unknown_are_answered_with_those_that_are() {
    assert!(
        refused(&["play", "--evaluator", "best"], b"").contains("article, el-tetris, dellacherie, stacking")
    );
    assert!(refused(&["search", "--filter", "wall"], b"").contains("none, well"));
    assert!(refused(&["play", "--randomizer", "dice"], b"").contains("tetrio-7bag"));
}
