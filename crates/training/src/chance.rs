//! Random numbers whose whole state is one word, so that a checkpoint holds them.

use serde::{Deserialize, Serialize};

use crate::{SIZE, Vector};

/// `SplitMix64` (Steele, Lea and Flood 2014).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chance {
    state: u64,
}

/// `SplitMix64`'s step through its states: odd, near 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number that has nothing visible in common with its neighbours'.
pub(crate) const fn mix(number: u64) -> u64 {
    let mut word = number.wrapping_add(STEP);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: mix(seed) }
    }

    pub(crate) const fn word(&mut self) -> u64 {
        let word = mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        word
    }

    /// From 0, included, to 1, excluded.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Each coordinate from -1 to 1.
    pub(crate) fn cube(&mut self) -> Vector {
        std::array::from_fn(|_| 2.0 * self.fraction() - 1.0)
    }

    /// Coordinates of the standard normal distribution, by Marsaglia's polar method.
    pub(crate) fn normal(&mut self) -> Vector {
        let mut vector = [0.0; SIZE];
        for pair in vector.chunks_exact_mut(2) {
            let (x, y, square) = loop {
                let (x, y) = (2.0 * self.fraction() - 1.0, 2.0 * self.fraction() - 1.0);
                let square = x * x + y * y;
                if square > 0.0 && square < 1.0 {
                    break (x, y, square);
                }
            };
            let length = (-2.0 * square.ln() / square).sqrt();
            pair.copy_from_slice(&[x * length, y * length]);
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_published_generator() {
        // The first outputs from state 1234567, as printed with the generator's reference code.
        let mut chance = Chance { state: 1234567 };
        let words = [chance.word(), chance.word(), chance.word()];
        assert_eq!(words, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut chance = Chance::new(1);
        let numbers: Vec<f64> = (0..20_000).flat_map(|_| chance.normal()).collect();
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn fractions_fill_the_unit_interval_evenly() {
        let mut chance = Chance::new(2);
        let mut tenths = [0; 10];
        for _ in 0..100_000 {
            tenths[(10.0 * chance.fraction()) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (9_500..10_500).contains(count)), "{tenths:?}");
    }
}
