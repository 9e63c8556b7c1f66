//! Files that appear under their name only when they are whole.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// A file beside `path` that is not there yet: it has a name of its own and vanishes unless it is [`finish`]ed.
pub(crate) fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Builder::new().prefix(".maxout-").tempfile_in(folder)
}

/// Gives `draft` its name, in place of what had it before.
pub(crate) fn finish(draft: NamedTempFile, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are made for their owner's eyes only.
        draft.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    draft.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes the file `path` by `fill`, whole or not at all.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&mut NamedTempFile>) -> io::Result<()>,
) -> io::Result<()> {
    let mut draft = begin(path)?;
    let mut writer = BufWriter::new(&mut draft);
    fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    finish(draft, path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_fails_midway_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, |file| file.write_all(b"old")).unwrap();
        let failed = write(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
