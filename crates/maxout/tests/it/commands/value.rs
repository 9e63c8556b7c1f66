//! `maxout ai value` as its user meets it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::call;

fn printed(arguments: &[&str]) -> String {
    call(&["ai", "value"]).with(arguments).printed()
}

fn refused(arguments: &[&str]) -> String {
    call(&["ai", "value"]).with(arguments).refused()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON value")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let game = ["play", "--from", "420", "--json", "--games"];
    let mut whole = json(&printed(&[&game[..], &["6", "--threads", "1"]].concat()));
    let out = ["--out", text(&file)];
    printed(&[&game[..], &["2"], &out].concat());
    // A line that was cut short is played again.
    let cut = fs::read_to_string(&file).unwrap() + "{\"seed\":";
    fs::write(&file, cut).unwrap();
    let mut resumed = json(&printed(&[&game[..], &["6"], &out, &["--resume"]].concat()));
    assert_eq!(whole["games"], 6);
    for report in [&mut whole, &mut resumed] {
        report["decisions_per_second"] = Value::Null;
    }
    assert_eq!(whole, resumed);
    assert!(refused(&[&game[..], &["6"], &out].concat()).contains("games.jsonl"));
    let other = ["play", "--el-tetris", "--from", "420", "--games", "2", "--resume"];
    assert!(refused(&[&other[..], &out].concat()).contains("another format, player or start"));
}

#[test]
fn a_game_that_is_stopped_has_the_points_that_it_has_there() {
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["play", "--from", "320", "--games", "4"][..], more].concat()
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let whole = json(&printed(&with(&["--json"])));
    let until = ["--until", "330", "--out", text(&file)];
    let stopped = json(&printed(&with(&[&until[..], &["--json"]].concat())));
    assert_eq!(stopped["score"]["mean"], whole["score_at"][2]);
    assert_eq!(stopped["reached_until"], whole["reached"][2]);
    assert_eq!((&whole["until"], &whole["reached_until"]), (&Value::Null, &Value::Null));
    let lines = stopped["lines"]["mean"].as_f64().unwrap();
    assert!((330.0..334.0).contains(&lines) && whole["lines"]["mean"].as_f64().unwrap() > lines);
    assert!(printed(&with(&["--until", "330"])).contains("from 320 to 330 lines: 4 games"));
    let resumed = ["--out", text(&file), "--resume"];
    assert!(refused(&with(&resumed)).contains("another format, player or start"));
    for (format, until) in [("bt-30hz-18f", "320"), ("bt-30hz-18f-cartridge", "331")] {
        let message = refused(&with(&["--format", format, "--until", until]));
        assert!(message.contains("more lines than --from, which is 320"), "{message}");
    }
}

#[test]
fn a_tuning_that_was_stopped_goes_on_to_the_same_bytes_and_its_weights_play() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken, weights, picture] =
        ["whole.json", "broken.json", "weights.json", "course.svg"].map(|name| folder.path().join(name));
    let plan = [
        "tune",
        "--speed",
        "39",
        "--lead",
        "4",
        "--games",
        "2",
        "--candidates",
        "4",
        "--seed",
        "3",
        "--quiet",
    ];
    let checkpoint = |path| ["--checkpoint", text(path), "--generations"];
    printed(&[&plan[..], &checkpoint(&whole), &["4"]].concat());
    printed(&[&plan[..], &checkpoint(&broken), &["1"]].concat());
    for generations in ["3", "4"] {
        let files = ["--out", text(&weights), "--report", text(&picture)];
        let resume = ["tune", "--resume", "--quiet"];
        printed(&[&resume[..], &checkpoint(&broken), &[generations], &files].concat());
    }
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
    assert!(fs::read_to_string(&picture).unwrap().contains("<svg"));
    let report = printed(&["play", "--weights", text(&weights), "--from", "424", "--games", "2", "--tuning"]);
    assert!(report.contains("2 games"), "{report}");
    fs::write(&broken, "{\"maxout_value_tuning\":1}").unwrap();
    assert!(refused(&["tune", "--resume", "--checkpoint", text(&broken)]).contains("tuning"));
    let twice = ["tune", "--checkpoint", text(&whole), "--resume", "--out", text(&whole)];
    assert!(refused(&twice).contains("--out"));
    fs::write(&weights, "{}").unwrap();
    let message = refused(&["play", "--weights", text(&weights)]);
    assert!(message.contains("maxout ai value tune --out"), "{message}");
}

