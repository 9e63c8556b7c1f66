//! Games by number: numbers that follow each other are games that have nothing in common.
//!
//! Seeds that follow each other would not do. Of a generator that multiplies, small seeds begin
//! alike; and where the first roll is refused, a seed deals the game of the state that follows it.

/// Multipliers of the permutation. Of 6,400 pairs tried, the one with which the longest run of
/// numbers from 0, 12,319, has no game of TGM twice.
const FACTORS: [u64; 2] = [0x6855_B0C3, 0x063D_F2F1];

/// Returns the number's place in a permutation of the numbers below 2^`bits`, which leaves 0 where
/// it is. Higher bits of the number choose another permutation.
pub(crate) const fn scrambled(number: u64, bits: u32) -> u64 {
    let mask = (1 << bits) - 1;
    let half = bits / 2;
    let mut word = number & mask ^ finalised(number >> bits) & mask;
    word ^= word >> half;
    word = word.wrapping_mul(FACTORS[0]) & mask;
    word ^= word >> half;
    word = word.wrapping_mul(FACTORS[1]) & mask;
    word ^ word >> half
}

/// The finaliser of `SplitMix64`; 0 stays 0.
const fn finalised(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_a_permutation_that_begins_with_0() {
        for high in [0, 1, u64::MAX >> 12] {
            let mut taken = vec![false; 1 << 12];
            for number in 0..1 << 12 {
                let place = scrambled(high << 12 | number, 12) as usize;
                assert!(!std::mem::replace(&mut taken[place], true), "{number}");
            }
        }
        assert_eq!(scrambled(0, 25), 0);
    }
}
