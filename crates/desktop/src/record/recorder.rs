//! Sound and picture into files, on a thread of its own: an encoder's pauses are not the game's.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

use nes::Palette;
use nes_lua::Overlay;

use crate::config::settings::RecordingSettings;
use crate::messages::command::Recording;
use crate::messages::latest_frame::Framebuffer;
use crate::messages::status::RecordingStatus;
use crate::record::format::{FileEncoder, RecordedFrame};
use crate::record::gif::GifFile;
use crate::record::video::VideoFile;
use crate::record::wave::WaveFile;
use crate::video::presented_frame::PresentedFrame;

/// Frames that may wait for the encoder; then the game does: a recording lacks nothing.
const QUEUE: usize = 90;

/// A file being recorded.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording,
    path: PathBuf,
    frames: u64,
    /// `None` once the last frame is in.
    queue: Option<SyncSender<RecordedFrame>>,
    thread: JoinHandle<io::Result<()>>,
}

impl Recorder {
    /// Begins a file.
    ///
    /// # Errors
    /// When the file, or the program that makes it, cannot be started.
    pub(crate) fn begin(
        recording: Recording,
        path: PathBuf,
        settings: &RecordingSettings,
        palette: &Palette,
    ) -> io::Result<Self> {
        let mut encoder: Box<dyn FileEncoder> = match recording {
            Recording::Movie => return Err(io::Error::other("a movie is no recording of sound or picture")),
            Recording::Wave => Box::new(WaveFile::begin(&path)?),
            Recording::Gif => Box::new(GifFile::begin(&path, palette)?),
            Recording::Video => Box::new(VideoFile::begin(&path, settings, palette)?),
        };
        let (queue, frames) = mpsc::sync_channel::<RecordedFrame>(QUEUE);
        let body = move || {
            for frame in frames {
                encoder.add(&frame)?;
            }
            encoder.finish()
        };
        let thread = thread::Builder::new().name("recorder".into()).spawn(body)?;
        Ok(Self { recording, path, frames: 0, queue: Some(queue), thread })
    }

    pub(crate) fn recording(&self) -> Recording {
        self.recording
    }

    /// Adds a frame, if the file is still open.
    pub(crate) fn take(&mut self, dots: &Framebuffer, sound: &[f32]) {
        self.put(dots, None, sound);
    }

    /// The same of a frame over which a script drew.
    pub(crate) fn take_with(&mut self, dots: &Framebuffer, overlay: &Arc<Overlay>, sound: &[f32]) {
        self.put(dots, Some(Arc::clone(overlay)), sound);
    }

    fn put(&mut self, dots: &Framebuffer, overlay: Option<Arc<Overlay>>, sound: &[f32]) {
        let dots = if self.recording == Recording::Wave { Box::default() } else { dots.into() };
        let presented = PresentedFrame { dots, overlay };
        if let Some(queue) = &self.queue {
            self.frames += 1;
            if queue.send(RecordedFrame { presented, sound: sound.to_vec() }).is_err() {
                self.queue = None; // the thread ended with an error, which `outcome` tells
            }
        }
    }

    /// No more frames come.
    pub(crate) fn end(&mut self) {
        self.queue = None;
    }

    pub(crate) fn is_open(&self) -> bool {
        self.queue.is_some()
    }

    /// Returns whether the file is whole, or given up: then [`Recorder::outcome`] does not wait.
    pub(crate) fn is_done(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the file. Returns what to tell the player.
    pub(crate) fn outcome(mut self) -> Result<String, String> {
        self.end();
        let Self { path, thread, .. } = self;
        match thread.join() {
            Ok(Ok(())) => Ok(format!("recorded {}", path.display())),
            Ok(Err(error)) => Err(format!("cannot record {}: {error}", path.display())),
            Err(_) => Err(format!("cannot record {}: the encoder stopped", path.display())),
        }
    }

    pub(crate) fn status(&self) -> RecordingStatus {
        RecordingStatus { recording: self.recording, path: self.path.clone(), frames: self.frames }
    }
}
