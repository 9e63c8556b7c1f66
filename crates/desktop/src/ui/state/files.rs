//! The player's files: what was played, and where new ones go.

use std::fs;
use std::path::{Path, PathBuf};

use crate::DesktopError;
use crate::config::folders::{Folders, Recent, new_file};
use crate::messages::command::Recording;

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
    /// In a line, why there is none.
    pub(super) fn new_recording(&self, title: &str, recording: Recording) -> Result<PathBuf, String> {
        let folder = self.folders.recordings.as_ref().ok_or("there is no folder for recordings")?;
        fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
        Ok(new_file(folder, title, recording.extension()))
    }

    /// Returns a new file for a screenshot of the game `title`.
    ///
    /// # Errors
    /// In a line, that there is no folder for it.
    pub(super) fn new_screenshot(&self, title: &str) -> Result<PathBuf, String> {
        let folder = self.folders.screenshots.as_ref().ok_or("there is no folder for screenshots")?;
        Ok(new_file(folder, title, "png"))
    }
}
