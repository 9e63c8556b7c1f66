//! Sound as 16-bit mono WAV.

use std::path::PathBuf;

use draft::Draft;
use hound::{SampleFormat, WavSpec, WavWriter};

use crate::error::{Error, writing};

/// Samples a second of everything this program writes.
pub(crate) const RATE: u32 = 48_000;

const SPEC: WavSpec =
    WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int };

/// A sample of the console's range, -1 to 1, as 16 bits.
pub(crate) fn quantise(sample: f32) -> i16 {
    (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16
}

/// The writer of a WAV file into a draft.
pub(crate) struct Wave<'a> {
    writer: WavWriter<&'a mut Draft>,
    path: PathBuf,
}

impl<'a> Wave<'a> {
    pub(crate) fn new(draft: &'a mut Draft) -> Result<Self, Error> {
        let path = draft.path().to_owned();
        let writer = WavWriter::new(draft, SPEC).map_err(|error| writing(&path, io_error(error)))?;
        Ok(Self { writer, path })
    }

    pub(crate) fn sample(&mut self, sample: i16) -> Result<(), Error> {
        self.writer.write_sample(sample).map_err(|error| writing(&self.path, io_error(error)))
    }

    /// Writes the header's lengths; the draft is then whole.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { writer, path } = self;
        writer.finalize().map_err(|error| writing(path, io_error(error)))
    }
}

fn io_error(error: hound::Error) -> std::io::Error {
    match error {
        hound::Error::IoError(error) => error,
        // 4 GiB of sound do not fit the format's 32-bit lengths.
        other => std::io::Error::other(other),
    }
}
