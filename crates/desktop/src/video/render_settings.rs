//! How the picture looks: what the player set about it, and what that comes to.

use std::path::{Path, PathBuf};

use nes::{Palette, Region};
use serde::{Deserialize, Serialize};

use crate::error::DesktopError;
use crate::options::read_file;
use crate::video::composite;
use crate::video::filter::Filter;
use crate::video::viewport::{Aspect, Crop, Framing, Scaling};

/// What a player can set about the picture and the windows that show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct PictureSettings {
    /// Window pixels to a scanline at the start, 1–16; made smaller where the screen is.
    pub scale: u8,
    /// Shape of a pixel.
    pub aspect: Aspect,
    /// How the picture grows with the window.
    pub scaling: Scaling,
    /// Framebuffer cut off at each side, 0–64.
    pub crop: Crop,
    /// What stands between dots and pixels.
    pub filter: Filter,
    /// The television's tint in degrees, -45 to 45. Palette files are as they are.
    pub hue: i8,
    /// The television's colour in percent, 0–200; 100 is neutral. Palette files are as they are.
    pub saturation: u8,
    /// A palette file (.pal, 64 or 512 colours); empty for the colours of an NTSC television.
    pub palette: PathBuf,
    /// Start on the whole screen, as a window without borders.
    pub fullscreen: bool,
    /// The window's width and height when it was last open, in pixels; empty for `scale`.
    pub window_size: Vec<u32>,
    /// Where it was, x and y in pixels of the screen; empty for wherever the system puts it.
    pub window_place: Vec<i32>,
    /// Show in a corner which buttons the game sees.
    pub input_display: bool,
    /// Window pixels to a dot in the second window for recording software, 1–8; 0 for none.
    pub clean_feed: u8,
    /// Whether the second window shows the buttons as well.
    pub clean_feed_input: bool,
    /// Where the second window was, x and y in pixels of the screen; empty where it has not been
    /// yet.
    pub clean_feed_place: Vec<i32>,
}

impl Default for PictureSettings {
    fn default() -> Self {
        Self {
            scale: 3,
            aspect: Aspect::default(),
            scaling: Scaling::default(),
            crop: Crop::default(),
            filter: Filter::default(),
            hue: 0,
            saturation: 100,
            palette: PathBuf::new(),
            fullscreen: false,
            window_size: vec![],
            window_place: vec![],
            input_display: false,
            clean_feed: 0,
            clean_feed_input: false,
            clean_feed_place: vec![],
        }
    }
}

impl PictureSettings {
    /// Returns everything that decides about the place of an NTSC console's picture.
    pub fn framing(&self) -> Framing {
        Framing { aspect: self.aspect, region: Region::Ntsc, scaling: self.scaling, crop: self.crop }
    }
}

/// How to draw a picture.
#[derive(Debug, Clone)]
pub(crate) struct RenderSettings {
    pub(crate) framing: Framing,
    pub(crate) filter: Filter,
    pub(crate) palette: Palette,
    /// Hue in degrees and saturation, 1 for neutral, for the composite filter.
    pub(crate) tint: (f32, f32),
}

impl RenderSettings {
    /// Returns what `settings` ask for; with the television's own colours, and why, if the palette
    /// file is not one.
    pub(crate) fn new(settings: &PictureSettings) -> (Self, Option<DesktopError>) {
        let tint = (f32::from(settings.hue.clamp(-45, 45)), f32::from(settings.saturation.min(200)) / 100.0);
        let generated = || composite::palette(tint.0, tint.1);
        let file = &settings.palette;
        let chosen = (!file.as_os_str().is_empty()).then(|| palette_file(file)).transpose();
        let (palette, error) = match chosen {
            Ok(palette) => (palette.unwrap_or_else(generated), None),
            Err(error) => (generated(), Some(error)),
        };
        (Self { framing: settings.framing(), filter: settings.filter, palette, tint }, error)
    }

    /// Returns the same for the picture of a console of this region.
    pub(crate) fn on(mut self, region: Region) -> Self {
        self.framing.region = region;
        self
    }
}

/// Returns the palette in the file `path`.
///
/// # Errors
/// [`DesktopError::Read`] and [`DesktopError::Palette`].
pub(crate) fn palette_file(path: &Path) -> Result<Palette, DesktopError> {
    let bytes = read_file(path)?;
    Palette::from_bytes(&bytes)
        .map_err(|source| DesktopError::Palette { path: path.into(), reason: source.to_string() })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_palette_file_is_taken_as_it_is_and_what_is_none_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.pal");
        fs::write(&path, [7; 192]).unwrap();
        let settings = PictureSettings { palette: path.clone(), hue: 20, ..PictureSettings::default() };
        let (render, error) = RenderSettings::new(&settings);
        assert!(error.is_none());
        assert_eq!(render.palette.rgb(0x21), [7; 3]);

        fs::write(&path, [7; 100]).unwrap();
        let (render, error) = RenderSettings::new(&settings);
        assert_eq!(render.palette, composite::palette(20.0, 1.0));
        let message = error.unwrap().to_string();
        assert!(message.contains("mine.pal") && message.contains("100"), "{message}");

        fs::remove_file(&path).unwrap();
        assert!(RenderSettings::new(&settings).1.unwrap().to_string().contains("mine.pal"));
    }
}
