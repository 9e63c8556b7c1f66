//! Sound as WAV: 16 bits, mono, at the console's own sample rate, before volume and mute.

use std::io;
use std::path::{Path, PathBuf};

use draft::Draft;
use recording::Wave;

use crate::record::format::{FileEncoder, RecordedFrame};

/// A WAV file being written.
pub(crate) struct WaveFile(Wave<Draft>);

impl WaveFile {
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        Ok(Self(Wave::new(Draft::new(path)?, crate::SAMPLE_RATE)?))
    }

    /// Completes the file without giving it its name.
    pub(crate) fn into_draft(self) -> io::Result<Draft> {
        self.0.finish()
    }
}

impl FileEncoder for WaveFile {
    fn add(&mut self, frame: &RecordedFrame) -> io::Result<()> {
        self.0.add(frame.sound.iter().copied().map(nes::apu::pcm16))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(self.into_draft()?.finish()?)
    }

    fn drafts(&self) -> Vec<PathBuf> {
        vec![self.0.get_ref().beside().to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::presented_frame::PresentedFrame;

    #[test]
    fn every_sample_is_in_the_file_and_nothing_is_there_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        let mut file = Box::new(WaveFile::begin(&path).unwrap());
        let presented = PresentedFrame { dots: Box::default(), overlay: None };
        file.add(&RecordedFrame { presented, sound: vec![0.0, 1.0, -2.0, 0.5] }).unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        // A reader that is not ours.
        let mut reader = hound::WavReader::open(&path).unwrap();
        assert_eq!(reader.spec().sample_rate, crate::SAMPLE_RATE);
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(samples, [0, 32767, -32767, 16384]);
    }
}
