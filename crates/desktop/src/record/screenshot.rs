//! Pictures of the game as files.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, RgbaImage};
use nes::Palette;

use crate::config::folders::write_whole;
use crate::error::DesktopError;
use crate::video::presented_frame::Sheet;
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// Writes `sheet` to the new file `path` as PNG, a pixel a dot, in the colours of `palette` and without any filter.
///
/// # Errors
/// [`DesktopError::Write`].
pub(crate) fn save(sheet: &Sheet, palette: &Palette, path: &Path) -> Result<(), DesktopError> {
    let mut image = RgbaImage::new(PICTURE_WIDTH, PICTURE_HEIGHT);
    sheet.paint(palette, &mut image);
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
        let mut sheet = Sheet::default();
        sheet.dots[257] = 0x16;
        save(&sheet, &Palette::ntsc(), &path).unwrap();
        let image = image::open(&path).unwrap().to_rgb8();
        assert_eq!(image.dimensions(), (256, 240));
        assert_eq!(image.get_pixel(1, 1).0, Palette::ntsc().rgb(0x16));
        assert_eq!(image.get_pixel(1, 0).0, Palette::ntsc().rgb(sheet.dots[1]));
    }
}
