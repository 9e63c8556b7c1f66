//! TETR.IO: five ways to fill a queue from one generator.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::arika::overhangs;
use crate::letters;
use crate::{Kind, Randomizer};

/// Pieces by their number in TETR.IO: the colours of a rainbow.
const ORDER: [Piece; 7] = [Piece::Z, Piece::L, Piece::O, Piece::S, Piece::I, Piece::J, Piece::T];

/// Lehmer's generator with the constants of MINSTD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Minstd(u32);

impl TryFrom<u32> for Minstd {
    type Error = &'static str;

    fn try_from(state: u32) -> Result<Self, Self::Error> {
        let legal = state > 0 && state < Self::MODULUS;
        legal.then_some(Self(state)).ok_or("a state of MINSTD is expected to be 1 to 2147483646")
    }
}

impl From<Minstd> for u32 {
    fn from(rng: Minstd) -> Self {
        rng.0
    }
}

impl Minstd {
    /// 2³¹ − 1, a prime.
    pub const MODULUS: u32 = 0x7FFF_FFFF;

    /// The generator of a seed: modulo [`Self::MODULUS`], and its multiples are `MODULUS - 1`.
    pub const fn new(seed: u64) -> Self {
        let state = (seed % Self::MODULUS as u64) as u32;
        Self(if state == 0 { Self::MODULUS - 1 } else { state })
    }

    /// The next state, 1 to `MODULUS - 1`.
    #[inline]
    pub const fn next(&mut self) -> u32 {
        self.0 = (self.0 as u64 * 16807 % Self::MODULUS as u64) as u32;
        self.0
    }

    /// A whole number below `bound`: the next state, less 1, as a fraction of 1, times the bound,
    /// rounded down.
    ///
    /// TETR.IO computes in double precision. Up to a bound of 14, the most that a queue needs, that
    /// comes to the same.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> usize {
        ((self.next() - 1) as u64 * bound as u64 / (Self::MODULUS - 1) as u64) as usize
    }

    /// Fisher–Yates, from the back to the front.
    #[inline]
    fn shuffle(&mut self, pieces: &mut [Piece]) {
        for last in (1..pieces.len()).rev() {
            pieces.swap(last, self.below(last as u32 + 1));
        }
    }
}

/// How the queue is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bag {
    /// One of each, shuffled.
    Seven,
    /// Two of each, shuffled.
    Fourteen,
    /// One piece, by the rule of NES Tetris but without its bias.
    Classic,
    /// Three each of two pieces, shuffled.
    Pairs,
    /// One piece, any.
    Mayhem,
}

/// What a game may begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPiece {
    /// Any piece.
    #[default]
    Any,
    /// `no_szo` as its description has it: S, Z and O are skipped until another piece comes, and
    /// are lost.
    Skip,
    /// `no_szo` as replays show it: S, Z and O at the front go to the back of the first queue.
    /// Queues of one piece have no back; there it is as [`Self::Skip`]. A first queue of nothing
    /// else, as `pairs` may deal, stays.
    ToBack,
}

/// A game of TETR.IO.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tetrio {
    bag: Bag,
    rng: Minstd,
    #[serde(with = "letters")]
    queue: [Piece; 14],
    /// Pieces of `queue` that were put there; no more than it holds are read.
    filled: u8,
    /// Pieces of `queue` that were dealt.
    dealt: u8,
    /// The number of the last piece in [`ORDER`], for [`Bag::Classic`]; 7 before the first.
    last: u8,
}

impl Tetrio {
    /// A game with this bag and seed.
    pub fn new(bag: Bag, seed: u64) -> Self {
        Self { bag, rng: Minstd::new(seed), queue: [Piece::Z; 14], filled: 0, dealt: 0, last: 7 }
    }

    /// A game that begins as `first` says.
    #[must_use]
    pub fn beginning(mut self, first: FirstPiece) -> Self {
        self.fill();
        match first {
            FirstPiece::Any => {}
            FirstPiece::ToBack if self.filled > 1 => {
                let queue = &mut self.queue[..usize::from(self.filled)];
                let front = queue.iter().take_while(|&&piece| overhangs(piece)).count();
                queue.rotate_left(front % queue.len());
            }
            FirstPiece::Skip | FirstPiece::ToBack => {
                while self.queue.get(usize::from(self.dealt)).is_some_and(|&piece| overhangs(piece)) {
                    self.deal();
                    if self.dealt >= self.filled {
                        self.fill();
                    }
                }
            }
        }
        self
    }

