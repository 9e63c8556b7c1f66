//! A real window on a display without a screen: drawn, resized in a storm, played by keys, closed.
//!
//! Debian: `apt-get install xvfb xdotool mesa-vulkan-drivers libvulkan1 libx11-6 libx11-xcb1 libxkbcommon-x11-0
//! libxcursor1 libxi6`, then `cargo test -p desktop --test window -- --ignored`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Frames that the window stays open: the limit of everything that the test waits for.
const FRAMES: u32 = 3600;

const BLUE: u8 = 0x11;
const RED: u8 = 0x16;

/// A cartridge of our own (NROM, rendering off): the backdrop is blue, and red while A is held; 440 Hz sound.
fn cartridge() -> Vec<u8> {
    #[rustfmt::skip]
    let program = [
        0x78, 0xD8, 0xA2, 0xFF, 0x9A,             // C000 SEI, CLD, LDX #$FF, TXS
        0x2C, 0x02, 0x20, 0x10, 0xFB,             // C005 BIT $2002, BPL C005
        0x2C, 0x02, 0x20, 0x10, 0xFB,             // C00A BIT $2002, BPL C00A
        0xA9, 0x01, 0x8D, 0x15, 0x40,             // C00F LDA #1, STA $4015: first pulse on
        0xA9, 0xBF, 0x8D, 0x00, 0x40,             // C014 LDA #$BF, STA $4000: square, volume 15
        0xA9, 0x08, 0x8D, 0x01, 0x40,             // C019 LDA #8, STA $4001: no sweep
        0xA9, 0xFD, 0x8D, 0x02, 0x40,             // C01E LDA #$FD, STA $4002: 440.4 Hz
        0xA9, 0x08, 0x8D, 0x03, 0x40,             // C023 LDA #8, STA $4003
        0x2C, 0x02, 0x20, 0x10, 0xFB,             // C028 BIT $2002, BPL C028
        0xA9, 0x01, 0x8D, 0x16, 0x40,             // C02D LDA #1, STA $4016
        0xA9, 0x00, 0x8D, 0x16, 0x40,             // C032 LDA #0, STA $4016
        0xA2, BLUE,                               // C037 LDX #blue
        0xAD, 0x16, 0x40, 0x29, 0x01,             // C039 LDA $4016, AND #1
        0xF0, 0x02, 0xA2, RED,                    // C03E BEQ C042, LDX #red
        0xA9, 0x3F, 0x8D, 0x06, 0x20,             // C042 LDA #$3F, STA $2006
        0xA9, 0x00, 0x8D, 0x06, 0x20,             // C047 LDA #0, STA $2006
        0x8E, 0x07, 0x20,                         // C04C STX $2007
        0x8D, 0x06, 0x20, 0x8D, 0x06, 0x20,       // C04F STA $2006, STA $2006: while v points into the palette,
        0x4C, 0x28, 0xC0,                         // C055 JMP C028                  that colour is the backdrop
    ];
    let mut image = b"NES\x1A\x01\x00\0\0\0\0\0\0\0\0\0\0".to_vec();
    image.extend(program);
    image.resize(16 + 0x4000, 0xFF);
    image[16 + 0x3FFC..16 + 0x3FFE].copy_from_slice(&[0x00, 0xC0]); // the reset vector
    image
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display of 1280 x 1024 whose pixels lie in a file.
struct Display {
    _server: Running,
    name: String,
    pixels: PathBuf,
}

impl Display {
    fn start(folder: &Path) -> Self {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-noreset",
                "-screen",
                "0",
                "1280x1024x24",
                "-nolisten",
                "tcp",
                "-fbdir",
            ])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb tells its display's number");
        Self {
            _server: Running(server),
            name: format!(":{}", number.trim()),
            pixels: folder.join("Xvfb_screen0"),
        }
    }

    /// The part of the screen in which `colour` stands, from 0 to 1.
    fn share(&self, colour: u8) -> f64 {
        // XWD: a big-endian header, its own length first; the colour map of 12-byte entries; 32-bit BGRX pixels.
        let file = fs::read(&self.pixels).expect("Xvfb keeps its pixels in a file");
        let word = |index: usize| {
            let bytes = file[4 * index..4 * index + 4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let [red, green, blue] = nes::Palette::ntsc().rgb(u16::from(colour));
        let pixels = file[word(0) + 12 * word(19)..].chunks_exact(4);
        let total = pixels.len() as f64;
        pixels.filter(|pixel| pixel[..3] == [blue, green, red]).count() as f64 / total
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool starts");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

/// The example `window`, built by the same cargo into the same folder as this test.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let folder = |levels| test.ancestors().nth(levels).expect("target/debug/deps/window");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "desktop", "--example", "window", "--target-dir"]);
    build.arg(folder(3));
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo starts").success(), "the example `window` builds");
    folder(2).join("examples").join(format!("window{}", std::env::consts::EXE_SUFFIX))
}

/// Waits until `seen` answers yes, for as long as `window` runs.
fn wait_for(what: &str, window: &mut Running, mut seen: impl FnMut() -> bool) {
    while !seen() {
        let ended = window.0.try_wait().expect("the window's state");
        assert!(ended.is_none(), "the window closed before it showed {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs Xvfb and xdotool; cargo test -p desktop --test window -- --ignored"]
fn a_window_shows_the_game_hears_the_keys_and_survives_a_storm_of_resizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let rom = folder.path().join("backdrop.nes");
    fs::write(&rom, cartridge()).expect("the cartridge is written");
    let example = example();
    let display = Display::start(folder.path());
    let child = Command::new(example)
        .arg(&rom)
        .arg(FRAMES.to_string())
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example starts");
    let mut window = Running(child);
    let mut id = String::new();
    wait_for("a title", &mut window, || {
        id = display.xdotool(&["search", "--name", "Maxout.*backdrop"]);
        !id.is_empty()
    });

    wait_for("the picture", &mut window, || display.share(BLUE) > 0.4);
    display.xdotool(&["windowfocus", &id]);
    display.xdotool(&["keydown", "x"]);
    wait_for("what the key does", &mut window, || display.share(RED) > 0.4);
    display.xdotool(&["keyup", "x"]);
    wait_for("the key's release", &mut window, || display.share(BLUE) > 0.4);

    for step in 0..200 {
        let (width, height) = ((300 + step * 137 % 900).to_string(), (260 + step * 211 % 700).to_string());
        display.xdotool(&["windowsize", &id, &width, &height]);
    }
    display.xdotool(&["windowsize", &id, "1024", "960"]);
    wait_for("the picture after the storm", &mut window, || display.share(BLUE) > 0.74);

    display.xdotool(&["key", "Escape"]);
    assert!(window.0.wait().expect("it ends").success());
    let mut output = String::new();
    window.0.stdout.take().expect("piped").read_to_string(&mut output).expect("it tells what it did");
    assert!(output.contains(" frames in "), "{output}");
}
