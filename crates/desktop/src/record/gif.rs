//! The picture as an animated GIF.
//!
//! A GIF counts time in hundredths of a second and programs take less than two for ten, so that
//! every other frame is shown, each until the hundredth in which the next is due: over any length
//! the time is right to a hundredth.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use draft::Draft;
use gif::{DisposalMethod, Encoder, Repeat};
use nes::{Palette, Region};

use crate::record::format::{FileEncoder, RecordedFrame};
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// Every so many frames one is shown.
const EVERY: u64 = 2;

/// Red, green and blue, row by row.
type Pixels = Vec<[u8; 3]>;

/// A GIF being written.
pub(crate) struct GifFile {
    draft: Draft,
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    region: Region,
    frames: u64,
    /// The picture that is shown, and since which frame: its time is known when the next comes.
    shown: Option<(Pixels, u64)>,
    /// The one before it, which is still there where nothing is drawn.
    before: Option<Pixels>,
}

impl GifFile {
    pub(crate) fn begin(path: &Path, palette: &Palette, region: Region) -> io::Result<Self> {
        let draft = Draft::new(path)?;
        let file = BufWriter::new(draft.reopen()?);
        let mut encoder =
            Encoder::new(file, PICTURE_WIDTH as u16, PICTURE_HEIGHT as u16, &[]).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        let palette = palette.clone();
        Ok(Self { draft, encoder, palette, region, frames: 0, shown: None, before: None })
    }

    /// Writes the picture that is shown, which `frame` takes the place of.
    fn write(&mut self, frame: u64) -> io::Result<()> {
        let Some((pixels, since)) = self.shown.take() else { return Ok(()) };
        let area = Area::changed(self.before.as_deref(), &pixels);
        let (palette, buffer) = area.colours(&pixels);
        let frame = gif::Frame {
            delay: (hundredths(frame, self.region) - hundredths(since, self.region)).min(u64::from(u16::MAX))
                as u16,
            dispose: DisposalMethod::Keep,
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            palette: Some(palette),
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(io_error)?;
        // Whatever ends the program, the file has all of it.
        self.encoder.get_mut().flush()?;
        self.before = Some(pixels);
        Ok(())
    }
}

impl FileEncoder for GifFile {
    fn add(&mut self, recorded: &RecordedFrame) -> io::Result<()> {
        let frame = self.frames;
        self.frames += 1;
        if !frame.is_multiple_of(EVERY) {
            return Ok(());
        }
        let pixels = recorded.presented.rgb(&self.palette);
        if self.shown.as_ref().is_none_or(|(shown, _)| *shown != pixels) {
            self.write(frame)?;
            self.shown = Some((pixels, frame));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write(self.frames)?;
        let Self { draft, encoder, .. } = *self;
        // Its last byte is written when the encoder goes.
        encoder.into_inner().map_err(io_error)?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(draft.finish()?)
    }

    fn drafts(&self) -> Vec<PathBuf> {
        vec![self.draft.beside().to_owned()]
    }
}

/// What ends a GIF.
const TRAILER: u8 = 0x3B;

/// Completes a file that nobody did: it ends behind the last picture that is whole.
pub(super) fn complete(file: &mut File) -> io::Result<()> {
    let mut reader = BufReader::new(&mut *file);
    let mut whole = None;
    // What comes behind is a part of a picture.
    let _ = pictures(&mut reader, &mut whole);
    let whole: u64 = whole.ok_or_else(|| io::Error::other("there is no whole picture in it"))?;
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    file.write_all(&[TRAILER])
}

/// Reads blocks up to the end, and sets `whole` to the place behind each picture (`GIF89a`).
fn pictures(file: &mut (impl Read + Seek), whole: &mut Option<u64>) -> io::Result<()> {
    const EXTENSION: u8 = 0x21;
    const PICTURE: u8 = 0x2C;
    fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
    let colours = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3_i64 << ((flags & 7) + 1) };
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let [.., flags, _, _] = bytes::<13>(file)?;
    file.seek_relative(colours(flags))?;
    loop {
        let kind = match bytes(file)? {
            [EXTENSION] => {
                bytes::<1>(file)?;
                EXTENSION
            }
            [PICTURE] => {
                let [.., flags] = bytes::<9>(file)?;
                file.seek_relative(colours(flags) + 1)?;
                PICTURE
            }
            _ => return Ok(()),
        };
        loop {
            let [part] = bytes(file)?;
            if part == 0 {
                break;
            }
            file.seek_relative(part.into())?;
        }
        let at = file.stream_position()?;
        if kind == PICTURE && at <= length {
            *whole = Some(at);
        }
    }
}

/// Returns when frame `frame` is due.
fn hundredths(frame: u64, region: Region) -> u64 {
    (100.0 * frame as f64 / region.frame_rate()).round() as u64
}

/// A part of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    const LINE: usize = PICTURE_WIDTH as usize;

