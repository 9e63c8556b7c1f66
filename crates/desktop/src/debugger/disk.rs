//! The files of the debugger's commands, by their path. Written ones appear whole or not at all.

use std::io::{self, Cursor};
use std::path::Path;

use draft::{Draft, SourceFolders};
use image::{ImageFormat, RgbImage};
use nes_debug::command::{FileError, Files};
use nes_debug::view::Picture;

use crate::options::read_file;

/// The disk.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Where source files are looked for.
    sources: SourceFolders,
}

fn unwritable(name: &str, error: impl core::fmt::Display) -> FileError {
    FileError(format!("{name}: cannot be written: {error}"))
}

impl Files for Disk {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = Path::new(name);
        self.sources.look_around(path);
        read_file(path).map_err(|error| FileError(error.to_string()))
    }

    fn source(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = self.sources.find(name).unwrap_or_else(|| name.into());
        read_file(&path).map_err(|error| FileError(error.to_string()))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        Draft::write_by(Path::new(name), |file| fill(file)).map_err(|error| unwritable(name, error.source))
    }

    fn picture(&mut self, name: &str, picture: &Picture) -> Result<(), FileError> {
        let (width, height) = (picture.width as u32, picture.height as u32);
        let image = RgbImage::from_raw(width, height, picture.pixels.as_flattened().to_vec())
            .ok_or_else(|| unwritable(name, "it has another size than it says"))?;
        let mut png = Cursor::new(Vec::new());
        image.write_to(&mut png, ImageFormat::Png).map_err(|error| unwritable(name, error))?;
        self.write(name, &mut |file| file.write_all(png.get_ref()))
    }
}
