//! The display's refresh rate, from when pictures were taken.

use std::time::Duration;

/// Refreshes after which the rate is known well enough: a millisecond's error in two seconds is
/// 0.05 %.
const STEADY: u32 = 120;

/// A display that takes no picture for so long has to be listened to anew, in seconds.
const LOST: f64 = 0.25;

/// How much two refreshes may seem to differ, as a fraction.
const JITTER: f64 = 0.4;

/// Counts refreshes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct VsyncEstimator {
    start: f64,
    last: f64,
    refreshes: u32,
}

impl VsyncEstimator {
    /// A picture was taken at `now`.
    pub(crate) fn tick(&mut self, now: Duration) {
        let now = now.as_secs_f64();
        let gap = now - self.last;
        // A picture that came late was shown a refresh or two later.
        let missed = self.period().map_or(1.0, |period| (gap / period).round().max(1.0));
        let odd = self.period().is_some_and(|period| (gap / missed / period - 1.0).abs() > JITTER);
        if gap > LOST || (odd && self.refreshes < STEADY) {
            *self = Self { start: now, last: now, refreshes: 0 };
        } else {
            self.last = now;
            self.refreshes += missed as u32;
        }
    }

    fn period(&self) -> Option<f64> {
        (self.refreshes > 0).then(|| (self.last - self.start) / f64::from(self.refreshes))
    }

    /// Returns the seconds between two frames that keep in step with the display: a refresh, or two
    /// where it has twice as many as the console has frames, and so on. `None` until it is known.
    pub(crate) fn spacing(&self, now: Duration, frame_rate: f64) -> Option<f64> {
        let period = self.period().filter(|_| self.refreshes >= STEADY)?;
        let fresh = now.as_secs_f64() - self.last < LOST;
        let every = (1.0 / frame_rate / period).round().max(1.0);
        fresh.then_some(period * every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Listens to a display of `hertz` for `refreshes`, each seen up to half a millisecond late.
    fn listen(hertz: f64, refreshes: u32) -> (VsyncEstimator, Duration) {
        let (mut vsync, mut now) = (VsyncEstimator::default(), Duration::ZERO);
        for n in 1..=refreshes {
            let late = f64::from(n * 7919 % 20) * 2.5e-5;
            now = Duration::from_secs_f64(f64::from(n) / hertz + late);
            if n % 50 != 49 {
                vsync.tick(now); // and one in fifty is missed
            }
        }
        (vsync, now)
    }

    #[test]
    fn the_rate_is_known_to_a_tenth_of_a_percent_after_a_few_seconds() {
        for (hertz, every) in
            [(60.0, 1.0), (59.94, 1.0), (50.0, 1.0), (120.0, 2.0), (144.0, 2.0), (240.0, 4.0)]
        {
            let (vsync, now) = listen(hertz, 600);
            let spacing = vsync.spacing(now, crate::FRAME_RATE).unwrap();
            assert!((spacing * hertz / every - 1.0).abs() < 1e-3, "{hertz}: {spacing}");
        }
    }

    #[test]
    fn before_and_after_it_says_nothing() {
        let (short, now) = listen(60.0, 100);
        assert_eq!(short.spacing(now, crate::FRAME_RATE), None);
        let (vsync, now) = listen(60.0, 300);
        assert_eq!(vsync.spacing(now + Duration::from_secs(1), crate::FRAME_RATE), None);
    }
}
