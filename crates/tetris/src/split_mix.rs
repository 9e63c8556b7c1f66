//! Numbers that look random and are the same on every machine.

use serde::{Deserialize, Serialize};

/// The state's step: odd, near 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The pseudorandom generator `SplitMix64` (source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014). Its whole state is one word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Returns the sequence of a seed. Seeds that are near each other give sequences that are not,
    /// but for seeds that differ by a multiple of the generator's step; [`SplitMix64::mix`] takes
    /// those apart.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Returns the state: the seed of what is still to come.
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Returns a number that has nothing visible in common with those of the neighbours of
    /// `number`: the first output of the sequence that it is the seed of.
    pub const fn mix(number: u64) -> u64 {
        let mut word = number.wrapping_add(STEP);
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ word >> 31
    }

    /// Returns the next 64 bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let word = Self::mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        word
    }

    /// Returns a number below `limit`, which is not 0.
    pub const fn below(&mut self, limit: u32) -> u32 {
        (((self.next_u64() >> 32) * limit as u64) >> 32) as u32
    }

    /// Returns true once in `n` on average.
    pub const fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Returns a number from 0, included, to 1, excluded.
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns one of `choices`.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_published_generator() {
        // The first outputs from state 1234567, as printed with the generator's reference code.
        let mut random = SplitMix64::new(1234567);
        let words = [random.next_u64(), random.next_u64(), random.next_u64()];
        assert_eq!(words, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn fractions_fill_the_unit_interval_evenly() {
        let mut random = SplitMix64::new(2);
        let mut tenths = [0; 10];
        for _ in 0..100_000 {
            tenths[(10.0 * random.fraction()) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (9_500..10_500).contains(count)), "{tenths:?}");
    }
}
