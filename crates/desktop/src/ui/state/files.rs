//! The player's files: what was played, and where new ones go.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::DesktopError;
use crate::config::folders::{Folders, Recent, new_file};
use crate::messages::command::Recording;

/// Why a new file has no place.
#[derive(Debug, Error)]
pub(super) enum FolderError {
    /// No folder is known for files of a kind.
    #[error("there is no folder for {0}")]
    None(&'static str),
    /// The folder cannot be made.
    #[error("cannot create the folder {}: {source}", folder.display())]
    Create {
        /// The folder.
        folder: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
}

/// Folders, the list of what was played, and the cartridge that needs no file.
pub(super) struct Files {
    folders: Folders,
    recent: Recent,
    /// Title and image of the built-in cartridge.
    pub(super) built_in: Option<(String, Vec<u8>)>,
}

impl Files {
    pub(super) fn new(folders: Folders, built_in: Option<(String, Vec<u8>)>) -> Self {
        Self { recent: Recent::read(folders.recent.clone()), folders, built_in }
    }

    /// Returns what was played, the newest first.
    pub(super) fn recent(&self) -> &[PathBuf] {
        &self.recent.paths
    }

    /// Puts `path` at the head of what was played.
    ///
    /// # Errors
    /// [`DesktopError::Write`].
    pub(super) fn remember(&mut self, path: &Path) -> Result<(), DesktopError> {
        self.recent.add(path)
    }

    /// Returns a new file for a recording of the game `title`, in a folder that is there.
    ///
    /// # Errors
    /// [`FolderError`].
    pub(super) fn new_recording(&self, title: &str, recording: Recording) -> Result<PathBuf, FolderError> {
        let folder = self.folders.recordings.as_ref().ok_or(FolderError::None("recordings"))?;
        fs::create_dir_all(folder)
            .map_err(|source| FolderError::Create { folder: folder.clone(), source })?;
        Ok(new_file(folder, title, recording.extension()))
    }

    /// Returns a new file for a screenshot of the game `title`.
    ///
    /// # Errors
    /// [`FolderError`].
    pub(super) fn new_screenshot(&self, title: &str) -> Result<PathBuf, FolderError> {
        let folder = self.folders.screenshots.as_ref().ok_or(FolderError::None("screenshots"))?;
        Ok(new_file(folder, title, "png"))
    }
}
