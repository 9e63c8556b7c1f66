//! The picture as an animated GIF.

use std::borrow::Cow;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use gif::{DisposalMethod, Encoder, Repeat};

use crate::Rgb;

/// A GIF being written: pictures of one size, each shown from a time on.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    width: usize,
    /// The picture that is shown, and since when: for how long is known when the next comes.
    shown: Option<(Vec<Rgb>, u64)>,
    /// The one before it, which is still there where nothing is drawn.
    before: Option<Vec<Rgb>>,
}

impl<W: Write> Gif<W> {
    /// Begins a file of pictures of `width` by `height` pixels, repeated for ever.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(writer: W, width: u16, height: u16) -> io::Result<Self> {
        let mut encoder = Encoder::new(writer, width, height, &[]).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        Ok(Self { encoder, width: width.into(), shown: None, before: None })
    }

    /// Shows a picture, row by row, from `time` on, in hundredths of a second. One that is shown
    /// already goes on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn show(&mut self, time: u64, pixels: Vec<Rgb>) -> io::Result<()> {
        if self.shown.as_ref().is_none_or(|(shown, _)| *shown != pixels) {
            self.write(time)?;
            self.shown = Some((pixels, time));
        }
        Ok(())
    }

    /// Writes the picture that is shown, until `time`.
    fn write(&mut self, time: u64) -> io::Result<()> {
        let Some((pixels, since)) = self.shown.take() else { return Ok(()) };
        let area = Area::changed(self.before.as_deref(), &pixels, self.width);
        let (palette, buffer) = area.colours(&pixels, self.width);
        let frame = gif::Frame {
            delay: time.saturating_sub(since).min(u64::from(u16::MAX)) as u16,
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

    /// Returns what the bytes go to.
    pub fn get_ref(&self) -> &W {
        self.encoder.get_ref()
    }

    /// Ends the last picture at `time` and the file with it. Returns what the bytes went to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, time: u64) -> io::Result<W> {
        self.write(time)?;
        // Its last byte is written when the encoder goes.
        self.encoder.into_inner().map_err(io_error)
    }
}

/// A GIF of a console's frames.
///
/// A GIF counts time in hundredths of a second and programs take less than two for ten, so that
/// every other frame is shown, each until the hundredth in which the next is due: over any length
/// the time is right to a hundredth.
pub struct Animation<W: Write> {
    gif: Gif<W>,
    /// Frames a second.
    rate: f64,
    frames: u64,
}

impl<W: Write> Animation<W> {
    /// One frame of this many is shown.
    const EVERY: u64 = 2;

    /// Begins a file of pictures of `width` by `height` pixels, `rate` frames a second.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(writer: W, width: u16, height: u16, rate: f64) -> io::Result<Self> {
        Ok(Self { gif: Gif::new(writer, width, height)?, rate, frames: 0 })
    }

    /// Adds a frame, whose pixels are asked for if it is one that is shown.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, pixels: impl FnOnce() -> Vec<Rgb>) -> io::Result<()> {
        let frame = self.frames;
        self.frames += 1;
        if !frame.is_multiple_of(Self::EVERY) {
            return Ok(());
        }
        self.gif.show(self.due(frame), pixels())
    }

    /// Returns when a frame is due, in hundredths of a second.
    fn due(&self, frame: u64) -> u64 {
        (100.0 * frame as f64 / self.rate).round() as u64
    }

    /// Returns what the bytes go to.
    pub fn get_ref(&self) -> &W {
        self.gif.get_ref()
    }

    /// Ends the file. Returns what the bytes went to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let end = self.due(self.frames);
        self.gif.finish(end)
    }
}

/// What ends a GIF.
const TRAILER: u8 = 0x3B;

