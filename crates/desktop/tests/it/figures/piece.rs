//! A real game: keys go into the window, and what becomes of them is found in a saved state.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use nes::{Cartridge, Config, Console};

use super::{IMAGE, open, output};
use crate::display::{Display, example};

/// The state in the first slot found below `folder`.
fn slot(folder: &Path) -> Option<Vec<u8>> {
    let file = fs::read_dir(folder).ok()?.find_map(|entry| {
        let path = entry.ok()?.path();
        if path.is_dir() { slot_file(&path) } else { None }
    })?;
    // The chunk of a slot (crates/desktop/src/emulation/slots.rs): version, time and frame, 17
    // bytes; length; state.
    let at = file.windows(4).position(|name| name == b"mxST")? + 4 + 17;
    let length = u32::from_be_bytes(file[at..at + 4].try_into().ok()?) as usize;
    Some(file[at + 4..at + 4 + length].to_vec())
}

fn slot_file(folder: &Path) -> Option<Vec<u8>> {
    fs::read_dir(folder).ok()?.find_map(|entry| {
        let path = entry.ok()?.path();
        if path.is_dir() {
            slot_file(&path)
        } else if path.extension()? == "png" {
            fs::read(path).ok().filter(|bytes| bytes.windows(4).any(|name| name == b"mxST"))
        } else {
            None
        }
    })
}

#[test]
#[ignore = "needs Xvfb and xdotool: cargo xtask test --window"]
fn keys_sent_to_the_window_play_a_piece_to_the_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let rom = folder.path().join("maxout.nes");
    fs::write(&rom, IMAGE).expect("the cartridge");
    fs::write(folder.path().join("config.toml"), "").expect("the settings");
    let display = Display::start(folder.path());
    let mut program = Command::new(example("window"));
    let mut window = open(&display, program.arg(&rom).arg("7200").arg(folder.path()));
    let mut id = String::new();
    while id.is_empty() {
        assert!(window.0.try_wait().expect("its state").is_none(), "it ended before it had a title");
        thread::sleep(Duration::from_millis(50));
        id = display.xdotool(&["search", "--name", "Maxout.*maxout"]);
    }
    display.xdotool(&["windowfocus", &id]);
    let key = |action: &str, name: &str| display.xdotool(&[action, name]);
    // The playfield at $0400, 20 rows of 10 tiles, $EF where it is empty (the game's own memory
    // map).
    let blocks = |state: &[u8]| {
        let mut console =
            Console::new(Cartridge::from_bytes(IMAGE).expect("the cartridge"), Config::default());
        console.load(state).expect("a state of this cartridge");
        let floor = &console.ram()[0x400 + 190..0x400 + 200];
        let in_game = console.ram()[0xC0] == 4;
        if in_game { floor.iter().filter(|&&tile| tile != 0xEF).count() } else { 0 }
    };
    let mut landed = 0;
    while landed == 0 {
        assert!(
            window.0.try_wait().expect("its state").is_none(),
            "it ended before a piece was on the floor"
        );
        // Through title and menus; in the game Start pauses, and the next one goes on.
        key("key", "Return");
        key("keydown", "Left");
        key("keydown", "Down");
        thread::sleep(Duration::from_secs(3));
        key("keyup", "Down");
        key("keyup", "Left");
        key("key", "F5");
        thread::sleep(Duration::from_millis(300));
        landed = slot(folder.path()).map_or(0, |state| blocks(&state));
    }
    assert!((1..=10).contains(&landed));
    display.xdotool(&["key", "ctrl+q"]);
    output(window);
}
