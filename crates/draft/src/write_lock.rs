//! Locks on files that are replaced when they are written.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Keeps other programs from taking the same lock, from [`WriteLock::take`] until it is dropped. It
/// is a lock on `.NAME.lock` beside the file `NAME`, since a file that is replaced whenever it is
/// written cannot hold one itself. The system releases it however the program ends.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "held, and looked at on Unix only"))]
pub struct WriteLock {
    file: File,
    path: PathBuf,
}

impl WriteLock {
    /// Locks a file that will be written, whether it exists or not.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] when another program has the lock, [`TryLockError::Error`] when
    /// the folder cannot be written or the system locks no files.
    pub fn take(file: &Path) -> Result<Self, TryLockError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.with_file_name(format!(".{name}.lock"));
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(TryLockError::Error)?;
            file.try_lock()?;
            let lock = Self { file, path: path.clone() };
            // The program that held it may have removed the file between the two.
            if lock.is_in_place().map_err(TryLockError::Error)? {
                return Ok(lock);
            }
        }
    }

    #[cfg(unix)]
    fn is_in_place(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let locked = self.file.metadata()?;
        match fs::metadata(&self.path) {
            Ok(there) => Ok((there.dev(), there.ino()) == (locked.dev(), locked.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Elsewhere the file stays where it is.
    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "only Unix can answer otherwise")]
    fn is_in_place(&self) -> io::Result<bool> {
        Ok(true)
    }
}

#[cfg(unix)]
impl Drop for WriteLock {
    fn drop(&mut self) {
        // The lock ends with the handle, and that comes after this.
        if self.is_in_place().unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_and_the_lock_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let lock = WriteLock::take(&path).unwrap();
        assert!(matches!(WriteLock::take(&path), Err(TryLockError::WouldBlock)));
        assert!(WriteLock::take(&folder.path().join("others.jsonl")).is_ok());
        drop(lock);
        drop(WriteLock::take(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), usize::from(cfg!(not(unix))) * 2);
        assert!(matches!(WriteLock::take(&folder.path().join("none/a")), Err(TryLockError::Error(_))));
    }
}
