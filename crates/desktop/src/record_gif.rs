//! The picture as an animated GIF.
//!
//! A GIF counts time in hundredths of a second and programs take less than two for ten, so that every other frame is
//! shown, each until the hundredth in which the next is due: over any length the time is right to a hundredth.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use draft::Draft;
use gif::{DisposalMethod, Encoder, Repeat};
use nes::Palette;

use crate::mailbox::Dots;
use crate::recorder::{Format, Take};
use crate::{FRAME_RATE, PICTURE_HEIGHT, PICTURE_WIDTH};

/// Every so many frames one is shown.
const EVERY: u64 = 2;

/// A GIF being written.
pub(crate) struct GifFile {
    draft: Draft,
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    frames: u64,
    /// The picture that is shown, and since which frame: its time is known when the next comes.
    shown: Option<(Box<Dots>, u64)>,
    /// The one before it, which is still there where nothing is drawn.
    before: Option<Box<Dots>>,
}

impl GifFile {
    pub(crate) fn begin(path: &Path, palette: &Palette) -> io::Result<Self> {
        let draft = Draft::new(path)?;
        let file = BufWriter::new(draft.reopen()?);
        let mut encoder =
            Encoder::new(file, PICTURE_WIDTH as u16, PICTURE_HEIGHT as u16, &[]).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        let palette = palette.clone();
        Ok(Self { draft, encoder, palette, frames: 0, shown: None, before: None })
    }

    /// Writes the picture that is shown, which `frame` takes the place of.
    fn write(&mut self, frame: u64) -> io::Result<()> {
        let Some((dots, since)) = self.shown.take() else { return Ok(()) };
        let area = Area::changed(self.before.as_deref(), &dots);
        let (palette, buffer) = area.colours(&dots, &self.palette);
        let frame = gif::Frame {
            delay: (hundredths(frame) - hundredths(since)).min(u64::from(u16::MAX)) as u16,
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
        self.before = Some(dots);
        Ok(())
    }
}

impl Format for GifFile {
    fn take(&mut self, take: &Take) -> io::Result<()> {
        let frame = self.frames;
        self.frames += 1;
        if !frame.is_multiple_of(EVERY) || self.shown.as_ref().is_some_and(|(dots, _)| *dots == take.dots) {
            return Ok(());
        }
        self.write(frame)?;
        self.shown = Some((take.dots.clone(), frame));
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write(self.frames)?;
        let Self { draft, encoder, .. } = *self;
        // Its last byte is written when the encoder goes.
        encoder.into_inner().map_err(io_error)?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(draft.finish()?)
    }
}

/// When frame `frame` is due.
fn hundredths(frame: u64) -> u64 {
    (100.0 * frame as f64 / FRAME_RATE).round() as u64
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

    /// The smallest that holds all in which two pictures differ; at least one dot.
    fn changed(before: Option<&Dots>, dots: &Dots) -> Self {
        let Some(before) = before else {
            return Self { left: 0, top: 0, width: Self::LINE, height: dots.len() / Self::LINE };
        };
        let (mut least, mut most) = ((usize::MAX, usize::MAX), (0, 0));
        for at in (0..dots.len()).filter(|&at| dots[at] != before[at]) {
            let (x, y) = (at % Self::LINE, at / Self::LINE);
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        }
        if least.0 == usize::MAX {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        }
        Self { left: least.0, top: least.1, width: most.0 - least.0 + 1, height: most.1 - least.1 + 1 }
    }

    /// The colours of this part, red, green and blue, and of each dot which it is. A part with more than 256 of
    /// them, which takes colour emphasis in mid-picture, loses the emphasis.
    fn colours(self, dots: &Dots, palette: &Palette) -> (Vec<u8>, Vec<u8>) {
        let part = || {
            let lines = dots.chunks(Self::LINE).skip(self.top).take(self.height);
            lines.flat_map(move |line| &line[self.left..self.left + self.width]).copied()
        };
        let mut used: Vec<u16> = part().collect();
        used.sort_unstable();
        used.dedup();
        let mask = if used.len() > 256 { 0x3F } else { 0x1FF };
        for dot in &mut used {
            *dot &= mask;
        }
        used.sort_unstable();
        used.dedup();
        let index = |dot: u16| used.binary_search(&(dot & mask)).unwrap_or(0) as u8;
        let buffer = part().map(index).collect();
        (used.iter().flat_map(|&dot| palette.rgb(dot)).collect(), buffer)
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

    fn picture(colour: u16, at: usize) -> Take {
        let mut dots = crate::blank();
        dots[at] = colour;
        Take { dots, sound: vec![] }
    }

    #[test]
    fn its_pictures_come_back_at_the_consoles_speed_to_a_hundredth_of_a_second() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let palette = Palette::ntsc();
        let mut file = Box::new(GifFile::begin(&path, &palette).unwrap());
        let frames = 601_u64;
        for frame in 0..frames {
            file.take(&picture(if frame < 300 { 0x10 + (frame % 16) as u16 } else { 0x16 }, frame as usize))
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
    fn a_picture_that_stays_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let mut file = Box::new(GifFile::begin(&path, &Palette::ntsc()).unwrap());
        (0..120).for_each(|_| file.take(&picture(1, 1)).unwrap());
        file.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(File::open(&path).unwrap()).unwrap();
        assert_eq!(decoder.next_frame_info().unwrap().unwrap().delay, 200);
        assert!(decoder.next_frame_info().unwrap().is_none());
    }
}
