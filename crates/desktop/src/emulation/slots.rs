//! The save slots of a cartridge on disk: files of [`SavedState`], whose pictures any file browser
//! shows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use draft::Draft;
use emulator::{SavedState, saved_picture};
use nes::{Frame, Palette};
use thiserror::Error;

use crate::DesktopError;
use crate::config::folders::cartridge_name;
use crate::messages::command::{LAST_SESSION, SLOTS};
use crate::messages::status::Slot;

/// No slot is larger: ten hours of buttons, and all states that there are.
const FILE_MOST: u64 = 16 << 20;

/// Why a slot cannot be written or read.
#[derive(Debug, Error)]
pub(crate) enum SlotError {
    /// There is no such slot, or no folder for slots.
    #[error("cannot save: {0}")]
    NoPlace(io::Error),
    /// The same, of a slot to load.
    #[error("cannot load: {0}")]
    NotThere(io::Error),
    /// The file cannot be written.
    #[error("cannot save to {}: {source}; is the folder writable?", path.display())]
    Write {
        /// The slot's file.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// Nothing was saved there.
    #[error("slot {0} is empty")]
    Empty(usize),
    /// The file cannot be read, or is no saved state.
    #[error(transparent)]
    File(#[from] DesktopError),
}

/// The slots of one cartridge.
#[derive(Debug)]
pub(crate) struct Slots {
    /// `None` when states are not kept on disk.
    folder: Option<PathBuf>,
}

impl Slots {
    /// Returns the slots of the cartridge `title` with checksum `crc32`, below `states`.
    pub(crate) fn new(states: Option<&Path>, title: &str, crc32: u32) -> Self {
        Self { folder: states.map(|states| states.join(cartridge_name(title, crc32))) }
    }

    /// Returns whether states are kept on disk.
    pub(crate) fn are_kept(&self) -> bool {
        self.folder.is_some()
    }

    fn path(&self, slot: usize) -> io::Result<PathBuf> {
        if slot > LAST_SESSION {
            return Err(io::Error::other(format!("there are slots 0 to {}", SLOTS - 1)));
        }
        let folder =
            self.folder.as_ref().ok_or_else(|| io::Error::other("there is no folder for saved states"))?;
        Ok(folder.join(if slot == LAST_SESSION { "last.png".into() } else { format!("slot-{slot}.png") }))
    }

    /// Returns what the interface is told of each slot. A file that is none is as good as nothing
    /// here; loading it says why.
    pub(crate) fn list(&self) -> [Option<Slot>; SLOTS] {
        std::array::from_fn(|slot| self.look(slot))
    }

    /// Returns what the interface is told of a slot, or of the last session.
    pub(crate) fn look(&self, slot: usize) -> Option<Slot> {
        let bytes = read(&self.path(slot).ok()?).ok()?;
        let saved = SavedState::read(&bytes).ok()?;
        Some(listed(&saved, saved_picture(&bytes)?))
    }

    /// Writes a slot, whole or not at all. Returns what the interface is to be told.
    pub(crate) fn save(
        &self,
        slot: usize,
        saved: &SavedState,
        picture: &Frame,
        palette: &Palette,
    ) -> Result<Slot, SlotError> {
        let path = self.path(slot).map_err(SlotError::NoPlace)?;
        let bytes = saved.write(picture, palette);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            Ok(Draft::write_file(&path, &bytes)?)
        };
        write().map_err(|source| SlotError::Write { path: path.clone(), source })?;
        Ok(listed(saved, saved_picture(&bytes).unwrap_or_default()))
    }

    /// Reads a slot.
    pub(crate) fn load(&self, slot: usize) -> Result<SavedState, SlotError> {
        let path = self.path(slot).map_err(SlotError::NotThere)?;
        match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SlotError::Empty(slot)),
            Err(source) => Err(DesktopError::Read { path, source }.into()),
            Ok(bytes) => {
                let state = SavedState::read(&bytes);
                state.map_err(|reason| DesktopError::State { path, reason: reason.to_string() }.into())
            }
        }
    }
}

/// Returns the state in any file that has one.
///
/// # Errors
/// In a line, what is wrong with it.
pub(crate) fn read_state(path: &Path) -> Result<SavedState, DesktopError> {
    let bytes = read(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
    SavedState::read(&bytes)
        .map_err(|reason| DesktopError::State { path: path.into(), reason: reason.to_string() })
}

/// Returns the CRC32 of the cartridge whose state is in the file at `path`: what to look for before
/// it can be played.
///
/// # Errors
/// When the file cannot be read, or is no saved state.
pub fn state_cartridge(path: &Path) -> Result<u32, DesktopError> {
    read_state(path)?
        .cartridge()
        .ok_or_else(|| DesktopError::State { path: path.into(), reason: "the file is incomplete".into() })
}

fn listed(saved: &SavedState, rgb: Vec<u8>) -> Slot {
    let when = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(saved.seconds));
    Slot { saved: when.unwrap_or(SystemTime::UNIX_EPOCH), frame: saved.frame, thumbnail: Arc::from(rgb) }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    Ok(draft::read_file(path, FILE_MOST)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> SavedState {
        SavedState { console: vec![7; 2000], frame: 1000, seconds: 1_800_000_000, ..SavedState::default() }
    }

    #[test]
    fn what_is_saved_comes_back_with_its_picture() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::new(Some(folder.path()), "A/game: of ours", 0xABCD);
        assert_eq!(slots.load(3).unwrap_err().to_string(), "slot 3 is empty");
        let slot = slots.save(3, &saved(), &Frame::default(), &Palette::ntsc()).unwrap();
        assert_eq!(slots.load(3).unwrap(), saved());
        assert!(folder.path().join("Agame of ours-0000abcd/slot-3.png").exists());
        let list = slots.list();
        assert_eq!(list.iter().flatten().count(), 1);
        let listed = list[3].as_ref().unwrap();
        assert_eq!((listed.saved, listed.frame, &listed.thumbnail), (slot.saved, 1000, &slot.thumbnail));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_said_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "not a folder").unwrap();
        let slots = Slots::new(Some(&file), "game", 1);
        let error = slots.save(0, &saved(), &Frame::default(), &Palette::ntsc()).unwrap_err().to_string();
        assert!(error.contains("cannot save to") && error.contains("writable"), "{error}");
        assert!(Slots::new(None, "game", 1).load(0).unwrap_err().to_string().contains("no folder"));
        assert!(slots.load(11).unwrap_err().to_string().contains("0 to 9"));
    }
}
