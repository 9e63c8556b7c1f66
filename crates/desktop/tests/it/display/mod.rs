//! A real window on a display without a screen, and keys sent to it.

#[cfg(target_os = "linux")]
pub(crate) mod close;
#[cfg(target_os = "linux")]
pub(crate) mod drag;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Frames that the window stays open while the game plays.
const FRAMES: u32 = 3600;
/// The longest wait for anything, of a window that plays or not.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const BLUE: u8 = 0x11;
pub(crate) const RED: u8 = 0x16;

/// The backdrop while a direction of the cross is held.
pub(crate) const CROSS: [(&str, u8); 4] = [("left", 0x22), ("right", 0x21), ("up", 0x28), ("down", 0x24)];

/// A cartridge of our own (NROM, rendering off): the backdrop is `colour`, red while A is held, and
/// one of [`CROSS`] while a direction is; 440 Hz sound.
fn cartridge(colour: u8) -> Vec<u8> {
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
        0xA2, colour,                             // C037 LDX #colour
        0xAD, 0x16, 0x40, 0x29, 0x01,             // C039 LDA $4016, AND #1
        0xF0, 0x02, 0xA2, RED,                    // C03E BEQ C042, LDX #red
        0xAD, 0x16, 0x40, 0xAD, 0x16, 0x40,       // C042 LDA $4016 for B, for Select
        0xAD, 0x16, 0x40, 0xA9, 0x00,             // C048 and for Start, LDA #0
        0x85, 0x00, 0xA0, 0x04,                   // C04D STA $00, LDY #4
        0xAD, 0x16, 0x40, 0x4A, 0x26, 0x00,       // C051 LDA $4016, LSR A, ROL $00
        0x88, 0xD0, 0xF7,                         // C057 DEY, BNE C051
        0xA5, 0x00, 0xF0, 0x03, 0x09, 0x20, 0xAA, // C05A LDA $00, BEQ C061, ORA #$20, TAX
        0xA9, 0x3F, 0x8D, 0x06, 0x20,             // C061 LDA #$3F, STA $2006
        0xA9, 0x00, 0x8D, 0x06, 0x20,             // C066 LDA #0, STA $2006
        0x8E, 0x07, 0x20,                         // C06B STX $2007
        0x8D, 0x06, 0x20, 0x8D, 0x06, 0x20,       // C06E STA $2006, STA $2006: while v points into the palette,
        0x4C, 0x28, 0xC0,                         // C074 JMP C028                  that colour is the backdrop
    ];
    nes_testing::Image::ines(0, 1, 0).put(0, &program).vectors(0xFFFF, 0xC000, 0xFFFF).bytes()
}

/// A program that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display of 1280 x 1024 whose pixels lie in a file.
pub(crate) struct Display {
    _server: Running,
    pub(crate) name: String,
    pixels: PathBuf,
}

