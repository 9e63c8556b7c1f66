//! From the console's sample rate to the device's.

/// A cubic interpolator (Catmull-Rom) over a running signal, delayed by two samples. It is meant
/// for rates close to each other: the console's own low-pass has already taken away what could
/// alias between 48 and 44.1 kHz.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resampler {
    /// Nothing to do: the rates are equal, and nobody ever leaned on them.
    same: bool,
    base: f64,
    /// Samples in for each sample out.
    step: f64,
    /// Where the next output lies between `window[1]` (0) and `window[2]` (1).
    position: f64,
    window: [f32; 4],
}

impl Resampler {
    /// From `from` to `to` samples a second. Equal rates pass through untouched.
    pub(crate) fn new(from: u32, to: u32) -> Self {
        let step = f64::from(from) / f64::from(to.max(1));
        Self { same: from == to, base: step, step, position: 0.0, window: [0.0; 4] }
    }

    /// From here on there are that much less samples out, as a fraction: so little that nobody
    /// hears the pitch.
    pub(crate) fn bend(&mut self, bend: f64) {
        self.same &= bend == 0.0;
        self.step = self.base * (1.0 + bend);
    }

    /// Takes one sample in and gives to `out` those that it completes.
    pub(crate) fn push(&mut self, sample: f32, mut out: impl FnMut(f32)) {
        self.window.rotate_left(1);
        self.window[3] = sample;
        if self.same {
            return out(sample);
        }
        while self.position < 1.0 {
            out(cubic(self.window, self.position as f32));
            self.position += self.step;
        }
        self.position -= 1.0;
    }
}

fn cubic([before, from, to, after]: [f32; 4], t: f32) -> f32 {
    let slope = 0.5 * (to - before);
    let curve = before - 2.5 * from + 2.0 * to - 0.5 * after;
    let bend = 0.5 * (after - before) + 1.5 * (from - to);
    from + t * (slope + t * (curve + t * bend))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rates_pass_through_untouched() {
        let mut out = Vec::new();
        let mut resampler = Resampler::new(48_000, 48_000);
        for sample in [0.1, -0.2, 0.3] {
            resampler.push(sample, |sample| out.push(sample));
        }
        assert_eq!(out, [0.1, -0.2, 0.3]);
    }

    #[test]
    fn a_second_in_is_a_second_out() {
        for rate in [22_050, 32_000, 44_100, 96_000, 192_000] {
            let mut count = 0_u32;
            let mut resampler = Resampler::new(48_000, rate);
            for _ in 0..48_000 {
                resampler.push(0.0, |_| count += 1);
            }
            assert!(count.abs_diff(rate) <= 1, "{rate}: {count}");
        }
    }

    #[test]
    fn leaning_on_the_rate_changes_it_by_so_much_and_does_not_click() {
        let mut out = Vec::new();
        let mut resampler = Resampler::new(48_000, 48_000);
        for n in 0..48_000 {
            resampler.bend(if n < 24_000 { 0.005 } else { -0.005 });
            resampler.push((f64::from(n) * 0.05).sin() as f32, |sample| out.push(sample));
        }
        assert!(out.len().abs_diff(48_000) <= 2, "{}", out.len());
        let step = out.windows(2).skip(8).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(step < 0.0505, "{step}"); // the tone's own steepest is 0.05
    }

    #[test]
    fn a_kilohertz_tone_keeps_its_shape() {
        let tone = |n: f64, rate: f64| (std::f64::consts::TAU * 1000.0 * n / rate).sin() as f32;
        let mut out = Vec::new();
        let mut resampler = Resampler::new(48_000, 44_100);
        for n in 0..48_000 {
            resampler.push(tone(f64::from(n), 48_000.0), |sample| out.push(sample));
        }
        // Two samples of delay at the input's rate.
        let worst = out
            .iter()
            .enumerate()
            .skip(8)
            .map(|(n, sample)| (sample - tone(n as f64 - 2.0 * 44_100.0 / 48_000.0, 44_100.0)).abs());
        assert!(worst.fold(0.0, f32::max) < 0.002);
    }
}
