//! Band-limited samples of the mixed level.

use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

use nes_clock::Region;

use crate::Sink;
use crate::filter::Filters;
use crate::kernel::{KERNEL, PHASES, TAPS, UNIT};
use crate::mixer::{ChannelLevels, FULL_SCALE, mix};
use core::{iter, mem};

/// What makes an integrated level a sample.
const SCALE: f32 = 1.0 / (FULL_SCALE as f32 * UNIT as f32);

/// Samples that may be pending: more than a frame has at any rate.
const CAPACITY: usize = 8192;

/// Seconds without a level that are still time to be filled; beyond them it has jumped.
const LONGEST: u64 = 2;

/// The lowest and highest sample rates, in Hz.
const RATES: (u32, u32) = (8_000, 384_000);

/// Mixes what the channels put out and makes samples of the changes of that level: every change
/// adds a band-limited step, so that work is done only when the level moves and nothing folds back
/// from above half the sample rate. Behind it lie the console's own filters: high-pass at 90 and
/// 440 Hz, low-pass at 14 kHz (NESdev: APU Mixer). The first of them undoes the sum of the
/// differences: it is never formed.
///
/// It is a listener: no part of the machine's state, neither saved nor compared. Samples come 15
/// samples late, half the width of a step.
#[derive(Clone, Debug)]
pub struct Synth {
    sample_rate: u32,
    /// CPU cycles in as many seconds.
    clock: (u64, u64),
    /// Cycle that the first pending sample is counted from, and how far before it that sample
    /// began, in parts of the clock's cycles.
    origin: u64,
    remainder: u64,
    level: i32,
    /// Differences from one pending sample to the next, in `UNIT`s of level.
    pending: Box<[i32]>,
    /// How many of them may be other than 0.
    touched: usize,
    filters: Filters,
    samples: Vec<f32>,
    levels: ChannelLevels,
    /// What the channels put out now.
    outputs: [u8; 5],
    /// What a cartridge adds to them.
    expansion: i32,
}

impl Synth {
    /// For `sample_rate` samples a second, held to 8,000–384,000. Time starts at cycle 0.
    pub fn new(sample_rate: u32) -> Self {
        let sample_rate = sample_rate.clamp(RATES.0, RATES.1);
        Self {
            sample_rate,
            clock: Region::Ntsc.clock(),
            origin: 0,
            remainder: 0,
            level: 0,
            pending: vec![0; CAPACITY + TAPS].into_boxed_slice(),
            touched: 0,
            filters: Filters::new(sample_rate),
            samples: Vec::new(),
            levels: ChannelLevels::default(),
            outputs: [0; 5],
            expansion: 0,
        }
    }

    /// Makes it the synth of another region's clock, before it has made a sample.
    pub fn set_region(&mut self, region: Region) {
        self.clock = region.clock();
    }

    /// Mixes the channels by `levels` from here on. What they put out now is mixed anew without a
    /// step: a channel that stands still goes or comes in silence.
    pub fn set_channel_levels(&mut self, levels: ChannelLevels) {
        if self.levels != levels {
            self.levels = levels;
            self.settle(self.levels.mix(self.outputs));
        }
    }

    /// The filters have always known this level.
    fn settle(&mut self, level: i32) {
        self.level = level.clamp(0, i32::from(i16::MAX));
    }

    /// Takes `outputs` for what the channels have put out since long before time starts: no step
    /// leads to it. A triangle that stands still puts out its highest step, which would be heard.
    pub fn begin(&mut self, outputs: [u8; 5]) {
        self.outputs = outputs;
        self.settle(self.levels.mix(outputs));
    }

