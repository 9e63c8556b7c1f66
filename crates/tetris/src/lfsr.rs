//! The game's random numbers: a 16-bit linear feedback shift register.

/// The register at every power-on and reset.
pub const SEED: u16 = 0x8988;

/// The register after one step: shifted right by one, the new top bit is bit 9 xor bit 1.
///
/// From [`SEED`] the cycle is 32,767 long; every other value enters it in one step, except 0, which
/// stays, and 1, which leads to 0.
///
/// ```
/// let mut register = tetris::lfsr::SEED;
/// let steps = std::iter::repeat_with(|| { register = tetris::lfsr::step(register); register });
/// assert_eq!(steps.take_while(|&value| value != tetris::lfsr::SEED).count() + 1, 32_767);
/// ```
#[inline]
pub const fn step(register: u16) -> u16 {
    let top = (register >> 9 ^ register >> 1) & 1;
    register >> 1 | top << 15
}

/// Steps from a value of the cycle back to it.
pub const PERIOD: u32 = 32_767;

/// Steps that [`advance`] takes at once: bits 9 to 15 feed seven steps before a fed bit reaches bit
/// 9 itself.
const STRIDE: u32 = 7;

/// `steps` steps. Costs one operation per seven steps, at most as many as one period takes.
///
/// ```
/// use tetris::lfsr::{PERIOD, SEED, advance};
///
/// assert_eq!(advance(SEED, PERIOD), SEED);
/// assert_eq!(advance(SEED, 2), 0x2262);
/// ```
#[inline]
pub const fn advance(mut register: u16, mut steps: u32) -> u16 {
    // After its first step every value is on the cycle or dead, so that whole periods after it
    // change nothing.
    if steps > PERIOD {
        steps = (steps - 1) % PERIOD + 1;
    }
    while steps >= STRIDE {
        register = register >> STRIDE | ((register >> 1 ^ register >> 9) & 0x7F) << 9;
        steps -= STRIDE;
    }
    while steps > 0 {
        register = step(register);
        steps -= 1;
    }
    register
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advancing_is_stepping() {
        for start in [SEED, 0, 1, 2, 0x7FFF, 0xFFFF, 0x1234] {
            let mut register = start;
            for steps in 0..300_u32 {
                assert_eq!(advance(start, steps), register, "{start:04X} by {steps}");
                register = step(register);
            }
            for steps in [PERIOD - 1, PERIOD, PERIOD + 1, 3 * PERIOD + 5, u32::MAX] {
                let slow = (0..=(steps - 1) % PERIOD).fold(start, |register, _| step(register));
                assert_eq!(advance(start, steps), slow, "{start:04X} by {steps}");
            }
        }
    }

    #[test]
    fn every_other_value_enters_the_cycle_in_one_step() {
        let mut on_cycle = vec![false; 0x1_0000];
        let mut register = SEED;
        loop {
            on_cycle[usize::from(register)] = true;
            register = step(register);
            if register == SEED {
                break;
            }
        }
        for value in 2..=u16::MAX {
            assert!(on_cycle[usize::from(step(value))], "{value:04X}");
        }
        assert_eq!((step(0), step(1)), (0, 0));
    }
}