#[test]
fn a_net_that_was_trained_in_two_goes_is_that_of_one_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken, net] = ["whole.train", "broken.train", "39.net"].map(|name| folder.path().join(name));
    let plan = ["train", "--speed", "39", "--games", "3", "--seed", "3", "--quiet", "--rounds"];
    printed(&[&plan[..], &["2", "--checkpoint", text(&whole)]].concat());
    printed(&[&plan[..], &["1", "--checkpoint", text(&broken)]].concat());
    let resume = ["train", "--resume", "--quiet", "--rounds", "2", "--checkpoint", text(&broken)];
    printed(&[&resume[..], &["--out", text(&net)]].concat());
    assert!(fs::read(&whole).unwrap() == fs::read(&broken).unwrap());
    let report = json(&printed(&["play", "--net", text(&net), "--from", "420", "--games", "2", "--json"]));
    assert_eq!(report["games"], 2);
    assert!(refused(&["play", "--net", text(&whole)]).contains("MAXOUTVN"));
    for caution in ["1.5", "-1", "NaN", "much"] {
        let caution = format!("--caution={caution}");
        let message = refused(&["play", "--net", text(&net), &caution]);
        assert!(message.contains("expected a number from 0 to 1"), "{message}");
    }
    // A folder stands for the nets in it.
    let play = ["play", "--from", "420", "--games", "2", "--ahead", "3,2", "--json", "--net"];
    let [by_file, by_folder] = [text(&net), text(folder.path())].map(|path| {
        let mut report = json(&printed(&[&play[..], &[path]].concat()));
        report["decisions_per_second"] = Value::Null;
        report
    });
    assert_eq!(by_file, by_folder);
    assert_eq!(by_file["games"], 2);
    fs::remove_file(&net).unwrap();
    assert!(refused(&["play", "--net", text(folder.path())]).contains("found a folder without any"));
    let depths = ["3", "3,2"].map(|ahead| {
        json(&printed(&["play", "--from", "390", "--games", "2", "--json", "--ahead", ahead]))["score"]
            .clone()
    });
    assert_ne!(depths[0], depths[1], "a third piece changes nothing");
    for ahead in ["0", "401", "1,2,3,4", "six", "3,"] {
        let message = refused(&["play", "--games", "1", "--ahead", ahead]);
        assert!(message.contains("expected one to 3 numbers from 1 to 400"), "{message}");
    }
    for (deeper, problem) in [
        ("18:6,1,1", "expected level 19, 29 or 39"),
        ("30:6", "expected level 19, 29 or 39"),
        ("6,1,1", "expected level 19, 29 or 39"),
        ("29:", "expected one to 3 numbers"),
        ("29:6,0", "expected one to 3 numbers"),
    ] {
        let built_in = ["play", "--games", "1", "--net", "built-in", "--ahead", "3", "--deeper", deeper];
        let message = refused(&built_in);
        assert!(message.contains(problem), "{message}");
    }
}

/// The hashes of the nets of `crates/value/plans/small.toml`, which are the same on every machine.
const SMALL: [(&str, &str); 5] = [
    ("small-39", "7f414cc674d31a9f"),
    ("small-29", "f508e25eced63670"),
    ("small-19", "8284ee28b6d2bfab"),
    ("small-18", "694258698179ec29"),
    ("small-19-again", "48e08983e97bf022"),
];

