//! The one folder that a script may keep files in, by plain names.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use draft::Draft;

/// No movie or state comes near this.
const LIMIT: u64 = 64 << 20;

/// A folder for movies, states and screenshots of a script. A name has no folder in it, so that nothing else is in
/// reach.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`, which is there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where the file `name` would be.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let plain = !name.is_empty()
            && name.len() <= 128
            && !name.starts_with('.')
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
        let mut bytes = Vec::new();
        fs::File::open(self.path(name)?)?.take(LIMIT + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LIMIT {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "more than 64 MiB"));
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
        for name in ["", "../out", "/etc/passwd", "a/b", r"a\b", "c:x", ".hidden", "a\0b"] {
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