/// Completes a file that was left unfinished: it ends behind the last picture that is whole.
/// Returns the length that the file is to be cut to.
///
/// # Errors
/// When there is no whole picture in it, or it cannot be written.
pub fn complete(file: &mut (impl Read + Write + Seek)) -> io::Result<u64> {
    let mut reader = BufReader::new(&mut *file);
    let mut whole = None;
    // What comes behind is a part of a picture.
    let _ = pictures(&mut reader, &mut whole);
    let whole: u64 = whole.ok_or_else(|| io::Error::other("there is no whole picture in it"))?;
    file.seek(SeekFrom::Start(whole))?;
    file.write_all(&[TRAILER])?;
    Ok(whole + 1)
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

/// A part of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// Returns the smallest that holds all in which two pictures differ; at least one dot.
    fn changed(before: Option<&[Rgb]>, pixels: &[Rgb], width: usize) -> Self {
        let Some(before) = before else {
            return Self { left: 0, top: 0, width, height: pixels.len() / width };
        };
        let (mut least, mut most) = ((usize::MAX, usize::MAX), (0, 0));
        for at in (0..pixels.len()).filter(|&at| pixels[at] != before[at]) {
            let (x, y) = (at % width, at / width);
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
    fn colours(self, pixels: &[Rgb], width: usize) -> (Vec<u8>, Vec<u8>) {
        let part = |mask: u8| {
            let lines = pixels.chunks(width).skip(self.top).take(self.height);
            let part = lines.flat_map(move |line| &line[self.left..self.left + self.width]);
            part.map(move |colour| colour.map(|level| level & mask))
        };
        let used = |mask: u8| {
            let mut used: Vec<Rgb> = part(mask).collect();
            used.sort_unstable();
            used.dedup();
            (mask, used)
        };
        // Two bits of each make 64 colours.
        let fits = |(_, used): &(u8, Vec<_>)| used.len() <= 256;
        let (mask, used) = (0..6).map(|bits| used(0xFF << bits)).find(fits).unwrap_or_else(|| used(0xC0));
        let index = |colour: Rgb| used.binary_search(&colour).unwrap_or(0) as u8;
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

    const SIZE: (u16, u16) = (256, 240);
    const NTSC: f64 = 39_375_000.0 / 655_171.0;

    fn picture(colour: u8, at: usize) -> Vec<Rgb> {
        let mut pixels = vec![[0; 3]; 256 * 240];
        pixels[at] = [colour, 2 * colour, 255 - colour];
        pixels
    }

    fn animation() -> Animation<Vec<u8>> {
        Animation::new(Vec::new(), SIZE.0, SIZE.1, NTSC).unwrap()
    }

    #[test]
    fn its_pictures_come_back_at_the_consoles_speed_to_a_hundredth_of_a_second() {
        let mut file = animation();
        for frame in 0..601_u16 {
            file.add(|| picture(if frame < 300 { frame as u8 % 16 } else { 99 }, frame.into())).unwrap();
        }
        let bytes = file.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
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
        let expected: Vec<[u8; 4]> = picture(99, 600).iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
        assert!(screen == expected);
    }

    #[test]
    fn more_colours_than_fit_are_told_apart_by_their_highest_bits() {
        let pixels: Vec<Rgb> =
            (0..256 * 240_u32).map(|n| [n as u8, (n >> 8) as u8, (n >> 3) as u8]).collect();
        let (palette, buffer) = Area::changed(None, &pixels, 256).colours(&pixels, 256);
        let colours = palette.len() / 3;
        assert!((33..=256).contains(&colours), "{colours}");
        for (&index, pixel) in buffer.iter().zip(&pixels) {
            let shown = &palette[3 * usize::from(index)..][..3];
            assert!(shown.iter().zip(pixel).all(|(shown, level)| level - shown < 64), "{shown:?} {pixel:?}");
        }
    }

    #[test]
    fn a_picture_that_stays_is_written_once() {
        let mut file = animation();
        (0..120).for_each(|_| file.add(|| picture(1, 1)).unwrap());
        let bytes = file.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        assert_eq!(decoder.next_frame_info().unwrap().unwrap().delay, 200);
        assert!(decoder.next_frame_info().unwrap().is_none());
    }
}
