//! Seeds for games whose caller names none.

use std::time::{SystemTime, UNIX_EPOCH};

use tetris::SplitMix64;

/// Returns a seed that differs from call to call: it comes from the clock.
pub(crate) fn seed() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SplitMix64::mix(now.as_nanos() as u64) as u32
}
