//! A recording of games while they are played.

use notation::ngf::{Recording, Version};

use super::Producer;
use crate::{Snapshot, Source};

/// Makes a recording of a player's games: the frames that would be sent to NestrisChamps.
#[derive(Clone)]
pub struct Recorder {
    /// Frames a second.
    rate: f64,
    source: Source,
    producer: Producer,
    recording: Recording,
}

impl Recorder {
    /// Returns an empty one, for a console of so many frames a second.
    pub fn new(rate: f64) -> Self {
        let mut source = Source::default();
        source.set_rate(rate);
        Self { rate, source, producer: Producer::new(0), recording: Recording::new(Version::V3) }
    }

    /// Takes the next frame of the console. Menus are left out.
    pub fn frame(&mut self, snapshot: &Snapshot) {
        let update = self.source.observe(snapshot);
        let ctime = (snapshot.frame as f64 * 1_000.0 / self.rate).round() as u32;
        let frame = self.producer.take(&update, ctime);
        if let Some(frame) = frame.filter(|frame| frame.score.is_some()) {
            self.recording.push(&frame);
        }
    }

    /// Returns the recording so far.
    pub const fn recording(&self) -> &Recording {
        &self.recording
    }
}
