//! The first-order filters between the mixer and the console's audio output.

use crate::kernel::sine_of_half_turns;

/// Below this a filter's memory counts as silence.
const SILENCE: f32 = 1e-15;

/// A first-order filter, by the bilinear transform: its corner lies exactly where asked.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    gain: f32,
    /// Weight of the previous input: 1 for a low-pass, −1 for a high-pass.
    mirror: f32,
    feedback: f32,
    input: f32,
    output: f32,
}

impl Filter {
    /// A low-pass with its corner at `corner` Hz; passes everything if the rate cannot carry the corner.
    pub(crate) fn low_pass(corner: f64, sample_rate: u32) -> Self {
        let sample_rate = f64::from(sample_rate);
        if corner * 2.0 >= sample_rate {
            return Self { gain: 1.0, mirror: 0.0, feedback: 0.0, input: 0.0, output: 0.0 };
        }
        let tangent = tangent(corner / sample_rate);
        Self::new(tangent / (1.0 + tangent), 1.0, tangent)
    }

    /// A high-pass with its corner at `corner` Hz, which lies below half the rate.
    pub(crate) fn high_pass(corner: f64, sample_rate: u32) -> Self {
        let tangent = tangent(corner / f64::from(sample_rate));
        Self::new(1.0 / (1.0 + tangent), -1.0, tangent)
    }

    fn new(gain: f64, mirror: f32, tangent: f64) -> Self {
        let feedback = ((1.0 - tangent) / (1.0 + tangent)) as f32;
        Self { gain: gain as f32, mirror, feedback, input: 0.0, output: 0.0 }
    }

    /// One sample.
    pub(crate) fn next(&mut self, input: f32) -> f32 {
        let output = self.gain * (input + self.mirror * self.input) + self.feedback * self.output;
        self.input = input;
        self.output = output;
        output
    }

    /// To be called every now and then: a tail too faint to matter ends, before it reaches the subnormal
    /// numbers, with which some processors are slow.
    pub(crate) fn rest(&mut self) {
        if self.output.abs() < SILENCE {
            self.output = 0.0;
        }
    }
}

/// tan πx.
fn tangent(x: f64) -> f64 {
    sine_of_half_turns(x) / sine_of_half_turns(0.5 - x)
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use std::f64::consts::PI;

    /// Gain for a sine of `frequency` Hz at 48 kHz, in dB.
    fn gain(mut filter: Filter, frequency: f64) -> f64 {
        let mut energy = 0.0;
        for n in 0..96_000 {
            let output = filter.next((2.0 * PI * frequency * f64::from(n) / 48_000.0).sin() as f32);
            if n >= 48_000 {
                energy += f64::from(output) * f64::from(output);
            }
        }
        10.0 * (energy / 24_000.0).log10()
    }

    #[test]
    fn corners_lie_three_decibels_down() {
        for (filter, corner) in [
            (Filter::high_pass(90.0, 48_000), 90.0),
            (Filter::high_pass(440.0, 48_000), 440.0),
            (Filter::low_pass(14_000.0, 48_000), 14_000.0),
        ] {
            assert!((gain(filter, corner) + 3.01).abs() < 0.02);
        }
    }

    #[test]
    fn slopes_are_of_first_order() {
        assert!((gain(Filter::high_pass(440.0, 48_000), 44.0) + 20.04).abs() < 0.1);
        assert!((gain(Filter::low_pass(1_400.0, 48_000), 5_600.0) + 12.5).abs() < 0.6);
    }

    #[test]
    fn a_corner_beyond_the_rate_passes_everything() {
        let mut filter = Filter::low_pass(14_000.0, 22_050);
        for sample in [0.5, -0.25, 1.0_f32] {
            assert_eq!(filter.next(sample).to_bits(), sample.to_bits());
        }
    }
}
