//! The ways in which test ROMs report.

use serde::{Deserialize, Serialize};

/// How a test ROM tells its result. The serialised names are the `report` kinds of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Status byte at `$6000`, signature `DE B0 61` at `$6001`, text at `$6004` (blargg's later
    /// ROMs).
    #[serde(rename = "status6000")]
    Status,
    /// `PASSED`, `FAILED #n` or `All tests complete` in the nametable, tiles being ASCII.
    ScreenText,
    /// One hexadecimal code in the nametable, `$01` meaning passed (blargg's ROMs of 2005).
    ScreenCode,
    /// A CRC-32 in the nametable, one of several that hardware is known to give.
    ScreenCrc,
    /// nestest from `$C000`: the bytes `$02` and `$03` after its 8,991 instructions.
    #[serde(rename = "cpu_log", alias = "nestest")]
    Nestest,
    /// `AccuracyCoin`'s result bytes, by the names in its own menu tables.
    AccuracyCoin,
    /// Holy Mapperel's four digits, `0000` meaning passed.
    HolyMapperel,
    /// The four bytes at `$00F0` that this project's own cartridges keep (see the crate's
    /// documentation).
    ResultByte,
    /// Only a picture or a sound: no verdict that a program can read.
    Visual,
}
