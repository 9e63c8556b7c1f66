//! Verdicts that a ROM draws into the nametable, its tiles being ASCII.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nes::Console;

use crate::report::{Failure, Report};
use crate::{Method, Verdict};

/// Frames for which a text must stand still to be the last word.
const SETTLED: u32 = 30;

const COLUMNS: usize = 32;
const ROWS: usize = 30;
const NAMETABLE: usize = 0x400;

/// The text of the whole CIRAM, one line a row of tiles, `ascii` turning a tile into its character.
pub(crate) fn read(ciram: &[u8], ascii: impl Fn(u8) -> u8) -> String {
    let mut text = String::new();
    for nametable in ciram.chunks_exact(NAMETABLE) {
        for row in nametable.chunks_exact(COLUMNS).take(ROWS) {
            text.extend(row.iter().map(|&tile| match ascii(tile) {
                byte @ b' '..=b'~' => char::from(byte),
                _ => ' ',
            }));
            text.push('\n');
        }
    }
    tidy(&text)
}

/// `text` without trailing blanks, empty first and last lines, and runs of empty lines.
pub(crate) fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && lines.last().is_none_or(|last| last.is_empty())) {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}

/// The line that says what went wrong: the last one that mentions a failure or an error, else the
/// last.
pub(crate) fn complaint(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
    let last = lines.clone().next().unwrap_or_default();
    let line = lines.find(|line| complains(line));
    line.unwrap_or(last).to_owned()
}

/// Does this line say that a test failed? "Error" alone may as well be a word of an explanation.
fn complains(line: &str) -> bool {
    let line = line.trim().to_ascii_lowercase();
    let number =
        line.strip_prefix("error").and_then(|rest| rest.trim_start_matches([' ', ':', '#']).chars().next());
    line.contains("failed") || line.contains("internal error") || number.is_some_and(|c| c.is_ascii_digit())
}

fn has(text: &str, word: &str) -> bool {
    text.to_ascii_lowercase().contains(word)
}

/// What a text says about the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Nothing that is known.
    Nothing,
    Passed(Method),
    Failed(Method, Failure),
}

/// Reads a verdict out of a screen's text. `method` and `expected` narrow it down where the caller
/// knows how the ROM reports.
pub(crate) fn judge(text: &str, method: Option<Method>, expected: Option<&str>) -> Word {
    match method {
        Some(Method::ScreenText) => words(text, expected),
        Some(Method::ScreenCode) => code(text),
        Some(Method::ScreenCrc) => crc(text, expected),
        _ => match words(text, expected) {
            Word::Nothing => code(text),
            word => word,
        },
    }
}

