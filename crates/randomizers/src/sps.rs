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

    /// Returns the game of a number. The first 4,194,176 numbers are as many states that deal
    /// differently, each once, in an order without visible pattern; then they repeat. 0 is the seed
    /// `000200`. (A state may meet another's path if its first roll is refused: a handful in each
    /// hundred thousand games.)
    ///
    /// The seeds themselves, counted, would not do: two seeds deal the same game if they differ in
    /// the register's lowest bit, which is shifted out, or in the fourth bit of the last byte, of
    /// which the high digit and the low three bits count.
    pub const fn numbered(number: u64) -> Self {
        let [high, low, count] = Self::seed_of(number);
        Self::from_state(u16::from_be_bytes([high, low]), count)
    }

    /// Returns the seed of the game of a number, as [`Self::new`] takes it.
    pub const fn seed_of(number: u64) -> [u8; 3] {
        /// Last bytes that differ, and registers that differ but for the dead one.
        const COUNTS: u64 = 128;
        const GAMES: u64 = COUNTS * 0x7FFF;
        // Of no factor in common with `GAMES`, 2⁷ · 7 · 31 · 151, so that no two numbers meet; of
        // 60 tried, the one with which the longest run of numbers from 0, 27,523, deals no game
        // twice.
        const STRIDE: u64 = 2_674_435_821;
        let game = number % GAMES * STRIDE % GAMES;
        let (register, count) = (1 + game / COUNTS, game % COUNTS);
        let [high, low] = ((register << 1) as u16).to_be_bytes();
        [high, low, ((count >> 3) << 4 | count & 7) as u8]
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
    fn numbers_are_games_of_the_menu_and_the_first_is_its_first_seed() {
        assert_eq!(Sps::numbered(0), Sps::new([0, 2, 0]).unwrap());
        // Nothing of a seed counts but 15 bits of the register, a digit and three bits.
        let wanted: String = Sps::new([0x12, 0x34, 0x56]).unwrap().take(50).map(Piece::letter).collect();
        for same in [[0x12, 0x35, 0x56], [0x12, 0x34, 0x5E]] {
            let dealt: String = Sps::new(same).unwrap().take(50).map(Piece::letter).collect();
            assert_eq!(dealt, wanted, "{same:02X?}");
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
