//! Files that appear under their name only when they are whole.
//!
//! A [`Draft`] is written beside its place and then renamed, so that neither Ctrl-C nor a full disk
//! leaves half a file, and what was there before stays until it is replaced. The window and the
//! command line write whatever they write in this way, and that is all that they share of the
//! outside world: hence a crate of its own.
//!
//! ```
//! use std::io::Write;
//! use draft::Draft;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("game.sav");
//! let mut draft = Draft::new(&path)?;
//! draft.write_all(b"whole")?;
//! assert!(!path.exists());
//! draft.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"whole");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("{}: cannot be written: {source}", path.display())]
pub struct DraftError {
    /// Where it was to be.
    pub path: PathBuf,
    /// What the system answered.
    pub source: io::Error,
}

impl From<DraftError> for io::Error {
    /// What the system answered, for a caller that names the file itself.
    fn from(error: DraftError) -> Self {
        error.source
    }
}

/// A file in the making, beside its final place so that a rename can finish it. Dropped unfinished
/// it is gone.
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Draft {
    /// Begins the file that will be at `path`, in a folder that is there.
    ///
    /// # Errors
    /// When nothing can be written into that folder.
    pub fn new(path: &Path) -> Result<Self, DraftError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".maxout-");
        // A plain file's permissions, less the user's umask, instead of a secret's.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|source| DraftError { path: path.into(), source })?;
        Ok(Self { file: BufWriter::new(file), path: path.into() })
    }

    /// Puts the file in its place, over what is there.
    ///
    /// # Errors
    /// When the last of it cannot be written, or the file cannot be renamed. It is gone then.
    pub fn finish(self) -> Result<(), DraftError> {
        let Self { file, path } = self;
        let finished = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.persist(&path).map_err(|error| error.error));
        finished.map(drop).map_err(|source| DraftError { path, source })
    }

    /// A whole file at once.
    ///
    /// # Errors
    /// As [`Draft::new`] and [`Draft::finish`].
    pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), DraftError> {
        Self::write_by(path, |draft| draft.write_all(bytes))
    }

    /// A whole file by `fill`; none at all if it fails.
    ///
    /// # Errors
    /// As [`Draft::new`] and [`Draft::finish`], or what `fill` answers.
    pub fn write_by(path: &Path, fill: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), DraftError> {
        let mut draft = Self::new(path)?;
        fill(&mut draft).map_err(|source| DraftError { path: path.into(), source })?;
        draft.finish()
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is until then, for another program to write into.
    pub fn beside(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// The same file once more, for an encoder that wants one of its own.
    ///
    /// # Errors
    /// When the system has no file to give.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.get_ref().reopen()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_unfinished_draft_leaves_nothing_and_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        Draft::write_file(&path, b"old").unwrap();
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        let failed = Draft::write_by(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no"))
        });
        assert_eq!(failed.unwrap_err().source.to_string(), "no");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        Draft::write_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn what_another_hand_wrote_beside_is_there_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let draft = Draft::new(&path).unwrap();
        assert_eq!(draft.beside().parent(), draft.path().parent());
        draft.reopen().unwrap().write_all(b"encoded").unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"encoded");
    }

    #[test]
    fn a_draft_in_a_folder_that_is_not_there_is_an_error_by_its_final_name() {
        let error = Draft::new(Path::new("no/such/folder/out.png")).unwrap_err();
        assert!(error.to_string().starts_with("no/such/folder/out.png: cannot be written: "));
    }

    #[test]
    #[cfg(unix)]
    fn others_may_read_it_as_any_file_of_the_users() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        Draft::write_file(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }
}
