//! The game's curiosities under `maxout tetris` as their user meets them, on the built-in cartridge.

use std::path::Path;
use std::process::Command;

use image::{Rgb, RgbImage};
use nes::Palette;
use serde_json::Value;

/// What a command prints that has to succeed.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .arg("tetris")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, arguments)).expect("one JSON value")
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
