//! The game's curiosities under `maxout tetris` as their user meets them, on the built-in
//! cartridge.

use std::fmt::Write;
use std::path::Path;

use image::{Rgb, RgbImage};
use nes::cartridge::patch;
use nes::{Buttons, Cartridge, Config, Console, Palette};
use serde_json::Value;
use sha1::Digest;
use tetris::{View, ram};

use super::program::call;

const IMAGE: &[u8] = include_bytes!("../../../../../roms/maxout.nes");

/// What a command prints that has to succeed.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    call(&["tetris"]).with(arguments).inside(folder).printed()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    call(&["tetris"]).with(arguments).inside(folder).json()
}

fn picture(path: &Path) -> RgbImage {
    image::open(path).expect("a picture").into_rgb8()
}

#[test]
fn colours_repeat_every_ten_levels_up_to_137_and_from_192_to_201_and_are_beside_the_table_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = json(folder.path(), &["colours", "--json", "--out", "colours.png"]);
    assert_eq!(levels.as_array().map(Vec::len), Some(256));
    for level in 0..256 {
        let intended = level < 138 || (192..202).contains(&level);
        assert_eq!(levels[level]["intended"], intended, "level {level}");
        // 64 levels of four bytes are a page: from 138 on the offset begins anew with each.
        let row = if level < 138 { level % 10 } else { level % 64 };
        assert_eq!(levels[level]["address"], 0x984C + 4 * row, "level {level}");
    }
    assert_eq!(levels[0]["colours"], serde_json::json!([0x0F, 0x30, 0x21, 0x12]));
    assert_eq!(levels[138]["address"], 0x984C + 40);
    let picture = picture(&folder.path().join("colours.png"));
    assert_eq!(picture.dimensions(), (16 * 36, 16 * 24));
    for level in 0..256_u32 {
        for number in 0..4 {
            let colour = levels[level as usize]["colours"][number as usize].as_u64().expect("a number");
            let dot = picture.get_pixel(level % 16 * 36 + 6 + 8 * number, level / 16 * 24 + 16);
            assert_eq!(*dot, Rgb(Palette::ntsc().rgb(colour as u16)), "level {level}");
        }
    }
}

#[test]
fn levels_beyond_29_are_shown_as_the_tables_behind_theirs() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = json(folder.path(), &["levels", "--json", "--out", "levels.png"]);
    let shown = |level: usize| levels["shown"][level].as_str().expect("two digits").to_owned();
    for level in 0..30 {
        assert_eq!(shown(level), format!("{level:02}"));
    }
    // Ten times the row stands there.
    for level in 30..50 {
        assert_eq!(shown(level), format!("{:02X}", (level - 30) * 10));
    }
    assert_eq!(levels["starts"].as_array().map(Vec::len), Some(20));
    assert_eq!(levels["starts"][18]["first"], 130);
    assert_eq!(levels["starts"][18]["longest"]["level"], 235);
    let picture = picture(&folder.path().join("levels.png"));
    assert_eq!(picture.dimensions(), (2 * 16 * 36, 2 * (3 * 14 + 16 * 24 + 200 + 4)));
    // Level 30 looks as level 0 does.
    let glyphs = |level: u32| {
        let (left, top) = (level % 16 * 36 + 12, 14 + level / 16 * 24 + 12);
        image::imageops::crop_imm(&picture, 2 * left, 2 * top, 32, 16).to_image()
    };
    assert_eq!(glyphs(30), glyphs(0));
    assert_ne!(glyphs(31), glyphs(1));
}

#[test]
fn orientations_are_drawn_with_the_tiles_and_cells_of_the_cartridge() {
    let folder = tempfile::tempdir().expect("a folder");
    let entries = json(folder.path(), &["orientations", "--json", "--out", "pieces.png"]);
    let entries = entries.as_array().expect("an array");
    assert_eq!(entries.len(), 20);
    let spawns: String = entries
        .iter()
        .filter(|entry| entry["spawn"] == true)
        .map(|entry| entry["piece"].as_str().expect("a letter"))
        .collect();
    assert_eq!(spawns, "TJZOSLI");
    assert_eq!((&entries[2]["clockwise"], &entries[2]["counterclockwise"]), (&3.into(), &1.into()));
    let picture = picture(&folder.path().join("pieces.png"));
    assert_eq!(picture.dimensions(), (5 * 48, 4 * 56));
    for (place, entry) in (0..).zip(&entries[..19]) {
        let cells = entry["cells"].as_array().expect("an array");
        // Under the number, a pixel is lit only where the table has a cell.
        let mut lit = 0;
        for (row, column) in (-2..=2_i64).flat_map(|row| (-2..=2_i64).map(move |column| (row, column))) {
            let left = place % 5 * 48 + 20 + 8 * column;
            let top = place / 5 * 56 + 28 + 8 * row;
            let cell = image::imageops::crop_imm(&picture, left as u32, top as u32, 8, 8).to_image();
            let seen = cell.pixels().any(|dot| *dot != Rgb(Palette::ntsc().rgb(0x0F)) && *dot != Rgb([0; 3]));
            let listed = cells.iter().any(|cell| cell["row"] == row && cell["column"] == column);
            assert_eq!(seen, listed, "orientation {place}, row {row}, column {column}");
            lit += u32::from(seen);
        }
        assert_eq!(lit, 4);
    }
}

