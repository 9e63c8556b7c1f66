//! Who keeps what a battery keeps, where several windows play one cartridge: the first of them. The
//! others keep their own in files beside it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A battery's file that no other window writes for as long as this is there.
#[derive(Debug)]
pub(super) struct Claim {
    /// The battery's file.
    pub(super) path: PathBuf,
    /// The file of another window, if it was there first.
    pub(super) first: Option<PathBuf>,
    /// `None` where the system locks no files: then nobody knows of the others.
    _lock: Option<Lock>,
}

impl Claim {
    /// Claims `NAME.sav`, or the first of `NAME.2.sav`, `NAME.3.sav` and so on that no other window
    /// has.
    pub(super) fn of(path: PathBuf) -> Self {
        if let Some(folder) = path.parent() {
            let _ = fs::create_dir_all(folder); // the battery says what is wrong with it
        }
        let mut own = path.clone();
        for number in 2_u32.. {
            match Lock::take(&own) {
                Err(TryLockError::WouldBlock) => own = path.with_extension(format!("{number}.sav")),
                lock => {
                    let first = (own != path).then_some(path);
                    return Self { path: own, first, _lock: lock.ok() };
                }
            }
        }
        unreachable!("a system has fewer windows")
    }
}

/// A lock on an empty file beside the battery's, which is replaced whenever it is written and can
/// hold no lock itself. The system takes it back from a program that ends in whatever way.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "held, and looked at on Unix only"))]
struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    fn take(battery: &Path) -> Result<Self, TryLockError> {
        let name = battery.file_name().unwrap_or_default().to_string_lossy();
        let path = battery.with_file_name(format!(".{name}.lock"));
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(TryLockError::Error)?;
            file.try_lock()?;
            let lock = Self { file, path: path.clone() };
            // Whoever had it may have removed the file between the two.
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
impl Drop for Lock {
    fn drop(&mut self) {
        // The lock ends with the handle, and that comes after this.
        if self.is_in_place().unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
