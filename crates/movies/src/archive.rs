//! A ZIP archive, read with bounds.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::MovieError;

/// What an archive opens with.
const MAGIC: &[u8] = b"PK\x03\x04";
/// Files of an archive that are looked at, and those that an error names.
const MOST_ENTRIES: usize = 1_000;
const MOST_NAMED: usize = 5;
/// Bytes of the longest file: two million frames of four pads have some 80 MB.
const MOST_BYTES: u64 = 128 << 20;

/// An archive in memory.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
}

impl<'a> Archive<'a> {
    /// Returns whether the bytes open as an archive does.
    pub(crate) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, MovieError> {
        let zip =
            ZipArchive::new(Cursor::new(bytes)).map_err(|error| MovieError::Archive(error.to_string()))?;
        if zip.len() > MOST_ENTRIES {
            return Err(MovieError::Archive(format!(
                "{} files in it, expected {MOST_ENTRIES} at most",
                zip.len()
            )));
        }
        Ok(Self { zip })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// Returns whether a file's name begins with this.
    pub(crate) fn has_any(&self, begin: &str) -> bool {
        self.zip.file_names().flatten().any(|name| name.starts_with(begin))
    }

    /// Returns the names of the first files, for messages.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self
            .zip
            .file_names()
            .flatten()
            .take(MOST_NAMED)
            .map(|name| name.escape_default().to_string())
            .collect();
        match names.len() {
            0 => "nothing".to_owned(),
            count if self.zip.len() > count => names.join(", ") + ", …",
            _ => names.join(", "),
        }
    }

    /// Returns the text of a file; empty if there is none of this name.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<String, MovieError> {
        if !self.has(name) {
            return Ok(String::new());
        }
        let wrong = |error: &dyn std::fmt::Display| MovieError::Archive(format!("{name}: {error}"));
        let mut file = self.zip.by_name(name).map_err(|error| wrong(&error))?;
        let mut bytes = Vec::new();
        let read =
            file.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| wrong(&error))?;
        if read as u64 > MOST_BYTES {
            return Err(MovieError::TooLarge { name, limit: MOST_BYTES });
        }
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// The same, of a file that has to be there.
    pub(crate) fn needed(&mut self, name: &'static str) -> Result<String, MovieError> {
        if self.has(name) { self.text(name) } else { Err(MovieError::Missing { name, found: self.names() }) }
    }
}
