//! `maxout ai train`, `fitness` and `stats` as their user meets them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::program::{PROGRAM, call};

/// A training of a second or two.
const SMALL: [&str; 6] = ["--candidates", "6", "--games", "2", "--pieces", "60"];

fn printed(arguments: &[&str], input: &str) -> String {
    call(&["ai"]).with(arguments).reading(input.as_bytes()).printed()
}

fn refused(arguments: &[&str], input: &str) -> String {
    call(&["ai"]).with(arguments).reading(input.as_bytes()).refused()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON value")
}

/// Arguments of a small training that writes a checkpoint.
fn train<'a>(method: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "--method", method, "--seed", "5", "--quiet", "--checkpoint", file], &SMALL[..], more]
        .concat()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_training_that_was_killed_and_resumed_is_that_which_was_not() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["pso", "cma-es"] {
        let [killed, whole] =
            ["killed", "whole"].map(|name| folder.path().join(format!("{method}-{name}.json")));
        let mut child = Command::new(PROGRAM)
            .arg("ai")
            .args(train(method, text(&killed), &["--generations", "1000000"]))
            .spawn()
            .expect("the program starts");
        while !killed.exists() {
            assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let checkpoint = json(&fs::read_to_string(&killed).unwrap());
        let done = checkpoint["trainer"]["history"].as_array().unwrap().len();
        let (all, file) = ((done + 3).to_string(), text(&killed));
        let resume = ["train", "--checkpoint", file, "--resume", "--generations", &all, "--json", "--quiet"];
        let resumed = json(&printed(&resume, ""));
        let unbroken = json(&printed(&train(method, text(&whole), &["--generations", &all, "--json"]), ""));
        for key in ["weights", "best", "mean", "generations"] {
            assert_eq!(resumed[key], unbroken[key], "{method}: {key}");
        }
        assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap(), "{method}");
    }
}

#[test]
fn threads_and_another_process_for_the_fitness_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = format!("\"{PROGRAM}\" ai fitness --threads 1");
    let checkpoints = [
        ("one", vec!["--threads", "1"]),
        ("three", vec!["--threads", "3"]),
        ("elsewhere", vec!["--rate-with", &elsewhere]),
    ]
    .map(|(name, more)| {
        let path = folder.path().join(name);
        printed(&train("cma-es", text(&path), &[&more[..], &["--generations", "2"]].concat()), "");
        fs::read(&path).unwrap()
    });
    assert_eq!(checkpoints[0], checkpoints[1]);
    assert_eq!(checkpoints[0], checkpoints[2]);
}

#[test]
fn fitness_of_lines_is_the_same_whole_and_split() {
    let lines = [
        "[1.0, 12.885008263218383, 15.842707182438396, 26.89449650779595, 27.616914062397015, 30.18511071927904]\n",
        "{\"weights\": [0, 1, 1, 1, 1, 1]}\n",
        "{\"lines\": 1, \"lock_height\": -1, \"wells\": 0, \"holes\": 0, \"col_trans\": 0, \"row_trans\": 0}\n",
    ];
    for objective in ["rising", "garbage", "survival", "lines", "score"] {
        let arguments = ["fitness", "--fitness", objective, "--games", "2", "--pieces", "100", "--seed", "3"];
        let whole = printed(&arguments, &lines.concat());
        let split: String = lines.iter().map(|line| printed(&arguments, line)).collect();
        assert_eq!(whole, split);
        let fitness: Vec<f64> =
            whole.lines().map(|line| json(line)["fitness"].as_f64().expect("a number")).collect();
        assert!(fitness.len() == 3 && fitness[0] > fitness[2], "{objective}: {fitness:?}");
    }
}

#[test]
fn a_training_draws_its_report_and_writes_weights_that_can_be_rated() {
    let folder = tempfile::tempdir().unwrap();
    let [page, drawing, weights] = ["r.html", "r.svg", "w.toml"].map(|name| folder.path().join(name));
    for report in [&page, &drawing] {
        let path = folder.path().join("c.json");
        let more = ["--generations", "3", "--report", text(report), "--out", text(&weights), "--json"];
        let found = json(&printed(&train("pso", text(&path), &more), ""));
        assert_eq!(found["generations"], 3);
        let rated =
            printed(&["fitness", "--games", "1", "--pieces", "10"], &format!("{}\n", found["weights"]));
        assert!(json(&rated)["fitness"].as_f64().unwrap() > 0.0);
        fs::remove_file(path).unwrap();
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.matches("<svg").count() == 2, "{page}");
    assert_eq!(fs::read_to_string(drawing).unwrap().matches("<svg").count(), 1);
    assert_eq!(fs::read_to_string(weights).unwrap().lines().filter(|line| line.contains(" = ")).count(), 6);
}

