//! What a session is started with.

use std::fs;
use std::path::{Path, PathBuf};

use nes::{Config, Palette};

use crate::{Aspect, DesktopError, Settings};

/// A cartridge image and how to play it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// The cartridge image, iNES or NES 2.0.
    pub image: Vec<u8>,
    /// What the window's title calls it; empty for the program's name alone.
    pub title: String,
    /// Colours.
    pub palette: Palette,
    /// What differs from one console to the next. The sample rate is the window's own business.
    pub config: Config,
    /// Window pixels to a scanline at the start; made smaller where the screen is.
    pub scale: u32,
    /// Shape of a pixel.
    pub aspect: Aspect,
    /// Start on the whole screen.
    pub fullscreen: bool,
    /// What the player has set.
    pub settings: Settings,
    /// Where saved states are kept, in a folder for each cartridge; `None` for nowhere.
    pub states: Option<PathBuf>,
    /// Close the window after so many frames.
    pub exit_after_frames: Option<u64>,
}

impl Options {
    /// `image` under the name `title`, with everything else as most players want it.
    pub fn new(title: impl Into<String>, image: Vec<u8>) -> Self {
        Self {
            image,
            title: title.into(),
            palette: Palette::ntsc(),
            config: Config::default(),
            scale: 3,
            aspect: Aspect::default(),
            fullscreen: false,
            settings: Settings::default(),
            states: None,
            exit_after_frames: None,
        }
    }

    /// The image in the file `path`, under the file's name without its ending.
    ///
    /// # Errors
    /// [`DesktopError::Read`] if the file cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, DesktopError> {
        let image = fs::read(path).map_err(|source| DesktopError::Read { path: path.into(), source })?;
        let title = path.file_stem().unwrap_or(path.as_os_str());
        Ok(Self::new(title.to_string_lossy(), image))
    }
}
