//! Slower and faster sound of the same pitch.

/// Samples out of each piece.
const HOP: usize = 480;

/// Samples over which one piece fades into the next.
const OVERLAP: usize = 240;

/// A piece may begin so many samples earlier or later, where it goes on best from the last.
const SEARCH: usize = 240;

/// Lays pieces of the input closer together or further apart, each where it fits best to the last
/// (the method is known as WSOLA: Verhelst and Roelands, 1993). At the console's own speed
/// everything passes untouched.
#[derive(Debug, Clone)]
pub(crate) struct TimeStretch {
    /// Input samples to an output sample.
    speed: f64,
    input: Vec<f32>,
    /// Where in `input` the next piece should begin.
    position: f64,
    /// What would have come after the last piece.
    tail: Vec<f32>,
}

impl TimeStretch {
    pub(crate) fn new() -> Self {
        Self { speed: 1.0, input: vec![], position: SEARCH as f64, tail: vec![] }
    }

    /// From here on the input is `percent` of the console's speed. Returns whether that is a
    /// change.
    pub(crate) fn set_speed(&mut self, percent: u16) -> bool {
        let speed = f64::from(percent.max(1)) / 100.0;
        let changed = (speed - self.speed).abs() > f64::EPSILON;
        if changed {
            *self = Self { speed, ..Self::new() };
        }
        changed
    }

    /// Takes `samples` in and appends to `out` what they complete.
    pub(crate) fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        if (self.speed - 1.0).abs() < f64::EPSILON {
            return out.extend_from_slice(samples);
        }
        self.input.extend_from_slice(samples);
        while self.position as usize + SEARCH + HOP + OVERLAP <= self.input.len() {
            self.piece(out);
        }
        let done = (self.position as usize).saturating_sub(SEARCH);
        if done > 0 {
            self.input.drain(..done.min(self.input.len()));
            self.position -= done as f64;
        }
    }

    fn piece(&mut self, out: &mut Vec<f32>) {
        let wanted = self.position as usize;
        let start = self.best(wanted);
        let piece = &self.input[start..start + HOP + OVERLAP];
        for (n, &sample) in piece[..HOP].iter().enumerate() {
            let fade = (n as f32 / OVERLAP as f32).min(1.0);
            let before = self.tail.get(n).copied().unwrap_or(0.0);
            out.push(before * (1.0 - fade) + sample * if self.tail.is_empty() { 1.0 } else { fade });
        }
        self.tail.clear();
        self.tail.extend_from_slice(&piece[HOP..]);
        self.position += HOP as f64 * self.speed;
    }

    /// Where, near `wanted`, the input is most like the tail.
    fn best(&self, wanted: usize) -> usize {
        if self.tail.is_empty() {
            return wanted;
        }
        let likeness = |start: usize| {
            let piece = &self.input[start..start + OVERLAP];
            let (mut product, mut power) = (0.0_f32, 1e-9_f32);
            for (a, b) in piece.iter().zip(&self.tail) {
                product += a * b;
                power += a * a;
            }
            product / power.sqrt()
        };
        let starts = wanted.saturating_sub(SEARCH)..=wanted + SEARCH;
        let mut best = (f32::MIN, wanted);
        for start in starts {
            let found = likeness(start);
            if found > best.0 {
                best = (found, start);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64, samples: usize) -> Vec<f32> {
        (0..samples).map(|n| (std::f64::consts::TAU * hertz * n as f64 / 48_000.0).sin() as f32).collect()
    }

    fn stretched(percent: u16, input: &[f32]) -> Vec<f32> {
        let mut stretch = TimeStretch::new();
        stretch.set_speed(percent);
        let mut out = vec![];
        input.chunks(799).for_each(|frame| stretch.push(frame, &mut out));
        out
    }

    /// Upward crossings of zero a second.
    fn pitch(samples: &[f32]) -> f64 {
        let crossings = samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
        crossings as f64 * 48_000.0 / samples.len() as f64
    }

    #[test]
    fn at_full_speed_it_passes_everything_untouched() {
        let input = tone(440.0, 10_000);
        assert_eq!(stretched(100, &input), input);
    }

    #[test]
    fn slower_and_faster_sound_is_longer_and_shorter_at_the_same_pitch_without_clicks() {
        let input = tone(440.0, 48_000);
        for percent in [10, 25, 50, 90, 110, 150, 200] {
            let out = stretched(percent, &input);
            let expected = 48_000.0 * 100.0 / f64::from(percent);
            assert!((out.len() as f64 / expected - 1.0).abs() < 0.03, "{percent} %: {} samples", out.len());
            assert!((pitch(&out) - 440.0).abs() < 4.0, "{percent} %: {} Hz", pitch(&out));
            let step = out.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
            assert!(step < 0.08, "{percent} %: a step of {step}"); // the tone's own steepest is 0.058
        }
    }
}
