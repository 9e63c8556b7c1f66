//! Recordings of what the page plays: sound as WAV, the picture as GIF, in memory until the page
//! takes them.

use std::io::{self, Cursor};

use recording::{Animation, Wave};
use serde_json::{Value, json};

use super::Machine;
use crate::{Error, HEIGHT, WIDTH};

/// The largest file, in bytes: ten minutes of sound and more.
const MOST: usize = 64 << 20;

/// A file that is being recorded.
pub(crate) struct PageRecording {
    file: File,
    /// Samples a second of its sound.
    rate: u32,
    frames: u64,
}

enum File {
    Sound(Wave<Cursor<Vec<u8>>>),
    Pictures(Animation<Vec<u8>>),
}

impl PageRecording {
    fn length(&self) -> usize {
        match &self.file {
            File::Sound(wave) => wave.get_ref().get_ref().len(),
            File::Pictures(animation) => animation.get_ref().len(),
        }
    }
}

fn failed(_: io::Error) -> Error {
    Error::Refused("the recording could not be written to memory")
}

impl Machine {
    /// Begins to record what is played: "wav" for the sound, "gif" for the picture of the first
    /// console. A recording that was on is thrown away.
    ///
    /// # Errors
    /// For other names.
    pub fn begin_recording(&mut self, kind: &str) -> Result<(), Error> {
        let rate = self.sound_rate();
        let file = match kind {
            "wav" => Wave::new(Cursor::default(), rate).map(File::Sound),
            "gif" => {
                Animation::new(Vec::new(), WIDTH as u16, HEIGHT as u16, self.frame_rate()).map(File::Pictures)
            }
            _ => return Err(Error::Refused("a recording: expected wav or gif")),
        };
        self.recording = Some(PageRecording { file: file.map_err(failed)?, rate, frames: 0 });
        Ok(())
    }

    /// Ends the recording. Returns its file, which is empty where none was on.
    ///
    /// # Errors
    /// When it cannot be completed.
    pub fn end_recording(&mut self) -> Result<Vec<u8>, Error> {
        let Some(PageRecording { file, .. }) = self.recording.take() else { return Ok(Vec::new()) };
        match file {
            File::Sound(wave) => wave.finish().map(Cursor::into_inner),
            File::Pictures(animation) => animation.finish(),
        }
        .map_err(failed)
    }

    /// Has the recording come to its end? It has where it is as long as it may be, and where the
    /// sound has another rate than before.
    fn is_recorded(&self, recording: &PageRecording) -> bool {
        let has_sound = matches!(recording.file, File::Sound(_));
        recording.length() >= MOST || (has_sound && recording.rate != self.sound_rate())
    }

    /// Adds the frame that has just run.
    pub(super) fn record_frame(&mut self) {
        let Some(mut recording) = self.recording.take() else { return };
        if !self.is_recorded(&recording) {
            let added = match &mut recording.file {
                File::Sound(wave) => wave.add(self.samples().iter().copied().map(nes::apu::pcm16)),
                File::Pictures(animation) => animation.add(|| {
                    let (pixels, _) = self.paint()[..4 * WIDTH * HEIGHT].as_chunks::<4>();
                    pixels.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect()
                }),
            };
            recording.frames += u64::from(added.is_ok());
        }
        self.recording = Some(recording);
    }

    /// What is recorded, for how many seconds, and whether it has come to its end.
    pub(crate) fn recording_status(&self) -> Option<Value> {
        let recording = self.recording.as_ref()?;
        let kind = match recording.file {
            File::Sound(_) => "wav",
            File::Pictures(_) => "gif",
        };
        let seconds = recording.frames as f64 / self.frame_rate();
        Some(json!({ "kind": kind, "seconds": seconds, "over": self.is_recorded(recording) }))
    }
}
