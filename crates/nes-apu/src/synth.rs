//! Band-limited synthesis.

use crate::Sink;

/// Turns level changes into samples.
#[derive(Clone, Debug)]
pub struct Synth {
    samples: Vec<f32>,
}

impl Synth {
    /// For `sample_rate` samples a second.
    pub fn new(_sample_rate: u32) -> Self {
        Self { samples: Vec::new() }
    }
    /// Makes every sample that is complete once time has reached `cycle`.
    pub fn end_frame(&mut self, _cycle: u64) {}
    /// The samples made since the last [`Synth::clear`], −1 to 1.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }
    /// Forgets the samples made so far.
    pub fn clear(&mut self) {
        self.samples.clear();
    }
}

impl Sink for Synth {
    fn level(&mut self, _cycle: u64, _level: i32) {}
}