#[test]
fn a_plan_gives_the_same_nets_on_any_number_of_threads_and_after_stops() {
    let folder = tempfile::tempdir().unwrap();
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/plans/small.toml");
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    let train = |to: &Path, more: &[&str]| {
        printed(&[&["train", "--quiet", "--plan", plan, "--folder", text(to)][..], more].concat())
    };
    let whole = train(&one, &["--threads", "1"]);
    for (name, hash) in SMALL {
        assert!(whole.contains(&format!("{name}: ")) && whole.contains(hash), "{name}: {whole}");
    }
    assert!(train(&other, &["--threads", "3", "--rounds", "4"]).contains("run the same command again"));
    train(&other, &["--threads", "2", "--rounds", "1"]);
    train(&other, &[]);
    for (name, hash) in SMALL {
        let files = ["net", "train"].map(|kind| format!("{name}.{kind}"));
        let [nets, checkpoints] =
            files.map(|file| [&one, &other].map(|folder| fs::read(folder.join(&file)).unwrap()));
        assert!(nets[0] == nets[1] && checkpoints[0] == checkpoints[1], "{name}");
        assert_eq!(format!("{:016x}", value::fnv(&nets[0])), hash, "{name}");
    }
    // A net of it plays, and the trained are not trained again.
    let net = text(&one.join("small-39.net")).to_owned();
    printed(&["play", "--net", &net, "--from", "424", "--games", "1"]);
    let before = fs::metadata(one.join("small-18.train")).unwrap().modified().unwrap();
    train(&one, &[]);
    assert_eq!(fs::metadata(one.join("small-18.train")).unwrap().modified().unwrap(), before);
    // Another plan in the same folder is refused, and so is what is none.
    let changed = folder.path().join("changed.toml");
    let with = |from: &str, to: &str| {
        let plan = fs::read_to_string(plan).unwrap();
        assert!(plan.contains(from));
        fs::write(&changed, plan.replacen(from, to, 1)).unwrap();
        refused(&["train", "--plan", text(&changed), "--folder", text(&one)])
    };
    assert!(with("seed = 1", "seed = 2").contains("of another plan"));
    assert!(with("taught = 1", "tought = 1").contains("tought"));
    assert!(with("level = 39", "level = 40").contains("expected level 18, 19, 29 or 39"));
    assert!(refused(&["train", "--plan", plan]).contains("--folder"));
    let both = ["train", "--plan", plan, "--folder", text(&one), "--speed", "39"];
    assert!(refused(&both).contains("--speed"));
}

/// A net of the repository as a file of version 2 has it, without conditions and outputs.
fn of_version_2(bytes: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[12..12 + length]).unwrap();
    let shape: Vec<usize> =
        header["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let [inputs, wide, narrow, conditions] = shape[..] else { panic!("{shape:?}") };
    let fields = header.as_object_mut().unwrap();
    fields.remove("outputs");
    fields.remove("formats");
    fields.insert("version".to_owned(), 2.into());
    fields.insert("shape".to_owned(), serde_json::json!([inputs, wide, narrow]));
    let headline = serde_json::to_value(value::Format::HEADLINE).unwrap();
    fields.insert("format".to_owned(), headline);
    let header = serde_json::to_string(&header).unwrap();
    let body = &bytes[12 + length..bytes.len() - 8];
    let (before, rest) = body.split_at(4 * (inputs * wide + wide));
    let mut older = b"MAXOUTVN".to_vec();
    older.extend((header.len() as u32).to_le_bytes());
    older.extend([header.as_bytes(), before, &rest[4 * conditions * wide..]].concat());
    let hash = value::fnv(&older);
    older.extend(hash.to_le_bytes());
    older
}

