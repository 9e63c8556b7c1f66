//! `AccuracyCoin`: its tests by the names in its own menu tables, its result bytes from RAM.
//!
//! The ROM grows, so nothing about its tests is written down here. `$8100` holds a table of
//! pointers to pages; a page is a name, then entries of name, address of the result, address of the
//! code; `$FF` closes each name and the page. Entries that only draw keep their result in page 3 of
//! RAM and are not scored (source: `AccuracyCoin.asm`, `TableTable`, and its readme).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use nes::Buttons;

use crate::report::{Failure, Report};
use crate::rig::Rig;
use crate::{Method, Verdict};

const TABLE: usize = 0x100;
/// Counts the steps of the ROM's start; 10 is the menu.
const BOOT_STEP: u16 = 0xEC;
const MENU: u8 = 0x0A;
/// 1 while all tests run.
const RUNNING: u16 = 0x35;
/// Number of the test that runs, from 1; afterwards the number of tests.
const TALLY: u16 = 0x37;

const BOOT_FRAMES: u32 = 300;
const START_FRAMES: u32 = 4;
/// The whole run takes about 4,000 frames; a cap that is reached is a hang.
const RUN_FRAMES: u32 = 6_000;
/// The results' screen is drawn after the last test.
const SETTLE_FRAMES: u32 = 60;

/// One scored test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    name: String,
    result: u16,
}

/// The tests that `prg` (32 KiB, mapped at `$8000`) lists in the order in which they run; `None` if
/// it is not this ROM.
pub(crate) fn tests(prg: &[u8]) -> Option<Vec<Test>> {
    if prg.len() != 0x8000 {
        return None;
    }
    let first = word(prg, TABLE)?;
    let pages = first.checked_sub(TABLE)? / 2;
    if !(4..=64).contains(&pages) {
        return None;
    }
    let mut tests = Vec::new();
    for page in 0..pages {
        let mut at = word(prg, TABLE + 2 * page)?;
        let title = name(prg, &mut at)?;
        while *prg.get(at)? != 0xFF {
            let name = name(prg, &mut at)?;
            let result = u16::from_le_bytes([*prg.get(at)?, *prg.get(at + 1)?]);
            word(prg, at + 2)?;
            at += 4;
            match result {
                0x400..=0x4FF => tests.push(Test { name: format!("{title}: {name}"), result }),
                0x300..=0x3FF => {}
                _ => return None,
            }
        }
    }
    (!tests.is_empty()).then_some(tests)
}

// A pointer into the ROM as an offset into it.
fn word(prg: &[u8], at: usize) -> Option<usize> {
    let pointer = u16::from_le_bytes([*prg.get(at)?, *prg.get(at + 1)?]);
    usize::from(pointer).checked_sub(0x8000)
}

fn name(prg: &[u8], at: &mut usize) -> Option<String> {
    let text = prg.get(*at..)?.split(|&byte| byte == 0xFF).next()?;
    *at += text.len() + 1;
    let printable =
        !text.is_empty() && text.len() <= 32 && text.iter().all(|byte| (b' '..=b'~').contains(byte));
    printable.then(|| String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" "))
}

pub(crate) fn run(mut rig: Rig, tests: &[Test]) -> Report {
    let timeout = |rig: &Rig, text: String| {
        let mut report =
            Report::without_verdict(Verdict::Timeout, Some(Method::AccuracyCoin), rig.frames(), text);
        report.total = tests.len() as u32;
        report
    };
    if !rig.until(BOOT_FRAMES, |console| console.peek(BOOT_STEP) == MENU) {
        let step = rig.console.peek(BOOT_STEP);
        return timeout(&rig, format!("the menu was not reached: $EC = {step:02X}, not 0A"));
    }
    // The menu looks at the pad from its second frame on.
    rig.until(START_FRAMES, |_| false);
    for _ in 0..START_FRAMES {
        rig.frame(Buttons::START);
    }
    if !rig.until(SETTLE_FRAMES, |console| console.peek(RUNNING) == 1) {
        return timeout(&rig, "START did not begin the tests".to_owned());
    }
    if !rig.until(RUN_FRAMES, |console| console.peek(RUNNING) == 0) {
        let number = rig.console.peek(TALLY);
        let name = tests.get(usize::from(number).wrapping_sub(1)).map_or("?", |test| &test.name);
        return timeout(&rig, format!("test {number} does not end: {name}"));
    }
    let total = tests.len() as u8;
    rig.until(SETTLE_FRAMES, |console| console.peek(TALLY) == total);
    report(&rig, tests)
}