    /// Samples a second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Makes every sample that begins before `cycle`. If time has jumped (a state was loaded),
    /// nothing is made of the gap.
    pub fn end_frame(&mut self, cycle: u64) {
        let Some(parts) = self.parts(cycle) else {
            return self.jump(cycle);
        };
        let count = (parts / self.clock.0) as usize;
        let made = count.min(self.touched);
        if made > 0 || !self.filters.are_at_rest() {
            let silence = iter::repeat_n(0, count - made);
            let differences = self.pending[..made].iter_mut().map(mem::take);
            self.filters.run(differences, SCALE, &mut self.samples);
            self.filters.run(silence, SCALE, &mut self.samples);
            self.filters.rest();
        } else {
            self.samples.resize(self.samples.len() + count, 0.0);
        }
        let left = self.touched - made;
        self.pending.copy_within(made..self.touched, 0);
        self.pending[made.max(left)..self.touched].fill(0);
        self.touched = left;
        self.origin = cycle;
        self.remainder = parts % self.clock.0;
    }

    /// Time goes on at `cycle`, because a state was loaded: no samples are made of what lies
    /// between.
    pub fn jump(&mut self, cycle: u64) {
        self.origin = cycle;
        self.remainder = 0;
    }

    /// The samples made since the last [`Synth::clear`]: mono, −1 to 1.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    /// Forgets the samples made so far; sound goes on.
    pub fn clear(&mut self) {
        self.samples.clear();
    }

    /// How far `cycle` lies behind the start of the first pending sample, in parts of the clock's
    /// cycles of a sample; none if it lies before the origin or too far behind it.
    fn parts(&self, cycle: u64) -> Option<u64> {
        let cycles = cycle.checked_sub(self.origin)?;
        let parts =
            cycles.checked_mul(self.clock.1 * u64::from(self.sample_rate))?.checked_add(self.remainder)?;
        (parts < LONGEST * u64::from(self.sample_rate) * self.clock.0).then_some(parts)
    }
}

impl Sink for Synth {
    #[inline]
    fn outputs(&mut self, cycle: u64, outputs: [u8; 5]) {
        self.outputs = outputs;
        let plain = self.levels == ChannelLevels::default();
        self.level(cycle, if plain { mix(outputs) } else { self.levels.mix(outputs) });
    }

    fn expansion(&mut self, cycle: u64, level: i32) {
        let difference = level - self.expansion;
        if difference != 0 {
            self.expansion = level;
            self.step(cycle, difference);
        }
    }
}

impl Synth {
    /// From `cycle` on the mixed level is `level`, of 32,768 at full scale.
    fn level(&mut self, cycle: u64, level: i32) {
        let level = level.clamp(0, i32::from(i16::MAX));
        let difference = (level - self.level) as i16;
        if difference == 0 {
            return;
        }
        self.level = level;
        self.step(cycle, difference.into());
    }

