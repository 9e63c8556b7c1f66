//! `maxout randomizer` as its user meets it.

use std::path::Path;

use serde_json::Value;

use super::program::call;

/// What a command prints that has to succeed.
fn printed(arguments: &[&str]) -> String {
    call(&["randomizer"]).with(arguments).printed()
}

fn printed_in(folder: &Path, arguments: &[&str]) -> String {
    call(&["randomizer"]).with(arguments).inside(folder).printed()
}

/// The line of error of a command that has to fail.
fn refused(arguments: &[&str]) -> String {
    call(&["randomizer"]).with(arguments).refused()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("one JSON value")
}

#[test]
fn the_letters_stand_on_one_line() {
    assert_eq!(printed(&["deal", "tgm3", "--seed", "7", "-n", "20"]), "JITOZLSJOZISLOJTITSZ\n");
    assert_eq!(printed(&["deal", "sps", "--seed", "123456", "-n", "10"]), "ZTZIJIJOZT\n");
    assert_eq!(printed(&["deal", "sega", "-n", "14"]), "TITIIJILSJOZZJ\n");
    assert_eq!(printed(&["deal", "uniform", "-n", "0"]), "\n");
    let long = printed(&["deal", "nes", "-n", "200000"]);
    assert_eq!(long.trim_end().len(), 200_000);
    assert!(long.trim_end().chars().all(|letter| "TJZOSLI".contains(letter)));
}

#[test]
fn variants_belong_to_their_kinds() {
    let blitz = ["deal", "tetrio-7bag", "--seed", "1366895827", "-n", "7"];
    assert_eq!(printed(&blitz), "OZTLSIJ\n");
    assert_eq!(printed(&[&blitz[..], &["--no-szo=back"]].concat()), "TLSIJOZ\n");
    assert!(printed(&[&blitz[..], &["--no-szo"]].concat()).starts_with("TLSIJ"));
    for (option, owner) in
        [("--frames=3", "nes"), ("--independent", "nes"), ("--monkey", "sega"), ("--game=2", "sega")]
    {
        let error = refused(&[&blitz[..], &[option]].concat());
        assert!(error.contains(&format!("belongs to {owner}, found tetrio-7bag")), "{error}");
    }
    assert!(refused(&["deal", "tgm1", "--no-szo"]).contains("belongs to tetrio-7bag and its sisters"));
}

#[test]
fn the_next_game_of_sega_begins_with_the_seed_that_the_monkey_left() {
    let first = json(&["deal", "sega", "--seed", "0", "-n", "5", "--json"]);
    assert_eq!(first["next_seed"]["start"], 0x2880_F2DA_u32);
    assert_eq!(first["next_seed"]["monkey"], 0x6190_E4EA_u32);
    let second = printed(&["deal", "sega", "--game", "2", "--monkey", "-n", "50"]);
    assert_eq!(second, printed(&["deal", "sega", "--seed", "0x6190E4EA", "-n", "50"]));
    assert_ne!(second, printed(&["deal", "sega", "--game", "2", "-n", "50"]));
}

#[test]
fn a_deal_goes_on_from_its_state() {
    let folder = tempfile::tempdir().expect("a folder");
    for kind in ["nes", "sega", "tetrio-14bag", "tgm2", "tgm3", "tgm-ace", "uniform", "sps"] {
        let begun = json(&["deal", kind, "-n", "33", "--json"]);
        assert_eq!(begun["kind"], kind);
        std::fs::write(folder.path().join("state.json"), begun["state"].to_string()).expect("a file");
        let rest = printed_in(folder.path(), &["deal", "--state", "state.json", "-n", "67"]);
        let whole = printed(&["deal", kind, "-n", "100"]);
        assert_eq!(format!("{}{rest}", begun["pieces"].as_str().expect("letters")), whole);
    }
    std::fs::write(folder.path().join("state.json"), "{\"randomizer\":\"tgm3\"}").expect("a file");
    let error = call(&["randomizer", "deal", "--state", "state.json"]).inside(folder.path()).refused();
    assert!(error.starts_with("error: state.json: expected a state as"), "{error}");
}

#[test]
fn the_list_has_every_kind_and_what_its_seed_is() {
    let list = json(&["list", "--json"]);
    let kinds: Vec<&str> =
        list.as_array().expect("an array").iter().filter_map(|kind| kind["kind"].as_str()).collect();
    assert_eq!(kinds.len(), 13);
    let text = printed(&["list"]);
    for kind in kinds {
        assert!(text.lines().any(|line| line.starts_with(kind)), "{kind}");
        assert_eq!(printed(&["deal", kind, "-n", "9"]).len(), 10);
    }
}

