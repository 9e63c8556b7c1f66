//! The result bytes that this project's own test cartridges keep in zero page (see the crate's
//! first page).
//!
//! RAM is used because these cartridges have none of their own, and no bus access is needed to read
//! it.

use alloc::format;
use alloc::string::{String, ToString};

use crate::Method;
use crate::report::{Failure, Report};

const SIGNATURE: [u8; 3] = *b"MXT";

/// The result in `ram`, if a program has left one: `Some(0)` passed.
pub(crate) fn look(ram: &[u8; 0x800]) -> Option<u8> {
    (ram[0xF0..0xF3] == SIGNATURE && ram[0xF3] < 0x80).then_some(ram[0xF3])
}

pub(crate) fn report(result: u8, frames: u32, text: String) -> Report {
    let failure =
        (result != 0).then(|| Failure { name: format!("check {result}"), code: result.to_string() });
    Report::single(Method::ResultByte, failure, frames, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_valid_only_behind_its_signature_and_when_done() {
        let mut ram = [0; 0x800];
        assert_eq!(look(&ram), None);
        ram[0xF0..0xF3].copy_from_slice(b"MXT");
        ram[0xF3] = 0x80;
        assert_eq!(look(&ram), None);
        ram[0xF3] = 2;
        assert_eq!(look(&ram), Some(2));
    }
}
