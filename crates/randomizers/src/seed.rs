//! Seeds as they are written.

use crate::Kind;

/// What is wrong with a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// The text is not a seed of this kind.
    #[error("seed `{text}` of {kind}: expected {}", .kind.seed_form())]
    Form {
        /// The randomizer.
        kind: Kind,
        /// What was found.
        text: String,
    },
    /// The shift register would never move.
    #[error("a seed whose register is 0000 or 0001 deals no random pieces: take another first four digits")]
    Dead,
}

/// A whole number, decimal or with `0x` hexadecimal, of at most `limit`.
pub(crate) fn number(text: &str, limit: u64) -> Option<u64> {
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => hexadecimal(digits, 1..=16)?,
        None => decimal(text)?,
    };
    (value <= limit).then_some(value)
}

/// Decimal digits only: `parse` alone would take a plus sign.
pub(crate) fn decimal(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// As many hexadecimal digits as `digits` allows, and nothing else.
pub(crate) fn hexadecimal(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u64> {
    if digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        u64::from_str_radix(text, 16).ok()
    } else {
        None
    }
}
