//! Sound as WAV: 16 bits, mono, at the console's own sample rate, before volume and mute.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use draft::Draft;
use hound::{SampleFormat, WavSpec, WavWriter};

use crate::record::format::{FileEncoder, RecordedFrame};

const SPEC: WavSpec = WavSpec {
    channels: 1,
    sample_rate: crate::SAMPLE_RATE,
    bits_per_sample: 16,
    sample_format: SampleFormat::Int,
};

/// A WAV file being written.
pub(crate) struct WaveFile {
    draft: Draft,
    writer: WavWriter<BufWriter<File>>,
}

impl WaveFile {
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        let draft = Draft::new(path)?;
        let writer = WavWriter::new(BufWriter::new(draft.reopen()?), SPEC).map_err(io_error)?;
        Ok(Self { draft, writer })
    }

    /// Completes the file without giving it its name.
    pub(crate) fn into_draft(self) -> io::Result<Draft> {
        self.writer.finalize().map_err(io_error)?;
        Ok(self.draft)
    }
}

impl FileEncoder for WaveFile {
    fn add(&mut self, frame: &RecordedFrame) -> io::Result<()> {
        for sample in &frame.sound {
            let sample = (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
            self.writer.write_sample(sample).map_err(io_error)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(self.into_draft()?.finish()?)
    }
}

fn io_error(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other), // 4 GiB of sound do not fit the format
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::presented_frame::PresentedFrame;

    fn empty() -> PresentedFrame {
        PresentedFrame { dots: Box::default(), overlay: None }
    }

    #[test]
    fn every_sample_is_in_the_file_and_nothing_is_there_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        let mut file = Box::new(WaveFile::begin(&path).unwrap());
        file.add(&RecordedFrame { presented: empty(), sound: vec![0.0, 1.0, -2.0] }).unwrap();
        file.add(&RecordedFrame { presented: empty(), sound: vec![0.5] }).unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        let mut reader = hound::WavReader::open(&path).unwrap();
        assert_eq!(reader.spec(), SPEC);
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(samples, [0, 32767, -32767, 16384]);
    }
}
