//! The drafts of this process, for an end without destructors.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The files of all drafts that are not finished. It belongs to the process as its exit status
/// does: a signal ends all of its drafts, whoever holds them.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A draft's file in the list, as long as this value lives.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Listed {
    pub(crate) fn new(file: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(file.to_owned());
        Self(file.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|file| *file != self.0);
    }
}

/// Removes the files of all unfinished drafts. To be called right before `std::process::exit`,
/// which runs no destructors. A draft that was just renamed to its place stays there.
pub fn remove_unfinished() {
    for file in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // It is gone already where it was just finished.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::Draft;

    #[test]
    fn a_process_that_ends_at_once_removes_what_is_half_written_and_nothing_else() {
        const FOLDER: &str = "MAXOUT_TEST_UNFINISHED_FOLDER";
        const NAME: &str = "unfinished::tests::\
                            a_process_that_ends_at_once_removes_what_is_half_written_and_nothing_else";
        if let Some(folder) = std::env::var_os(FOLDER) {
            let folder = Path::new(&folder);
            Draft::write_file(&folder.join("whole"), b"whole").unwrap();
            let mut half = Draft::new(&folder.join("half")).unwrap();
            half.write_all(&vec![0; 100_000]).unwrap();
            drop(Draft::new(&folder.join("dropped")).unwrap());
            assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
            remove_unfinished();
            std::process::exit(130);
        }
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let status = child.args(["--exact", NAME]).env(FOLDER, folder.path()).status().unwrap();
        assert_eq!(status.code(), Some(130));
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name()).collect();
        assert_eq!(left, ["whole"]);
    }
}