#[test]
fn statistics_stand_beside_the_rule() {
    let bag = json(&["stats", "tetrio-7bag", "-n", "20000", "--json"]);
    assert_eq!(bag["measured"]["pieces"], 20_000);
    for piece in bag["measured"]["droughts"].as_array().expect("seven") {
        assert_eq!(piece["longest"], 12);
    }
    let wanted = bag["theory"]["repeats"].as_f64().expect("a number");
    assert!((wanted - 1.0 / 49.0).abs() < 1e-9);
    assert!(json(&["stats", "tgm3", "-n", "1000", "--json"])["theory"].is_null());
    let nes = json(&["stats", "nes", "-n", "1000", "--json"]);
    assert_eq!(nes["picker"]["bias"][0], "ZTJOSTS");
    assert_eq!(nes["picker"]["counts"], serde_json::json!([9, 8, 8, 8, 9, 7, 7]));
    let text = printed(&["stats", "nes", "-n", "1000"]);
    for wanted in ["repeats, %", "entropy, 3 known, bits", "droughts", "floods: mean", "the article"] {
        assert!(text.contains(wanted), "{wanted}");
    }
    assert!(refused(&["stats", "nes", "-n", "999"]).contains("999 pieces, expected at least 1000"));
}

#[test]
fn a_comparison_has_a_row_for_each_in_tables_of_a_hundred_columns() {
    let text = printed(&["compare", "nes", "tgm1", "sega", "-n", "2000", "--seed", "3"]);
    for kind in ["nes", "tgm1", "sega"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(kind)).count(), 2, "{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let all = json(&["compare", "-n", "1000", "--json"]);
    assert_eq!(all.as_array().map(Vec::len), Some(13));
}

#[test]
fn every_subject_is_drawn_as_png_and_as_svg() {
    let folder = tempfile::tempdir().expect("a folder");
    for subject in ["frequency", "droughts", "floods", "followers", "register"] {
        for name in ["out.png", "out.svg"] {
            let drawn =
                printed_in(folder.path(), &["plot", "nes", "--of", subject, "--out", name, "-n", "5000"]);
            assert!(drawn.is_empty());
            let bytes = std::fs::read(folder.path().join(name)).expect("it was drawn");
            let begin: &[u8] = if name == "out.png" { b"\x89PNG" } else { b"<svg" };
            assert!(bytes.starts_with(begin), "{subject} {name}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
    assert!(refused(&["plot", "nes", "--out", "out.gif"]).contains("ends in .png or .svg"));
    assert!(refused(&["plot", "tgm1", "--of", "register", "--out", "out.png"]).contains("belongs to nes"));
}

#[test]
fn the_registers_picture_is_the_articles_128_by_256_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    printed_in(folder.path(), &["plot", "nes", "--of", "register", "--out", "register.png"]);
    let picture = image::open(folder.path().join("register.png")).expect("a picture").into_luma8();
    assert_eq!(picture.dimensions(), (128, 256));
    let mut register = 0x8988_u16;
    for pixel in picture.pixels() {
        assert_eq!(pixel.0 == [255], register & 1 == 1);
        register = tetris::lfsr::step(register);
    }
    printed_in(folder.path(), &["plot", "nes", "--of", "register", "--out", "large.png", "--scale", "3"]);
    let large = image::open(folder.path().join("large.png")).expect("a picture").into_luma8();
    assert_eq!(large.dimensions(), (384, 768));
}

#[test]
fn what_is_no_kind_or_no_seed_is_refused_with_what_was_expected() {
    assert!(refused(&["deal", "tgm4"]).contains("expected one of nes, sega, tetrio-7bag"));
    assert!(refused(&["deal", "sps", "--seed", "12"]).contains("expected six hexadecimal digits"));
    assert!(refused(&["deal", "sps", "--seed", "000112"]).contains("deals no random pieces"));
    assert!(refused(&["deal", "nes", "--seed", "0x8988"]).contains("frames since power-on"));
    assert!(refused(&["deal"]).contains("<KIND>"));
    assert!(refused(&["deal", "--state", "missing.json"]).contains("missing.json: no such file"));
}
