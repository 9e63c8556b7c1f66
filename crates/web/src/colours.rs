//! The colours of the picture, in the form that a canvas takes.

use nes::Palette;

use crate::Error;

/// A palette, and each of its 512 values as the four bytes of a pixel: one load and one store a
/// pixel.
pub(crate) struct Colours {
    palette: Palette,
    rgba: Box<[[u8; 4]; 512]>,
}

impl Colours {
    /// Those of a palette.
    pub(crate) fn of(palette: Palette) -> Self {
        let mut rgba = Box::new([[255; 4]; 512]);
        for (value, pixel) in (0_u16..).zip(rgba.iter_mut()) {
            pixel[..3].copy_from_slice(&palette.rgb(value));
        }
        Self { palette, rgba }
    }

    /// Those of the page's own: "" as a television has them, "grey", or "contrast", greys from
    /// black to white.
    ///
    /// # Errors
    /// When there are none of that name.
    pub(crate) fn named(name: &str) -> Result<Self, Error> {
        let stretch = match name {
            "" => return Ok(Self::of(Palette::ntsc())),
            "grey" => 1.0,
            "contrast" => 1.6,
            _ => return Err(Error::Refused("colours: expected nothing, grey or contrast")),
        };
        let usual = Palette::ntsc();
        let bytes: Vec<u8> = (0..512_u16)
            .flat_map(|colour| {
                let [red, green, blue] = usual.rgb(colour).map(f64::from);
                // Rec. 601: what a black-and-white set shows.
                let grey = 0.299 * red + 0.587 * green + 0.114 * blue;
                [((grey - 128.0) * stretch + 128.0).clamp(0.0, 255.0) as u8; 3]
            })
            .collect();
        let wrong = |error| Error::Palette { name: name.to_owned(), error };
        Palette::from_bytes(&bytes).map(Self::of).map_err(wrong)
    }

    /// The palette.
    pub(crate) fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Fills `rgba` with four bytes for each of `pixels`.
    pub(crate) fn paint(&self, pixels: &[u16], rgba: &mut [u8]) {
        for (to, &pixel) in rgba.as_chunks_mut::<4>().0.iter_mut().zip(pixels) {
            *to = self.rgba[usize::from(pixel & 0x1FF)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_painted_as_the_palette_has_it() {
        let colours = Colours::of(Palette::ntsc());
        let pixels: Vec<u16> = (0..512).collect();
        let (mut ours, mut theirs) = (vec![0; 2_048], vec![0; 2_048]);
        colours.paint(&pixels, &mut ours);
        colours.palette().paint(&pixels, &mut theirs);
        assert_eq!(ours, theirs);
    }
}
