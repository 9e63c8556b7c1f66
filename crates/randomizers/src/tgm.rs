//! Tetris The Grand Master and its first sequel: a history of four, and a few tries to avoid it.

use serde::{Deserialize, Serialize};
use tetris::Piece;

use crate::arika::Rand;
use crate::letters;
use crate::{Kind, Randomizer};

/// Which of the two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Game {
    Tgm1,
    Tgm2,
}

impl Game {
    /// Tries that look at the history. One more roll follows them, which is taken as it comes.
    const fn checked_tries(self) -> u32 {
        match self {
            Self::Tgm1 => 3,
            Self::Tgm2 => 5,
        }
    }
}

/// TGM1, or TGM2 and TGM2+ (TAP), which differ in the tries and in the history a game starts with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tgm {
    game: Game,
    rand: Rand,
    /// The last four pieces, the oldest first.
    #[serde(with = "letters")]
    history: [Piece; 4],
    /// Has the first piece been dealt?
    begun: bool,
}

impl Tgm {
    /// A game of TGM1: 4 tries, history Z Z Z Z. Bits of the seed from 25 up make no difference.
    pub const fn tgm1(seed: u32) -> Self {
        Self { game: Game::Tgm1, rand: Rand(seed), history: [Piece::Z; 4], begun: false }
    }

    /// A game of TGM2: 6 tries, history Z S S Z with the oldest first. Bits of the seed from 25 up
    /// make no difference.
    pub const fn tgm2(seed: u32) -> Self {
        let history = [Piece::Z, Piece::S, Piece::S, Piece::Z];
        Self { game: Game::Tgm2, rand: Rand(seed), history, begun: false }
    }

    #[inline]
    fn roll(&mut self) -> Piece {
        for _ in 1..self.game.checked_tries() {
            let piece = self.rand.piece();
            if !self.history.contains(&piece) {
                return piece;
            }
            // The game rolls here for the case that this was the last try, and rolls over it when
            // it was not.
            self.rand.next();
        }
        let piece = self.rand.piece();
        if self.history.contains(&piece) { self.rand.piece() } else { piece }
    }
}

impl Randomizer for Tgm {
    #[inline]
    fn deal(&mut self) -> Piece {
        let piece = if self.begun { self.roll() } else { self.rand.first_piece() };
        self.begun = true;
        let [_, second, third, fourth] = self.history;
        self.history = [second, third, fourth, piece];
        piece
    }

    fn kind(&self) -> Kind {
        match self.game {
            Game::Tgm1 => Kind::Tgm1,
            Game::Tgm2 => Kind::Tgm2,
        }
    }
}
