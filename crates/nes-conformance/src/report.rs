//! What a run came to.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::Method;

/// The outcome of one test ROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The ROM says that it passed.
    Pass,
    /// The ROM says that it failed, or a part of it did.
    Fail,
    /// The ROM spoke a known protocol but had not finished when the frames were used up.
    Timeout,
    /// The ROM gave no verdict that a program can read.
    Unknown,
    /// The image could not be run at all.
    Error,
}

impl Verdict {
    /// The word used in tables and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Timeout => "timeout",
            Verdict::Unknown => "unknown",
            Verdict::Error => "error",
        }
    }
}

/// One part of a ROM that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The part's name in the ROM's own words.
    pub name: String,
    /// The ROM's code for what went wrong, as its own documentation writes it.
    pub code: String,
}

/// Everything that is known about a ROM after its run. Serialises to one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The name the caller gave the ROM (its path, as a rule); empty from [`crate::run`].
    pub rom: String,
    /// The outcome.
    pub verdict: Verdict,
    /// Parts that passed. A ROM with a single result has one part.
    pub passed: u32,
    /// Parts in all.
    pub total: u32,
    /// The parts that did not pass.
    pub failures: Vec<Failure>,
    /// Frames emulated from power-on.
    pub frames: u32,
    /// What the ROM wrote, lines separated by `\n`; for [`Verdict::Error`] the reason.
    pub text: String,
    /// How the verdict was read; `None` when no protocol was recognised.
    pub method: Option<Method>,
}

impl Report {
    /// The same report under the caller's name for the ROM.
    #[must_use]
    pub fn named(mut self, rom: impl Into<String>) -> Self {
        self.rom = rom.into();
        self
    }

    /// A report that the image could not be run, with the reason.
    pub fn error(reason: impl Into<String>) -> Self {
        Self {
            rom: String::new(),
            verdict: Verdict::Error,
            passed: 0,
            total: 0,
            failures: Vec::new(),
            frames: 0,
            text: reason.into(),
            method: None,
        }
    }

    /// A report of a ROM that has exactly one result: `None` is a pass.
    pub(crate) fn single(method: Method, failure: Option<Failure>, frames: u32, text: String) -> Self {
        Self::parts(method, 1, failure.into_iter().collect(), frames, text)
    }

    /// A report of a ROM with `total` parts, of which `failures` did not pass.
    pub(crate) fn parts(
        method: Method,
        total: u32,
        failures: Vec<Failure>,
        frames: u32,
        text: String,
    ) -> Self {
        Self {
            rom: String::new(),
            verdict: if failures.is_empty() { Verdict::Pass } else { Verdict::Fail },
            passed: total.saturating_sub(failures.len() as u32),
            total,
            failures,
            frames,
            text,
            method: Some(method),
        }
    }

    /// A report without a verdict of the ROM's own.
    pub(crate) fn without_verdict(
        verdict: Verdict,
        method: Option<Method>,
        frames: u32,
        text: String,
    ) -> Self {
        Self { verdict, method, frames, total: 1, ..Self::error(text) }
    }
}