#[test]
fn every_song_is_a_wave_file_of_its_own_as_long_as_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let songs = ["title", "success", "music-1", "music-2", "music-3", "fast-1", "fast-2", "fast-3"];
    let mut heard = std::collections::HashSet::new();
    for song in songs.into_iter().chain(["high-score", "ending"]) {
        printed(folder.path(), &["music", song, "--seconds", "2", "--out", "song.wav"]);
        let mut wave = hound::WavReader::open(folder.path().join("song.wav")).expect("a WAV file");
        let samples: Vec<i16> = wave.samples().map(|sample| sample.expect("a sample")).collect();
        assert_eq!(samples.len(), 2 * 48_000, "{song}");
        let (low, high) = (samples.iter().min().expect("one"), samples.iter().max().expect("one"));
        assert!(i32::from(*high) - i32::from(*low) > 1_000, "{song} is silent");
        assert!(heard.insert(samples), "{song} sounds like another");
    }
}

#[test]
fn every_ending_is_a_picture_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seen = std::collections::HashSet::new();
    let rockets =
        ["30000", "50000", "70000", "100000", "120000"].map(|points| ["--points", points, "--frame", "60"]);
    let concerts = ["0", "3", "5"].map(|height| ["--level", "9", "--height", height]);
    for earned in rockets.iter().chain(&concerts) {
        let arguments = [&["endings", "--out", "ending.png"], &earned[..]].concat();
        printed(folder.path(), &arguments);
        let picture = picture(&folder.path().join("ending.png"));
        assert_eq!(picture.dimensions(), (256, 240));
        assert!(seen.insert(picture.into_raw()), "{earned:?} looks like another");
    }
}

#[test]
fn a_skin_becomes_a_patch_of_the_bytes_of_its_cells_and_tiles() {
    let folder = tempfile::tempdir().expect("a folder");
    let skin = folder.path().join("skin.toml");
    let text = "[orientations]\n0A = { cells = [[0, -2], [0, 0], [1, -1], [1, 0]] }\n\
                [tiles]\n7B = [\"33333333\", \"........\", \"........\", \"........\", \"........\", \"........\", \"........\", \"1......2\"]\n";
    std::fs::write(&skin, text).expect("a file");
    printed(folder.path(), &["tiles", "skin.toml", "--out", "skin.ips", "--picture", "skin.png"]);
    let patch = std::fs::read(folder.path().join("skin.ips")).expect("a patch");
    // O's first column byte: header, $8A9C, ten entries of twelve bytes, the third byte.
    let at = 16_u32 + 0x0A9C + 10 * 12 + 2;
    let record = [&at.to_be_bytes()[1..], &[0, 1, 0xFE]].concat();
    assert_eq!(patch[5..11], record);
    assert!(patch.starts_with(b"PATCH") && patch.ends_with(b"EOF"));
    let picture = picture(&folder.path().join("skin.png"));
    // O stands alone in row 2, column 0: its cell two to the left of the pivot has the new tile's
    // first row.
    let (left, top) = (20 - 16, 2 * 56 + 28);
    let blue = Rgb(Palette::ntsc().rgb(0x12));
    assert!((left..left + 8).all(|x| *picture.get_pixel(x, top) == blue));
    for (text, word) in [
        ("[tiles]\n7B = []\n", "length"),
        ("[orientations]\n14 = {}\n", "00 to 13"),
        ("\nx = 1\n", "line 2: unknown field"),
        ("# nothing\n", "nothing to change"),
    ] {
        std::fs::write(&skin, text).expect("a file");
        let message = refused(folder.path(), &["tiles", "skin.toml", "--out", "none.ips"]);
        assert!(message.starts_with("error: skin.toml: ") && message.contains(word), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!folder.path().join("none.ips").exists());
    }
}

