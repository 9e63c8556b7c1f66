//! The picture as an animated GIF.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use draft::Draft;
use nes::{Palette, Region};
use recording::Animation;

use crate::record::format::{FileEncoder, RecordedFrame};
use crate::{PICTURE_HEIGHT, PICTURE_WIDTH};

/// A GIF being written.
pub(crate) struct GifFile {
    draft: Draft,
    animation: Animation<BufWriter<File>>,
    palette: Palette,
}

impl GifFile {
    pub(crate) fn begin(path: &Path, palette: &Palette, region: Region) -> io::Result<Self> {
        let draft = Draft::new(path)?;
        let file = BufWriter::new(draft.reopen()?);
        let (width, height) = (PICTURE_WIDTH as u16, PICTURE_HEIGHT as u16);
        let animation = Animation::new(file, width, height, region.frame_rate())?;
        Ok(Self { draft, animation, palette: palette.clone() })
    }
}

impl FileEncoder for GifFile {
    fn add(&mut self, recorded: &RecordedFrame) -> io::Result<()> {
        self.animation.add(|| recorded.presented.rgb(&self.palette))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { draft, animation, .. } = *self;
        animation.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(draft.finish()?)
    }

    fn drafts(&self) -> Vec<PathBuf> {
        vec![self.draft.beside().to_owned()]
    }
}
