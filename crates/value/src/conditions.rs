//! What a net is told of the hands: how fast they tap and how fast they react.

use crate::format::{Format, Taps};

/// Tap speeds that a net has an input for: the fastest hands first.
const TAPS: [Taps; 7] = [
    Taps::Hertz(30),
    Taps::Hertz(24),
    Taps::Hertz(20),
    Taps::Slow5,
    Taps::Hertz(15),
    Taps::Hertz(12),
    Taps::Hertz(10),
];
/// Reactions that it has an input for, in frames.
const DELAYS: [u32; 6] = [0, 18, 21, 24, 30, 61];

/// All tap speeds, as bits.
pub(crate) const EVERY_TAPS: u8 = (1 << TAPS.len()) - 1;
/// Inputs of a net that say what hands play.
pub const CONDITIONS: usize = TAPS.len() + DELAYS.len();

/// The tap speed and the reaction that a net is told: the nearest of those that it has an input
/// for.
///
/// Both are the same in all of a game, so they cost nothing at play: their weights are added to the
/// biases of the first layer once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    taps: u8,
    delay: u8,
}

impl Conditions {
    /// Returns the conditions of a format. Of two that are equally near, the slower.
    pub fn of(format: &Format) -> Self {
        let distance = |taps: &Taps| -> u32 {
            (1..6).map(|number| taps.frame(number).abs_diff(format.taps.frame(number))).sum()
        };
        let taps = (0..TAPS.len()).rev().min_by_key(|&number| distance(&TAPS[number])).unwrap_or(0);
        let delay = (0..DELAYS.len()).rev().min_by_key(|&number| DELAYS[number].abs_diff(format.delay));
        Self { taps: taps as u8, delay: delay.unwrap_or(0) as u8 }
    }

    /// Returns the inputs that are on, below [`CONDITIONS`].
    #[inline]
    pub(crate) fn inputs(self) -> [usize; 2] {
        [usize::from(self.taps), TAPS.len() + usize::from(self.delay)]
    }

    /// Returns the tap speed as a bit.
    pub(crate) const fn taps_bit(self) -> u8 {
        1 << self.taps
    }

    /// Returns how far its tap speed is from the nearest of some, in steps.
    pub(crate) fn steps_to(self, taps: u8) -> u32 {
        let known = (0..TAPS.len() as u8).filter(|bit| taps >> bit & 1 == 1);
        known.map(|bit| u32::from(bit.abs_diff(self.taps))).min().unwrap_or(u32::MAX)
    }

    /// Returns them as a number below 64.
    pub(crate) const fn number(self) -> u32 {
        self.taps as u32 | (self.delay as u32) << 3
    }

    /// Returns the conditions of a number; those that no format has become the first ones.
    pub(crate) const fn of_number(number: u32) -> Self {
        let (taps, delay) = (number & 7, number >> 3 & 7);
        Self {
            taps: if taps < TAPS.len() as u32 { taps as u8 } else { 0 },
            delay: if delay < DELAYS.len() as u32 { delay as u8 } else { 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_format_has_inputs_of_its_own_and_others_those_of_the_nearest() {
        let mut seen = std::collections::BTreeSet::new();
        for taps in TAPS {
            for delay in DELAYS {
                let conditions = Conditions::of(&Format { taps, delay, ..Format::HEADLINE });
                let [one, other] = conditions.inputs();
                assert!(one < TAPS.len() && (TAPS.len()..CONDITIONS).contains(&other));
                assert_eq!((TAPS[one], DELAYS[other - TAPS.len()]), (taps, delay));
                assert_eq!(Conditions::of_number(conditions.number()), conditions);
                seen.insert(conditions.number());
            }
        }
        assert_eq!(seen.len(), 42);
        for (name, nearest) in [
            ("bt-X....X...X...-18f", "bt-15hz-18f"),
            ("bt-X.......-20f", "bt-10hz-21f"),
            ("bt-30hz-10f-cartridge", "bt-30hz-18f"),
            ("bt-30hz-8f", "bt-30hz-0f"),
            ("bt-X..X.-40f", "bt-24hz-30f"),
        ] {
            let [found, expected] = [name, nearest].map(|name| Conditions::of(&name.parse().unwrap()));
            assert_eq!(found, expected, "{name}");
        }
        assert!(
            (0..=u32::from(u8::MAX)).all(|number| Conditions::of_number(number).inputs()[1] < CONDITIONS)
        );
    }
}