fn headless(image: &[u8]) -> Console {
    let cartridge = Cartridge::from_bytes(image).expect("a cartridge");
    Console::new(cartridge, Config { video: false, ..Config::default() })
}

/// What the program says of an error.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let message = call(&["tetris"]).with(arguments).inside(folder).refused();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

/// A movie of `length` frames of an A-type game at level 0 that clears rows, begun `late` frames
/// after power-on; its last field, and its lines.
fn movie(late: u64, length: u32) -> (String, [u8; 200], u32) {
    let mut console = headless(IMAGE);
    let mut player = tetris::parity::Explorer::new(3);
    let mut text = "version 3\nport0 1\nport1 0\nRAMInitOption 2\n|0||||\n".to_owned();
    let mut frames = 0;
    while frames < length {
        let view = View::new(console.ram());
        let playing = view.in_game() && view.in_play();
        let held = if playing {
            frames += 1;
            player.turn(view).buttons & 0xCF // neither Select nor Start
        } else if console.frame_number() >= late && console.frame_number().is_multiple_of(8) {
            0x10
        } else {
            0
        };
        let letters = "RLDUTSBA".chars().zip(0..8);
        text.push_str("|0|");
        text.extend(letters.map(|(letter, bit)| if held >> bit & 1 == 1 { letter } else { '.' }));
        text.push_str("|||\n");
        let _ = console.run_frame(&mut [Buttons::from_bits_retain(held), Buttons::empty()], &mut ());
    }
    let view = View::new(console.ram());
    assert!(view.in_play() && view.lines() > 0, "{} lines", view.lines());
    (text, console.ram()[ram::PLAYFIELD.range()][..200].try_into().expect("200 cells"), view.lines())
}

/// The field and the lines of a cartridge's demo, left alone, at its `frame`th frame.
fn demo(image: &[u8], frame: u64) -> ([u8; 200], u32) {
    let mut console = headless(image);
    let mut frames = 0;
    while frames <= frame {
        assert!(console.frame_number() < 9_000, "a demo of {frame} frames");
        let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
        let view = View::new(console.ram());
        frames += u64::from(view.game_mode() == 5 && view.shows_play());
    }
    let field = console.ram()[ram::PLAYFIELD.range()][..200].try_into().expect("200 cells");
    (field, View::new(console.ram()).lines())
}

#[test]
fn a_game_becomes_the_demo_of_a_patched_copy_and_comes_to_the_same_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // The clock at the game's beginning decides how long rows take to go: it has four phases.
    for (late, length) in [(700, 1_000), (701, 1_000), (702, 1_000), (703, 1_000), (704, 3_000)] {
        let (text, field, lines) = movie(late, length);
        std::fs::write(folder.join("game.fm2"), text).expect("a file");
        let says = printed(folder, &["demo", "record", "--movie", "game.fm2", "--out", "demo.json"]);
        let recorded = std::fs::read(folder.join("demo.json")).expect("a file");
        let recorded: Value = serde_json::from_slice(&recorded).expect("JSON");
        let pairs = recorded["buttons"].as_array().expect("pairs");
        let frames: u64 = pairs.iter().map(|pair| pair[1].as_u64().expect("frames")).sum();
        // Every way to write it once.
        let outs: &[&str] = if late == 700 { &["demo.nes", "demo.bps", "demo.ips"] } else { &["demo.nes"] };
        for out in outs {
            let end =
                format!("the demo ends with score {}, {} lines\n", recorded["score"], recorded["lines"]);
            let says = printed(folder, &["demo", "replace", "demo.json", "--out", out]);
            assert!(says.ends_with(&end), "{says}, not {end}");
        }
        let patched = std::fs::read(folder.join("demo.nes")).expect("a cartridge");
        for name in outs.iter().filter(|out| **out != "demo.nes") {
            let difference = std::fs::read(folder.join(name)).expect("a patch");
            assert!(difference.len() < 1_000, "{} bytes", difference.len());
            assert_eq!(patch::apply(&difference, IMAGE).as_ref(), Ok(&patched));
        }
        if length == 1_000 {
            // Behind the game the demo goes on for 200 frames.
            assert_eq!(demo(&patched, frames - 200), (field, lines), "late {late}");
            let at_the_end = recorded["lines"].as_u64().expect("lines");
            assert!(pairs.len() < 255 && at_the_end >= lines.into(), "{says}");
        } else {
            assert!(pairs.len() == 255 && says.contains("frames are left out"), "{says}");
            assert_eq!(recorded["lines"], demo(&patched, frames).1);
        }
    }
}

