//! Games in memory: without a machine, without gravity.

use ::ai::Game;
use randomizers::Dealer;
use tetris::{Piece, Playfield};

use super::choices::PlayerChoice;
use super::deal::Deal;
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::progress::Progress;

/// What games are played with.
pub(super) struct Games<'a> {
    pub(super) player: &'a PlayerChoice,
    pub(super) deal: Deal,
    /// Pieces that the player knows, the current one included.
    pub(super) known: u8,
    /// What each begins with.
    pub(super) board: Playfield,
}

/// Pieces between two looks at Ctrl-C and the bar.
const PORTION: u64 = 1024;

impl Games<'_> {
    /// A game before its first piece, by its number from 0.
    pub(super) fn game(&self, number: u64) -> Game<Dealer> {
        Game::new(self.board, self.deal.dealer(number), self.known.into(), self.player.searcher())
    }
}

/// Plays a game to its end, or to so many pieces; answers whether it is over. Progress is counted
/// in pieces, and a game that is over has played all of its.
pub(super) fn play<P: Iterator<Item = Piece>>(
    game: &mut Game<P>,
    pieces: u64,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<bool, Error> {
    let mut left = pieces.saturating_sub(game.statistics().pieces);
    while left > 0 {
        interrupt.check()?;
        let portion = PORTION.min(left);
        if (0..portion).any(|_| game.step().is_none()) {
            progress.advance(left);
            return Ok(true);
        }
        progress.advance(portion);
        left -= portion;
    }
    Ok(false)
}
