//! A file that appears under its name only once it is whole.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, writing};

/// A file in the making, beside its final place so that a rename can finish it. Dropped unfinished it is gone.
#[derive(Debug)]
pub(crate) struct Draft {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Draft {
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".maxout-");
        // A plain file's permissions, less the user's umask, instead of a secret's.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| writing(path, error))?;
        Ok(Self { file: BufWriter::new(file), path: path.into() })
    }

    /// Puts the file in its place, over what is there.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { file, path } = self;
        let file = file.into_inner().map_err(|error| writing(&path, error.into_error()))?;
        file.persist(&path).map_err(|error| writing(&path, error.error))?;
        Ok(())
    }

    /// A whole file at once.
    pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut draft = Self::new(path)?;
        draft.write_all(bytes).map_err(|error| writing(path, error))?;
        draft.finish()
    }

    /// Where the file will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
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
    use super::*;

    #[test]
    fn an_unfinished_draft_leaves_nothing_and_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        Draft::write_file(&path, b"old").unwrap();
        let mut draft = Draft::new(&path).unwrap();
        draft.write_all(b"half").unwrap();
        drop(draft);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_draft_in_a_folder_that_is_not_there_is_an_error_by_its_final_name() {
        let error = Draft::new(Path::new("no/such/folder/out.png")).unwrap_err();
        assert!(error.to_string().starts_with("no/such/folder/out.png: "));
    }
}
