//! From a frame's samples to the sound device's ring: without clicks, at the player's speed and
//! volume.

use std::time::Duration;

use crate::audio::ring::SampleProducer;
use crate::audio::time_stretch::TimeStretch;
use crate::config::settings::SoundSettings;
use crate::emulation::pacing::Regulator;
use crate::messages::status::SoundStatus;

/// The sound device, if there is one, and what happens to the samples on the way.
#[derive(Debug)]
pub(crate) struct AudioOutput {
    producer: Option<Box<SampleProducer>>,
    settings: SoundSettings,
    seam: Seam,
    stretch: TimeStretch,
    volume: f32,
    stretched: Vec<f32>,
    /// Leans the samples' rate while something else sets the pace.
    regulator: Regulator,
}

/// Joins samples that do not follow each other: the step between them is spread over a few
/// milliseconds.
#[derive(Debug, Default)]
struct Seam {
    last: f32,
    offset: f32,
    jumped: bool,
}

impl Seam {
    fn join(&mut self, sample: f32) -> f32 {
        /// A step is a tenth after six milliseconds.
        const DECAY: f32 = 0.992;
        if std::mem::take(&mut self.jumped) {
            self.offset = self.last - sample;
        }
        self.last = sample + self.offset;
        self.offset *= DECAY;
        self.last
    }
}

impl AudioOutput {
    pub(crate) fn new(settings: SoundSettings) -> Self {
        let (seam, stretch) = (Seam::default(), TimeStretch::new());
        Self {
            producer: None,
            settings,
            seam,
            stretch,
            volume: 0.0,
            stretched: vec![],
            regulator: Regulator::default(),
        }
    }

    pub(crate) fn set(&mut self, settings: SoundSettings) {
        if let Some(producer) = &mut self.producer
            && settings.latency != self.settings.latency
        {
            producer.set_latency(settings.latency);
        }
        self.settings = settings;
    }

    pub(crate) fn settings(&self) -> &SoundSettings {
        &self.settings
    }

    /// A device begins to take samples, or is gone.
    pub(crate) fn connect(&mut self, producer: Option<Box<SampleProducer>>) {
        self.producer = producer;
        if let Some(producer) = &mut self.producer {
            producer.set_latency(self.settings.latency);
        }
    }

    /// Returns what the device's buffer holds beyond what it should, in seconds.
    pub(crate) fn surplus(&self, now: Duration) -> Option<f64> {
        self.producer.as_ref()?.surplus(now)
    }

    /// A frame begins at `now`, and the sound device does not set the pace: the samples have to
    /// follow it.
    pub(crate) fn follow_device(&mut self, now: Duration, frame_rate: f64) {
        let surplus = self.surplus(now);
        self.regulator.read(surplus, 1.0 / frame_rate);
        if let Some(producer) = &mut self.producer {
            producer.bend(self.regulator.bend());
        }
    }

    /// Nothing comes for a while: silence is no gap.
    pub(crate) fn rest(&mut self) {
        if let Some(producer) = &mut self.producer {
            producer.rest();
        }
        // The ring ends in silence.
        self.seam = Seam { jumped: true, ..Seam::default() };
    }

    /// The samples that come next do not follow those that were.
    pub(crate) fn jump(&mut self) {
        self.seam.jumped = true;
    }

    /// Plays a frame's `samples`, which were made at `percent` of the console's speed.
    pub(crate) fn play(&mut self, samples: &[f32], percent: u16, now: Duration) {
        /// A hundredth of a second from silence to full.
        const FADE: f32 = 100.0 / crate::SAMPLE_RATE as f32;
        let Some(producer) = &mut self.producer else { return };
        if self.stretch.set_speed(percent) {
            self.seam.jumped = true;
        }
        self.stretched.clear();
        self.stretch.push(samples, &mut self.stretched);
        let goal = if self.settings.mute { 0.0 } else { f32::from(self.settings.volume.min(100)) / 100.0 };
        for sample in &mut self.stretched {
            self.volume += (goal - self.volume).clamp(-FADE, FADE);
            *sample = self.seam.join(*sample) * self.volume;
        }
        producer.push(&self.stretched, now);
    }

    pub(crate) fn gaps(&self) -> Option<u64> {
        self.producer.as_ref().map(|producer| producer.gaps())
    }

    pub(crate) fn status(&self, now: Duration) -> Option<SoundStatus> {
        self.producer.as_ref().map(|producer| producer.status(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::ring::ring;

    /// Plays `frames` of a constant level each, with a jump before every one; answers all that came
    /// out.
    fn play(settings: SoundSettings, levels: &[f32]) -> Vec<f32> {
        let (producer, mut consumer, _) = ring(48_000);
        let mut audio = AudioOutput::new(settings);
        audio.connect(Some(Box::new(producer)));
        let mut out = vec![];
        for (n, &level) in (1..).zip(levels) {
            let now = Duration::from_millis(n * 16);
            let mut block = [0.0_f32; 768];
            consumer.fill(&mut block, 1, now);
            out.extend(block);
            audio.jump();
            audio.play(&[level; 768], 100, now);
        }
        out
    }

    fn steepest(samples: &[f32]) -> f32 {
        samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn what_does_not_follow_is_joined_without_a_click() {
        let out = play(SoundSettings::default(), &[0.9, -0.9, 0.9, -0.9, 0.9, -0.9]);
        assert!(out.iter().any(|&sample| sample > 0.8) && out.iter().any(|&sample| sample < -0.8));
        assert!(steepest(&out) < 0.02, "{}", steepest(&out));
    }

    #[test]
    fn volume_scales_and_mute_is_silent() {
        let half = play(SoundSettings { volume: 50, ..SoundSettings::default() }, &[0.8; 8]);
        assert!((half.last().unwrap() - 0.4).abs() < 1e-3);
        let mute = play(SoundSettings { mute: true, ..SoundSettings::default() }, &[0.8; 8]);
        assert!(mute.iter().all(|&sample| sample == 0.0));
    }
}
