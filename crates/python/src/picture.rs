//! Pictures as an agent looks at them.

use nes::{Frame, Palette};

use crate::settings::GRAY;

/// Colours of a frame's pixels, and how light each is.
pub struct Colours {
    rgb: Vec<[u8; 3]>,
    luma: Vec<u8>,
}

impl Colours {
    /// As an NTSC decoder has them.
    pub fn ntsc() -> Self {
        let palette = Palette::ntsc();
        let rgb: Vec<[u8; 3]> = (0..512).map(|pixel| palette.rgb(pixel)).collect();
        let luma = |&[r, g, b]: &[u8; 3]| {
            // ITU-R BT.601, in 1/256.
            ((77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b)) >> 8) as u8
        };
        let luma = rgb.iter().map(luma).collect();
        Self { rgb, luma }
    }

    /// Writes 240 rows of 256 pixels of three bytes.
    ///
    /// # Panics
    /// If there is no room for 184,320 bytes.
    pub fn write_rgb(&self, frame: &Frame, bytes: &mut [u8]) {
        let bytes = &mut bytes[..3 * Frame::WIDTH * Frame::HEIGHT];
        for (to, &pixel) in bytes.chunks_exact_mut(3).zip(frame.pixels()) {
            to.copy_from_slice(&self.rgb[usize::from(pixel & 0x1FF)]);
        }
    }

    /// Writes 84 rows of 84 bytes, each the mean of the pixels that it stands for.
    ///
    /// # Panics
    /// If there is no room for 7,056 bytes.
    pub fn write_gray(&self, frame: &Frame, bytes: &mut [u8]) {
        let edge = |at: usize, length: usize| at * length / GRAY;
        for (row, to) in bytes[..GRAY * GRAY].chunks_exact_mut(GRAY).enumerate() {
            let lines = edge(row, Frame::HEIGHT)..edge(row + 1, Frame::HEIGHT);
            let mut columns = [0u32; Frame::WIDTH];
            for line in lines.clone() {
                for (sum, &pixel) in columns.iter_mut().zip(frame.line(line)) {
                    *sum += u32::from(self.luma[usize::from(pixel & 0x1FF)]);
                }
            }
            for (column, to) in to.iter_mut().enumerate() {
                let range = edge(column, Frame::WIDTH)..edge(column + 1, Frame::WIDTH);
                let count = (range.len() * lines.len()) as u32;
                *to = (columns[range].iter().sum::<u32>() / count) as u8;
            }
        }
    }
}