    /// Puts the next pieces into the queue.
    #[inline]
    fn fill(&mut self) {
        self.dealt = 0;
        self.filled = match self.bag {
            Bag::Seven => {
                self.queue[..7].copy_from_slice(&ORDER);
                self.rng.shuffle(&mut self.queue[..7]);
                7
            }
            Bag::Fourteen => {
                self.queue[..7].copy_from_slice(&ORDER);
                self.queue[7..].copy_from_slice(&ORDER);
                self.rng.shuffle(&mut self.queue);
                14
            }
            Bag::Classic => {
                let mut index = self.rng.below(8);
                if index == usize::from(self.last) || index >= 7 {
                    index = self.rng.below(7);
                }
                self.last = index as u8;
                self.queue[0] = ORDER[index];
                1
            }
            Bag::Pairs => {
                let mut pieces = ORDER;
                self.rng.shuffle(&mut pieces);
                let [first, second, ..] = pieces;
                self.queue[..6].copy_from_slice(&[first, first, first, second, second, second]);
                self.rng.shuffle(&mut self.queue[..6]);
                6
            }
            Bag::Mayhem => {
                self.queue[0] = ORDER[self.rng.below(7)];
                1
            }
        };
    }
}

impl Randomizer for Tetrio {
    #[inline]
    fn deal(&mut self) -> Piece {
        if self.dealt >= self.filled.min(14) {
            self.fill();
        }
        self.dealt += 1;
        self.queue[usize::from(self.dealt) - 1]
    }

    fn kind(&self) -> Kind {
        match self.bag {
            Bag::Seven => Kind::Tetrio7Bag,
            Bag::Fourteen => Kind::Tetrio14Bag,
            Bag::Classic => Kind::TetrioClassic,
            Bag::Pairs => Kind::TetrioPairs,
            Bag::Mayhem => Kind::TetrioMayhem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_seven(dealer: Tetrio) -> String {
        dealer.take(7).map(Piece::letter).collect()
    }

    /// Bags of recorded games, as a public replay library expects them.
    #[test]
    fn recorded_games_have_these_bags() {
        let dealt: String = Tetrio::new(Bag::Seven, 191_836_487).take(14).map(Piece::letter).collect();
        assert_eq!(dealt, "JISZTLOLSIJZOT");
        let blitz = Tetrio::new(Bag::Seven, 1_366_895_827);
        assert_eq!(first_seven(blitz.clone()), "OZTLSIJ");
        assert_eq!(first_seven(blitz.clone().beginning(FirstPiece::ToBack)), "TLSIJOZ");
    }

    /// Double precision could differ only where the product is whole or next to it.
    #[test]
    fn whole_numbers_are_those_of_double_precision() {
        let all = u64::from(Minstd::MODULUS - 1);
        // 16807⁻¹ modulo 2³¹ − 1: the state before a state.
        let before = |state: u64| Minstd((state * 1_407_677_000 % u64::from(Minstd::MODULUS)) as u32);
        for bound in 2..=14_u32 {
            for edge in 0..=u64::from(bound) {
                for state in
                    (edge * all / u64::from(bound)).saturating_sub(2)..=edge * all / u64::from(bound) + 3
                {
                    if (1..=all).contains(&state) {
                        let fraction = (state as f64 - 1.0) / all as f64;
                        let double = (fraction * f64::from(bound)) as usize;
                        assert_eq!(before(state).below(bound), double, "{state} of {bound}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_seed_of_zero_and_one_of_the_modulus_are_the_same() {
        assert_eq!(Minstd::new(0), Minstd::new(u64::from(Minstd::MODULUS)));
        assert_eq!(Minstd::new(0).next(), Minstd::MODULUS - 16807);
        assert_eq!(Minstd::new(1).next(), 16807);
    }

    #[test]
    fn skipped_pieces_are_lost() {
        let blitz = Tetrio::new(Bag::Seven, 1_366_895_827);
        let plain: String = blitz.clone().take(70).map(Piece::letter).collect();
        let skipped: String = blitz.clone().beginning(FirstPiece::Skip).take(68).map(Piece::letter).collect();
        assert_eq!(skipped, plain[2..]);
    }

    #[test]
    fn any_first_piece_changes_nothing() {
        for bag in [Bag::Seven, Bag::Fourteen, Bag::Classic, Bag::Pairs, Bag::Mayhem] {
            let plain = Tetrio::new(bag, 5);
            assert!(plain.clone().take(100).eq(plain.beginning(FirstPiece::Any).take(100)));
        }
    }

    #[test]
    fn pairs_come_in_sixes_of_three_and_three() {
        let pieces: Vec<Piece> = Tetrio::new(Bag::Pairs, 11).take(600).collect();
        for six in pieces.chunks(6) {
            let first = six.iter().filter(|&&piece| piece == six[0]).count();
            let other = six.iter().find(|&&piece| piece != six[0]).unwrap();
            assert_eq!((first, six.iter().filter(|&&piece| piece == *other).count()), (3, 3));
        }
    }
}
