//! How fast the machine really runs.

use std::time::Duration;

use crate::messages::status::SoundStatus;

/// Frames a second, measured over this long.
const WINDOW: Duration = Duration::from_secs(2);

/// Frames a second by the computer's clock, of two seconds at a time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meter {
    since: Option<(Duration, u64)>,
    rate: f64,
}

impl Meter {
    /// So many `frames` are done at `now`.
    pub(crate) fn read(&mut self, now: Duration, frames: u64) {
        let (start, first) = *self.since.get_or_insert((now, frames));
        let time = now.saturating_sub(start);
        if time >= WINDOW {
            self.rate = frames.saturating_sub(first) as f64 / time.as_secs_f64();
            self.since = Some((now, frames));
        }
    }

    /// The last measurement; 0 before the first.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }
}

/// A long run by the sound device's clock: what was so after its first second, and what is so now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Audit {
    opened: u64,
    start: Option<(u64, SoundStatus)>,
    now: (u64, SoundStatus),
}

impl Audit {
    /// So many `frames` are done, and the device is at `sound`.
    pub(crate) fn read(audit: &mut Option<Self>, frames: u64, sound: SoundStatus) {
        let now = (frames, sound);
        let audit = audit.get_or_insert(Self { opened: sound.taken, start: None, now });
        if audit.start.is_none() && sound.taken >= audit.opened + u64::from(sound.rate) {
            audit.start = Some(now);
        }
        audit.now = now;
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
        let mut meter = Meter::default();
        for frame in 0..130 {
            meter.read(Duration::from_millis(frame * 20), frame);
        }
        assert!((meter.rate() - 50.0).abs() < 1e-9);
        assert!(Meter::default().rate().abs() < 1e-9);
    }

    #[test]
    fn a_run_is_judged_from_its_first_second_on() {
        let mut audit = None;
        for frame in 0..=600_u64 {
            let gaps = if frame < 30 { frame } else { 30 };
            let sound = SoundStatus { rate: 48_000, taken: frame * 800, gaps, ..SoundStatus::default() };
            Audit::read(&mut audit, frame, sound);
        }
        let audit = audit.unwrap();
        assert!((audit.rate().unwrap() - 60.0).abs() < 1e-9);
        assert_eq!(audit.gaps(), Some(0));
    }
}
