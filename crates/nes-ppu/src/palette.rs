//! Colours for front ends: what an NTSC television makes of the 512 signals of the PPU.

use alloc::boxed::Box;
use alloc::vec::Vec;

use core::fmt;

/// Why bytes are not a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteError {
    /// A palette file is 64 or 512 colours of three bytes, and perhaps some bytes more.
    Length {
        /// How many bytes were found.
        found: usize,
    },
    /// A line of a JASC palette is not what it should be.
    Text {
        /// Line number, counted from 1.
        line: usize,
        /// What it should be.
        expected: &'static str,
    },
}

impl fmt::Display for PaletteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(
                f,
                "not a palette: expected 192 bytes (64 colours of red, green, blue) or 1536 (512, with \
                 emphasis), and at most {MOST} with what follows them, found {found}"
            ),
            Self::Text { line, expected } => {
                write!(f, "not a JASC palette: expected {expected} in line {line}")
            }
        }
    }
}

impl core::error::Error for PaletteError {}

/// Bytes of 64 colours, of 512, and of the longest file.
const BASE: usize = 192;
const ALL: usize = 1536;
const MOST: usize = 1 << 16;
/// What the text of Paint Shop Pro's palettes opens with.
const JASC: &[u8] = b"JASC-PAL";

/// Returns the colours of a JASC palette, three bytes each: 64 or 512 of them. Further ones, up to
/// the next of these numbers, are ignored as in a file of bytes.
///
/// The format: `JASC-PAL`, a version, the number of colours, and a line of three numbers from 0 to
/// 255 for each.
fn jasc(bytes: &[u8]) -> Result<Vec<u8>, PaletteError> {
    let text = core::str::from_utf8(bytes).map_err(|_| PaletteError::Text { line: 1, expected: "text" })?;
    let mut lines = (1..).zip(text.lines().map(str::trim)).skip(2);
    let missing = |line, expected| PaletteError::Text { line, expected };
    let (_, count) = lines.next().ok_or(missing(3, "the number of colours"))?;
    let count: usize = count.parse().map_err(|_| missing(3, "the number of colours"))?;
    if !(BASE / 3..=MOST / 3).contains(&count) {
        return Err(missing(3, "64 colours at least"));
    }
    let mut colours = Vec::new();
    for at in 0..count.min(ALL / 3) {
        let expected = "red, green and blue, from 0 to 255";
        let (line, text) = lines.next().ok_or(missing(at + 4, expected))?;
        let mut parts = text.split_ascii_whitespace().map(str::parse::<u8>);
        for _ in 0..3 {
            colours.push(parts.next().and_then(Result::ok).ok_or(missing(line, expected))?);
        }
    }
    Ok(colours)
}

/// Red, green and blue for every pixel value: a palette index in bits 0–5, emphasis of red, green
/// and blue in bits 6–8.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette {
    rgb: Box<[[u8; 3]; 512]>,
}

/// The composite signal's levels in volts, low and high half of the colour carrier, by brightness
/// 0–3 (NESdev: NTSC video).
const LOW: [f64; 4] = [0.350, 0.518, 0.962, 1.550];
const HIGH: [f64; 4] = [1.094, 1.506, 1.962, 1.962];
const BLACK: f64 = 0.518;
const WHITE: f64 = 1.962;
/// What emphasis leaves of the signal in the other colours' part of the carrier.
const ATTENUATION: f64 = 0.746;

/// Sine of multiples of 30°, exact to the last bit on every machine.
const SINE: [f64; 12] = {
    const H: f64 = 0.866_025_403_784_438_6;
    [0.0, 0.5, H, 1.0, H, 0.5, 0.0, -0.5, -H, -1.0, -H, -0.5]
};

impl Palette {
    /// Colours as a television with neutral knobs decodes them from the PPU's composite signal:
    /// the carrier's twelve samples are averaged to luma and demodulated to chroma.
    pub fn ntsc() -> Self {
        Self::decoded(&carrier([1.0, 0.0]))
    }

    /// Colours as a television decodes them that multiplies the signal by these waves for I and Q,
    /// see [`carrier`].
    pub fn decoded(carrier: &[[f64; 2]; 12]) -> Self {
        let mut rgb = Box::new([[0; 3]; 512]);
        for (pixel, colour) in rgb.iter_mut().enumerate() {
            *colour = decode(pixel, carrier);
        }
        Self { rgb }
    }

