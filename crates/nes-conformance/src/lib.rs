//! Runs a test ROM without picture, sound or clock until it gives its own verdict.
//!
//! Public test ROMs report in half a dozen ways: a status byte, words or a code or a CRC on the
//! screen, result bytes in RAM. Each way is a module here, and the way is found out from the ROM
//! itself or named by the caller (a [`Manifest`] can). The crate is cut between the machine, which
//! knows no ROM, and the command line, which reads files: it gets bytes and answers with a
//! [`Report`]. Limits are in frames, never in seconds, so that a verdict is the same on any
//! machine.
//!
//! This project's own test cartridges report in RAM: `$00F0`–`$00F2` hold `4D 58 54` ("MXT") once
//! the rest is valid, `$00F3` is `$80` while the test runs, then 0 for passed or the number of the
//! check that failed, 1–`$7F`.
//!
//! ```
//! use nes_conformance::{Options, Verdict, run};
//!
//! let report = run(b"PK\x03\x04 not a cartridge", &Options::default());
//! assert_eq!(report.verdict, Verdict::Error);
//!
//! // A cartridge that never says anything has no verdict.
//! let mut image = b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0".to_vec();
//! image.resize(16 + 0x8000 + 0x2000, 0xEA);
//! let report = run(&image, &Options { frames: Some(3), ..Options::default() });
//! assert_eq!((report.verdict, report.frames), (Verdict::Unknown, 3));
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod accuracy_coin;
mod holy_mapperel;
mod manifest;
mod method;
mod nestest;
mod report;
mod result_byte;
mod rig;
mod screen;
mod status;

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use nes::cartridge::Mmc3Revision;
use nes::ppu::Quirks;
use nes::{Buttons, Cartridge, Region, Unstable};

pub use manifest::{Entry, Manifest, Revision, Television};
pub use method::Method;
pub use report::{Failure, Report, Verdict};

use rig::Rig;
use screen::Screen;
use status::{Progress, Status};

/// Frames after which a ROM that speaks no known protocol is given up. The longest that only write
/// on the screen take about 1,100.
const SILENT_LIMIT: u32 = 2_400;
/// Frames after which a ROM that said it runs is given up. The longest take about 3,000.
const RUNNING_LIMIT: u32 = 6_000;

/// How to run a ROM. The default is the machine's default power-on state and automatic detection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// CPU/PPU phase at power-on, 0–3.
    pub phase: u8,
    /// APU alignment at power-on, 0–3.
    pub apu_alignment: u8,
    /// The byte that RAM holds at power-on.
    pub ram_fill: u8,
    /// Which console it is run on; `None` takes the cartridge's.
    pub region: Option<Region>,
    /// The revision of an MMC3, in the place of the header's.
    pub mmc3: Option<Mmc3Revision>,
    /// What its PPU does that not every one does.
    pub quirks: Quirks,
    /// The constants of its CPU's unstable opcodes.
    pub unstable: Unstable,
    /// Most frames to run from power-on; `None` takes the method's own limit.
    pub frames: Option<u32>,
    /// How the ROM reports; `None` finds out.
    pub method: Option<Method>,
    /// What a pass looks like where the method alone cannot know: the accepted CRCs, or a text.
    pub expected: Option<String>,
}

/// Runs a test ROM without picture or sound until it gives its verdict or the frames are used up.
/// `image` is a whole file (iNES or NES 2.0). Never panics: an image that cannot run is
/// [`Verdict::Error`] with the reason as text.
pub fn run(image: &[u8], options: &Options) -> Report {
    let cartridge = match Cartridge::from_bytes(image) {
        Ok(cartridge) => cartridge,
        Err(error) => return Report::error(error.to_string()),
    };
    let known = options.method.or_else(|| detect(image, &cartridge));
    let crcs = accepted_crcs(cartridge.crc32());
    let rig = Rig::new(cartridge, options, RUNNING_LIMIT);
    match known {
        Some(Method::Nestest) => nestest::run(rig),
        Some(Method::HolyMapperel) => holy_mapperel::run(rig),
        Some(Method::AccuracyCoin) => match accuracy_coin::tests(prg(image)) {
            Some(tests) => accuracy_coin::run(rig, &tests),
            None => {
                Report::error("expected AccuracyCoin's menu tables at $8100, found none: this is another ROM")
            }
        },
        Some(Method::Visual) => {
            let text = "only a picture or a sound: no verdict that a program can read".to_owned();
            Report::without_verdict(Verdict::Unknown, Some(Method::Visual), 0, text)
        }
        method => {
            let method = method.or(crcs.map(|_| Method::ScreenCrc));
            watch(rig, method, options.expected.as_deref().or(crcs))
        }
    }
}

fn detect(image: &[u8], cartridge: &Cartridge) -> Option<Method> {
    if cartridge.crc32() == nestest::CRC32 {
        Some(Method::Nestest)
    } else if accuracy_coin::tests(prg(image)).is_some() {
        Some(Method::AccuracyCoin)
    } else if holy_mapperel::detect(image) {
        Some(Method::HolyMapperel)
    } else {
        None
    }
}

// The PRG of an image of 32 KiB PRG without a trainer; of another, something that is no PRG.
fn prg(image: &[u8]) -> &[u8] {
    image.get(16..16 + 0x8000).unwrap_or_default()
}

/// The CRCs that hardware gives on the two ROMs that print nothing else to tell good from bad;
/// which one depends on the CPU/PPU phase (source: the comments in their sources). By CRC-32 of PRG
/// and CHR.
fn accepted_crcs(rom: u32) -> Option<&'static str> {
    match rom {
        // dma_2007_read
        0x29F9_DB17 => Some("159A7A8F 5E3DF9C4"),
        // double_2007_read
        0xA97F_3602 => Some("85CFD627 F018C287 440EF923 E52F41A5"),
        _ => None,
    }
}

/// Runs a ROM that may report by status byte, result byte or screen, whichever speaks first.
fn watch(mut rig: Rig, method: Option<Method>, expected: Option<&str>) -> Report {
    let mut status = Status::default();
    let mut screen = Screen::new();
    let mut spoke = false;
    while spoke || rig.frames() < SILENT_LIMIT {
        if !rig.frame(Buttons::empty()) {
            break;
        }
        match status.look(rig.frames(), |address| rig.console.peek(address)) {
            Progress::Done(result) => {
                return status::report(result, rig.frames(), status::text(&rig.console));
            }
            Progress::Reset => rig.console.reset(),
            Progress::Running => spoke = true,
            Progress::Absent => {}
        }
        if spoke {
            continue;
        }
        if let Some(result) = result_byte::look(rig.console.ram()) {
            let text = screen::read(rig.console.ciram(), |tile| tile);
            return result_byte::report(result, rig.frames(), text);
        }
        if let Some(report) = screen.look(rig.frames(), &rig.console, method, expected) {
            return report;
        }
    }
    if spoke {
        let text = status::text(&rig.console);
        return Report::without_verdict(Verdict::Timeout, Some(Method::Status), rig.frames(), text);
    }
    screen.give_up(rig.frames(), method)
}
