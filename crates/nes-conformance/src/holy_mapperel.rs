//! Holy Mapperel: a board test whose screen ends in `DETAILED TEST RESULT: ` and four digits.
//!
//! Its tiles are ASCII without the two highest bits, so letters lie at 1–26 (source: its main.s).
//! The digits are two bytes: banking and PRG-RAM protection of PRG, then of CHR; 0000 passes.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::Method;
use crate::harness::Harness;
use crate::report::{Failure, Report};
use crate::{Verdict, screen};

const LABEL: &str = "DETAILED TEST RESULT:";
const NAME: &[u8] = b"HOLY MAPPEREL";
/// It writes every byte of CHR-RAM and PRG-RAM eight times before it shows its screen.
const LIMIT: u32 = 3_600;

/// Is this image one of its many?
pub(crate) fn detect(image: &[u8]) -> bool {
    [NAME, LABEL.as_bytes()].iter().all(|text| image.windows(text.len()).any(|window| window == *text))
}

fn ascii(tile: u8) -> u8 {
    match tile & 0x3F {
        letter @ 0..=0x1F => letter | 0x40,
        other => other,
    }
}

pub(crate) fn run(mut harness: Harness) -> Report {
    let read = |console: &nes::Console| screen::read(console.ciram(), ascii).replace('@', " ");
    let done = harness.until(LIMIT, |console| code(&read(console)).is_some());
    let text = screen::tidy(&read(&harness.console));
    match code(&text) {
        Some(code) if done => {
            let problem = text.contains("PROBLEM");
            let failure = (code != "0000" || problem).then(|| Failure {
                name: if problem { "RAM or ROM" } else { "detailed test" }.to_owned(),
                code,
            });
            Report::single(Method::HolyMapperel, failure, harness.frames(), text)
        }
        _ => Report::without_verdict(Verdict::Timeout, Some(Method::HolyMapperel), harness.frames(), text),
    }
}

fn code(text: &str) -> Option<String> {
    let (_, after) = text.split_once(LABEL)?;
    let code = after.split_whitespace().next()?;
    (code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lie_at_one_to_twenty_six() {
        let text: String =
            [0x08, 0x0F, 0x0C, 0x19, 0x20, 0x30].iter().map(|&t| char::from(ascii(t))).collect();
        assert_eq!(text, "HOLY 0");
    }

    #[test]
    fn the_code_is_the_four_digits_behind_the_label() {
        assert_eq!(code("X\nDETAILED TEST RESULT: 0A10\nFLASH"), Some("0A10".into()));
        assert_eq!(code("DETAILED TEST RESULT: "), None);
    }
}
