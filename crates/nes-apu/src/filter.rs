//! The first-order filters between the mixer and the console's audio output.

use alloc::vec::Vec;

use crate::kernel::sine_of_half_turns;

/// Below this a filter's memory counts as silence.
const SILENCE: f32 = 1e-15;

/// The memory of a first-order filter, by the bilinear transform: its corner lies exactly where
/// asked. What comes out still lacks the filter's gain, which is left to be multiplied once for a
/// whole chain.
#[derive(Clone, Debug)]
struct Filter {
    gain: f32,
    feedback: f32,
    input: f32,
    output: f32,
}

impl Filter {
    /// A low-pass with its corner at `corner` Hz, which lies below half the rate.
    fn low_pass(corner: f64, sample_rate: u32) -> Self {
        let tangent = tangent(corner / f64::from(sample_rate));
        Self::new(tangent / (1.0 + tangent), tangent)
    }

    /// A high-pass with its corner at `corner` Hz, which lies below half the rate.
    fn high_pass(corner: f64, sample_rate: u32) -> Self {
        let tangent = tangent(corner / f64::from(sample_rate));
        Self::new(1.0 / (1.0 + tangent), tangent)
    }

    fn new(gain: f64, tangent: f64) -> Self {
        let feedback = ((1.0 - tangent) / (1.0 + tangent)) as f32;
        Self { gain: gain as f32, feedback, input: 0.0, output: 0.0 }
    }

    /// One sample through a low-pass.
    fn low(&mut self, input: f32) -> f32 {
        self.output = input + self.input + self.feedback * self.output;
        self.input = input;
        self.output
    }

    /// One sample through a high-pass.
    fn high(&mut self, input: f32) -> f32 {
        self.output = input - self.input + self.feedback * self.output;
        self.input = input;
        self.output
    }

    /// One sample through a high-pass of what the input has changed by.
    fn high_of_difference(&mut self, difference: f32) -> f32 {
        self.output = difference + self.feedback * self.output;
        self.output
    }
}

/// The console's own filters: high-pass at 90 and 440 Hz, low-pass at 14 kHz (NESdev: APU Mixer).
#[derive(Clone, Debug)]
pub(crate) struct Filters {
    first: Filter,
    second: Filter,
    /// None if the rate cannot carry the corner.
    third: Option<Filter>,
}

impl Filters {
    pub(crate) fn new(sample_rate: u32) -> Self {
        Self {
            first: Filter::high_pass(90.0, sample_rate),
            second: Filter::high_pass(440.0, sample_rate),
            third: (sample_rate > 28_000).then(|| Filter::low_pass(14_000.0, sample_rate)),
        }
    }

    /// Appends to `samples` what comes out if the input, in units of `scale`, changes by each of
    /// `differences` in turn.
    pub(crate) fn run(&mut self, differences: impl Iterator<Item = i32>, scale: f32, samples: &mut Vec<f32>) {
        // In registers, not in memory, while the samples run.
        let Self { mut first, mut second, third } = self.clone();
        let gain = scale * first.gain * second.gain;
        match third {
            Some(mut third) => {
                let gain = gain * third.gain;
                samples.extend(differences.map(|difference| {
                    third.low(second.high(first.high_of_difference(difference as f32 * gain)))
                }));
                self.third = Some(third);
            }
            None => samples.extend(
                differences.map(|difference| second.high(first.high_of_difference(difference as f32 * gain))),
            ),
        }
        self.first = first;
        self.second = second;
    }

    /// Nothing but silence comes out until the input changes.
    pub(crate) fn are_at_rest(&self) -> bool {
        let at_rest = |filter: &Filter| filter.input == 0.0 && filter.output == 0.0;
        at_rest(&self.first) && at_rest(&self.second) && self.third.as_ref().is_none_or(at_rest)
    }

    /// To be called every now and then: a tail too faint to matter ends, before it reaches the
    /// subnormal numbers, with which some processors are slow.
    pub(crate) fn rest(&mut self) {
        for filter in [&mut self.first, &mut self.second].into_iter().chain(&mut self.third) {
            for memory in [&mut filter.input, &mut filter.output] {
                if memory.abs() < SILENCE {
                    *memory = 0.0;
                }
            }
        }
    }
}

/// tan πx.
fn tangent(x: f64) -> f64 {
    sine_of_half_turns(x) / sine_of_half_turns(0.5 - x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Gain for a sine of `frequency` Hz at 48 kHz, in dB.
    fn gain(mut next: impl FnMut(f32) -> f32, frequency: f64) -> f64 {
        let mut energy = 0.0;
        for n in 0..96_000 {
            let output = next((2.0 * PI * frequency * f64::from(n) / 48_000.0).sin() as f32);
            if n >= 48_000 {
                energy += f64::from(output) * f64::from(output);
            }
        }
        10.0 * (energy / 24_000.0).log10()
    }

    fn low_pass(corner: f64, frequency: f64) -> f64 {
        let mut filter = Filter::low_pass(corner, 48_000);
        gain(|input| filter.low(input) * filter.gain, frequency)
    }

    fn high_pass(corner: f64, frequency: f64) -> f64 {
        let mut filter = Filter::high_pass(corner, 48_000);
        gain(|input| filter.high(input) * filter.gain, frequency)
    }

    #[test]
    fn corners_lie_three_decibels_down() {
        for gain in [high_pass(90.0, 90.0), high_pass(440.0, 440.0), low_pass(14_000.0, 14_000.0)] {
            assert!((gain + 3.01).abs() < 0.02);
        }
    }

    #[test]
    fn slopes_are_of_first_order() {
        assert!((high_pass(440.0, 44.0) + 20.04).abs() < 0.1);
        assert!((low_pass(1_400.0, 5_600.0) + 12.5).abs() < 0.6);
    }

    #[test]
    fn the_chain_multiplies_its_filters_whether_or_not_the_rate_carries_the_low_pass() {
        let inputs: Vec<i32> = (0..2_000).map(|n| n * n % 20_011 * 7919 % 20_011).collect();
        let differences =
            || inputs.iter().scan(0, |last, &input| Some(input - core::mem::replace(last, input)));
        for rate in [22_050, 28_000, 44_100, 96_000] {
            let mut chain = Filters::new(rate);
            let mut samples = Vec::new();
            chain.run(differences(), 0.5, &mut samples);
            let (mut first, mut second) = (Filter::high_pass(90.0, rate), Filter::high_pass(440.0, rate));
            let mut third = (rate > 28_000).then(|| Filter::low_pass(14_000.0, rate));
            for (&input, sample) in inputs.iter().zip(samples) {
                let second = second.high(first.high(input as f32 * 0.5) * first.gain) * second.gain;
                let expected = third.as_mut().map_or(second, |third| third.low(second) * third.gain);
                assert!((sample - expected).abs() < 0.05, "{sample} is not {expected}");
            }
        }
    }

    #[test]
    fn a_tail_comes_to_rest() {
        let mut filters = Filters::new(48_000);
        assert!(filters.are_at_rest());
        let mut samples = Vec::new();
        filters.run([1 << 29].into_iter(), 1.0, &mut samples);
        for frame in 0..20 {
            assert!(frame > 1 || !filters.are_at_rest());
            filters.run(core::iter::repeat_n(0, 800), 1.0, &mut samples);
            filters.rest();
        }
        assert!(filters.are_at_rest());
        filters.run([0].into_iter(), 1.0, &mut samples);
        assert_eq!(samples.last().map(|sample| sample.to_bits()), Some(0));
    }
}
