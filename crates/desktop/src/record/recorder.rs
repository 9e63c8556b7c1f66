//! Sound and picture into files, on a thread of its own: an encoder's pauses are not the game's.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nes::{Palette, Region};
use nes_lua::Overlay;
use thiserror::Error;

use crate::config::settings::RecordingSettings;
use crate::messages::command::Recording;
use crate::messages::latest_frame::Framebuffer;
use crate::messages::status::RecordingStatus;
use crate::record::encoder::KillHandle;
use crate::record::format::{FileEncoder, RecordedFrame};
use crate::record::gif::GifFile;
use crate::record::rescue::Unfinished;
use crate::record::video::VideoFile;
use crate::record::wave::WaveFile;
use crate::video::presented_frame::PresentedFrame;

/// Frames that may wait for the encoder; then the game does: a recording lacks nothing.
const QUEUE: usize = 90;
/// How long the game waits for an encoder that takes no frame, before the recording is given up.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a file may take to become whole after its last frame.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(600);
/// How often a thread that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// A file being recorded.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording,
    path: PathBuf,
    frames: u64,
    /// `None` once the last frame is in.
    queue: Option<SyncSender<RecordedFrame>>,
    kill_handle: Option<KillHandle>,
    /// Why it was given up.
    given_up: Option<Stuck>,
    thread: JoinHandle<io::Result<()>>,
}

/// Why there is no file of sound or pictures, or not a whole one.
#[derive(Debug, Error)]
pub enum RecordError {
    /// One of a kind at a time.
    #[error("a {0} file is already being recorded")]
    Twice(&'static str),
    /// The file, or the program that makes it, fails.
    #[error("cannot record {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system or the encoder answered.
        source: io::Error,
    },
    /// The encoder does not go on.
    #[error("cannot record {}: {source}", path.display())]
    Encoder {
        /// The file.
        path: PathBuf,
        /// What it does instead.
        source: Stuck,
    },
}

/// Why an encoder was given up.
#[derive(Debug, Error)]
pub enum Stuck {
    /// It has taken no picture for this many seconds.
    #[error("the encoder accepted no picture for {0} seconds")]
    Late(u64),
    /// The file was not complete within this many seconds.
    #[error("the file was still incomplete after {0} seconds, and was abandoned")]
    NotWhole(f64),
    /// Its thread has ended by itself.
    #[error("the encoder stopped")]
    Stopped,
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
        region: Region,
    ) -> Result<Self, RecordError> {
        let encoder = |recording| -> io::Result<Box<dyn FileEncoder>> {
            Ok(match recording {
                Recording::Movie => {
                    return Err(io::Error::other("a movie is not a recording of sound or picture"));
                }
                Recording::Wave => Box::new(WaveFile::begin(&path)?),
                Recording::Gif => Box::new(GifFile::begin(&path, palette, region)?),
                Recording::Video => Box::new(VideoFile::begin(&path, settings, palette, region)?),
            })
        };
        let failed = |source| RecordError::Write { path: path.clone(), source };
        let mut encoder = encoder(recording).map_err(failed)?;
        let kill_handle = encoder.kill_handle();
        let unfinished = Unfinished::note(&path, &encoder.drafts());
        let (queue, frames) = mpsc::sync_channel::<RecordedFrame>(QUEUE);
        let body = move || {
            let _unfinished = unfinished; // until the file has its name, or is given up
            for frame in frames {
                tty::panics::where_asked();
                encoder.add(&frame)?;
            }
            encoder.finish()
        };
        let thread = thread::Builder::new().name("recorder".into()).spawn(body).map_err(failed)?;
        Ok(Self { recording, path, frames: 0, queue: Some(queue), kill_handle, given_up: None, thread })
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
        if let Some(queue) = self.queue.take() {
            self.frames += 1;
            match send(&queue, RecordedFrame { presented, sound: sound.to_vec() }, QUEUE_TIMEOUT) {
                Sent::Taken => self.queue = Some(queue),
                Sent::Ended => {} // with an error, which `outcome` tells
                Sent::Late => {
                    self.give_up(Stuck::Late(QUEUE_TIMEOUT.as_secs()));
                }
            }
        }
    }

    fn give_up(&mut self, reason: Stuck) {
        self.queue = None;
        self.given_up.get_or_insert(reason);
        if let Some(kill_handle) = &self.kill_handle {
            kill_handle.kill();
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
        self.given_up.is_some() || self.thread.is_finished()
    }

    /// Waits for the file, [`TIMEOUT`] at most. Returns what to tell the player.
    pub(crate) fn outcome(self) -> Result<String, RecordError> {
        self.outcome_within(TIMEOUT)
    }

    fn outcome_within(mut self, timeout: Duration) -> Result<String, RecordError> {
        self.end();
        let path = self.path;
        if let Some(source) = self.given_up {
            return Err(RecordError::Encoder { path, source });
        }
        let begun = Instant::now();
        while !self.thread.is_finished() && begun.elapsed() < timeout {
            thread::sleep(LOOK);
        }
        if !self.thread.is_finished() {
            if let Some(kill_handle) = &self.kill_handle {
                kill_handle.kill();
            }
            return Err(RecordError::Encoder { path, source: Stuck::NotWhole(timeout.as_secs_f64()) });
        }
        match self.thread.join() {
            Ok(Ok(())) => Ok(format!("recorded {}", path.display())),
            Ok(Err(source)) => Err(RecordError::Write { path, source }),
            Err(_) => Err(RecordError::Encoder { path, source: Stuck::Stopped }),
        }
    }

    pub(crate) fn status(&self) -> RecordingStatus {
        RecordingStatus { recording: self.recording, path: self.path.clone(), frames: self.frames }
    }
}

