//! Sega's System 16 cabinet of 1988: a sequence of a thousand pieces, made when a game starts, over
//! and over.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::{Kind, Randomizer};

/// Pieces by their number in the cabinet.
const ORDER: [Piece; 7] = [Piece::I, Piece::Z, Piece::S, Piece::O, Piece::T, Piece::L, Piece::J];

/// One call of the cabinet's generator: what it returns, and the seed it leaves. It is Sega's own,
/// found in Out Run and Sonic too.
const fn roll(seed: u32) -> (u32, u32) {
    let seed = if seed == 0 { Sega::DEFAULT_SEED } else { seed };
    let product = seed.wrapping_mul(41);
    let folded = (product & 0xFFFF) + (product >> 16);
    (folded | (seed & 0xFFFF_0000), product.wrapping_add(product << 16))
}

/// How a game over ends, which decides the next game's seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameOver {
    /// Start pressed before the monkey comes: the seed stays as the sequence left it.
    Skipped,
    /// The monkey was waited for: one more roll chooses its animation.
    Monkey,
}

/// A game of Sega Tetris. The sequence is not kept: it is rolled again from the seed it began with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sega {
    /// The seed in NVRAM when the game began.
    start: u32,
    /// The seed before the next piece of the sequence.
    seed: u32,
    /// Pieces dealt of the sequence.
    dealt: u16,
}

impl Sega {
    /// What the generator takes instead of a seed of 0, which is what an erased NVRAM holds.
    pub const DEFAULT_SEED: u32 = 0x2A6D_365A;

    /// Pieces of the sequence.
    pub const LENGTH: u16 = 1000;

    /// The first game after power-on, with the seed that NVRAM holds.
    pub const fn new(nvram: u32) -> Self {
        Self { start: nvram, seed: nvram, dealt: 0 }
    }

    /// The seed for the next game. The whole sequence was made at the start, so that it does not
    /// matter how far the game went.
    pub const fn next_seed(&self, end: GameOver) -> u32 {
        let mut seed = self.start;
        let rolls = Self::LENGTH + matches!(end, GameOver::Monkey) as u16;
        let mut rolled = 0;
        while rolled < rolls {
            seed = roll(seed).1;
            rolled += 1;
        }
        seed
    }

    /// The next game after a game over.
    #[must_use]
    pub const fn next_game(&self, end: GameOver) -> Self {
        Self::new(self.next_seed(end))
    }
}

impl Randomizer for Sega {
    #[inline]
    fn deal(&mut self) -> Piece {
        if self.dealt >= Self::LENGTH {
            *self = Self::new(self.start);
        }
        let (value, seed) = roll(self.seed);
        self.seed = seed;
        self.dealt += 1;
        ORDER[(value & 0x3F) as usize % 7]
    }

    fn kind(&self) -> Kind {
        Kind::Sega
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(dealer: Sega, pieces: usize) -> String {
        dealer.take(pieces).map(Piece::letter).collect()
    }

    #[test]
    fn an_erased_nvram_deals_as_the_default_seed() {
        assert_eq!(letters(Sega::new(0), 2000), letters(Sega::new(0x2A6D_365A), 2000));
    }

    #[test]
    fn the_sequence_begins_again_after_a_thousand_pieces() {
        let dealt = letters(Sega::new(0), 3000);
        assert_eq!(dealt[..1000], dealt[1000..2000]);
        assert_eq!(dealt[..1000], dealt[2000..]);
        assert_ne!(dealt[..500], dealt[500..1000]);
    }

    #[test]
    fn the_monkey_is_a_1001st_piece() {
        let game = Sega::new(0);
        let skipped = game.next_seed(GameOver::Skipped);
        let monkey = game.next_seed(GameOver::Monkey);
        assert_eq!(monkey, roll(skipped).1);
        // What is dealt after the monkey is what would have been dealt after Start, less its first
        // piece.
        assert_eq!(letters(Sega::new(skipped), 1000)[1..], letters(Sega::new(monkey), 999));
    }

    #[test]
    fn the_next_seed_does_not_depend_on_how_far_the_game_went() {
        let mut game = Sega::new(7);
        let before = game.next_seed(GameOver::Monkey);
        game.by_ref().take(1234).for_each(drop);
        assert_eq!(game.next_seed(GameOver::Monkey), before);
        assert_eq!(game.next_game(GameOver::Monkey), Sega::new(before));
    }
}
