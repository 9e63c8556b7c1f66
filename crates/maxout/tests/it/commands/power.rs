//! What consoles differ in, by the options of `maxout run`: each changes what a program sees.

use super::program::{call, text};
use nes_testing::Image;
use std::process::Output;
use tempfile::TempDir;

fn maxout(folder: &TempDir, arguments: &[&str]) -> Output {
    call(arguments).inside(folder.path()).output()
}

fn stderr(output: &Output) -> String {
    text(&output.stderr)
}

/// Zero page: what a program found.
const FOUND: usize = 0x10;

/// A folder with a cartridge of this program, which then waits, and a movie that presses reset in
/// frame 8.
fn folder(program: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let [low, high] = (0x8000 + program.len() as u16).to_le_bytes();
    let image = Image::nrom(&[program, &[0x4C, low, high]].concat()).bytes();
    std::fs::write(folder.path().join("game.nes"), image).expect("the cartridge");
    let line = |commands| format!("|{commands}|........|........||\n");
    let lines: String = (0..24).map(|frame| line(u8::from(frame == 8))).collect();
    let movie = format!("version 3\nRAMInitOption 2\nport0 1\nport1 1\nport2 0\n{lines}");
    std::fs::write(folder.path().join("reset.fm2"), movie).expect("the movie");
    folder
}

