//! The files of the debugger's commands, by their path. Written ones appear whole or not at all.

use std::io;
use std::path::Path;

use draft::{Draft, SourceFolders};
use nes_debug::command::{FileError, Files};

use crate::options::read_file;

/// The disk.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Where source files are looked for.
    sources: SourceFolders,
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
        Draft::write_by(Path::new(name), |file| fill(file))
            .map_err(|error| FileError(format!("{name}: cannot be written: {}", error.source)))
    }
}
