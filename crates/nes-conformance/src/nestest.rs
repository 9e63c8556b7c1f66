//! nestest without its menu: started at `$C000` it runs every opcode and leaves two result bytes.
//!
//! The published log has 8,991 instructions, the last at `$C66E`. `$02` is the code of the last
//! official opcode that failed, `$03` that of the last unofficial one; 0 is a pass (nestest.txt).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use nes::Buttons;

use crate::Method;
use crate::harness::Harness;
use crate::report::{Failure, Report};

/// CRC-32 of the PRG and CHR of nestest.nes as published.
pub(crate) const CRC32: u32 = 0x158B_0388;
const START: u16 = 0xC000;
const LAST: u16 = 0xC66E;
const INSTRUCTIONS: u32 = 8_991;

pub(crate) fn run(mut harness: Harness) -> Report {
    let console = &mut harness.console;
    console.cpu.pc = START;
    // All but the last, so that its address can be looked at.
    for _ in 1..INSTRUCTIONS {
        let _ = console.step(&mut [Buttons::empty(); 2], &mut ());
    }
    let pc = console.cpu.pc;
    let [official, unofficial] = [console.peek(0x02), console.peek(0x03)];
    let mut failures = Vec::new();
    if pc != LAST {
        let name = format!("instruction {INSTRUCTIONS} is at ${LAST:04X}");
        failures.push(Failure { name, code: format!("${pc:04X}") });
    }
    for (name, code) in [("official opcodes", official), ("unofficial opcodes", unofficial)] {
        if code != 0 {
            failures.push(Failure { name: name.to_owned(), code: format!("${code:02X}") });
        }
    }
    let text = format!("$02 = {official:02X}, $03 = {unofficial:02X}, PC = {pc:04X}");
    Report::parts(Method::Nestest, 3, failures, 1, text)
}