    /// Returns the smallest that holds all in which two pictures differ; at least one dot.
    fn changed(before: Option<&[[u8; 3]]>, pixels: &[[u8; 3]]) -> Self {
        let Some(before) = before else {
            return Self { left: 0, top: 0, width: Self::LINE, height: pixels.len() / Self::LINE };
        };
        let (mut least, mut most) = ((usize::MAX, usize::MAX), (0, 0));
        for at in (0..pixels.len()).filter(|&at| pixels[at] != before[at]) {
            let (x, y) = (at % Self::LINE, at / Self::LINE);
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        }
        if least.0 == usize::MAX {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        }
        Self { left: least.0, top: least.1, width: most.0 - least.0 + 1, height: most.1 - least.1 + 1 }
    }

    /// Returns the colours of this part, red, green and blue, and of each pixel which it is. A part
    /// with more than 256 of them, as a script can draw it, has only as many of their highest bits
    /// as are needed for no more.
    fn colours(self, pixels: &[[u8; 3]]) -> (Vec<u8>, Vec<u8>) {
        let part = |mask: u8| {
            let lines = pixels.chunks(Self::LINE).skip(self.top).take(self.height);
            let part = lines.flat_map(move |line| &line[self.left..self.left + self.width]);
            part.map(move |colour| colour.map(|level| level & mask))
        };
        let used = |mask: u8| {
            let mut used: Vec<[u8; 3]> = part(mask).collect();
            used.sort_unstable();
            used.dedup();
            (mask, used)
        };
        // Two bits of each make 64 colours.
        let fits = |(_, used): &(u8, Vec<_>)| used.len() <= 256;
        let (mask, used) = (0..6).map(|bits| used(0xFF << bits)).find(fits).unwrap_or_else(|| used(0xC0));
        let index = |colour: [u8; 3]| used.binary_search(&colour).unwrap_or(0) as u8;
        let buffer = part(mask).map(index).collect();
        (used.as_flattened().to_vec(), buffer)
    }
}

fn io_error(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::presented_frame::PresentedFrame;

    fn picture(colour: u16, at: usize) -> RecordedFrame {
        let mut presented = PresentedFrame::default();
        presented.dots[at] = colour;
        RecordedFrame { presented, sound: vec![] }
    }

    #[test]
    fn its_pictures_come_back_at_the_consoles_speed_to_a_hundredth_of_a_second() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let palette = Palette::ntsc();
        let mut file = Box::new(GifFile::begin(&path, &palette, Region::Ntsc).unwrap());
        let frames = 601_u64;
        for frame in 0..frames {
            file.add(&picture(if frame < 300 { 0x10 + (frame % 16) as u16 } else { 0x16 }, frame as usize))
                .unwrap();
        }
        file.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
        let (mut time, mut count, mut screen) = (0, 0, vec![[0; 4]; 256 * 240]);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            time += u64::from(frame.delay);
            count += 1;
            for (at, colour) in frame.buffer.chunks(4).enumerate() {
                let (x, y) = (at % usize::from(frame.width), at / usize::from(frame.width));
                let place = (y + usize::from(frame.top)) * 256 + x + usize::from(frame.left);
                screen[place] = [colour[0], colour[1], colour[2], 255];
            }
        }
        assert_eq!(time, 1000, "601 frames are 10.0002 s");
        assert_eq!(count, 301);
        let last = picture(0x16, 600);
        let expected: Vec<[u8; 4]> = last
            .presented
            .dots
            .iter()
            .map(|&dot| {
                let [red, green, blue] = palette.rgb(dot);
                [red, green, blue, 255]
            })
            .collect();
        assert!(screen == expected);
    }

    #[test]
    fn more_colours_than_fit_are_told_apart_by_their_highest_bits() {
        let pixels: Vec<[u8; 3]> =
            (0..256 * 240_u32).map(|n| [n as u8, (n >> 8) as u8, (n >> 3) as u8]).collect();
        let (palette, buffer) = Area::changed(None, &pixels).colours(&pixels);
        let colours = palette.len() / 3;
        assert!((33..=256).contains(&colours), "{colours}");
        for (&index, pixel) in buffer.iter().zip(&pixels) {
            let shown = &palette[3 * usize::from(index)..][..3];
            assert!(shown.iter().zip(pixel).all(|(shown, level)| level - shown < 64), "{shown:?} {pixel:?}");
        }
    }

    #[test]
    fn a_picture_that_stays_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let mut file = Box::new(GifFile::begin(&path, &Palette::ntsc(), Region::Ntsc).unwrap());
        (0..120).for_each(|_| file.add(&picture(1, 1)).unwrap());
        file.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(File::open(&path).unwrap()).unwrap();
        assert_eq!(decoder.next_frame_info().unwrap().unwrap().delay, 200);
        assert!(decoder.next_frame_info().unwrap().is_none());
    }
}
