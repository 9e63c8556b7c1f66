//! What a session is started with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use draft::ReadError;
use nes::Config;
use tetris::Profile;

use crate::config::ConfigFile;
use crate::config::settings::Settings;
use crate::{DesktopError, Folders, Pieces, Versus};

/// No ROM, movie or palette is larger.
const FILE_MOST: u64 = 64 << 20;

/// Returns what is in the file `path`, which a player has named: no device that would never end.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, DesktopError> {
    let failed = |source: ReadError| DesktopError::Read { path: path.into(), source: source.into() };
    draft::read_file(path, FILE_MOST).map_err(failed)
}

/// Returns the ROM in the file `path`, which may be a ZIP archive.
pub(crate) fn read_rom(path: &Path) -> Result<Vec<u8>, DesktopError> {
    let failed = |source: ReadError| DesktopError::Read { path: path.into(), source: source.into() };
    draft::unpack_rom(read_file(path)?, FILE_MOST).map_err(failed)
}

/// A cartridge image and how to play it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The cartridge image, iNES or NES 2.0.
    pub image: Vec<u8>,
    /// What the window's title calls it; empty for the program's name alone.
    pub title: String,
    /// What differs from one console to the next. The sample rate is the window's own business.
    pub config: Config,
    /// What the player has set.
    pub settings: Settings,
    /// Where saved states are kept, in a folder for each cartridge; `None` for nowhere.
    pub states: Option<PathBuf>,
    /// Where files of the player's are; `states` above goes before the one in here.
    pub folders: Folders,
    /// The file that the image is from.
    pub path: Option<PathBuf>,
    /// Title and image of the cartridge that needs no file.
    pub built_in: Option<(String, Vec<u8>)>,
    /// The built-in cartridge's labels, as ld65 wrote them, for the debugger.
    pub labels: Option<String>,
    /// Once `true`, everything ends as if the player had quit.
    pub stop: Arc<AtomicBool>,
    /// Close the window after so many frames.
    pub exit_after_frames: Option<u64>,
    /// A saved state to go on from: a save slot's file, or one of `maxout run --save-state`.
    pub state: Option<PathBuf>,
    /// A kept practice game that plays from the start.
    pub game: Option<PathBuf>,
    /// A movie that plays from the start.
    pub movie: Option<PathBuf>,
    /// Close the window when a movie is over, the console as the movie's last frame leaves it.
    pub quit_at_end: bool,
    /// A script that runs beside the game from the start.
    pub script: Option<PathBuf>,
    /// Whether what scripts print goes to standard output, and not over the picture.
    pub prints: bool,
    /// Where the image keeps things, if that is not known by its hash.
    pub profile: Option<Profile>,
    /// Other pieces for the games of this cartridge.
    pub pieces: Option<Pieces>,
    /// The computer, to play against.
    pub versus: Option<Versus>,
}

impl Options {
    /// `image` under the name `title`, with everything else as most players want it.
    pub fn new(title: impl Into<String>, image: Vec<u8>) -> Self {
        Self {
            image,
            title: title.into(),
            config: Config::default(),
            settings: Settings::default(),
            states: None,
            folders: Folders::default(),
            path: None,
            built_in: None,
            labels: None,
            stop: Arc::default(),
            exit_after_frames: None,
            state: None,
            game: None,
            movie: None,
            quit_at_end: false,
            script: None,
            prints: true,
            profile: None,
            pieces: None,
            versus: None,
        }
    }

    /// Returns the image in the file `path`, under the file's name without its ending.
    ///
    /// # Errors
    /// [`DesktopError::Read`] if the file cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, DesktopError> {
        let image = read_rom(path)?;
        let title = path.file_stem().unwrap_or(path.as_os_str());
        Ok(Self { path: Some(path.into()), ..Self::new(title.to_string_lossy(), image) })
    }

    /// With everything that the player has set and kept in `folders`.
    #[must_use]
    pub fn in_folders(mut self, folders: Folders) -> Self {
        if let Some(path) = folders.config.clone() {
            self.settings = ConfigFile::read(path).settings().clone();
        }
        self.states.clone_from(&folders.states);
        self.folders = folders;
        self
    }
}
