//! The one folder that a script may keep files in, by plain names.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use draft::Draft;

/// No movie or state comes near this.
const LIMIT: u64 = 64 << 20;

/// No state comes near this.
const STATE: u64 = 1 << 20;

/// What a saved state begins with.
const MAGIC: &[u8] = b"MXST";

/// Names that mean devices on Windows, whatever follows behind a point.
const DEVICES: &[&str] = &[
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
    "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// A folder for movies, states and screenshots of a script. A name has no folder in it, so that
/// nothing else is in reach.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`, which is there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Looks whether a file could have this name.
    ///
    /// # Errors
    /// If the name is not plain.
    pub fn check(&self, name: &str) -> io::Result<()> {
        self.path(name).map(drop)
    }

    /// Where the file `name` would be.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let stem = name.split('.').next().unwrap_or_default().trim_end();
        let plain = !name.is_empty()
            && name.len() <= 128
            && !name.starts_with('.')
            && !name.ends_with(['.', ' '])
            && !DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device))
            && name.chars().all(|c| c.is_alphanumeric() || "-_.() ".contains(c));
        if plain {
            Ok(self.0.join(name))
        } else {
            let message = "expected a plain file name: letters, digits and -_.() without a folder";
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }

    /// The bytes of the file `name`.
    ///
    /// # Errors
    /// If the name is not plain, or the file is not there, cannot be read, or has more than 64 MiB.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.read_at_most(name, LIMIT)
    }

    /// The same for a saved state, which is short and says what it is.
    pub(crate) fn read_state(&self, name: &str) -> io::Result<Vec<u8>> {
        let bytes = self.read_at_most(name, STATE)?;
        if bytes.starts_with(MAGIC) {
            return Ok(bytes);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "no saved state"))
    }

    fn read_at_most(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let path = self.path(name)?;
        // A link could lead anywhere, and opening a pipe would wait for somebody to write.
        if !fs::symlink_metadata(&path)?.is_file() {
            let message = "expected a file, found a link or something else";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("more than {} MiB", limit >> 20)));
        }
        Ok(bytes)
    }

    /// Puts a whole file in its place, over what is there.
    ///
    /// # Errors
    /// If the name is not plain or the folder cannot be written to.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        Ok(Draft::write_file(&self.path(name)?, bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_refused_and_writes_nothing() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let folder = Folder::new(&inner);
        for name in [
            "",
            "../out",
            "/etc/passwd",
            "a/b",
            r"a\b",
            "c:x",
            ".hidden",
            "a\0b",
            "CON",
            "nul.txt",
            "a.",
            "a ",
        ] {
            assert_eq!(folder.write(name, b"x").unwrap_err().kind(), io::ErrorKind::InvalidInput, "{name}");
            assert!(folder.read(name).is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 0);
        folder.write("a (1).state", b"abc").unwrap();
        assert_eq!(folder.read("a (1).state").unwrap(), b"abc");
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
    }
}
