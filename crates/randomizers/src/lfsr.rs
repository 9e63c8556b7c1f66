//! The shift register of NES Tetris over its whole cycle.

use std::iter;

pub use tetris::lfsr::{PERIOD, SEED, advance, step};

/// The cycle, from [`SEED`] on.
static CYCLE: [u16; PERIOD as usize] = {
    let mut cycle = [SEED; PERIOD as usize];
    let mut place = 1;
    while place < cycle.len() {
        cycle[place] = step(cycle[place - 1]);
        place += 1;
    }
    cycle
};

/// The register so many steps after power-on, in the time of one look-up.
#[inline]
pub fn after_power_on(steps: u64) -> u16 {
    CYCLE[(steps % u64::from(PERIOD)) as usize]
}

/// Does the register never feed a one again? 0 stays 0, and 1 leads there.
pub const fn is_dead(register: u16) -> bool {
    register < 2
}

/// Width of the article's picture of the register, in pixels.
pub const PICTURE_WIDTH: usize = 128;
/// Height of the article's picture of the register, in pixels.
pub const PICTURE_HEIGHT: usize = 256;

/// Bit 0 of the register from [`SEED`] on, one for each pixel of the article's picture, row by row.
/// The picture has one pixel more than the cycle has values: the last is the first again.
pub fn picture() -> impl Iterator<Item = bool> {
    iter::successors(Some(SEED), |&register| Some(step(register)))
        .take(PICTURE_WIDTH * PICTURE_HEIGHT)
        .map(|register| register & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cycle_from_the_seed_has_32_767_different_values() {
        let mut seen = vec![false; 0x1_0000];
        let mut register = SEED;
        for _ in 0..PERIOD {
            assert!(!seen[usize::from(register)]);
            seen[usize::from(register)] = true;
            register = step(register);
        }
        assert_eq!(register, SEED);
    }

    #[test]
    fn the_register_after_power_on_is_the_seed_advanced() {
        for steps in [0, 1, 2, 5000, 32_766, 32_767, 40_000] {
            assert_eq!(after_power_on(u64::from(steps)), advance(SEED, steps));
        }
    }

    #[test]
    fn only_zero_and_one_are_dead() {
        for start in 0..=u16::MAX {
            assert_eq!(is_dead(start), advance(start, 2) == 0, "{start:04X}");
        }
    }

    #[test]
    fn the_picture_shows_the_whole_cycle_and_its_first_bit_again() {
        let bits: Vec<bool> = picture().collect();
        assert_eq!(bits.len(), 32_768);
        assert_eq!(bits[32_767], bits[0]);
        // A maximal sequence of 15 stages has one more 1 than 0.
        assert_eq!(bits[..32_767].iter().filter(|&&bit| bit).count(), 16_384);
    }
}
