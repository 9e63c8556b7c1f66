//! How fast the machine really runs.

use std::time::Duration;

use crate::messages::status::SoundStatus;

/// Frames a second, measured over this long.
const WINDOW: Duration = Duration::from_secs(2);

/// Frames a second by the computer's clock, of two seconds at a time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FpsCounter {
    since: Option<(Duration, u64)>,
    rate: f64,
}

impl FpsCounter {
    /// So many `frames` are done at `now`.
    pub(crate) fn read(&mut self, now: Duration, frames: u64) {
        let (start, first) = *self.since.get_or_insert((now, frames));
        let time = now.saturating_sub(start);
        if time >= WINDOW {
            self.rate = frames.saturating_sub(first) as f64 / time.as_secs_f64();
            self.since = Some((now, frames));
        }
    }

    /// Returns the last measurement; 0 before the first.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }
}

/// A long run by the sound device's clock: what was so after its first second, and what is so now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimingCheck {
    opened: u64,
    start: Option<(u64, SoundStatus)>,
    now: (u64, SoundStatus),
}

impl TimingCheck {
    /// So many `frames` are done, and the device is at `sound`.
    pub(crate) fn read(timing_check: &mut Option<Self>, frames: u64, sound: SoundStatus) {
        let now = (frames, sound);
        let timing_check = timing_check.get_or_insert(Self { opened: sound.taken, start: None, now });
        if timing_check.start.is_none() && sound.taken >= timing_check.opened + u64::from(sound.rate) {
            timing_check.start = Some(now);
        }
        timing_check.now = now;
    }

    /// Frames a second since the first second.
    pub(crate) fn rate(&self) -> Option<f64> {
        let (first, then) = self.start?;
        let (frames, now) = self.now;
        let taken = now.taken.checked_sub(then.taken).filter(|&taken| taken > 0)?;
        // Both were read just after a frame.
        Some((frames - first) as f64 * f64::from(now.rate) / taken as f64)
    }

    /// Gaps since the first second.
    pub(crate) fn gaps(&self) -> Option<u64> {
        Some(self.now.1.gaps - self.start?.1.gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_two_seconds() {
        let mut fps = FpsCounter::default();
        for frame in 0..130 {
            fps.read(Duration::from_millis(frame * 20), frame);
        }
        assert!((fps.rate() - 50.0).abs() < 1e-9);
        assert!(FpsCounter::default().rate().abs() < 1e-9);
    }

    #[test]
    fn a_run_is_judged_from_its_first_second_on() {
        let mut timing_check = None;
        for frame in 0..=600_u64 {
            let gaps = if frame < 30 { frame } else { 30 };
            let sound = SoundStatus { rate: 48_000, taken: frame * 800, gaps, ..SoundStatus::default() };
            TimingCheck::read(&mut timing_check, frame, sound);
        }
        let timing_check = timing_check.unwrap();
        assert!((timing_check.rate().unwrap() - 60.0).abs() < 1e-9);
        assert_eq!(timing_check.gaps(), Some(0));
    }
}
