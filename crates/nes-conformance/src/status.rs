//! The `$6000` status protocol of blargg's later ROMs.
//!
//! `$6001`–`$6003` hold `DE B0 61` once the rest is valid. `$6000` is `$80` while the test runs,
//! `$81` when it wants the reset button, pressed at least 100 ms later, and below `$80` the result:
//! 0 passed. Text lies from `$6004`, closed by a zero byte (source: the readme of each of those
//! ROMs).

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use nes::Console;

use crate::report::{Failure, Report};
use crate::{Method, screen};

/// Frames between the request for a reset and the reset: 100 ms are 6.01 frames.
const RESET_DELAY: u32 = 8;

/// What the status area said in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// No signature: this ROM does not speak the protocol, or not yet.
    Absent,
    /// The test runs, or waits for its reset.
    Running,
    /// The reset button is to be pressed now.
    Reset,
    /// The test has ended with this result.
    Done(u8),
}

/// Follows the status area from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Status {
    asked: Option<u32>,
    // After the reset the old `$81` stays in RAM until the program writes it anew.
    stale: bool,
}

impl Status {
    /// Reads the status area after `frame` frames. On [`Progress::Reset`] the caller presses reset.
    pub(crate) fn look(&mut self, frame: u32, peek: impl Fn(u16) -> u8) -> Progress {
        if [peek(0x6001), peek(0x6002), peek(0x6003)] != [0xDE, 0xB0, 0x61] {
            return Progress::Absent;
        }
        let status = peek(0x6000);
        if status != 0x81 {
            self.stale = false;
            self.asked = None;
        }
        match status {
            0x81 if self.stale => Progress::Running,
            0x81 => match self.asked {
                None => {
                    self.asked = Some(frame);
                    Progress::Running
                }
                Some(asked) if frame - asked >= RESET_DELAY => {
                    self.stale = true;
                    self.asked = None;
                    Progress::Reset
                }
                Some(_) => Progress::Running,
            },
            0x80.. => Progress::Running,
            result => Progress::Done(result),
        }
    }
}

/// The text at `$6004`, without colour codes.
pub(crate) fn text(console: &Console) -> String {
    let bytes: Vec<u8> =
        (0x6004..0x8000).map(|address| console.peek(address)).take_while(|&b| b != 0).collect();
    screen::tidy(&strip_colours(&bytes))
}

// Colour codes have the form ESC [ digits and semicolons, letter.
fn strip_colours(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            0x1B => {
                let _ = rest.by_ref().find(u8::is_ascii_alphabetic);
            }
            b'\n' | b' '..=b'~' => text.push(char::from(byte)),
            _ => {}
        }
    }
    text
}

/// The report of a ROM that has ended with `result`.
pub(crate) fn report(result: u8, frames: u32, text: String) -> Report {
    let failure = (result != 0).then(|| Failure { name: screen::complaint(&text), code: result.to_string() });
    Report::single(Method::Status, failure, frames, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(status: u8) -> impl Fn(u16) -> u8 {
        move |address| match address {
            0x6000 => status,
            0x6001 => 0xDE,
            0x6002 => 0xB0,
            0x6003 => 0x61,
            _ => 0,
        }
    }

    #[test]
    fn no_signature_means_no_protocol() {
        assert_eq!(Status::default().look(0, |_| 0), Progress::Absent);
    }

    #[test]
    fn reset_is_pressed_once_and_a_stale_request_is_ignored() {
        let mut status = Status::default();
        let seen: Vec<_> = (0..30).map(|frame| status.look(frame, area(0x81))).collect();
        assert_eq!(seen.iter().filter(|&&p| p == Progress::Reset).count(), 1);
        assert_eq!(seen[RESET_DELAY as usize], Progress::Reset);
        assert_eq!(status.look(30, area(0x80)), Progress::Running);
        assert_eq!(status.look(31, area(0x00)), Progress::Done(0));
    }

    #[test]
    fn a_second_request_after_the_program_ran_on_is_a_second_reset() {
        let mut status = Status::default();
        let mut resets = 0;
        for (frame, byte) in [(0, 0x81), (8, 0x81), (9, 0x81), (10, 0x80), (11, 0x81), (19, 0x81)] {
            resets += u32::from(status.look(frame, area(byte)) == Progress::Reset);
        }
        assert_eq!(resets, 2);
    }

    #[test]
    fn colour_codes_are_not_text() {
        assert_eq!(strip_colours(b"a\x1B[1;31mb\nc\x07"), "ab\nc");
    }
}