fn words(text: &str, expected: Option<&str>) -> Word {
    let method = Method::ScreenText;
    if text.lines().any(complains) {
        let name = complaint(text);
        let code =
            name.split(['#', ' ', ':']).rev().find(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        let code = code.unwrap_or("1").to_owned();
        return Word::Failed(method, Failure { name, code });
    }
    let good = expected.is_some_and(|expected| has(text, &expected.to_ascii_lowercase()));
    if good || has(text, "passed") || has(text, "all tests complete") {
        return Word::Passed(method);
    }
    Word::Nothing
}

// blargg's ROMs of 2005 write one code and no words: $01 passed, others are in the ROM's readme. A
// byte that a test of VRAM left in the nametable may stand beside it.
fn code(text: &str) -> Word {
    let mut words = text.split_whitespace();
    let Some(word) = words.next() else { return Word::Nothing };
    let digits = word.strip_prefix('$').filter(|digits| digits.len() == 2);
    let Some(digits) = digits.filter(|_| words.all(|word| word.len() == 1)) else { return Word::Nothing };
    match u8::from_str_radix(digits, 16) {
        Ok(1) => Word::Passed(Method::ScreenCode),
        Ok(_) => {
            let (name, code) = ("code on screen".to_owned(), word.to_owned());
            Word::Failed(Method::ScreenCode, Failure { name, code })
        }
        Err(_) => Word::Nothing,
    }
}

fn is_crc(word: &str) -> bool {
    word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

// The CRC covers what the ROM printed before it; some ROMs print nothing else that tells good from
// bad.
fn crc(text: &str, expected: Option<&str>) -> Word {
    let accepted: Vec<&str> = expected
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| is_crc(word))
        .collect();
    if accepted.is_empty() {
        return words(text, None);
    }
    let Some(found) = text.split_whitespace().rev().find(|word| is_crc(word)) else { return Word::Nothing };
    if accepted.iter().any(|word| word.eq_ignore_ascii_case(found)) {
        return Word::Passed(Method::ScreenCrc);
    }
    let name = format!("CRC is none of {}", accepted.join(", "));
    Word::Failed(Method::ScreenCrc, Failure { name, code: found.to_owned() })
}

/// Watches the screen until a text that holds a verdict stands still.
#[derive(Debug)]
pub(crate) struct Screen {
    text: String,
    since: u32,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), since: 0 }
    }

    /// Looks after `frame` frames; a report once the verdict is in and settled.
    pub(crate) fn look(
        &mut self,
        frame: u32,
        console: &Console,
        method: Option<Method>,
        expected: Option<&str>,
    ) -> Option<Report> {
        let text = read(console.ciram(), |tile| tile);
        if text != self.text {
            self.text = text;
            self.since = frame;
            return None;
        }
        if frame - self.since != SETTLED {
            return None;
        }
        match judge(&self.text, method, expected) {
            Word::Nothing => None,
            Word::Passed(method) => Some(Report::single(method, None, frame, self.text.clone())),
            Word::Failed(method, failure) => {
                Some(Report::single(method, Some(failure), frame, self.text.clone()))
            }
        }
    }

    /// The report of a ROM that never gave a verdict.
    pub(crate) fn give_up(self, frames: u32, method: Option<Method>) -> Report {
        Report::without_verdict(Verdict::Unknown, method, frames, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nametable_of_ascii_tiles_is_text() {
        let mut ciram = vec![0u8; 0x800];
        ciram[0x42..0x48].copy_from_slice(b"PASSED");
        assert_eq!(read(&ciram, |tile| tile), "  PASSED");
        assert_eq!(judge("  PASSED", None, None), Word::Passed(Method::ScreenText));
    }

    #[test]
    fn the_number_after_failed_is_the_code() {
        let Word::Failed(method, failure) = judge("VBL TIMING\nFAILED: #7", None, None) else { panic!() };
        assert_eq!((method, failure.code.as_str()), (Method::ScreenText, "7"));
        assert_eq!(failure.name, "FAILED: #7");
        assert_eq!(judge("VRAM address errors   |\nshow as broken lines", None, None), Word::Nothing);
    }

    #[test]
    fn a_lone_code_is_a_verdict_and_a_code_in_a_text_is_not() {
        assert_eq!(judge("  $01", None, None), Word::Passed(Method::ScreenCode));
        assert!(matches!(judge("$04", None, None), Word::Failed(Method::ScreenCode, _)));
        assert_eq!(judge("  $01\n\n      4", None, None), Word::Passed(Method::ScreenCode));
        assert_eq!(judge("ADDRESS $01", None, None), Word::Nothing);
        assert_eq!(judge("$01 BYTES", None, None), Word::Nothing);
    }

    #[test]
    fn a_crc_passes_when_it_is_one_of_those_accepted() {
        let expected = Some("CRC 159A7A8F or 5E3DF9C4");
        let judge = |text| judge(text, Some(Method::ScreenCrc), expected);
        assert_eq!(judge("11 22\n5E3DF9C4"), Word::Passed(Method::ScreenCrc));
        assert!(matches!(judge("11 22\n00000000"), Word::Failed(_, f) if f.code == "00000000"));
        assert_eq!(judge("11 22"), Word::Nothing);
    }

    #[test]
    fn the_complaint_is_the_last_line_about_a_failure() {
        assert_eq!(complaint("Error in x\nmore\nFailed #3\n\ntest_name"), "Failed #3");
        assert_eq!(complaint("Error 2\n\ntest_name"), "Error 2");
        assert_eq!(complaint("a\nb\n"), "b");
    }
}
