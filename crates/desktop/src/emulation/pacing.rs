//! When the next frame is due.
//!
//! Frames are evenly spaced by a timer; the sound device only bends that spacing, by so little that
//! nobody can hear or see it. So two frames never come in one burst because the device asks for
//! sound in large blocks, and yet the machine keeps step with the device's own clock for ever:
//! sound neither runs dry nor piles up.

use std::time::Duration;

use nes::Region;

/// Frames a second of an NTSC console: 39,375,000 / 655,171 (NESdev: Cycle reference chart; the
/// mean of even and odd frames while rendering is on).
pub const FRAME_RATE: f64 = Region::Ntsc.frame_rate();

/// The most that the sound device may bend the spacing, as a fraction: 0.5 % is a twelfth of a
/// semitone.
pub(crate) const MAX_BEND: f64 = 0.005;

/// Seconds over which an error of the sound buffer is worked off.
const CORRECTION: f64 = 2.0;

/// Seconds over which readings of the sound buffer are averaged.
const SMOOTHING: f64 = 0.5;

/// How many frames late the machine still catches up; later than that, the lost time is given up.
const CATCH_UP: f64 = 4.0;

/// The schedule of frames. All times are since any fixed start.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// When the next frame is due, in seconds.
    due: f64,
    regulator: Regulator,
    /// Seconds between two frames at the console's own speed.
    period: f64,
    /// Console seconds to a second.
    speed: f64,
    /// Seconds between two frames that the display asks for.
    display: Option<f64>,
}

/// How far to lean, so that the sound buffer holds what it should.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Regulator {
    /// Averaged error of the sound buffer, in seconds: above 0 when it holds too much.
    surplus: Option<f64>,
}

impl Regulator {
    /// The buffer holds so much too much, in seconds, after `period` more of them; `None` when
    /// nothing takes from it.
    pub(crate) fn read(&mut self, surplus: Option<f64>, period: f64) {
        self.surplus = surplus.map(|reading| match self.surplus {
            Some(average) => average + (reading - average) * period / SMOOTHING,
            None => reading,
        });
    }

    /// Returns the fraction by which less is to come.
    pub(crate) fn bend(self) -> f64 {
        (self.surplus.unwrap_or(0.0) / CORRECTION).clamp(-MAX_BEND, MAX_BEND)
    }
}

impl Pace {
    /// Returns a schedule whose first frame is due at `now`.
    pub fn new(now: Duration) -> Self {
        let period = 1.0 / FRAME_RATE;
        Self { due: now.as_secs_f64(), regulator: Regulator::default(), period, speed: 1.0, display: None }
    }

    /// Returns the same schedule for a console of another region.
    #[must_use]
    pub fn with_region(self, region: Region) -> Self {
        Self { period: 1.0 / region.frame_rate(), ..self }
    }

    /// Returns the same schedule at `percent` of the console's speed, 10–200.
    #[must_use]
    pub fn with_speed(self, percent: u16) -> Self {
        Self { speed: f64::from(percent.clamp(10, 200)) / 100.0, ..self }
    }

    /// Returns how long to wait at `now` for the next frame: `None` when it is due.
    pub fn wait(&self, now: Duration) -> Option<Duration> {
        let seconds = self.due - now.as_secs_f64();
        (seconds > 0.0).then(|| Duration::from_secs_f64(seconds))
    }

    /// A frame is run at `now`. `surplus` is what the sound buffer holds beyond what it should, in
    /// seconds; `None` when no sound device keeps time.
    pub fn frame(&mut self, now: Duration, surplus: Option<f64>) {
        let period = self.period();
        self.regulator.read(surplus, period);
        let now = now.as_secs_f64();
        if now - self.due > CATCH_UP * self.period {
            self.due = now;
        }
        self.due += match self.display {
            Some(spacing) => spacing,
            None => period * (1.0 + self.bend()),
        };
    }

    fn period(&self) -> f64 {
        self.period / self.speed
    }

    /// By what fraction the spacing is stretched now: positive while the sound buffer holds too
    /// much.
    pub fn bend(&self) -> f64 {
        self.regulator.bend()
    }

