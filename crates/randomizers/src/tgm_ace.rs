//! Tetris The Grand Master Ace: bags of seven, the first without S, Z or O in front.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::arika::{self, Rand};
use crate::letters;
use crate::{Kind, Randomizer};

/// TGM Ace. Its rule is documented, its generator is not: the generator is that of the other games
/// here, and the bag is shuffled from the back to the front. Both are this project's choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TgmAce {
    rand: Rand,
    #[serde(with = "letters")]
    bag: [Piece; 7],
    /// Pieces taken of the bag; 7 and more when it is empty.
    taken: u8,
}

impl TgmAce {
    /// A game of TGM Ace. Bits of the seed from 25 up make no difference.
    pub const fn new(seed: u32) -> Self {
        let mut rand = Rand(seed);
        let mut bag = shuffled(&mut rand);
        while arika::overhangs(bag[0]) {
            bag = shuffled(&mut rand);
        }
        Self { rand, bag, taken: 0 }
    }
}

const fn shuffled(rand: &mut Rand) -> [Piece; 7] {
    let mut bag = arika::ORDER;
    let mut last = bag.len() - 1;
    while last > 0 {
        bag.swap(last, rand.next() as usize % (last + 1));
        last -= 1;
    }
    bag
}

impl Randomizer for TgmAce {
    #[inline]
    fn deal(&mut self) -> Piece {
        if usize::from(self.taken) >= self.bag.len() {
            self.bag = shuffled(&mut self.rand);
            self.taken = 0;
        }
        self.taken += 1;
        self.bag[usize::from(self.taken) - 1]
    }

    fn kind(&self) -> Kind {
        Kind::TgmAce
    }
}
