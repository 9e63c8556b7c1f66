//! Which cartridge image a command takes: a file or the built-in one, and patches over it.

use std::path::{Path, PathBuf};

use clap::ArgAction;
use draft::Library;
use nes::Cartridge;
use nes::cartridge::patch;

use crate::error::{Error, wrong};
use crate::{built_in, image_file};

/// Patches, as arguments.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Patches {
    /// Apply this patch (IPS, BPS or UPS) to the cartridge image. Can be repeated; patches apply in
    /// order.
    #[arg(long = "patch", value_name = "FILE", action = ArgAction::Append)]
    pub patches: Vec<PathBuf>,
}

impl Patches {
    /// Returns the image of the file `rom`, or the built-in one, with these patches.
    pub fn over<'a>(&'a self, rom: Option<&'a Path>) -> Source<'a> {
        Source::new(rom, &self.patches)
    }

    /// Returns them as inputs that no output may overwrite.
    pub fn named(&self) -> Vec<image_file::Named<'_>> {
        self.patches.iter().map(|path| ("--patch", Some(path.as_path()))).collect()
    }
}

/// A cartridge image.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    rom: Option<&'a Path>,
    patches: &'a [PathBuf],
    /// The list of what was played, if it is not the player's own.
    recent: Option<&'a Path>,
}

impl<'a> From<Option<&'a Path>> for Source<'a> {
    fn from(rom: Option<&'a Path>) -> Self {
        Self { rom, ..Self::default() }
    }
}

impl<'a> Source<'a> {
    /// The image of the file `rom`, or the built-in one, with `patches` in their order.
    pub fn new(rom: Option<&'a Path>, patches: &'a [PathBuf]) -> Self {
        Self { rom, patches, recent: None }
    }

    /// Looks for what a patch is for among the files of the list `recent`.
    #[cfg(feature = "window")]
    #[must_use]
    pub fn among(self, recent: Option<&'a Path>) -> Self {
        Self { recent, ..self }
    }

    /// Returns the file of the image; `None` for the built-in one.
    pub fn rom(self) -> Option<&'a Path> {
        self.rom
    }

    /// Returns what messages call the image.
    pub fn path(self) -> &'a Path {
        self.rom.unwrap_or(Path::new("the built-in cartridge"))
    }

    /// Returns the file that the image is named after: the last patch, or the ROM.
    #[cfg(feature = "window")]
    pub fn named_after(self) -> Option<&'a Path> {
        self.patches.last().map(PathBuf::as_path).or(self.rom)
    }

    /// Reads the image and applies the patches. A file that is a patch itself goes over the ROM
    /// that it says it is for.
    ///
    /// # Errors
    /// When a file cannot be read, or a patch does not fit.
    pub fn image(self) -> Result<Vec<u8>, Error> {
        let mut image = match self.rom {
            None => built_in::IMAGE.to_vec(),
            Some(path) => {
                let own = self.recent.is_none().then(recent).flatten();
                let library = Library { recent: self.recent.or(own.as_deref()), built_in: built_in::IMAGE };
                library.image(path, image_file::read(path)?).map_err(wrong(path))?
            }
        };
        for path in self.patches {
            image = patch::apply_to_image(&image_file::read(path)?, &image).map_err(wrong(path))?;
        }
        Ok(image)
    }

    /// Returns the cartridge of the image.
    ///
    /// # Errors
    /// As [`Source::image`], and when it is no cartridge.
    pub fn cartridge(self) -> Result<Cartridge, Error> {
        let file = self.patches.last().map(PathBuf::as_path).or(self.rom);
        let name = file.and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        let cartridge = Cartridge::from_bytes(&self.image()?).map(|cartridge| cartridge.named(&name));
        match file {
            Some(path) => cartridge.map_err(wrong(path)),
            None => cartridge.map_err(Error::BuiltIn),
        }
    }
}

/// Returns the list of the files that the player has played.
#[cfg(feature = "window")]
fn recent() -> Option<PathBuf> {
    desktop::Folders::of_player().recent
}

/// Without a window nothing is remembered.
#[cfg(not(feature = "window"))]
const fn recent() -> Option<PathBuf> {
    None
}