#[test]
fn a_net_of_version_2_is_refused_and_converted_to_the_same_net() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old.net", "new.net"].map(|name| folder.path().join(name));
    let packed = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets/l39.net")).unwrap();
    let net = value::unpack(&packed).unwrap().into_owned();
    fs::write(&old, of_version_2(&net)).unwrap();
    let play = |net: &Path| ["play", "--net", text(net), "--from", "420", "--games", "2"].map(str::to_owned);
    let message = refused(&play(&old).each_ref().map(|word| &**word));
    assert!(message.contains("maxout ai value convert"), "{message}");
    let converted = printed(&["convert", text(&old), "--out", text(&new)]);
    assert!(converted.contains("8500 points a line and 80000"), "{converted}");
    assert!(fs::read(&new).unwrap() == net);
    let other = ["convert", text(&old), "--out", text(&new), "--after", "90000"];
    printed(&other);
    let changed = fs::read(&new).unwrap();
    let header = String::from_utf8_lossy(&changed[..600]).into_owned();
    assert!(changed != net && header.contains("\"after\":90000.0"), "{header}");
    assert!(refused(&["convert", text(&new), "--out", text(&old)]).contains("version"));
    let share = ["convert", text(&old), "--out", text(&new), "--share-of-later", "2"];
    assert!(refused(&share).contains("share from 0 to 1"));
    assert!(refused(&["convert", text(&old), "--out", text(&old)]).contains("--out"));
}

#[test]
fn a_net_in_less_room_is_the_same_or_rounded_and_keeps_what_its_outputs_mean() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, packed, small] = ["whole", "packed", "small"].map(|name| folder.path().join(name));
    let given = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets/l39.net");
    fs::write(&whole, value::unpack(&fs::read(given).unwrap()).unwrap()).unwrap();
    let convert = |out: &Path, how: &str| printed(&["convert", text(&whole), "--out", text(out), how]);
    assert!(convert(&packed, "--packed").contains("20feb72260f4d058"));
    assert!(convert(&packed, "--rounded").contains("20feb72260f4d058"), "it is rounded already");
    assert!(fs::read(&packed).unwrap() == fs::read(&whole).unwrap());
    convert(&packed, "--packed");
    assert!(convert(&small, "--small").contains("8500 points a line and 80000"));
    let [all, less, least] = [&whole, &packed, &small].map(|path| fs::read(path).unwrap());
    assert!(value::unpack(&less).unwrap() == all);
    assert!(less.len() < all.len() * 9 / 10 && least.len() < all.len() * 3 / 10);
    printed(&["play", "--net", text(&small), "--from", "420", "--games", "2"]);
    let both = folder.path().join("both");
    printed(&["convert", text(&whole), "--out", text(&both), "--small", "--packed"]);
    let both = fs::read(&both).unwrap();
    assert!(value::unpack(&both).unwrap() == least && both.len() < least.len());
    let asked = folder.path().join("asked");
    printed(&["convert", text(&small), "--out", text(&asked), "--small", "--asked", "bt-12hz-18f"]);
    let [before, after] =
        [&small, &asked].map(|path| value::Net::from_bytes(&fs::read(path).unwrap()).unwrap().1);
    assert_eq!(after.asked, ["bt-12hz-18f".parse().unwrap()]);
    assert_eq!(value::Provenance { asked: Vec::new(), ..after }, before);
    // A net of this version says itself what its outputs mean.
    let again = ["convert", text(&whole), "--out", text(&small), "--small", "--after", "90000"];
    assert!(refused(&again).contains("version"));
    assert!(fs::read(&small).unwrap() == least);
}

