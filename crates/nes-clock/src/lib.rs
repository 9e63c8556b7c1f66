//! The two kinds of console, by the television that they were made for, and their clocks.
//!
//! ```
//! use nes_clock::Region;
//!
//! assert_eq!(Region::Ntsc.tick(2), 24); // a cycle has 12 ticks
//! assert_eq!([1, 5].map(|cycle| Region::Pal.tick(cycle)), [13, 64]); // and 12.8
//! ```

#![cfg_attr(not(test), no_std)]

use core::fmt;

/// The clocks of a console: what every chip has to know of it.
///
/// Time is counted in *ticks*, a quarter of a dot each: on NTSC one period of the master clock, of
/// which a CPU cycle has 12 (3 dots). On PAL a cycle has 16 periods of a clock of which a dot has
/// 5, so 12.8 ticks (3.2 dots): it begins between two ticks, and [`Region::tick`] is the later of
/// them. Whatever happens at a tick happens before or after the cycle begins just as it would if
/// parts of a tick were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Region {
    /// NTSC: RP2A03 and RP2C02, 60.0988 frames a second.
    #[default]
    Ntsc,
    /// PAL: RP2A07 and RP2C07, 50.0070 frames a second.
    Pal,
}

impl fmt::Display for Region {
    /// Writes the name with its article.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.with_article())
    }
}

impl Region {
    /// Returns the name with its article.
    pub const fn with_article(self) -> &'static str {
        match self {
            Self::Ntsc => "an NTSC",
            Self::Pal => "a PAL",
        }
    }

    /// The first tick that does not lie before CPU cycle `cycle`.
    #[inline]
    pub const fn tick(self, cycle: u64) -> u64 {
        match self {
            Self::Ntsc => 12 * cycle,
            Self::Pal => (64 * cycle).div_ceil(5),
        }
    }

    /// The CPU cycle in which `tick` lies.
    #[inline]
    pub const fn cycle(self, tick: u64) -> u64 {
        match self {
            Self::Ntsc => tick / 12,
            // Beyond any time that a machine can run.
            Self::Pal => match tick.checked_mul(5) {
                Some(fifths) => fifths / 64,
                None => tick / 13,
            },
        }
    }

    /// The first CPU cycle that looks after `tick`, if each looks `offset` ticks after its
    /// beginning.
    #[inline]
    pub const fn sampled(self, tick: u64, offset: u64) -> u64 {
        match self {
            Self::Ntsc => (tick + 12 - offset) / 12,
            Self::Pal => match tick.checked_sub(offset) {
                Some(begin) => self.cycle(begin) + 1,
                None => 0,
            },
        }
    }

    /// Lines of a frame.
    #[inline]
    pub const fn lines(self) -> u16 {
        match self {
            Self::Ntsc => 262,
            Self::Pal => 312,
        }
    }

    /// Dots of a frame, but for an odd one that is rendered on NTSC, which lacks one.
    #[inline]
    pub const fn frame_dots(self) -> u64 {
        self.lines() as u64 * 341
    }

    /// CPU cycles of a frame, the next whole number.
    #[inline]
    pub const fn frame_cycles(self) -> u64 {
        match self {
            Self::Ntsc => self.frame_dots().div_ceil(3),
            Self::Pal => (5 * self.frame_dots()).div_ceil(16),
        }
    }

    /// The CPU's clock: so many cycles in so many seconds.
    pub const fn clock(self) -> (u64, u64) {
        match self {
            // 236.25 MHz / 11 / 12 (NESdev: Cycle reference chart).
            Self::Ntsc => (19_687_500, 11),
            // 26.601712 MHz / 16.
            Self::Pal => (1_662_607, 1),
        }
    }

    /// Frames a second.
    pub const fn frame_rate(self) -> f64 {
        match self {
            // While rendering, every other frame is a dot shorter (NESdev: Cycle reference chart).
            Self::Ntsc => 39_375_000.0 / 655_171.0,
            Self::Pal => 26_601_712.0 / (5.0 * 341.0 * 312.0),
        }
    }
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_begins_at_its_tick_and_lasts_to_the_next() {
        for region in [Region::Ntsc, Region::Pal] {
            for cycle in (0..2000).chain([29_780, 1 << 40]) {
                let (begin, end) = (region.tick(cycle), region.tick(cycle + 1));
                assert!((12..=13).contains(&(end - begin)));
                assert_eq!([region.sampled(begin + 3, 4), region.sampled(begin + 4, 4)], [cycle, cycle + 1]);
                assert_eq!((region.cycle(begin), region.cycle(end - 1)), (cycle, cycle), "{region:?}");
            }
        }
    }

    #[test]
    fn a_frame_ends_in_the_cycle_that_has_its_last_dot() {
        for region in [Region::Ntsc, Region::Pal] {
            let end = 4 * region.frame_dots();
            assert!(
                region.tick(region.frame_cycles()) >= end && region.tick(region.frame_cycles() - 1) < end
            );
        }
        assert_eq!((Region::Ntsc.frame_cycles(), Region::Pal.frame_cycles()), (29_781, 33_248));
    }

    #[test]
    fn five_cycles_of_pal_are_sixteen_dots() {
        let ticks: Vec<u64> = (0..6).map(|cycle| Region::Pal.tick(cycle)).collect();
        assert_eq!(ticks, [0, 13, 26, 39, 52, 64]);
        assert!((Region::Pal.frame_rate() - 50.006_978).abs() < 1e-6);
        assert!((Region::Ntsc.frame_rate() - 60.098_814).abs() < 1e-6);
    }
}