/// RAM after 24 frames with these options.
fn ram(folder: &TempDir, options: &[&str]) -> Vec<u8> {
    let run = ["run", "game.nes", "--frames", "23", "--dump-ram", "ram.bin"];
    let output = maxout(folder, &[&run[..], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::read(folder.path().join("ram.bin")).expect("the RAM")
}

/// LDA #; STA absolute, of each value.
fn writes(values: &[(u16, u8)]) -> Vec<u8> {
    let write = |&(address, value): &(u16, u8)| {
        let [low, high] = address.to_le_bytes();
        [0xA9, value, 0x8D, low, high]
    };
    values.iter().flat_map(write).collect()
}

/// `$2006`, twice.
fn address(v: u16) -> Vec<u8> {
    let [low, high] = v.to_le_bytes();
    writes(&[(0x2006, high), (0x2006, low)])
}

/// BIT $2002; BPL: to the next vertical blank.
const VBLANK: [u8; 5] = [0x2C, 0x02, 0x20, 0x10, 0xFB];

/// So many times 1,280 cycles.
fn pause(times: u8) -> [u8; 8] {
    // LDY #; DEX; BNE; DEY; BNE: X is 0 at first and afterwards.
    [0xA0, times, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA]
}

#[test]
fn oam_forgets_by_option() {
    let mut program = writes(&[(0x2003, 0), (0x2004, 0x55), (0x2003, 0)]);
    program.extend(pause(6));
    program.extend([0xAD, 0x04, 0x20, 0x85, FOUND as u8]);
    let folder = folder(&program);
    assert_eq!(ram(&folder, &[])[FOUND], 0x55);
    assert_eq!(ram(&folder, &["--oam-decay"])[FOUND], 0x00);
}

#[test]
fn the_palette_is_corrupted_by_option() {
    let mut program = [VBLANK, VBLANK, VBLANK].concat();
    // The backdrop and the palette's first entry are alike, the entry that v points to is not.
    for (entry, colour) in [(0x3F00, 0x0F), (0x3F04, 0x0F), (0x3F05, 0x30)] {
        program.extend([address(entry), writes(&[(0x2007, colour)])].concat());
    }
    program.extend(pause(3));
    for _ in 0..20 {
        program.extend([address(0x3F05), address(0)].concat());
    }
    program
        .extend([&VBLANK[..], &address(0x3F05), &[0xAD, 0x07, 0x20, 0x29, 0x3F, 0x85, FOUND as u8]].concat());
    let folder = folder(&program);
    assert_eq!(ram(&folder, &[])[FOUND], 0x30);
    assert_eq!(ram(&folder, &["--palette-corruption"])[FOUND], 0x0F);
}

#[test]
fn the_reset_button_leaves_the_ppu_alone_by_option() {
    // After a reset of the PPU $2006 does not listen for a frame, and $2007 is written elsewhere.
    let again =
        [&address(0x3F05)[..], &writes(&[(0x2007, 0x22)]), &address(0x2000), &VBLANK, &VBLANK, &VBLANK]
            .concat();
    let first =
        [&VBLANK[..], &VBLANK, &VBLANK, &address(0x3F05), &writes(&[(0x2007, 0x30)]), &address(0x2000)]
            .concat();
    // LDA $20; BEQ first; again: …; JMP read; first: …; INC $20; read:
    let skip = u8::try_from(again.len() + 3).expect("a branch");
    let read = 0x8004 + again.len() + 3 + first.len() + 2;
    let [low, high] = (read as u16).to_le_bytes();
    let look =
        [&address(0x3F05)[..], &[0xAD, 0x07, 0x20, 0x29, 0x3F, 0x85, FOUND as u8], &address(0x2000)].concat();
    let program =
        [&[0xA5, 0x20, 0xF0, skip][..], &again, &[0x4C, low, high], &first, &[0xE6, 0x20], &look].concat();
    let folder = folder(&program);
    let found = |options: &[&str]| {
        let ram = ram(&folder, &[&["--input", "reset.fm2"], options].concat());
        (ram[0x20], ram[FOUND])
    };
    assert_eq!(found(&[]), (1, 0x30));
    assert_eq!(found(&["--no-ppu-reset"]), (1, 0x22));
}

#[test]
fn early_writes_count_after_power_on_and_a_strict_start_ignores_them_and_says_so() {
    // LDX #0; STX $10; LDA #$80; STA $2000; the interrupt counts in $10.
    let program = [0xA2, 0x00, 0x86, FOUND as u8, 0xA9, 0x80, 0x8D, 0x00, 0x20];
    let folder = folder(&program);
    let image = std::fs::read(folder.path().join("game.nes")).expect("the cartridge");
    let nmi = 0x10 + 0x1000;
    let image = [&image[..nmi], &[0xE6, FOUND as u8, 0x40], &image[nmi + 3..]].concat();
    std::fs::write(folder.path().join("game.nes"), image).expect("the cartridge");
    assert_eq!(ram(&folder, &[])[FOUND], 22);
    assert_eq!(ram(&folder, &["--strict-ppu-start"])[FOUND], 0);
    let said = |options: &[&str]| {
        let run = ["run", "game.nes", "--frames", "5"];
        text(&maxout(&folder, &[&run[..], options].concat()).stdout)
    };
    assert!(!said(&[]).contains("ignored"), "{}", said(&[]));
    let strict = said(&["--strict-ppu-start"]);
    assert!(strict.contains("warning    the PPU ignored 1 write before"), "{strict}");
    assert!(strict.contains("$80 to $2000 in cycle 17"), "{strict}");
    let json: serde_json::Value =
        serde_json::from_str(&said(&["--strict-ppu-start", "--json"])).expect("an object");
    let ignored = &json["ignored_writes"];
    assert_eq!(
        [&ignored["register"], &ignored["value"], &ignored["cycle"], &ignored["count"]],
        [0x2000, 0x80, 17, 1]
    );
    // Every command that runs a cartridge has the switch.
    for command in ["test", "play", "debug", "trace", "lua"] {
        let help = text(&maxout(&folder, &[command, "--help"]).stdout);
        assert!(help.contains("--strict-ppu-start"), "{command}: {help}");
    }
}

#[test]
fn a_battery_that_has_nothing_to_keep_is_a_warning() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, image: Image| {
        let flags = image.header[6] | 2;
        std::fs::write(folder.path().join(name), image.with(6, flags).bytes()).expect("the cartridge");
    };
    write("without.nes", Image::nes2(0, 0, 2, 1, 0, 0));
    write("sorom.nes", Image::nes2(1, 0, 8, 0, 0x77, 7));
    let inspected = |name: &str| text(&maxout(&folder, &["inspect", name]).stdout);
    let without = inspected("without.nes");
    assert!(without.contains("battery     yes, keeps none"), "{without}");
    assert!(without.contains("warning     the header has a battery and no RAM"), "{without}");
    let sorom = inspected("sorom.nes");
    assert!(sorom.contains("battery     yes, keeps 8 KiB") && !sorom.contains("warning"), "{sorom}");
    let run = maxout(&folder, &["run", "without.nes", "--frames", "1"]);
    assert!(stderr(&run).contains("what the game saves is lost"), "{}", stderr(&run));
}

#[test]
fn the_sound_of_a_cartridge_that_makes_none_is_silence_from_the_first_sample_on() {
    let folder = folder(&[]);
    let output = maxout(&folder, &["run", "game.nes", "--frames", "30", "--wav", "out.wav"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut sound = hound::WavReader::open(folder.path().join("out.wav")).expect("the sound");
    assert!(sound.duration() > 20_000 && sound.samples::<i16>().all(|sample| sample.unwrap() == 0));
}

#[test]
fn the_unstable_opcodes_are_those_of_another_cpu_by_option() {
    // LDA #0; LDX #$FF; ANE #$7F; STA; LDA #0; LXA #$7F; STA; LDA #1; LDX #3; LDY #$20; SHA
    // $02F0,Y.
    let program = [
        [0xA9, 0x00, 0xA2, 0xFF, 0x8B, 0x7F, 0x85, 0x10].as_slice(),
        &[0xA9, 0x00, 0xAB, 0x7F, 0x85, 0x11],
        &[0xA9, 0x01, 0xA2, 0x03, 0xA0, 0x20, 0x9F, 0xF0, 0x02],
    ]
    .concat();
    let folder = folder(&program);
    let found = |options: &[&str]| {
        let ram = ram(&folder, options);
        [ram[0x10], ram[0x11], ram[0x110], ram[0x310]]
    };
    assert_eq!(found(&[]), [0x7F, 0x7F, 1, 0]);
    assert_eq!(found(&["--ane-magic", "EE"]), [0x6E, 0x6E, 1, 0]);
    assert_eq!(found(&["--ane-magic", "00", "--sha-without-a"]), [0, 0, 0, 1]);
    let output = maxout(&folder, &["run", "game.nes", "--ane-magic", "XY"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("'--ane-magic <HEX>': expected a byte in hexadecimal"),
        "{}",
        stderr(&output)
    );
}
