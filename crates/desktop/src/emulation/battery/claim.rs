//! Who keeps what a battery keeps, where several windows play one cartridge: the first of them. The
//! others keep their own in files beside it.

use std::fs::{self, TryLockError};
use std::path::PathBuf;

use draft::WriteLock;

/// A battery's file that no other window writes for as long as this is there.
#[derive(Debug)]
pub(super) struct Claim {
    /// The battery's file.
    pub(super) path: PathBuf,
    /// The file of another window, if it was there first.
    pub(super) first: Option<PathBuf>,
    /// `None` where the system locks no files: then nobody knows of the others.
    _lock: Option<WriteLock>,
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
            match WriteLock::take(&own) {
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
