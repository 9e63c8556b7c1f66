//! Where pictures and sound go: to the interface, to the sound device, into files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nes::{Frame, Palette, Region};
use nes_lua::Overlay;

use crate::audio::output::AudioOutput;
use crate::config::settings::{RecordingSettings, SoundSettings};
use crate::messages::command::Recording;
use crate::messages::handle::Shared;
use crate::messages::latest_frame::{Framebuffer, blank_framebuffer};
use crate::messages::status::{RecordingStatus, RunState};
use crate::record::recorder::{RecordError, Recorder};
use crate::video::presented_frame::PresentedFrame;
use emulator::Versus;

/// Everything that a frame goes to.
pub(super) struct Outputs {
    pub(super) audio: AudioOutput,
    /// The colours of thumbnails and of recordings begun from now on.
    pub(super) palette: Palette,
    pub(super) recording: RecordingSettings,
    recorders: Vec<Recorder>,
    presented: PresentedFrame,
    opponent: Box<Framebuffer>,
}

impl Outputs {
    pub(super) fn new(sound: SoundSettings, recording: RecordingSettings, palette: Palette) -> Self {
        Self {
            audio: AudioOutput::new(sound),
            palette,
            recording,
            recorders: vec![],
            presented: PresentedFrame::default(),
            opponent: blank_framebuffer(),
        }
    }

    /// Plays a frame's `sound` at `percent` of the console's speed; in fast-forward there is
    /// silence.
    pub(super) fn play(&mut self, sound: &[f32], percent: u16, run_state: RunState, now: Duration) {
        if run_state == RunState::FastForward {
            self.audio.rest();
        } else {
            self.audio.play(sound, percent, now);
        }
    }

    /// Puts a picture, and what a script drew over it, where the interface finds it. Returns
    /// whether the interface is to be told.
    pub(super) fn present(
        &mut self,
        picture: &Frame,
        overlay: Option<Arc<Overlay>>,
        shared: &Shared,
    ) -> bool {
        self.presented.dots.copy_from_slice(picture.pixels());
        self.presented.overlay = overlay;
        shared.pictures.put(&mut self.presented)
    }

    /// The same of the computer's picture in a versus game.
    pub(super) fn present_opponent(&mut self, versus: &Versus, shared: &Shared) {
        self.present_beside(versus.picture(), shared);
    }

    /// The same of another player's picture.
    pub(super) fn present_beside(&mut self, picture: &Frame, shared: &Shared) {
        self.opponent.copy_from_slice(picture.pixels());
        shared.opponent.put(&mut self.opponent);
    }

    /// Begins a recording of sound or picture.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be begun.
    pub(super) fn begin_recording(
        &mut self,
        recording: Recording,
        path: &Path,
        region: Region,
    ) -> Result<(), RecordError> {
        if self.recorders.iter().any(|file| file.is_open() && file.recording() == recording) {
            return Err(RecordError::Twice(recording.extension()));
        }
        let recorder = Recorder::begin(recording, path.to_owned(), &self.recording, &self.palette, region)?;
        self.recorders.push(recorder);
        Ok(())
    }

    /// Ends a recording; its file is completed in the background.
    pub(super) fn end_recording(&mut self, recording: Recording) {
        let files = self.recorders.iter_mut().filter(|file| file.recording() == recording);
        files.for_each(Recorder::end);
    }

    /// Adds a frame to all recordings.
    pub(super) fn record(&mut self, picture: &Frame, overlay: Option<&Arc<Overlay>>, sound: &[f32]) {
        for recorder in &mut self.recorders {
            match overlay {
                Some(overlay) => recorder.take_with(picture.pixels(), overlay, sound),
                None => recorder.take(picture.pixels(), sound),
            }
        }
    }

    /// Returns whether a recording that was ended is not yet a complete file.
    pub(super) fn has_unfinished_files(&self) -> bool {
        !self.recorders.iter().all(Recorder::is_open)
    }

    /// Returns whether [`Outputs::take_finished`] has anything to tell.
    pub(super) fn has_finished_files(&self) -> bool {
        self.recorders.iter().any(Recorder::is_done)
    }

    /// Takes the recordings whose files are complete, or failed, and returns what to tell of each.
    pub(super) fn take_finished(&mut self) -> Vec<Result<String, RecordError>> {
        let done = self.recorders.extract_if(.., |file| file.is_done());
        done.map(Recorder::outcome).collect()
    }

    /// Ends all recordings, waits for their files, and returns what to tell of each.
    pub(super) fn finish(&mut self) -> Vec<Result<String, RecordError>> {
        std::mem::take(&mut self.recorders).into_iter().map(Recorder::outcome).collect()
    }

    /// Returns the recordings under way.
    pub(super) fn recordings(&self) -> impl Iterator<Item = RecordingStatus> {
        self.recorders.iter().filter(|file| file.is_open()).map(Recorder::status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs() -> Outputs {
        Outputs::new(SoundSettings::default(), RecordingSettings::default(), Palette::ntsc())
    }

    #[test]
    fn of_each_kind_one_file_is_recorded_at_a_time_and_finished_once() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut outputs) = (folder.path().join("a.wav"), outputs());
        outputs.begin_recording(Recording::Wave, &path, Region::Ntsc).unwrap();
        let refused = outputs.begin_recording(Recording::Wave, &path, Region::Ntsc).unwrap_err().to_string();
        assert!(refused.contains("already"), "{refused}");
        outputs.record(&Frame::default(), None, &[0.0; 800]);
        assert_eq!(outputs.recordings().map(|file| file.frames).collect::<Vec<_>>(), [1]);
        outputs.end_recording(Recording::Wave);
        assert!(outputs.has_unfinished_files() && outputs.recordings().next().is_none());
        let told: Vec<_> = outputs.finish().into_iter().map(Result::unwrap).collect();
        assert_eq!(told, [format!("recorded {}", path.display())]);
        assert!(path.exists() && outputs.finish().is_empty() && !outputs.has_finished_files());
    }

    #[test]
    fn the_interface_is_told_of_a_picture_until_it_takes_one() {
        let (mut outputs, shared) = (outputs(), Shared::new());
        let told: Vec<_> = (0..2).map(|_| outputs.present(&Frame::default(), None, &shared)).collect();
        assert_eq!(told, [true, false]);
        assert!(shared.pictures.take(&mut PresentedFrame::default()));
        assert!(outputs.present(&Frame::default(), None, &shared));
    }
}
