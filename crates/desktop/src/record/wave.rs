//! Sound as WAV: 16 bits, mono, at the console's own sample rate, before volume and mute. What does
//! not fit the 32-bit lengths of the format, 12 hours and 25 minutes, becomes RF64 (EBU Tech 3306),
//! for whose lengths every file has room.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use draft::Draft;

use crate::record::format::{FileEncoder, RecordedFrame};

/// Bytes of a sample.
const SAMPLE: u16 = 2;

/// The header: `RIFF`, a chunk that is passed over or holds the long lengths, the format, and the
/// head of the samples.
const HEADER: usize = 80;

/// Bytes of the chunk for the long lengths.
const LONG_LENGTHS: u32 = 28;

/// A WAV file being written.
pub(crate) struct WaveFile {
    draft: Draft,
    /// Bytes of samples.
    length: u64,
}

impl WaveFile {
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        let mut draft = Draft::new(path)?;
        draft.write_all(&header(0))?;
        Ok(Self { draft, length: 0 })
    }

    /// Completes the file without giving it its name.
    pub(crate) fn into_draft(mut self) -> io::Result<Draft> {
        self.draft.seek(SeekFrom::Start(0))?;
        self.draft.write_all(&header(self.length))?;
        self.draft.flush()?;
        Ok(self.draft)
    }
}

impl FileEncoder for WaveFile {
    fn add(&mut self, frame: &RecordedFrame) -> io::Result<()> {
        for sample in &frame.sound {
            self.draft.write_all(&nes::apu::pcm16(*sample).to_le_bytes())?;
        }
        self.length += frame.sound.len() as u64 * u64::from(SAMPLE);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(self.into_draft()?.finish()?)
    }

    fn drafts(&self) -> Vec<PathBuf> {
        vec![self.draft.beside().to_owned()]
    }
}

/// Completes a file that nobody did: its header says how long it is.
pub(super) fn complete(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len().saturating_sub(HEADER as u64) / u64::from(SAMPLE) * u64::from(SAMPLE);
    file.set_len(length + HEADER as u64)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header(length))
}

/// Returns the header of a file with `length` bytes of samples.
fn header(length: u64) -> Vec<u8> {
    let whole = length + HEADER as u64 - 8;
    let long = u32::try_from(whole).is_err();
    let short = |length: u64| u32::try_from(length).ok().filter(|_| !long).unwrap_or(u32::MAX).to_le_bytes();
    let rate = crate::SAMPLE_RATE;
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(if long { b"RF64" } else { b"RIFF" });
    bytes.extend(short(whole));
    bytes.extend(b"WAVE");
    bytes.extend(if long { b"ds64" } else { b"JUNK" });
    bytes.extend(LONG_LENGTHS.to_le_bytes());
    let lengths = if long { [whole, length, length / u64::from(SAMPLE)] } else { [0; 3] };
    bytes.extend(lengths.into_iter().flat_map(u64::to_le_bytes));
    bytes.extend([0; 4]); // no table of other long chunks
    bytes.extend(b"fmt ");
    bytes.extend(16_u32.to_le_bytes());
    bytes.extend([1_u16, 1].into_iter().flat_map(u16::to_le_bytes)); // PCM, one channel
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(SAMPLE)).to_le_bytes());
    bytes.extend([SAMPLE, 8 * SAMPLE].into_iter().flat_map(u16::to_le_bytes));
    bytes.extend(b"data");
    bytes.extend(short(length));
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use hound::{SampleFormat, WavSpec};

    use super::*;
    use crate::video::presented_frame::PresentedFrame;

    fn frame(sound: &[f32]) -> RecordedFrame {
        let presented = PresentedFrame { dots: Box::default(), overlay: None };
        RecordedFrame { presented, sound: sound.to_vec() }
    }

    #[test]
    fn every_sample_is_in_the_file_and_nothing_is_there_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        let mut file = Box::new(WaveFile::begin(&path).unwrap());
        file.add(&frame(&[0.0, 1.0, -2.0])).unwrap();
        file.add(&frame(&[0.5])).unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        // A reader that is not ours.
        let mut reader = hound::WavReader::open(&path).unwrap();
        let spec = WavSpec {
            channels: 1,
            sample_rate: crate::SAMPLE_RATE,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        assert_eq!(reader.spec(), spec);
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(samples, [0, 32767, -32767, 16384]);
    }

    #[test]
    fn what_is_longer_than_the_format_can_say_becomes_rf64() {
        const HOLE: u64 = 1 << 32;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.wav");
        let mut file = Box::new(WaveFile::begin(&path).unwrap());
        // Silence that takes no room on the disk: a hole.
        file.add(&frame(&[1.0])).unwrap();
        file.draft.seek(SeekFrom::Current(HOLE as i64)).unwrap();
        file.length += HOLE;
        file.add(&frame(&[-1.0])).unwrap();
        file.finish().unwrap();

        let mut file = File::open(&path).unwrap();
        let length = file.metadata().unwrap().len();
        assert_eq!(length, HEADER as u64 + HOLE + 4);
        let mut head = [0; HEADER];
        file.read_exact(&mut head).unwrap();
        assert_eq!((&head[..4], &head[8..16]), (&b"RF64"[..], &b"WAVEds64"[..]));
        let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap());
        assert_eq!((number(20), number(28), number(36)), (length - 8, HOLE + 4, HOLE / 2 + 2));
        assert_eq!((&head[4..8], &head[76..]), (&[0xFF; 4][..], &[0xFF; 4][..]));
        file.seek(SeekFrom::End(-2)).unwrap();
        let mut last = [0; 2];
        file.read_exact(&mut last).unwrap();
        assert_eq!(i16::from_le_bytes(last), -i16::MAX);
    }

    #[test]
    fn the_last_length_that_fits_is_a_plain_file() {
        let most = u64::from(u32::MAX) - HEADER as u64 + 8;
        let starts = |length| header(length)[..4].to_vec();
        assert_eq!((starts(most), starts(most + 1)), (b"RIFF".to_vec(), b"RF64".to_vec()));
        assert_eq!(header(0).len(), HEADER);
    }
}