fn report(rig: &Rig, tests: &[Test]) -> Report {
    let failures: Vec<_> = tests
        .iter()
        .filter_map(|test| {
            let code = failure_code(rig.console.peek(test.result))?;
            Some(Failure { name: test.name.clone(), code })
        })
        .collect();
    let total = tests.len() as u32;
    let text = format!("{} of {total} tests", total - failures.len() as u32);
    Report::parts(Method::AccuracyCoin, total, failures, rig.frames(), text)
}

/// What a result byte says went wrong. Bit 0 is a pass, bit 1 a failure, the rest the code, written
/// 0–9, A–Z.
fn failure_code(result: u8) -> Option<String> {
    match result {
        0x00 => Some("not run".to_owned()),
        0xFF => Some("skipped".to_owned()),
        result if result & 3 == 1 => None,
        result if result & 3 == 2 => {
            let digit = char::from_digit(u32::from(result >> 2), 36).map(|digit| digit.to_ascii_uppercase());
            Some(digit.map_or_else(|| (result >> 2).to_string(), String::from))
        }
        result => Some(format!("${result:02X}")),
    }
}

#[cfg(test)]
mod tests_of_the_table {
    use super::*;

    fn rom() -> Vec<u8> {
        let mut prg = vec![0; 0x8000];
        let pages: [&[u8]; 4] = [
            b"Page one\xFFFirst   test\xFF\x05\x04\x00\x90Only drawn\xFF\xFF\x03\x00\x90\xFF",
            b"Two\xFFB\xFF\x06\x04\x00\x90\xFF",
            b"Three\xFFC\xFF\x07\x04\x00\x90\xFF",
            b"Four\xFFD\xFF\x08\x04\x00\x90\xFF",
        ];
        let mut at = TABLE + 2 * pages.len();
        for (index, page) in pages.iter().enumerate() {
            prg[TABLE + 2 * index..][..2].copy_from_slice(&(0x8000 + at as u16).to_le_bytes());
            prg[at..][..page.len()].copy_from_slice(page);
            at += page.len();
        }
        prg
    }

    #[test]
    fn the_menu_tables_give_names_and_addresses_and_leave_out_what_is_only_drawn() {
        let tests = tests(&rom()).unwrap();
        let names: Vec<_> = tests.iter().map(|test| (test.name.as_str(), test.result)).collect();
        let expected =
            [("Page one: First test", 0x405), ("Two: B", 0x406), ("Three: C", 0x407), ("Four: D", 0x408)];
        assert_eq!(names, expected);
    }

    #[test]
    fn another_rom_has_no_such_tables() {
        assert_eq!(tests(&vec![0; 0x8000]), None);
        assert_eq!(tests(&vec![0xFF; 0x8000]), None);
        assert_eq!(tests(&[]), None);
    }

    #[test]
    fn result_bytes_hold_the_code_above_two_flag_bits() {
        assert_eq!(failure_code(0x01), None);
        assert_eq!(failure_code(0x09), None);
        assert_eq!(failure_code(0x02), Some("0".into()));
        assert_eq!(failure_code(0x2A), Some("A".into()));
        assert_eq!(failure_code(0x00), Some("not run".into()));
    }
}
