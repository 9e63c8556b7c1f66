//! SPS: the same pieces for everybody, from six hexadecimal digits, as the practice cartridge
//! `TetrisGYM` deals them.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::nes::Picker;
use crate::{Kind, Randomizer, SeedError, lfsr};

/// The NES picker on a register of its own, which steps a fixed number of times before each pick
/// instead of once a frame, so that no player's timing matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sps {
    picker: Picker,
    /// Steps of the register before each pick, 4 to 19.
    steps: u8,
}

impl Sps {
    /// A game of the seed as it is written, first byte first: register high, register low, spawn
    /// count. The high digit of the third byte is also the number of extra steps, with 16 in place
    /// of 0 (SPS version 3, in `TetrisGYM` since version 5).
    ///
    /// # Errors
    /// For the seeds that start `0000` or `0001`, whose register is dead; the cartridge's menu
    /// refuses them too.
    pub const fn new(seed: [u8; 3]) -> Result<Self, SeedError> {
        let register = u16::from_be_bytes([seed[0], seed[1]]);
        if lfsr::is_dead(register) { Err(SeedError::Dead) } else { Ok(Self::from_state(register, seed[2])) }
    }

    /// A game of the seed of this number, modulo their number: 0 is `000200`, 1 is `000201`.
    pub const fn numbered(number: u64) -> Self {
        const DEAD: u64 = 0x200;
        let seed = DEAD + number % (0x100_0000 - DEAD);
        Self::from_state((seed >> 8) as u16, seed as u8)
    }

    const fn from_state(register: u16, count: u8) -> Self {
        let digit = count >> 4;
        // One step ahead, then a loop whose count has one added and the carry too.
        let steps = 3 + if digit == 0 { 16 } else { digit };
        Self { picker: Picker::new(register, count), steps }
    }
}

impl Randomizer for Sps {
    #[inline]
    fn deal(&mut self) -> Piece {
        self.picker.wait(u32::from(self.steps));
        self.picker.pick()
    }

    fn kind(&self) -> Kind {
        Kind::Sps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beginnings of deals that `TetrisGYM`'s own tests expect of its cartridge.
    #[test]
    fn seeds_deal_what_the_practice_cartridge_deals() {
        for (seed, wanted) in [
            ([0x10, 0x10, 0x10], "ZJOTLTZJLZJSZISIJOLITJSILZJILI"),
            ([0x12, 0x34, 0x56], "ZTZIJIJOZTSOSZJZOSLIOIJIJSTZST"),
            ([0x87, 0xAB, 0x12], "OZIJSOTZSJTSTJZLOLJOJISOZOIOZJ"),
            ([0x13, 0x37, 0x02], "OJSTZSIOLSIJTSZILJZJJLZLISISJT"),
        ] {
            let dealt: String = Sps::new(seed).unwrap().take(wanted.len()).map(Piece::letter).collect();
            assert_eq!(dealt, wanted, "{seed:02X?}");
        }
    }

    #[test]
    fn dead_registers_are_refused() {
        for seed in [[0, 0, 0x12], [0, 1, 0xFF]] {
            assert!(matches!(Sps::new(seed), Err(SeedError::Dead)));
        }
        assert!(Sps::new([0, 2, 0]).is_ok());
    }
}
