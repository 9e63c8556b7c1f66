//! What is plugged into the ports, by `--ports` and by movies: each changes what a program reads.

use std::path::Path;

use nes_testing::Image;
use tempfile::TempDir;

use super::program::call;

/// Strobes, reads 24 times both bits of both ports, and then $4017 once more; keeps what it found,
/// and begins anew.
const PROGRAM: [u8; 57] = [
    0xA9, 0x01, 0x8D, 0x16, 0x40, 0xA9, 0x00, 0x8D, 0x16, 0x40, // LDA #1; STA; LDA #0; STA
    0xA2, 0x00, // LDX #0
    0xA0, 0x08, // LDY #8
    0xAD, 0x16, 0x40, 0x4A, 0x36, 0x10, 0x4A, 0x36, 0x18, // LDA $4016; LSR; ROL; LSR; ROL
    0xAD, 0x17, 0x40, 0x4A, 0x36, 0x14, 0x4A, 0x36, 0x1C, // the same of $4017
    0x88, 0xD0, 0xEB, // DEY; BNE
    0xE8, 0xE0, 0x03, 0xD0, 0xE4, // INX; CPX #3; BNE
    0xAD, 0x17, 0x40, 0x85, 0x20, // LDA $4017; STA
    0xA2, 0x10, 0xB5, 0x10, 0x95, 0x30, 0xCA, 0x10, 0xF9, // LDX; LDA; STA; DEX; BPL
    0x4C, 0x00, 0x80, // JMP
];

/// What the program found.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    /// Bytes of bit 0 of both ports.
    first: [[u8; 3]; 2],
    /// Bytes of bit 1.
    second: [[u8; 3]; 2],
    /// Bits 2 to 4 of $4017.
    lines: u8,
}

impl Found {
    fn of(ram: &[u8]) -> Self {
        let at = |at: usize| [ram[at], ram[at + 1], ram[at + 2]];
        Self { first: [at(0x30), at(0x34)], second: [at(0x38), at(0x3C)], lines: ram[0x40] & 0x1C }
    }
}

const A: u8 = 0x80;
const B: u8 = 0x40;
const SELECT: u8 = 0x20;
const START: u8 = 0x10;
const UP: u8 = 0x08;

/// A folder with the cartridge, and movies of 20 frames: one of two pads, one of four, and one of a
/// Zapper with its trigger pulled.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect(name);
    write("game.nes", &Image::nrom(&PROGRAM).bytes());
    let movie = |name: &str, head: &str, line: &str| {
        write(name, format!("version 3\n{head}\n{}", format!("{line}\n").repeat(20)).as_bytes());
    };
    movie("two.fm2", "port0 1\nport1 1\nport2 0", "|0|.......A|...UTSB.||");
    movie("four.fm2", "fourscore 1", "|0|.......A|...UTSB.|....T...|......B.||");
    movie("gun.fm2", "port0 1\nport1 2\nport2 0", "|0|.......A|010 255 1 1 0||");
    folder
}

/// What the program finds in a run with these words.
fn run(folder: &Path, words: &[&str]) -> Found {
    let run = ["run", "game.nes", "--frames", "15", "--dump-ram", "ram.bin"];
    call(&[&run[..], words].concat()).inside(folder).printed();
    Found::of(&std::fs::read(folder.join("ram.bin")).expect("the RAM"))
}

const ONES: [u8; 3] = [0xFF; 3];

#[test]
fn a_movie_says_what_is_plugged_in_and_the_option_overrules_it() {
    let folder = folder();
    let folder = folder.path();
    let second = UP | START | SELECT | B;
    let two = Found { first: [[A, 0xFF, 0xFF], [second, 0xFF, 0xFF]], second: [[0; 3]; 2], lines: 0 };
    assert_eq!(run(folder, &["--input", "two.fm2"]), two);
    let four = Found { first: [[A, START, 0x10], [second, B, 0x20]], second: [[0; 3]; 2], lines: 0 };
    assert_eq!(run(folder, &["--input", "four.fm2"]), four);
    assert_eq!(run(folder, &["--input", "four.fm2", "--ports", "pads"]), two);
    // The adapter of a Famicom has pads 3 and 4 on bit 1; its second pad has no Start and Select.
    let famicom = [[A, 0xFF, 0xFF], [UP | B, 0xFF, 0xFF]];
    let adapter = [[START, 0xFF, 0xFF], [B, 0xFF, 0xFF]];
    let found = run(folder, &["--input", "four.fm2", "--ports", "famicom-four"]);
    assert_eq!((found.first, found.second), (famicom, adapter));
    let found = run(folder, &["--input", "two.fm2", "--ports", "FAMICOM"]);
    assert_eq!((found.first, found.second), (famicom, [[0; 3]; 2]));
    // The Zapper is no shift register: bit 3 is set where it sees no light, bit 4 by its trigger.
    let found = run(folder, &["--input", "gun.fm2"]);
    assert_eq!((found.first, found.lines), ([[A, 0xFF, 0xFF], [0; 3]], 0x18));
    let found = run(folder, &["--input", "two.fm2", "--ports", "zapper"]);
    assert_eq!((found.first[1], found.lines), ([0; 3], 0x08), "it points past the screen");
}

#[test]
fn nothing_is_held_where_nobody_plays() {
    let folder = folder();
    for (ports, signatures) in [("pads", [0xFF, 0xFF]), ("four-score", [0x10, 0x20])] {
        let [first, second] = run(folder.path(), &["--ports", ports]).first;
        let behind = if ports == "pads" { 0xFF } else { 0 };
        assert_eq!([first, second], signatures.map(|signature| [0, behind, signature]), "{ports}");
    }
    assert_ne!(run(folder.path(), &["--ports", "famicom-four"]).second, [ONES; 2]);
}

#[test]
fn every_command_that_runs_a_cartridge_takes_the_option() {
    let folder = folder();
    let folder = folder.path();
    let script = "for _ = 1, 12 do joypad.set(3, {start = true}) joypad.set(4, {B = true}) emu.frameadvance() end \
                  print(memory.readbyte(0x31), memory.readbyte(0x35))";
    std::fs::write(folder.join("pads.lua"), script).expect("the script");
    let lua = ["lua", "pads.lua", "game.nes"];
    let printed = call(&lua).with(&["--ports", "four-score"]).inside(folder).printed();
    assert!(printed.contains(&format!("{START} {B}")), "{printed}");
    let printed = call(&lua).inside(folder).printed();
    assert!(printed.contains("255 255"), "{printed}");

    let debug = ["debug", "game.nes", "-c", "frame 12", "-c", "print [0x40]"];
    let printed = call(&debug).with(&["--ports", "zapper"]).inside(folder).printed();
    assert!(printed.contains("= 72"), "$40 of the data bus and $08 of the Zapper: {printed}");
    let printed = call(&debug).inside(folder).printed();
    assert!(printed.contains("= 65"), "{printed}");

    let said = call(&["run", "game.nes", "--frames", "1", "--ports", "powerglove"]).inside(folder).refused();
    for devices in ["pads", "famicom", "four-score", "famicom-four", "zapper"] {
        assert!(said.contains(devices), "{said}");
    }
}