#[test]
fn what_is_no_demo_or_would_overwrite_the_cartridge_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("game.nes"), IMAGE).expect("a file");
    std::fs::write(folder.join("empty.fm2"), "version 3\n|0|........|||\n|0|........|||\n").expect("a file");
    let demo = |buttons: &str| format!("{{\"buttons\":{buttons},\"pieces\":\"TI\",\"score\":0,\"lines\":0}}");
    std::fs::write(folder.join("demo.json"), demo("[[0,9]]")).expect("a file");
    std::fs::write(folder.join("start.json"), demo("[[16,9]]")).expect("a file");
    let level_2 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/movies/game.fm2");
    for (arguments, wanted) in [
        (&["record", "--movie", "empty.fm2", "--out", "x.json"][..], "a movie in which a game begins"),
        (&["record", "--movie", level_2, "--out", "x.json"], "A-type at level 0, found A-type at level 2"),
        (&["replace", "start.json", "--out", "x.bps"], "pair 1: found Start"),
        (&["replace", "empty.fm2", "--out", "x.bps"], "empty.fm2: expected a demo as"),
        (&["replace", "demo.json", "--out", "x.zip"], "ends in .bps, .ips, .ups or .nes"),
        (&["replace", "demo.json", "game.nes", "--out", "./game.nes"], "the cartridge itself"),
    ] {
        let message = refused(folder, &[&["demo"], arguments].concat());
        assert!(message.contains(wanted), "{message}");
        assert!(!folder.join("x.json").exists() && !folder.join("x.bps").exists());
    }
    assert_eq!(std::fs::read(folder.join("game.nes")).expect("a file"), IMAGE);
}

#[test]
fn the_first_screen_is_skipped_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let left_alone = json(folder.path(), &["legal", "--json", "--out", "alone.png"]);
    let skipped = json(folder.path(), &["legal", "--skip", "--json", "--out", "skipped.png"]);
    let title = |course: &Value| course["title"].as_u64().expect("a number");
    assert!(title(&left_alone) - title(&skipped) > 500, "{left_alone} {skipped}");
    assert!(skipped["menu"].as_u64() > skipped["title"].as_u64());
    // The same screen, however long it was seen.
    assert_eq!(picture(&folder.path().join("alone.png")), picture(&folder.path().join("skipped.png")));
}

#[test]
fn two_players_have_a_field_each_and_a_cartridge_without_them_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let arguments = ["two-player", "--frames", "1200", "--json", "--out", "two.png"];
    let standing = json(folder, &arguments);
    assert_eq!((&standing["frames"], &standing["over"]), (&1200.into(), &false.into()));
    let field = |player: usize| {
        let rows = standing["players"][player]["field"].as_array().expect("rows");
        rows.iter().map(|row| row.as_str().expect("a row")).collect::<String>()
    };
    // Cells that are there, and those of the lines that are gone.
    let taken = |player: usize| {
        let lines = standing["players"][player]["lines"].as_u64().expect("lines");
        field(player).matches('#').count() as u64 + 10 * lines
    };
    assert!(taken(0) >= 40 && taken(1) >= 40, "{standing}");
    assert_ne!(field(0), field(1));
    assert_eq!(picture(&folder.join("two.png")).dimensions(), (256, 240));
    assert_eq!(json(folder, &arguments), standing);
    assert_ne!(json(folder, &["two-player", "--frames", "1200", "--json", "--seed", "1"]), standing);

    // Where the number of players is looked at first, it is always 1.
    let mut image = IMAGE.to_vec();
    let count = image.windows(4).position(|code| code == [0xA6, 0xBE, 0xE0, 0x02]).expect("ldx $BE, cpx #2");
    image[count + 3] = 3;
    std::fs::write(folder.join("one.nes"), &image).expect("a file");
    let sha1 = sha1::Sha1::digest(&image).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    let profile = format!("name = \"One\"\nsha1 = [\"{sha1}\"]\n");
    std::fs::write(folder.join("one.toml"), profile).expect("a file");
    let message = refused(folder, &["two-player", "one.nes", "--profile", "one.toml"]);
    assert!(message.contains("one.nes: expected a second player"), "{message}");
}