/// What became of a frame.
#[derive(Debug, PartialEq, Eq)]
enum Sent {
    Taken,
    /// Nobody takes any more.
    Ended,
    /// Nobody took it in time.
    Late,
}

/// Puts a frame into a queue that has room, or will have within `timeout`.
fn send(queue: &SyncSender<RecordedFrame>, frame: RecordedFrame, timeout: Duration) -> Sent {
    let (begun, mut frame) = (Instant::now(), frame);
    loop {
        frame = match queue.try_send(frame) {
            Ok(()) => return Sent::Taken,
            Err(TrySendError::Disconnected(_)) => return Sent::Ended,
            Err(TrySendError::Full(_)) if begun.elapsed() >= timeout => return Sent::Late,
            Err(TrySendError::Full(frame)) => frame,
        };
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> RecordedFrame {
        RecordedFrame { presented: PresentedFrame::default(), sound: Vec::new() }
    }

    #[test]
    fn a_frame_that_nobody_takes_is_waited_for_a_while_and_not_for_ever() {
        let (queue, frames) = mpsc::sync_channel(1);
        assert_eq!(send(&queue, frame(), Duration::ZERO), Sent::Taken);
        assert_eq!(send(&queue, frame(), Duration::from_millis(5)), Sent::Late);
        drop(frames);
        assert_eq!(send(&queue, frame(), TIMEOUT), Sent::Ended);
    }

    #[test]
    fn a_file_that_never_becomes_whole_is_given_up() {
        let (end, ends) = mpsc::channel::<()>();
        let recorder = Recorder {
            recording: Recording::Video,
            path: "a.mp4".into(),
            frames: 0,
            queue: None,
            kill_handle: None,
            given_up: None,
            thread: thread::spawn(move || {
                let _ = ends.recv(); // until the test is over
                Ok(())
            }),
        };
        let said = recorder.outcome_within(Duration::from_millis(5)).unwrap_err().to_string();
        assert_eq!(
            said,
            "cannot record a.mp4: the file was still incomplete after 0.005 seconds, and was abandoned"
        );
        drop(end);
    }
}
