//! Pictures of the game as files.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, RgbaImage};
use nes::Palette;

use crate::config::folders::write_whole;
use crate::error::DesktopError;
use crate::video::presented_frame::PresentedFrame;
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// Writes `presented` to the new file `path` as PNG, a pixel a dot, in the colours of `palette` and
/// without any filter.
///
/// # Errors
/// [`DesktopError::Write`].
pub(crate) fn save(presented: &PresentedFrame, palette: &Palette, path: &Path) -> Result<(), DesktopError> {
    let mut image = RgbaImage::new(PICTURE_WIDTH, PICTURE_HEIGHT);
    presented.paint(palette, &mut image);
    let mut bytes = Cursor::new(vec![]);
    image
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| DesktopError::Write { path: path.into(), source: std::io::Error::other(error) })?;
    write_whole(path, bytes.get_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screenshot_has_a_pixel_a_dot_in_the_palettes_colours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/shot.png");
        let mut presented = PresentedFrame::default();
        presented.dots[257] = 0x16;
        save(&presented, &Palette::ntsc(), &path).unwrap();
        let image = image::open(&path).unwrap().to_rgb8();
        assert_eq!(image.dimensions(), (256, 240));
        assert_eq!(image.get_pixel(1, 1).0, Palette::ntsc().rgb(0x16));
        assert_eq!(image.get_pixel(1, 0).0, Palette::ntsc().rgb(presented.dots[1]));
    }
}
