//! Sound as 16-bit mono WAV.

use std::path::{Path, PathBuf};

use draft::Draft;
use recording::Wave;

use crate::error::{Error, writing};

/// Samples a second of everything this program writes.
pub const RATE: u32 = 48_000;

/// A WAV file of one channel and [`RATE`] samples a second, which has its name once it is whole.
pub struct WaveFile {
    wave: Wave<Draft>,
    path: PathBuf,
}

impl WaveFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let wave = Wave::new(Draft::new(path)?, RATE).map_err(|error| writing(path, error))?;
        Ok(Self { wave, path: path.to_owned() })
    }

    /// Writes samples.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, samples: impl IntoIterator<Item = i16>) -> Result<(), Error> {
        self.wave.add(samples).map_err(|error| writing(&self.path, error))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        let Self { wave, path } = self;
        Ok(wave.finish().map_err(|error| writing(path, error))?.finish()?)
    }
}
