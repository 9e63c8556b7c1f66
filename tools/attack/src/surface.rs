//! Where the game is played while it is ended.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use strum::{Display, EnumIter, EnumString};
use tetris::SplitMix64;

use crate::left;
use crate::program::{LONGEST, LOOK, Program, Streams};

/// One of them.
#[derive(Clone, Copy, Debug, Display, EnumIter, EnumString, PartialEq, Eq, PartialOrd, Ord)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Surface {
    /// `play` in a window, which gets keys and sizes at random.
    Window,
    /// `play --terminal`.
    Terminal,
    /// `play --headless`.
    Headless,
    /// The same with a standard output and error that take nothing.
    Unheard,
    /// `play --versus --headless`.
    Versus,
    /// Both sides of `netplay`, of which one is ended.
    Netplay,
    /// `practice --keep`.
    Practice,
}

/// The cartridge that counts vertical blanks in its battery's RAM, and a script that prints how far
/// it is.
pub(crate) const CARTRIDGE: &str = "counter.nes";
const SCRIPT: &str = "count.lua";

/// Returns the cartridge: each vertical blank is counted in $6000 and $6001.
fn cartridge() -> Vec<u8> {
    #[rustfmt::skip]
    let code = [
        0x2C, 0x02, 0x20, 0x10, 0xFB, // 8000 BIT $2002, BPL 8000
        0xEE, 0x00, 0x60, 0xD0, 0xF6, // 8005 INC $6000, BNE 8000
        0xEE, 0x01, 0x60,             // 800A INC $6001
        0x4C, 0x00, 0x80,             // 800D JMP 8000
    ];
    nes_testing::Image::nrom(&code).with(6, 2).bytes()
}

impl Surface {
    /// Puts what it plays into `folder`.
    pub(crate) fn prepare(folder: &Path) -> std::io::Result<()> {
        std::fs::write(folder.join(CARTRIDGE), cartridge())?;
        std::fs::write(
            folder.join(SCRIPT),
            "while true do emu.frameadvance() print(memory.readword(0x6000)) end",
        )
    }

    /// Returns whether the cartridge with the battery is played.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Self::Window | Self::Terminal | Self::Headless | Self::Unheard)
    }

    /// Starts it; for a match both sides, of which the first is to be ended.
    pub(crate) fn start(
        self,
        program: &Path,
        folder: &Path,
        display: Option<&str>,
        random: &mut SplitMix64,
    ) -> std::io::Result<Vec<Program>> {
        let display = display.filter(|_| self == Self::Window);
        let play = ["play", CARTRIDGE, "--folder", "."];
        let start =
            |words: &[&str], streams: Streams| Program::start(program, folder, words, display, &streams);
        Ok(match self {
            Self::Window => vec![start(&[&play[..], &["--lua", SCRIPT]].concat(), Streams::Pipes)?],
            Self::Terminal => vec![start(&[&play[..], &["--terminal"]].concat(), Streams::Terminal)?],
            Self::Headless => {
                vec![start(&[&play[..], &["--headless", "--lua", SCRIPT]].concat(), Streams::Pipes)?]
            }
            Self::Unheard => vec![start(&[&play[..], &["--headless"]].concat(), Streams::Full)?],
            Self::Versus => {
                vec![start(&["play", "--versus", "--headless", "--folder", "."], Streams::Pipes)?]
            }
            Self::Practice => {
                let seed = random.below(1_000_000).to_string();
                let words = ["practice", "tetris", "--keep", "games", "--seed", &seed, "--progress", "10"];
                vec![start(&words, Streams::Pipes)?]
            }
            Self::Netplay => {
                let own = ["--headless", "--computer", "--exit-after-frames", "1000000", "--folder", "."];
                let words = ["netplay", "host", "--address", "127.0.0.1", "--match-port", "0", "--no-code"];
                let host = start(&[&words[..], &own].concat(), Streams::Pipes)?;
                let port = host.line_with("at port ").unwrap_or_default();
                let port = port.split(' ').next().unwrap_or_default();
                let address = format!("127.0.0.1:{port}");
                let guest = start(&[&["netplay", "join", &address][..], &own].concat(), Streams::Pipes)?;
                if random.one_in(2) { vec![host, guest] } else { vec![guest, host] }
            }
        })
    }

    /// Waits for a moment to end it: most often one in which it plays, sometimes one before.
    pub(crate) fn wait(
        self,
        programs: &[Program],
        folder: &Path,
        display: Option<&str>,
        random: &mut SplitMix64,
    ) {
        if !random.one_in(8) {
            let begun = Instant::now();
            let plays = || match self {
                _ if self.counts() => left::noted(folder).is_some(),
                Self::Practice => left::kept(folder).is_some_and(|frames| frames > 0),
                _ => begun.elapsed() > Duration::from_secs(2),
            };
            while !plays() && begun.elapsed() < LONGEST {
                thread::sleep(LOOK);
            }
        }
        let moment = Duration::from_millis(random.below(600).into());
        if self == Self::Window {
            press_at_random(&programs[0], display, moment, random);
        }
        thread::sleep(moment);
        if self == Self::Practice {
            read_progress(&programs[0]);
        }
    }
}

/// Keys and sizes of a window, at random.
fn press_at_random(program: &Program, display: Option<&str>, longest: Duration, random: &mut SplitMix64) {
    const KEYS: [&str; 24] = [
        "Escape",
        "Return",
        "Up",
        "Down",
        "Left",
        "Right",
        "Tab",
        "space",
        "F1",
        "F2",
        "F3",
        "F4",
        "F5",
        "F6",
        "F7",
        "F8",
        "F9",
        "F10",
        "F11",
        "c",
        "bracketleft",
        "bracketright",
        "BackSpace",
        "ctrl+k",
    ];
    let begun = Instant::now();
    let xdotool = |words: &[&str]| {
        let mut command = std::process::Command::new("xdotool");
        command
            .args(words)
            .envs(display.map(|display| ("DISPLAY", display)))
            .stderr(std::process::Stdio::null())
            .output()
            .map(|output| output.stdout)
    };
    let Some(pid) = program.pid() else { return };
    let found = xdotool(&["search", "--pid", &pid.as_raw_nonzero().to_string()]).unwrap_or_default();
    let found = String::from_utf8_lossy(&found).into_owned();
    let windows: Vec<_> = found.split_whitespace().collect();
    while begun.elapsed() < longest && !windows.is_empty() {
        let window = random.pick(&windows);
        let done = if random.one_in(4) {
            let sizes = ["1", "2", "3", "40", "255", "256", "640", "1000"];
            let (width, height) = (random.pick(&sizes), random.pick(&sizes));
            xdotool(&["windowsize", window, width, height])
        } else {
            xdotool(&["key", "--window", window, random.pick(&KEYS)])
        };
        if done.is_err() {
            return; // there is no xdotool
        }
    }
}

/// Keeps the last frame that practice has told of, where a script's number would be.
fn read_progress(program: &Program) {
    for line in program.errors.try_iter() {
        let mut words = line.split(|letter: char| !letter.is_ascii_digit());
        if let Some(frame) = words.find_map(|word| word.parse().ok()) {
            program.printed.store(frame, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
