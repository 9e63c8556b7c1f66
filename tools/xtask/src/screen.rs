//! A display without a screen, and what would be on it.

use crate::display::Display;
use anyhow::{Context, Result, bail};
use image::{Rgb, RgbImage};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// The longest wait for the display's picture and for a window on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a window is left to itself before it is looked at: the title screen is there by then.
const SETTLE: Duration = Duration::from_secs(5);

/// A running Xvfb; it ends with this value.
pub(crate) struct Screen {
    display: Display,
    /// The file that it keeps its picture in, in the format of `xwd`.
    file: PathBuf,
}

impl Screen {
    /// Starts a display of `size` pixels. It keeps its picture in `folder`, which is `named` where
    /// the server runs.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn open(mut server: Command, size: (u32, u32), folder: &Path, named: &str) -> Result<Self> {
        let folder = if named.starts_with(&*folder.to_string_lossy()) {
            folder.to_owned()
        } else {
            folder.join(named.trim_start_matches('/'))
        };
        std::fs::create_dir_all(&folder)?;
        let (width, height) = size;
        server.args(["-screen", "0", &format!("{width}x{height}x24"), "-fbdir", named]);
        let screen = Self { display: Display::open(server)?, file: folder.join("Xvfb_screen0") };
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if screen.picture().is_ok() {
                return Ok(screen);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("Xvfb keeps no picture in {}", screen.file.display())
    }

    /// What programs find in `DISPLAY`.
    pub(crate) fn name(&self) -> &str {
        self.display.name()
    }

    /// Waits for a window, and a little more, and returns the picture.
    ///
    /// # Errors
    /// When the program ends before it shows one, or shows none.
    pub(crate) fn picture_of(&self, program: &mut Child) -> Result<RgbImage> {
        let begun = Instant::now();
        let empty = self.picture()?;
        let mut shown = None;
        while begun.elapsed() < PATIENCE {
            if let Some(status) = program.try_wait()? {
                bail!("the program ended ({status}) before its window was looked at");
            }
            if shown.is_none() && self.picture()? != empty {
                shown = Some(Instant::now());
            }
            if shown.is_some_and(|shown| shown.elapsed() > SETTLE) {
                return self.picture();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("no window within {} seconds", PATIENCE.as_secs())
    }

    /// Returns the picture as it is now.
    ///
    /// # Errors
    /// When the server does not keep it.
    pub(crate) fn picture(&self) -> Result<RgbImage> {
        let bytes =
            std::fs::read(&self.file).with_context(|| format!("{} cannot be read", self.file.display()))?;
        decode(&bytes)
    }
}

/// Decodes a picture of `xwd`, version 7, with four bytes a pixel: a header of big-endian words, a
/// table of colours of twelve bytes each, then the lines.
fn decode(bytes: &[u8]) -> Result<RgbImage> {
    let word = |index: usize| {
        let bytes = bytes.get(index * 4..index * 4 + 4).context("the header is cut off")?;
        Ok::<_, anyhow::Error>(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let (header, version, width, height) = (word(0)?, word(1)?, word(4)?, word(5)?);
    let (depth, line, colours) = (word(11)?, word(12)?, word(19)?);
    if version != 7 || depth != 32 || width == 0 || line < width * 4 {
        bail!("a picture of version {version} with {depth} bits a pixel, and {line} bytes a line of {width}");
    }
    let begin = header as usize + colours as usize * 12;
    let lines =
        bytes.get(begin..begin + line as usize * height as usize).context("the picture is cut off")?;
    Ok(RgbImage::from_fn(width, height, |x, y| {
        let at = y as usize * line as usize + x as usize * 4;
        Rgb([lines[at + 2], lines[at + 1], lines[at]])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_xwd_is_read_and_one_that_is_cut_off_is_refused() -> Result<()> {
        let mut words = [0_u32; 25];
        (words[0], words[1], words[4], words[5]) = (100, 7, 2, 1);
        (words[11], words[12], words[19]) = (32, 8, 1);
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes.extend([0; 12]);
        bytes.extend([1, 2, 3, 0, 4, 5, 6, 0]);
        let picture = decode(&bytes)?;
        assert_eq!((picture.get_pixel(0, 0).0, picture.get_pixel(1, 0).0), ([3, 2, 1], [6, 5, 4]));
        assert!(decode(&bytes[..bytes.len() - 1]).is_err());
        assert!(decode(b"").is_err());
        Ok(())
    }
}
