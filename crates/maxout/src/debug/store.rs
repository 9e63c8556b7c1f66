//! The files of a session: the disk.

use std::io;
use std::path::{Path, PathBuf};

use draft::{Draft, SourceFolders};
use nes_debug::command::{FileError, Files};

use cli::error::Error;
use cli::image_file;

/// Files in the current folder, or by their path. Written ones appear whole or not at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    /// The files that the session was made of, which are never written.
    pub(super) inputs: Vec<PathBuf>,
    /// Where source files are looked for.
    pub(super) sources: SourceFolders,
}

impl Disk {
    /// Refuses the name of one of the session's own files.
    fn check(&self, name: &str) -> Result<(), FileError> {
        let inputs: Vec<_> = self.inputs.iter().map(|path| ("an input", Some(path.as_path()))).collect();
        image_file::check_outputs(&inputs, &[("an output", Some(Path::new(name)))])
            .map_err(|error| failed(&error))
    }
}

fn failed(error: &Error) -> FileError {
    FileError(error.to_string())
}

impl Files for Disk {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = Path::new(name);
        self.sources.look_around(path);
        image_file::read(path).map_err(|error| failed(&error))
    }

    fn source(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = self.sources.find(name).unwrap_or_else(|| name.into());
        image_file::read(&path).map_err(|error| failed(&error))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        self.check(name)?;
        let path = Path::new(name);
        let mut draft = Draft::new(path).map_err(|error| failed(&error.into()))?;
        fill(&mut draft).map_err(|error| FileError(format!("{name}: cannot be written: {error}")))?;
        draft.finish().map_err(|error| failed(&error.into()))
    }
}
