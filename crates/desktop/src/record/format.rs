//! What every kind of recorded file has in common.

use std::io;
use std::path::PathBuf;

use crate::record::encoder::KillHandle;
use crate::video::presented_frame::PresentedFrame;

/// The picture and the sound of one frame.
pub(crate) struct RecordedFrame {
    pub(crate) presented: PresentedFrame,
    pub(crate) sound: Vec<f32>,
}

/// Writes frames into a file of one kind.
pub(crate) trait FileEncoder: Send {
    /// Adds a frame.
    fn add(&mut self, frame: &RecordedFrame) -> io::Result<()>;
    /// Completes the file, which then has its name.
    fn finish(self: Box<Self>) -> io::Result<()>;
    /// Returns the drafts that it writes.
    fn drafts(&self) -> Vec<PathBuf>;
    /// Returns the way to end the program that makes the file, if one does.
    fn kill_handle(&self) -> Option<KillHandle> {
        None
    }
}