    /// Spaces the frames as the display asks, in seconds, where that is within half a percent of
    /// what they should be; `None` gives them back to the sound device. Returns whether the display
    /// has them now.
    pub fn follow(&mut self, spacing: Option<f64>) -> bool {
        self.display = spacing.filter(|spacing| (spacing / self.period() - 1.0).abs() <= MAX_BEND);
        self.display.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds between two NTSC frames.
    const PERIOD: f64 = 1.0 / FRAME_RATE;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_pal_console_has_fifty_frames_a_second() {
        let mut pace = Pace::new(Duration::ZERO).with_region(Region::Pal);
        let mut now = Duration::ZERO;
        for _ in 0..500 {
            pace.frame(now, None);
            now += pace.wait(now).unwrap_or_default();
        }
        assert!((now.as_secs_f64() - 500.0 / 50.006_978).abs() < 1e-5, "{now:?}");
    }

    #[test]
    fn a_timer_alone_does_not_drift() {
        let mut pace = Pace::new(Duration::ZERO);
        for _ in 0..10_000_000 {
            let now = pace.wait(Duration::ZERO).unwrap_or_default();
            pace.frame(now, None);
        }
        let due = pace.wait(Duration::ZERO).unwrap().as_secs_f64();
        let exact = 10_000_000.0 * 655_171.0 / 39_375_000.0; // two days
        assert!((due - exact).abs() < 1e-3, "{due} instead of {exact}");
    }

    #[test]
    fn at_half_speed_frames_are_twice_as_far_apart() {
        for (percent, factor) in [(50, 2.0), (200, 0.5), (10, 10.0), (1, 10.0), (1000, 0.5)] {
            let mut pace = Pace::new(Duration::ZERO).with_speed(percent);
            pace.frame(Duration::ZERO, None);
            let spacing = pace.wait(Duration::ZERO).unwrap().as_secs_f64();
            assert!((spacing / PERIOD - factor).abs() < 1e-6, "{percent} %: {spacing}");
        }
    }

    #[test]
    fn a_display_within_half_a_percent_sets_the_pace_and_another_does_not() {
        for (hertz, followed) in [(60.0, true), (59.94, true), (60.3, true), (59.7, false), (75.0, false)] {
            let mut pace = Pace::new(Duration::ZERO);
            assert_eq!(pace.follow(Some(1.0 / hertz)), followed, "{hertz}");
            pace.frame(Duration::ZERO, Some(0.001));
            let rate = 1.0 / pace.wait(Duration::ZERO).unwrap().as_secs_f64();
            assert!((rate - if followed { hertz } else { FRAME_RATE / 1.0005 }).abs() < 1e-3, "{rate}");
        }
    }

    #[test]
    fn waking_late_does_not_move_the_schedule() {
        let mut pace = Pace::new(Duration::ZERO);
        for frame in 0..600 {
            pace.frame(at(f64::from(frame) * PERIOD + 0.003), None);
        }
        let due = pace.wait(Duration::ZERO).unwrap().as_secs_f64();
        assert!((due - 600.0 * PERIOD).abs() < 1e-9);
    }

    #[test]
    fn a_short_delay_is_caught_up_and_a_long_one_given_up() {
        let mut pace = Pace::new(Duration::ZERO);
        pace.frame(at(3.0 * PERIOD), None);
        assert_eq!(pace.wait(at(3.0 * PERIOD)), None, "three frames late: the next is due at once");
        pace.frame(at(10.0), None);
        assert!(pace.wait(at(10.0)).is_some(), "ten seconds late: no burst of 600 frames");
    }

    #[test]
    fn no_reading_can_bend_it_by_more_than_half_a_percent() {
        for surplus in [-1e9, -1.0, 1.0, 1e9] {
            let mut pace = Pace::new(Duration::ZERO);
            pace.frame(Duration::ZERO, Some(surplus));
            let spacing = pace.wait(Duration::ZERO).unwrap().as_secs_f64();
            assert!((spacing / PERIOD - 1.0).abs() <= MAX_BEND + 1e-6, "{surplus}: {spacing}");
        }
    }

    /// Plays an hour on a device whose clock is off by `skew` and which takes `block` samples at a
    /// time; answers the least and the most that its buffer held, in seconds, after the first 20
    /// seconds.
    fn an_hour(skew: f64, block: f64) -> (f64, f64) {
        let rate = 48_000.0 * (1.0 + skew);
        let target = 0.010;
        let mut pace = Pace::new(Duration::ZERO);
        let (mut pushed, mut now) = ((target + 0.001) * 48_000.0 + block, 0.0);
        let (mut least, mut most) = (f64::MAX, f64::MIN);
        while now < 3600.0 {
            now += pace.wait(at(now)).map_or(0.0, |wait| wait.as_secs_f64());
            let callbacks = (now * rate / block).floor() + 1.0;
            let elapsed = now - (callbacks - 1.0) * block / rate;
            let held = pushed - callbacks * block;
            let low_water = held / 48_000.0 - elapsed;
            pace.frame(at(now), Some(low_water - target));
            pushed += 48_000.0 * PERIOD;
            if now > 20.0 {
                least = least.min(low_water);
                most = most.max(low_water);
            }
        }
        (least, most)
    }

    #[test]
    fn it_keeps_step_with_a_device_whose_clock_is_off() {
        for skew in [-0.003, -0.0002, 0.0, 0.0002, 0.003] {
            for block in [256.0, 800.0, 1024.0, 4096.0] {
                let (least, most) = an_hour(skew, block);
                assert!(least > 0.002 && most < 0.018, "skew {skew}, block {block}: {least}..{most}");
            }
        }
    }
}