#[test]
fn what_a_training_cannot_take_is_said_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.json");
    let file = text(&path);
    let resume = ["train", "--checkpoint", file, "--resume"];
    assert!(refused(&resume, "").contains("no such file"));
    for (content, found) in [
        ("", "expected a checkpoint"),
        ("{\"maxout_training\": 1, \"trainer\": {}}", "missing field"),
        ("\u{0}\u{1}", "expected a checkpoint"),
    ] {
        fs::write(&path, content).unwrap();
        assert!(refused(&resume, "").contains(found), "{content}");
    }
    assert!(refused(&["train", "--checkpoint", file], "").contains("add --resume"));
    assert!(refused(&[&resume[..], &["--games", "3"]].concat(), "").contains("cannot be used with"));
    assert!(refused(&["train", "--report", "r.txt"], "").contains(".html or .svg"));
    assert!(refused(&["train", "--candidates", "2"], "").contains("4 to 10,000"));
    assert!(refused(&["train", "--fitness", "fun"], "").contains("rising, garbage"));
    assert!(refused(&["train", "--minutes", "-1"], "").contains("minutes"));
    assert!(refused(&["train", "--generations", "0"], "").contains("--generations"));
    assert!(refused(&["train", "--rate-with", "exit 3", "--quiet"], "").contains("exit status: 3"));
    assert!(refused(&["train", "--rate-with", "cat", "--quiet"], "").contains("line 1 of its output"));
    // It neither answers nor ends.
    let never = ["train", "--rate-with", "exec sleep 600", "--rate-within", "0.001", "--quiet"];
    assert!(refused(&never, "").contains("had not answered within 0.06 seconds"));
    // It ends, and leaves someone behind who holds its output.
    let holds = ["train", "--rate-with", "sleep 3 & exit 0", "--rate-within", "0.001", "--quiet"];
    assert!(refused(&holds, "").contains("had not answered within"));
    for line in ["[1, 2, 3]", "{\"weights\": 5}", "[1, 2, 3, 4, 5, null]", "\u{0}", "[1e999, 0, 0, 0, 0, 0]"]
    {
        assert!(
            refused(&["fitness"], &format!("\n{line}\n")).contains("line 2: expected six numbers"),
            "{line}"
        );
    }
    assert!(refused(&["fitness"], &" ".repeat(1 << 17)).contains("more than 65536 bytes"));
}

/// The article's percentages of pieces locked in rows 6 to 15.
const TABLE: &str =
    "# row, percent\n6 0.0000512280\n7 0.0001759400\n8 0.0006681210\n9 0.0023187901\n10 0.0077928820
11 0.0259672043\n12, 0.0866187068%\n13 0.2901315751\n14 0.9771663807\n15 3.3000408353\n";

#[test]
fn stats_find_the_articles_pieces_until_game_over_in_its_ten_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.txt");
    fs::write(&path, TABLE).unwrap();
    let report = json(&printed(&["stats", "--table", text(&path), "--json"], ""));
    let pieces = report["fit"]["until_game_over"]["pieces"].as_f64().unwrap();
    assert!((pieces - 2_877_688_349.0).abs() < 50.0, "{pieces}");
    let words = printed(&["stats", "--table", text(&path)], "");
    assert!(words.contains("mean of the ratios 6/7 to 14/15: 29.24 %"), "{words}");
    for (text_of, found) in [
        ("6 0.1\nseven 0.2\n", "line 2"),
        ("6 101", "line 1"),
        ("20 1", "line 1"),
        ("6", "line 1"),
        ("# none", "none"),
    ] {
        fs::write(&path, text_of).unwrap();
        assert!(refused(&["stats", "--table", text(&path)], "").contains(found));
    }
}

#[test]
fn stats_of_a_run_are_those_of_its_json_and_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let [run, figures] = ["run.json", "figures"].map(|name| folder.path().join(name));
    let options = ["--games", "2", "--randomizer", "uniform", "--seed", "4", "--json"];
    let played = printed(&[&["play", "--pieces", "3000"], &options[..]].concat(), "");
    fs::write(&run, &played).unwrap();
    let direct =
        json(&printed(&[&["stats", "--pieces", "6000", "--out", text(&figures)], &options[..]].concat(), ""));
    let read = json(&printed(&["stats", "--from", text(&run), "--json"], ""));
    for key in ["rows", "ratios", "fit", "full_clears", "counted"] {
        assert_eq!(direct[key], read[key], "{key}");
    }
    let cells = direct["counted"]["cell_locks"].as_array().unwrap();
    // No piece has its centre in a lower corner at lock, and an O none in the left column.
    for (piece, row, column) in [(0, 19, 0), (6, 19, 9), (3, 18, 0), (3, 19, 5)] {
        assert_eq!(cells[piece][row][column], 0, "{piece} {row} {column}");
    }
    assert!(direct["s_and_z"]["s_first"].as_u64().unwrap() > 10);
    let names = ["clears.png", "fit.png", "heatmap.png", "pieces.png", "rows.png"];
    for name in names {
        let picture = image::open(figures.join(name)).unwrap().to_rgb8();
        assert!(picture.pixels().any(|pixel| pixel.0 != [255; 3]), "{name}");
    }
    for (count, wrong) in [("span_pieces", u64::MAX), ("spans", 0), ("pieces", 5_999), ("lines", u64::MAX)] {
        let mut other = json(&played);
        other[count] = wrong.into();
        fs::write(&run, other.to_string()).unwrap();
        assert!(refused(&["stats", "--from", text(&run)], "").contains("its counts are not"), "{count}");
    }
    fs::write(&run, "{\"pieces\": 3}").unwrap();
    assert!(refused(&["stats", "--from", text(&run)], "").contains("maxout ai play --json"));
    assert!(refused(&["stats", "--rows", "15-6"], "").contains("as 6-15"));
}
