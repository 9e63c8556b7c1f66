//! A list of test ROMs with what is known about each.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use nes::Region;
use nes::cartridge::Mmc3Revision;

use crate::{Method, Options};

/// A revision of the MMC3, as a manifest names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Revision {
    /// NEC's.
    A,
    /// Sharp's.
    B,
}

impl From<Revision> for Mmc3Revision {
    fn from(revision: Revision) -> Self {
        match revision {
            Revision::A => Self::A,
            Revision::B => Self::B,
        }
    }
}

/// A region, as a manifest names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Television {
    /// NTSC.
    Ntsc,
    /// PAL.
    Pal,
}

impl From<Television> for Region {
    fn from(television: Television) -> Self {
        match television {
            Television::Ntsc => Self::Ntsc,
            Television::Pal => Self::Pal,
        }
    }
}

/// What a manifest says about one ROM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Path of the ROM relative to the suite's folder, with `/`.
    pub path: String,
    /// How it reports.
    pub report: Option<Method>,
    /// What a pass looks like (accepted CRCs, a text).
    pub expected: Option<String>,
    /// Most frames until the verdict.
    pub frame_budget: Option<u32>,
    /// The console that the ROM was made for.
    pub region: Option<Television>,
    /// The MMC3 that the ROM was made for.
    pub mmc3: Option<Revision>,
}

/// A list of ROMs. In JSON
/// `{"roms": [{"path": …, "report": …, "expected": …, "frame_budget": …, "region": …, "mmc3": …}]}`;
/// other fields are allowed and ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// One entry a ROM.
    pub roms: Vec<Entry>,
}

impl Manifest {
    /// The entry whose path is `path` or a whole-component tail of it; the longest wins.
    /// `path` is written with `/`.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        self.roms
            .iter()
            .filter(|entry| {
                path.strip_suffix(entry.path.as_str())
                    .is_some_and(|before| before.is_empty() || before.ends_with('/'))
            })
            .max_by_key(|entry| entry.path.len())
    }
}

impl Entry {
    /// `options` with what this entry knows.
    #[must_use]
    pub fn apply(&self, options: &Options) -> Options {
        Options {
            method: self.report.or(options.method),
            expected: self.expected.clone().or_else(|| options.expected.clone()),
            frames: options.frames.or(self.frame_budget),
            region: self.region.map(Into::into).or(options.region),
            mmc3: self.mmc3.map(Into::into).or(options.mmc3),
            ..options.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str) -> Entry {
        Entry {
            path: path.into(),
            report: None,
            expected: None,
            frame_budget: Some(7),
            region: None,
            mmc3: None,
        }
    }

    #[test]
    fn an_entry_matches_whole_components_only() {
        let manifest = Manifest { roms: vec![entry("a/b.nes"), entry("b.nes")] };
        assert_eq!(manifest.entry("suite/a/b.nes").map(|e| e.path.as_str()), Some("a/b.nes"));
        assert_eq!(manifest.entry("suite/c/b.nes").map(|e| e.path.as_str()), Some("b.nes"));
        assert_eq!(manifest.entry("suite/bb.nes"), None);
    }

    #[test]
    fn a_limit_given_by_the_caller_wins_over_the_manifest() {
        let options = Options { frames: Some(3), ..Options::default() };
        assert_eq!(entry("x").apply(&options).frames, Some(3));
        assert_eq!(entry("x").apply(&Options::default()).frames, Some(7));
    }
}
