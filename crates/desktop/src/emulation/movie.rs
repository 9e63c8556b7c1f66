//! The files of movies: the one that plays and the one that is recorded.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use emulator::{MovieProgress, MovieRecorder};
use nes::fm2::Movie;

use crate::DesktopError;
use crate::messages::status::MovieStatus;
use crate::options::read_file;

/// A recording is written this often, in frames, so that little is lost with the power.
const SAVED_EVERY: u64 = 3600;

/// Which files the emulator's movies are.
#[derive(Debug, Default)]
pub(crate) struct MovieFiles {
    /// The file of the movie that plays or was played last.
    pub(crate) playing: Option<PathBuf>,
    /// The file of the movie that is being recorded.
    pub(crate) recording: Option<PathBuf>,
}

impl MovieFiles {
    /// Writes the recording so far, if it is time to.
    pub(crate) fn autosave(&self, movie: &MovieRecorder) -> io::Result<()> {
        let path = self.recording.as_ref().filter(|_| movie.frame().is_multiple_of(SAVED_EVERY));
        match path.zip(movie.recorded()) {
            Some((path, movie)) => write(path, &movie),
            None => Ok(()),
        }
    }

    /// Ends the recording. Returns its file and whether it could be written; `None` when there was
    /// none.
    pub(crate) fn stop_recording(&mut self, movie: &mut MovieRecorder) -> Option<(PathBuf, io::Result<()>)> {
        let (path, movie) = self.recording.take().zip(movie.stop_recording())?;
        let written = write(&path, &movie);
        Some((path, written))
    }

    /// Returns which movie plays or is recorded.
    pub(crate) fn status(&self, movie: &MovieRecorder) -> Option<MovieStatus> {
        let MovieProgress { frame, length } = movie.progress()?;
        let path = if length.is_some() { &self.playing } else { &self.recording };
        Some(MovieStatus { path: path.clone()?, frame, length })
    }
}

fn write(path: &Path, movie: &Movie) -> io::Result<()> {
    Ok(Draft::write_by(path, |file| write!(file, "{movie}"))?)
}

/// Returns the movie in the file `path`, of a frame at least.
pub(crate) fn read(path: &Path) -> Result<Movie, DesktopError> {
    let bytes = read_file(path)?;
    let movie = Movie::parse(&bytes).map_err(|source| DesktopError::Movie { path: path.into(), source })?;
    if movie.frames.is_empty() { Err(DesktopError::EmptyMovie { path: path.into() }) } else { Ok(movie) }
}
