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

#[cfg(test)]
mod tests {
    use super::*;

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