    /// From `cycle` on the sum of all levels is another one, by `difference`. Such steps add up in
    /// any order.
    #[inline]
    fn step(&mut self, cycle: u64, difference: i32) {
        let parts = match self.parts(cycle) {
            Some(parts) if parts < CAPACITY as u64 * self.clock.0 => parts,
            _ => {
                self.end_frame(cycle);
                self.remainder
            }
        };
        let position = (parts * PHASES as u64 / self.clock.0) as usize;
        let (sample, phase) = (position / PHASES, position % PHASES);
        self.touched = self.touched.max(sample + TAPS);
        for (pending, tap) in self.pending[sample..sample + TAPS].iter_mut().zip(&KERNEL[phase]) {
            *pending = pending.wrapping_add(i32::from(*tap) * difference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CYCLES: u64 = Region::Ntsc.clock().0;
    const SECONDS: u64 = Region::Ntsc.clock().1;
    use std::f64::consts::PI;

    /// A pulse at half duty and level 10,000 that moves every `half` cycles, for about `seconds`.
    fn pulse(half: u64, seconds: u64) -> Synth {
        let mut synth = Synth::new(48_000);
        let mut frame = 29_781;
        for step in 0..seconds * CYCLES / SECONDS / half {
            while frame <= step * half {
                synth.end_frame(frame);
                frame += 29_781;
            }
            synth.level(step * half, if step % 2 == 0 { 10_000 } else { 0 });
        }
        synth
    }

    /// Amplitude at `frequency` Hz in dB.
    fn amplitude(samples: &[f32], frequency: f64) -> f64 {
        20.0 * spectrum(samples, frequency).0.log10()
    }

    /// Amplitude and phase at `frequency` Hz, under a Blackman–Harris window.
    fn spectrum(samples: &[f32], frequency: f64) -> (f64, f64) {
        let length = samples.len() as f64;
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (n, sample) in samples.iter().enumerate() {
            let x = 2.0 * PI * n as f64 / length;
            let window = 0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos();
            let angle = 2.0 * PI * frequency * n as f64 / 48_000.0;
            real += f64::from(*sample) * window * angle.cos();
            imaginary -= f64::from(*sample) * window * angle.sin();
        }
        (2.0 * real.hypot(imaginary) / (0.35875 * length), imaginary.atan2(real))
    }

    #[test]
    fn the_differences_of_a_step_add_up_to_exactly_its_level() {
        let mut synth = Synth::new(48_000);
        for (cycle, level) in [(100, 1), (117, 32_000), (200, 5), (201, 20_000), (9000, 12_345)] {
            synth.level(cycle, level);
            assert_eq!(synth.pending.iter().sum::<i32>(), level * UNIT);
        }
    }

    #[test]
    fn nothing_is_pending_beyond_what_was_touched() {
        let mut synth = Synth::new(48_000);
        for frame in 0..40 {
            for step in 0..frame % 5 {
                synth.level(frame * 29_781 + step * 7_000, (step as i32 + 1) * 3_000);
            }
            synth.end_frame((frame + 1) * 29_781 - frame % 3);
            assert!(synth.pending[synth.touched..].iter().all(|&difference| difference == 0));
        }
    }

    #[test]
    fn a_second_has_as_many_samples_as_the_rate_says() {
        for rate in [8_000, 22_050, 44_100, 48_000, 96_000, 384_000] {
            let mut synth = Synth::new(rate);
            for frame in 1..=660 {
                synth.end_frame(frame * CYCLES / 660);
            }
            assert_eq!(synth.samples().len(), 11 * rate as usize);
        }
    }

    #[test]
    fn pitch_is_right_within_a_thousandth() {
        // 2,034 cycles are half a period of 439.96 Hz.
        let synth = pulse(2_034, 4);
        let expected = CYCLES as f64 / SECONDS as f64 / 4_068.0;
        // How far the phase drifts in three seconds against the expected frequency's.
        let phase = |from: usize| spectrum(&synth.samples()[from..from + 32_768], expected).1;
        let turns = expected * 3.0 - (phase(148_800) - phase(4_800)) / (2.0 * PI);
        let drift = turns - turns.round();
        assert!((drift / 3.0 / expected).abs() < 1e-5, "{drift}");
        // And no other frequency is the stronger one.
        for other in [0.999, 1.001, 0.5, 2.0] {
            let at = |frequency| amplitude(&synth.samples()[4_800..148_800], frequency);
            assert!(at(expected * other) < at(expected) - 3.0);
        }
    }

    #[test]
    fn no_alias_of_a_high_pulse_comes_within_sixty_decibels() {
        // 86 cycles: 10,405.7 Hz. Its odd harmonics from the third on lie beyond 24 kHz.
        let synth = pulse(86, 1);
        let samples = &synth.samples()[4_800..4_800 + 32_768];
        let fundamental = CYCLES as f64 / SECONDS as f64 / 172.0;
        let reference = amplitude(samples, fundamental);
        for harmonic in (3..120).step_by(2) {
            let frequency = fundamental * f64::from(harmonic);
            let folded = (frequency - 48_000.0 * (frequency / 48_000.0).round()).abs();
            if folded > 60.0 && folded < 20_000.0 && (folded - fundamental).abs() > 60.0 {
                let alias = amplitude(samples, folded) - reference;
                assert!(alias < -60.0, "harmonic {harmonic} folds to {folded:.0} Hz at {alias:.1} dB");
            }
        }
    }

    #[test]
    fn the_band_of_hearing_is_level_but_for_the_consoles_filters() {
        for half in [894, 300, 149, 100] {
            let synth = pulse(half, 1);
            let fundamental = CYCLES as f64 / SECONDS as f64 / (2.0 * half as f64);
            let square = 20.0 * (10_000.0 / f64::from(FULL_SCALE) * 2.0 / PI).log10();
            let high = |corner: f64| 10.0 * (1.0 + (corner / fundamental).powi(2)).log10();
            // The bilinear low-pass bends its slope towards half the rate.
            let bent = |frequency: f64| (PI * frequency / 48_000.0).tan();
            let low = 10.0 * (1.0 + (bent(fundamental) / bent(14_000.0)).powi(2)).log10();
            let expected = square - high(90.0) - high(440.0) - low;
            let found = amplitude(&synth.samples()[4_800..4_800 + 32_768], fundamental);
            assert!((found - expected).abs() < 0.1, "{fundamental:.0} Hz: {found:.2} dB, not {expected:.2}");
        }
    }

    #[test]
    fn a_constant_level_decays_to_silence() {
        let mut synth = Synth::new(48_000);
        synth.level(0, 30_000);
        synth.end_frame(CYCLES / SECONDS);
        assert!(synth.samples()[20] > 0.5);
        assert!(synth.samples()[47_000].abs() < 1e-6);
        synth.clear();
        assert!(synth.samples().is_empty());
    }

    #[test]
    fn what_the_channels_put_out_at_power_on_is_not_heard_and_the_first_change_is() {
        let resting = [0, 0, 15, 0, 0];
        let mut synth = Synth::new(48_000);
        synth.begin(resting);
        synth.outputs(1, resting);
        synth.end_frame(29_781);
        assert!(!synth.samples().is_empty() && synth.samples().iter().all(|sample| *sample == 0.0));
        synth.outputs(29_800, [0, 0, 0, 0, 0]);
        synth.end_frame(2 * 29_781);
        assert!(synth.samples().iter().any(|sample| *sample < -0.1), "the triangle moves");
    }

    #[test]
    fn a_channel_that_stands_still_comes_and_goes_without_a_step() {
        let mut synth = Synth::new(48_000);
        synth.begin([0, 0, 15, 0, 100]);
        for levels in [ChannelLevels([0; 5]), ChannelLevels::default()] {
            synth.set_channel_levels(levels);
            synth.end_frame(synth.origin + 29_781);
        }
        assert!(synth.samples().iter().all(|sample| *sample == 0.0));
    }

    #[test]
    fn levels_that_are_set_hold_for_what_sounds_already() {
        let mut synth = Synth::new(48_000);
        synth.outputs(10, [15, 0, 15, 0, 100]);
        synth.end_frame(20_000);
        assert_ne!(synth.level, 0);
        synth.set_channel_levels(ChannelLevels([0; 5]));
        assert_eq!(synth.level, 0);
        synth.set_channel_levels(ChannelLevels::default());
        assert_eq!(synth.level, mix([15, 0, 15, 0, 100]));
    }

    #[test]
    fn a_jump_in_time_makes_no_samples_and_loses_no_level() {
        let mut synth = Synth::new(48_000);
        synth.level(10, 1_000);
        synth.end_frame(20_000);
        let made = synth.samples().len();
        synth.end_frame(u64::MAX - 5);
        synth.level(3, 2_000);
        synth.level(u64::MAX, 3_000);
        synth.level(0, 4_000);
        synth.end_frame(7);
        assert_eq!(synth.samples().len(), made);
        assert_eq!(synth.pending.iter().sum::<i32>(), 3_000 * UNIT);
    }

    #[test]
    fn samples_do_not_depend_on_how_time_is_divided() {
        let mut whole = Synth::new(44_100);
        let mut divided = whole.clone();
        let levels = |synth: &mut Synth, frame: u64| {
            for step in 0..50 {
                let cycle = frame * 29_781 + step * 577;
                synth.level(cycle, ((cycle * 7919) % 30_000) as i32);
            }
        };
        for frame in 0..20 {
            levels(&mut whole, frame);
            levels(&mut divided, frame);
            divided.end_frame(frame * 29_781 + 49 * 577);
            divided.end_frame((frame + 1) * 29_781);
        }
        whole.end_frame(20 * 29_781);
        assert_eq!(whole.samples(), divided.samples());
    }
}
