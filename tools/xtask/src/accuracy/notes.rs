//! docs/accuracy/notes.json: what a human knows about a ROM that its run cannot say.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// All notes, first match first.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Notes {
    notes: Vec<Note>,
}

/// One note.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    /// Key of the suite.
    suite: String,
    /// The ROM's path in the suite; `*` stands for any characters.
    rom: String,
    /// Only for this failure of the ROM.
    #[serde(default)]
    failure: Option<String>,
    /// Is the ROM left out, because it is not for this machine or has no verdict to read?
    #[serde(default)]
    pub(super) excluded: bool,
    /// The reason or the analysis.
    #[serde(rename = "note")]
    pub(super) reason: String,
}

impl Notes {
    /// Reads notes.json of the data folder; none when there is no such file.
    ///
    /// # Errors
    /// When it is not what is expected.
    pub(super) fn read(data: &Path) -> Result<Self> {
        match std::fs::read_to_string(data.join("notes.json")) {
            Ok(text) => serde_json::from_str(&text).context("docs/accuracy/notes.json is not understood"),
            Err(_) => Ok(Self::default()),
        }
    }

    /// The note on a whole ROM.
    pub(super) fn on_rom(&self, suite: &str, rom: &str) -> Option<&Note> {
        self.notes
            .iter()
            .find(|note| note.failure.is_none() && note.suite == suite && matches(&note.rom, rom))
    }

    /// The note on one failure of a ROM.
    pub(super) fn on_failure(&self, suite: &str, rom: &str, failure: &str) -> Option<&Note> {
        self.notes.iter().find(|note| {
            note.failure.as_deref() == Some(failure) && note.suite == suite && matches(&note.rom, rom)
        })
    }
}

/// Does a path match a pattern in which `*` stands for any characters?
fn matches(pattern: &str, path: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == path };
    let Some(rest) = path.strip_prefix(before) else { return false };
    (0..=rest.len()).any(|skipped| rest.is_char_boundary(skipped) && matches(after, &rest[skipped..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(matches("apu/pal_*.nes", "apu/pal_irq_flag.nes"));
        assert!(matches("mapper/*", "mapper/m004_txrom/a.nes"));
        assert!(!matches("apu/pal_*.nes", "apu/irq_flag.nes"));
        assert!(!matches("a.nes", "b/a.nes"));
    }

    #[test]
    fn a_note_on_a_failure_is_not_one_on_its_rom() -> Result<()> {
        let notes: Notes = serde_json::from_str(
            r#"{"notes": [{"suite": "s", "rom": "a", "failure": "f", "note": "why"},
                          {"suite": "s", "rom": "*", "excluded": true, "note": "PAL"}]}"#,
        )?;
        assert_eq!(notes.on_failure("s", "a", "f").map(|note| note.reason.as_str()), Some("why"));
        assert_eq!(notes.on_rom("s", "a").map(|note| note.reason.as_str()), Some("PAL"));
        assert!(notes.on_rom("t", "a").is_none());
        Ok(())
    }
}