impl Display {
    pub(crate) fn start(folder: &Path) -> Self {
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
    pub(crate) fn share(&self, colour: u8) -> f64 {
        let [red, green, blue] = nes::Palette::ntsc().rgb(u16::from(colour));
        let pixels = self.pixels();
        let seen = pixels.iter().filter(|pixel| pixel[..3] == [blue, green, red]).count();
        seen as f64 / pixels.len() as f64
    }

    /// What the screen shows: blue, green, red, and a byte without a meaning, for each pixel.
    pub(crate) fn pixels(&self) -> Vec<[u8; 4]> {
        // XWD: a big-endian header, its own length first; the colour map of 12-byte entries; 32-bit
        // BGRX pixels.
        let file = fs::read(&self.pixels).expect("Xvfb keeps its pixels in a file");
        let word = |index: usize| {
            let bytes = file[4 * index..4 * index + 4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let pixels = file[word(0) + 12 * word(19)..].chunks_exact(4);
        pixels.map(|pixel| pixel.try_into().expect("four bytes")).collect()
    }

    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool starts");
        // Its status says for some commands that nothing was found.
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(!complaints.contains("Unknown command"), "{complaints}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

/// The part of the pixels that differ, from 0 to 1.
pub(crate) fn differing(one: &[[u8; 4]], other: &[[u8; 4]]) -> f64 {
    let count = one.iter().zip(other).filter(|(one, other)| one[..3] != other[..3]).count();
    count as f64 / one.len() as f64
}

/// The example `name`, built by the same cargo into the same folder as this test.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let folder = |levels| test.ancestors().nth(levels).expect("target/debug/deps/window");
    let mut build = Command::new(env!("CARGO"));
    // With these packages it has the features of the workspace, and shares what is built.
    build.args([
        "build",
        "--quiet",
        "--package",
        "desktop",
        "--package",
        "maxout",
        "--package",
        "maxout-tests",
    ]);
    build.args(["--example", name, "--target-dir"]);
    build.arg(folder(3));
    // As without this test around it: build scripts that ask for its package would run again.
    for (name, _) in std::env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|begin| name.to_string_lossy().starts_with(begin)) {
            build.env_remove(name);
        }
    }
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    assert!(build.status().expect("cargo starts").success(), "the example {name} builds");
    folder(2).join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The example `window` that plays on a display.
pub(crate) struct DisplaySession<'a> {
    display: &'a Display,
    program: Running,
    /// The window's number.
    pub(crate) id: String,
}

impl<'a> DisplaySession<'a> {
    /// Starts it with a cartridge `name`.nes of that `colour` in `folder` and waits for the
    /// picture; the player's own files are in `player`.
    pub(crate) fn start(display: &'a Display, folder: &Path, name: &str, colour: u8, player: &Path) -> Self {
        Self::start_by(display, Command::new(example("window")), folder, name, colour, player)
    }

    /// The same by `command`, which starts the example in its own way.
    pub(crate) fn start_by(
        display: &'a Display,
        mut command: Command,
        folder: &Path,
        name: &str,
        colour: u8,
        player: &Path,
    ) -> Self {
        let rom = write_cartridge(folder, name, colour);
        let child = command
            .arg(&rom)
            .arg(FRAMES.to_string())
            .arg(player)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut session = Self { display, program: Running(child), id: String::new() };
        let mut id = String::new();
        session.wait_for("a title", || {
            id = display.xdotool(&["search", "--name", &format!("Maxout.*{name}")]);
            !id.is_empty()
        });
        session.id = id;
        // The list of keys covers a part of it.
        session.wait_for("the picture", || display.share(colour) > 0.25);
        display.xdotool(&["windowfocus", &session.id]);
        // Keys are shown to someone who has no settings yet, until the first that plays.
        session.press(&["z"]);
        session.wait_for("the picture alone", || display.share(colour) > 0.4);
        session
    }

    /// Waits until `seen` answers yes, while the window is open, for two minutes at most.
    pub(crate) fn wait_for(&mut self, what: &str, mut seen: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !seen() {
            assert!(begun.elapsed() < PATIENCE, "the window did not show {what}");
            let ended = self.program.0.try_wait().expect("the window's state");
            assert!(ended.is_none(), "the window closed before it showed {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and lets go one key after the other.
    pub(crate) fn press(&self, keys: &[&str]) {
        for key in keys {
            self.display.xdotool(&["key", "--delay", "60", key]);
        }
    }

    /// Gives the program a line to read.
    pub(crate) fn order(&mut self, line: &str) {
        let input = self.program.0.stdin.as_mut().expect("piped");
        writeln!(input, "{line}").expect("it reads");
    }

    /// Waits for the end, two minutes at most. Answers what the program wrote: its output, and its
    /// complaints.
    pub(crate) fn end(mut self) -> (String, String) {
        let begun = Instant::now();
        while self.program.0.try_wait().expect("the window's state").is_none() {
            assert!(begun.elapsed() < PATIENCE, "the window did not close");
            thread::sleep(Duration::from_millis(20));
        }
        let [mut output, mut complaints] = [String::new(), String::new()];
        self.program.0.stdout.take().expect("piped").read_to_string(&mut output).expect("text");
        self.program.0.stderr.take().expect("piped").read_to_string(&mut complaints).expect("text");
        assert!(self.program.0.wait().expect("it ends").success(), "{complaints}");
        assert!(output.contains(" frames in "), "{output}");
        (output, complaints)
    }
}

/// Writes a cartridge `name`.nes of that `colour` into `folder`.
pub(crate) fn write_cartridge(folder: &Path, name: &str, colour: u8) -> PathBuf {
    let rom = folder.join(name).with_extension("nes");
    fs::write(&rom, cartridge(colour)).expect("the cartridge is written");
    rom
}