    /// A user's palette: 192 bytes (64 colours; emphasis then darkens the other two components as
    /// the signal does) or 1,536 bytes (512 colours), red, green, blue each. Bytes after them, such
    /// as an editor's signature, are ignored. The text of a JASC palette with as many colours is
    /// read as well.
    ///
    /// # Errors
    /// [`PaletteError`]: too few bytes or too many, or a line that is no colour.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PaletteError> {
        if bytes.starts_with(JASC) {
            return Self::from_bytes(&jasc(bytes)?);
        }
        let bytes = match bytes.len() {
            BASE..ALL => &bytes[..BASE],
            ALL..=MOST => &bytes[..ALL],
            found => return Err(PaletteError::Length { found }),
        };
        let mut rgb = Box::new([[0; 3]; 512]);
        for (pixel, colour) in rgb.iter_mut().enumerate() {
            let at = (3 * pixel) % bytes.len();
            colour.copy_from_slice(&bytes[at..at + 3]);
            if bytes.len() == BASE {
                emphasise(colour, pixel >> 6);
            }
        }
        Ok(Self { rgb })
    }

    /// Red, green and blue of a pixel as the frame has it; bits above the ninth are ignored.
    #[inline]
    pub fn rgb(&self, pixel: u16) -> [u8; 3] {
        self.rgb[usize::from(pixel & 0x1FF)]
    }

    /// Fills `rgba` with four bytes for each of `pixels`, opaque.
    ///
    /// # Panics
    /// If `rgba` is not four times as long as `pixels`.
    pub fn paint(&self, pixels: &[u16], rgba: &mut [u8]) {
        assert_eq!(rgba.len(), 4 * pixels.len(), "four bytes a pixel");
        for (to, &pixel) in rgba.chunks_exact_mut(4).zip(pixels) {
            let [r, g, b] = self.rgb(pixel);
            to.copy_from_slice(&[r, g, b, 0xFF]);
        }
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Palette").finish_non_exhaustive()
    }
}

/// Without colours for emphasis of its own, each emphasised component dims the two others.
fn emphasise(colour: &mut [u8; 3], emphasis: usize) {
    for bit in (0..3).filter(|bit| emphasis >> bit & 1 == 1) {
        for other in [(bit + 1) % 3, (bit + 2) % 3] {
            colour[other] = (f64::from(colour[other]) * 0.816) as u8;
        }
    }
}

/// The composite signal of the pixel value `pixel` at one of the carrier's twelve samples: black 0,
/// white 1. A dot lasts eight samples.
pub fn signal(pixel: usize, sample: usize) -> f64 {
    let (hue, emphasis) = (pixel & 0x0F, pixel >> 6);
    // Hues $E and $F are black, whatever the brightness.
    let brightness = if hue >= 0x0E { 1 } else { pixel >> 4 & 3 };
    let in_phase = |hue: usize| (hue + sample) % 12 < 6;
    let high = match hue {
        0x00 => true,
        0x0D.. => false,
        _ => in_phase(hue),
    };
    let volts = if high { HIGH[brightness] } else { LOW[brightness] };
    // Red, green and blue emphasis attenuate in the half of the carrier around cyan, magenta and
    // yellow: phases 0, 4 and 8.
    let attenuated = hue < 0x0E && (0..3).any(|bit| emphasis >> bit & 1 == 1 && in_phase(4 * bit));
    let volts = if attenuated { volts * ATTENUATION } else { volts };
    (volts - BLACK) / (WHITE - BLACK)
}

/// What the signal is multiplied by for I and Q at each of the carrier's samples: the burst is in
/// phase with hue 8, on the carrier's grid of 30°. `turn` is the cosine and the sine of the tint
/// knob's angle, both times the saturation: `[1.0, 0.0]` for neutral knobs.
pub fn carrier([cosine, sine]: [f64; 2]) -> [[f64; 2]; 12] {
    let wave = |at: usize| cosine * SINE[at % 12] + sine * SINE[(at + 3) % 12];
    core::array::from_fn(|sample| [wave(sample + 7), wave(sample + 4)])
}

