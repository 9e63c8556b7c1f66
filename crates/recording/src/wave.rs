//! Sound as WAV: 16 bits, mono. What does not fit the 32-bit lengths of the format, 12 hours and 25
//! minutes at 48,000 samples a second, becomes RF64 (EBU Tech 3306), for whose lengths every file
//! has room.

use std::io::{self, Seek, SeekFrom, Write};

/// Bytes of a sample.
const SAMPLE: u16 = 2;

/// The header: `RIFF`, a chunk that is passed over or holds the long lengths, the format, and the
/// head of the samples.
const HEADER: usize = 80;

/// Bytes of the chunk for the long lengths.
const LONG_LENGTHS: u32 = 28;

/// A WAV file being written.
pub struct Wave<W> {
    writer: W,
    /// Samples a second.
    rate: u32,
    /// Bytes of samples.
    length: u64,
}

impl<W: Write + Seek> Wave<W> {
    /// Begins a file of one channel and `rate` samples a second.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut writer: W, rate: u32) -> io::Result<Self> {
        writer.write_all(&header(0, rate))?;
        Ok(Self { writer, rate, length: 0 })
    }

    /// Adds samples.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, samples: impl IntoIterator<Item = i16>) -> io::Result<()> {
        for sample in samples {
            self.writer.write_all(&sample.to_le_bytes())?;
            self.length += u64::from(SAMPLE);
        }
        Ok(())
    }

    /// Returns what the bytes go to.
    pub fn get_ref(&self) -> &W {
        &self.writer
    }

    /// Writes the lengths into the header. Returns what the bytes went to.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.writer.seek(SeekFrom::Start(0))?;
        self.writer.write_all(&header(self.length, self.rate))?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

/// Completes a file that was left unfinished: its header says how long it is. Returns the length
/// that the file is to be cut to.
///
/// # Errors
/// When it cannot be written.
pub fn complete(file: &mut (impl Write + Seek), rate: u32) -> io::Result<u64> {
    let whole = file.seek(SeekFrom::End(0))?;
    let length = whole.saturating_sub(HEADER as u64) / u64::from(SAMPLE) * u64::from(SAMPLE);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header(length, rate))?;
    Ok(length + HEADER as u64)
}

/// Returns the header of a file with `length` bytes of samples, `rate` samples a second.
fn header(length: u64, rate: u32) -> Vec<u8> {
    let whole = length + HEADER as u64 - 8;
    let long = u32::try_from(whole).is_err();
    let short = |length: u64| u32::try_from(length).ok().filter(|_| !long).unwrap_or(u32::MAX).to_le_bytes();
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
    use std::io::{Cursor, Read};

    use hound::{SampleFormat, WavSpec};

    use super::*;

    const RATE: u32 = 48_000;

    #[test]
    fn every_sample_is_in_the_file() {
        let mut file = Wave::new(Cursor::new(Vec::new()), RATE).unwrap();
        file.add([0, 32767, -32767]).unwrap();
        file.add([16384]).unwrap();
        let bytes = file.finish().unwrap().into_inner();
        // A reader that is not ours.
        let mut reader = hound::WavReader::new(&bytes[..]).unwrap();
        let spec =
            WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int };
        assert_eq!(reader.spec(), spec);
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(samples, [0, 32767, -32767, 16384]);
    }

    #[test]
    fn what_is_longer_than_the_format_can_say_becomes_rf64() {
        const HOLE: u64 = 1 << 32;
        let mut file = Wave::new(tempfile::tempfile().unwrap(), RATE).unwrap();
        // Silence that takes no room on the disk: a hole.
        file.add([i16::MAX]).unwrap();
        file.writer.seek(SeekFrom::Current(HOLE as i64)).unwrap();
        file.length += HOLE;
        file.add([-i16::MAX]).unwrap();
        let mut file = file.finish().unwrap();

        let length = file.metadata().unwrap().len();
        assert_eq!(length, HEADER as u64 + HOLE + 4);
        let mut head = [0; HEADER];
        file.seek(SeekFrom::Start(0)).unwrap();
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
        let starts = |length| header(length, RATE)[..4].to_vec();
        assert_eq!((starts(most), starts(most + 1)), (b"RIFF".to_vec(), b"RF64".to_vec()));
        assert_eq!(header(0, RATE).len(), HEADER);
    }
}
