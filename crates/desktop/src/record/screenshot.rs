//! Pictures of the game as files.

use std::path::Path;

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
    let mut rgba = vec![0; (PICTURE_WIDTH * PICTURE_HEIGHT * 4) as usize];
    presented.paint(palette, &mut rgba);
    let png = recording::png(PICTURE_WIDTH, PICTURE_HEIGHT, &rgba)
        .map_err(|source| DesktopError::Write { path: path.into(), source })?;
    write_whole(path, &png)
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