/// The mean of the signal and of its products with the [`carrier`] as red, green and blue, by the
/// FCC's matrix.
pub fn rgb([y, i, q]: [f64; 3]) -> [u8; 3] {
    // A tint knob moves further than what the demodulation leaves.
    let (i, q) = (1.5 * i, 1.5 * q);
    let component = |value: f64| (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8;
    [
        component(y + 0.956 * i + 0.621 * q),
        component(y - 0.272 * i - 0.647 * q),
        component(y - 1.106 * i + 1.703 * q),
    ]
}

/// The colour of `pixel`.
fn decode(pixel: usize, carrier: &[[f64; 2]; 12]) -> [u8; 3] {
    let mut yiq = [0.0; 3];
    for (sample, [i, q]) in carrier.iter().enumerate() {
        let level = signal(pixel, sample) / 12.0;
        yiq = [yiq[0] + level, yiq[1] + level * i, yiq[2] + level * q];
    }
    rgb(yiq)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greys_are_grey_and_ordered() {
        let palette = Palette::ntsc();
        let greys = [0x0D, 0x1D, 0x2D, 0x00, 0x10, 0x30].map(|pixel| palette.rgb(pixel));
        for [r, g, b] in greys {
            assert!(r.abs_diff(g) <= 1 && g.abs_diff(b) <= 1);
        }
        assert!(greys[1][0] < greys[2][0] && greys[2][0] < greys[3][0]);
        assert!(greys[3][0] < greys[4][0] && greys[4][0] < greys[5][0]);
    }

    #[test]
    fn hues_are_where_the_field_knows_them() {
        let palette = Palette::ntsc();
        let strongest = |pixel| {
            let rgb = palette.rgb(pixel);
            (0..3).max_by_key(|&c| rgb[c]).unwrap()
        };
        assert_eq!(strongest(0x16), 0, "$16 is red");
        assert_eq!(strongest(0x1A), 1, "$1A is green");
        assert_eq!(strongest(0x12), 2, "$12 is blue");
    }

    #[test]
    fn emphasis_keeps_its_own_colour_best() {
        let palette = Palette::ntsc();
        for (bit, component) in [(0x40, 0), (0x80, 1), (0x100, 2)] {
            let (plain, tinted) = (palette.rgb(0x10), palette.rgb(0x10 | bit));
            let kept = [0, 1, 2].map(|c| i32::from(tinted[c]) - i32::from(plain[c]));
            assert_eq!(kept.iter().max(), Some(&kept[component]), "{bit:03X}: {plain:?} {tinted:?}");
        }
    }

    #[test]
    fn a_palette_file_is_192_or_1536_bytes_and_what_follows_them_is_ignored() {
        let bytes: Vec<u8> = (0..2_000_u32).map(|at| (at % 251) as u8).collect();
        let read = |length: usize| Palette::from_bytes(&bytes[..length]);
        assert_eq!(read(202), read(192));
        assert_eq!(read(1_535), read(192));
        assert_eq!(read(2_000), read(1_536));
        assert!(read(192).unwrap() != read(1_536).unwrap());
        assert_eq!(read(191), Err(PaletteError::Length { found: 191 }));
        let found = MOST + 1;
        assert_eq!(Palette::from_bytes(&vec![0; found]), Err(PaletteError::Length { found }));
    }

    #[test]
    fn the_text_of_a_jasc_palette_is_the_same_palette() {
        let bytes: Vec<u8> = (0..1_536_u32).map(|at| (at % 251) as u8).collect();
        let text = |count: usize| {
            let lines = bytes.chunks(3).take(count).map(|colour| {
                let [red, green, blue] = [colour[0], colour[1], colour[2]];
                alloc::format!("{red} {green} {blue}\r\n")
            });
            let head = alloc::format!("JASC-PAL\r\n0100\r\n{count}\r\n");
            let text: Vec<_> = [head].into_iter().chain(lines).collect();
            text.concat()
        };
        for count in [64, 65, 512] {
            let length = if count == 512 { 1_536 } else { 192 };
            let expected = Palette::from_bytes(&bytes[..length]);
            assert_eq!(Palette::from_bytes(text(count).as_bytes()), expected, "{count}");
        }
        let wrong = |text: &str| Palette::from_bytes(text.as_bytes()).unwrap_err();
        let cut = text(64);
        let cut = &cut[..cut.len() - 6];
        let colour = "red, green and blue, from 0 to 255";
        for (text, line, expected) in [
            (cut, 67, colour),
            ("JASC-PAL\n0100\n", 3, "the number of colours"),
            ("JASC-PAL\n0100\n16\n", 3, "64 colours at least"),
            ("JASC-PAL\n0100\n99999999\n", 3, "64 colours at least"),
            ("JASC-PAL\n0100\n64\n1 2 256\n", 4, colour),
            ("JASC-PAL\n0100\n64\n1 2\n", 4, colour),
        ] {
            assert_eq!(wrong(text), PaletteError::Text { line, expected });
        }
    }
}