#[test]
fn games_of_given_seeds_are_written_placement_by_placement() {
    let folder = tempfile::tempdir().unwrap();
    let [seeds, out, history] = ["seeds", "out.jsonl", "games.csv"].map(|name| folder.path().join(name));
    fs::write(&seeds, "# two seeds\n14167559\n\n6463855\n").unwrap();
    let play = ["play", "--from", "420", "--json"];
    let with = |more: &[&str]| json(&printed(&[&play[..], more].concat()));
    let report = with(&["--seeds", text(&seeds), "--history", text(&history)]);
    // They are the first two of the report.
    assert_eq!((&report["games"], &report["score"]), (&2.into(), &with(&["--games", "2"])["score"]));
    let by_number = with(&["--seed", "14167559", "--seed", "6463855"]);
    assert_eq!(by_number["score"], report["score"]);
    let lines = fs::read_to_string(&history).unwrap();
    let columns: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(columns.iter().map(|columns| columns[0]).collect::<Vec<_>>(), ["14167559", "6463855"]);
    for columns in &columns {
        assert_eq!(columns.len(), 8);
        assert_eq!(columns[6].len() / 4, columns[7].len() / 3);
    }
    // A run that was stopped goes on, also where the history was written further than the games.
    let files = ["--out", text(&out), "--history", text(&history), "--resume"];
    fs::remove_file(&history).unwrap();
    with(&[&["--seeds", text(&seeds), "--games", "1"][..], &files].concat());
    fs::write(&history, fs::read_to_string(&history).unwrap() + "6463855,0,").unwrap();
    with(&[&["--seeds", text(&seeds)][..], &files].concat());
    assert_eq!(fs::read_to_string(&history).unwrap(), lines);
    fs::write(&history, "").unwrap();
    let message = refused(&[&["play", "--from", "420", "--seeds", text(&seeds)][..], &files].concat());
    assert!(message.contains("expected the 2 games"), "{message}");
    let other = [&["play", "--from", "420", "--seed", "7000"][..], &["--out", text(&out), "--resume"]];
    assert!(refused(&other.concat()).contains("another format, player or start"));
    for (line, wrong) in [("511", "511"), ("16777216", "16777216"), ("seven", "seven")] {
        fs::write(&seeds, format!("700\n{line}\n")).unwrap();
        let message = refused(&["play", "--seeds", text(&seeds)]);
        assert!(message.contains("line 2") && message.contains(wrong), "{message}");
    }
    fs::write(&seeds, "# none\n").unwrap();
    assert!(refused(&["play", "--seeds", text(&seeds)]).contains("found none"));
    assert!(refused(&["play", "--seed", "5"]).contains("512"));
    assert!(refused(&["play", "--games", "10001"]).contains("at most 10000"));
}

#[test]
fn the_table_sets_ours_beside_what_is_published_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let table = |games: &str, more: &[&str]| {
        let fixed = ["table", "--el-tetris", "--folder", text(folder.path()), "--games", games];
        printed(&[&fixed[..], more].concat())
    };
    let formats = ["--format", "bt-10hz-18f", "--format", "bt-slow5-61f"];
    let first = table("1", &formats);
    assert!(first.contains("| `bt-10hz-18f` | 1 |") && first.contains("| `bt-slow5-61f` | 1 |"), "{first}");
    assert!(first.contains("BetaTetris/btpg, public/stats.json"), "{first}");
    assert!(first.contains("0 of 2 beaten"), "{first}");
    let file = folder.path().join("bt-10hz-18f.jsonl");
    let before = fs::read_to_string(&file).unwrap();
    let second = json(&table("2", &[&formats[..2], &["--json"]].concat()));
    assert!(fs::read_to_string(&file).unwrap().starts_with(&before));
    let row = &second["rows"][0];
    assert_eq!((&second["rows"].as_array().unwrap().len(), &row["games"]), (&1, &2.into()));
    let number = |name: &str| row[name].as_f64().unwrap();
    assert!((number("ratio") - number("mean") / number("published")).abs() < 1e-9);
    let error = number("se").hypot(number("published_se"));
    assert!((number("z") - (number("mean") - number("published")) / error).abs() < 1e-9);
    let played =
        json(&printed(&["play", "--el-tetris", "--format", "bt-10hz-18f", "--games", "2", "--json"]));
    assert_eq!(played["score"]["mean"], row["mean"]);
}
