//! The composite video signal, and the palette that a television with knobs for tint and colour
//! makes of it.

use nes::Palette;
use nes::ppu::palette::{carrier, rgb, signal};

/// Samples in one period of the colour carrier.
const PHASES: usize = 12;

/// Pixel values: 64 colours with three bits of emphasis.
const VALUES: usize = 512;

/// Returns what turns I and Q when the tint knob is at `hue` degrees and the colour knob at
/// `saturation`, 1 for neutral.
fn turn(hue: f32, saturation: f32) -> [f64; 2] {
    let (sine, cosine) = f64::from(hue).to_radians().sin_cos();
    [cosine, sine].map(|part| f64::from(saturation) * part)
}

/// Colours as a television with these knobs decodes them. With both neutral it is
/// [`Palette::ntsc`].
pub(crate) fn palette(hue: f32, saturation: f32) -> Palette {
    Palette::decoded(&carrier(turn(hue, saturation)))
}

/// Samples that one dot lasts.
const DOT: usize = 8;

/// By how many samples the carrier's phase moves from one line to the next: 341 dots are 2,728
/// samples.
const LINE_SHIFT: usize = 4;

/// Samples of black on both sides of a line, so that the filters have something to work on.
const MARGIN: usize = 12;

/// Decodes whole pictures as a television does, with what that does to their edges: luma is the
/// mean of one period of the carrier, chroma of two, so that fine detail turns into colour and
/// colour bleeds.
#[derive(Debug)]
pub(crate) struct Decoder {
    tint: (f32, f32),
    levels: Vec<[f32; PHASES]>,
    carrier: [[f32; 2]; PHASES],
    /// Sums of luma, I and Q over all samples of the line so far.
    sums: Vec<[f32; 3]>,
}

impl Decoder {
    /// Pixels a line of the decoded picture.
    pub(crate) const WIDTH: u32 = 2 * crate::PICTURE_WIDTH;

    /// Returns a decoder with the knobs of [`palette`].
    pub(crate) fn new(hue: f32, saturation: f32) -> Self {
        let row = |pixel| std::array::from_fn(|phase| signal(pixel, phase) as f32);
        Self {
            tint: (hue, saturation),
            levels: (0..VALUES).map(row).collect(),
            carrier: carrier(turn(hue, saturation)).map(|waves| waves.map(|wave| wave as f32)),
            sums: Vec::new(),
        }
    }

    /// Hue and saturation that it was made with.
    pub(crate) fn tint(&self) -> (f32, f32) {
        self.tint
    }

    /// Decodes `dots`, lines of 256, into `rgba`, lines of [`Self::WIDTH`] pixels of four bytes.
    /// Two frames that follow each other differ by `odd`: the pattern of the carrier crawls.
    pub(crate) fn decode(&mut self, dots: &[u16], odd: bool, rgba: &mut [u8]) {
        let lines = dots.chunks_exact(crate::PICTURE_WIDTH as usize);
        let outputs = rgba.chunks_exact_mut(4 * Self::WIDTH as usize);
        for (number, (line, output)) in lines.zip(outputs).enumerate() {
            let start = LINE_SHIFT * (number + usize::from(odd));
            self.sum(line, start);
            self.line(output);
        }
    }

    fn sum(&mut self, line: &[u16], start: usize) {
        self.sums.clear();
        self.sums.resize(MARGIN + 1, [0.0; 3]);
        let (mut sum, mut phase) = ([0.0; 3], (start + MARGIN) % PHASES);
        for &dot in line {
            let levels = &self.levels[usize::from(dot) % VALUES];
            for _ in 0..DOT {
                let (level, [i, q]) = (levels[phase], self.carrier[phase]);
                sum = [sum[0] + level, sum[1] + level * i, sum[2] + level * q];
                self.sums.push(sum);
                phase = (phase + 1) % PHASES;
            }
        }
        self.sums.extend([sum; MARGIN]);
    }

    fn line(&self, output: &mut [u8]) {
        const STEP: usize = DOT / 2;
        for (number, pixel) in output.chunks_exact_mut(4).enumerate() {
            let middle = MARGIN + STEP * number + STEP / 2;
            let mean = |part: usize, reach: usize| {
                f64::from(
                    (self.sums[middle + reach][part] - self.sums[middle - reach][part]) / (2 * reach) as f32,
                )
            };
            let [red, green, blue] = rgb([mean(0, PHASES / 2), mean(1, PHASES), mean(2, PHASES)]);
            pixel.copy_from_slice(&[red, green, blue, 0xFF]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how far two colours are apart in the component that differs most.
    fn distance(one: [u8; 3], other: [u8; 3]) -> u8 {
        one.into_iter().zip(other).map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0)
    }

    #[test]
    fn with_nearly_neutral_knobs_the_colours_are_the_consoles_own() {
        let (ntsc, ours) = (Palette::ntsc(), palette(0.001, 1.0));
        for pixel in 0..VALUES as u16 {
            assert!(distance(ntsc.rgb(pixel), ours.rgb(pixel)) <= 1, "{pixel:#05x}");
        }
    }

    #[test]
    fn without_saturation_everything_is_grey() {
        let grey = palette(25.0, 0.0);
        for pixel in 0..VALUES as u16 {
            let [red, green, blue] = grey.rgb(pixel);
            assert!(red == green && green == blue, "{pixel:#05x}");
        }
    }

    #[test]
    fn thirty_degrees_of_tint_are_one_hue_of_the_palette() {
        let turned = palette(30.0, 1.0);
        for hue in 2..=12 {
            let (one, other) = (turned.rgb(0x10 + hue), Palette::ntsc().rgb(0x0F + hue));
            assert!(distance(one, other) <= 1, "hue {hue}: {one:?}, {other:?}");
        }
    }

    #[test]
    fn a_plain_area_has_its_colour_of_the_palette() {
        let mut decoder = Decoder::new(0.0, 1.0);
        let mut rgba = vec![0; 4 * Decoder::WIDTH as usize];
        for colour in 0..64 {
            decoder.decode(&[colour; 256], colour % 2 == 1, &mut rgba);
            for pixel in rgba.chunks_exact(4).skip(4).take(500) {
                let found = [pixel[0], pixel[1], pixel[2]];
                assert!(distance(found, Palette::ntsc().rgb(colour)) <= 1, "{colour:#04x}: {found:?}");
            }
        }
    }

    #[test]
    fn fine_black_and_white_stripes_turn_into_colour_that_crawls() {
        let stripes: Vec<u16> = (0..256).map(|dot| if dot % 3 == 0 { 0x30 } else { 0x0F }).collect();
        let mut decoder = Decoder::new(0.0, 1.0);
        let mut frames = [vec![0; 4 * Decoder::WIDTH as usize], vec![0; 4 * Decoder::WIDTH as usize]];
        for (odd, rgba) in frames.iter_mut().enumerate() {
            decoder.decode(&stripes, odd == 1, rgba);
            assert!(rgba.chunks_exact(4).skip(8).take(480).any(|pixel| pixel[0].abs_diff(pixel[2]) > 30));
        }
        assert_ne!(frames[0], frames[1]);
    }
}
