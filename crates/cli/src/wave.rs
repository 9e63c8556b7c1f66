//! Sound as 16-bit mono WAV.

use std::path::PathBuf;

use draft::Draft;
use hound::{SampleFormat, WavSpec, WavWriter};

use crate::error::{Error, writing};

/// Samples a second of everything this program writes.
pub const RATE: u32 = 48_000;

const SPEC: WavSpec =
    WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int };

/// The writer of a WAV file into a draft.
pub struct Wave<'a> {
    writer: WavWriter<&'a mut Draft>,
    path: PathBuf,
    /// Samples that the file has room for.
    room: u32,
}

/// Samples of 2 bytes that the 32-bit lengths of a WAV file can count, less its header: 12 hours
/// and 25 minutes. The writer itself counts on past that from 0.
const MOST: u32 = (u32::MAX - 100) / 2;

impl<'a> Wave<'a> {
    /// Begins a file of one channel and [`RATE`] samples a second.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(draft: &'a mut Draft) -> Result<Self, Error> {
        let path = draft.path().to_owned();
        let writer = WavWriter::new(draft, SPEC).map_err(|error| writing(&path, io_error(error)))?;
        Ok(Self { writer, path, room: MOST })
    }

    /// Writes one sample.
    ///
    /// # Errors
    /// When it cannot be written, or a WAV file holds no more.
    pub fn sample(&mut self, sample: i16) -> Result<(), Error> {
        self.room = self.room.checked_sub(1).ok_or_else(|| Error::LongSound(self.path.clone()))?;
        self.writer.write_sample(sample).map_err(|error| writing(&self.path, io_error(error)))
    }

    /// Writes the header's lengths; the draft is then whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        let Self { writer, path, .. } = self;
        writer.finalize().map_err(|error| writing(path, io_error(error)))
    }
}

fn io_error(error: hound::Error) -> std::io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn sound_beyond_the_lengths_of_the_format_ends_with_a_message() {
        let mut draft = Draft::new(Path::new("/dev/null")).unwrap();
        let mut wave = Wave::new(&mut draft).unwrap();
        assert_eq!(u64::from(wave.room) * 2 + 100, u64::from(u32::MAX - 1));
        wave.room = 2;
        wave.sample(1).unwrap();
        wave.sample(2).unwrap();
        let error = wave.sample(3).unwrap_err().to_string();
        assert_eq!(
            error,
            "/dev/null: a WAV file holds 4 GiB, which is 12 hours and 25 minutes: make it shorter by --frames"
        );
    }
}
