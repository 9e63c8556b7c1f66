//! Pieces counted, with a bar where it takes long.

use randomizers::{Dealer, Randomizer, Statistics, Summary};

use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::progress::Progress;

/// Pieces between two looks at whether Ctrl-C was pressed.
const PORTION: u64 = 1 << 18;

/// Counts so many pieces of the deal.
pub(crate) fn count(dealer: &mut Dealer, pieces: u64, interrupt: &Interrupt) -> Result<Summary, Error> {
    let mut statistics = Statistics::new(pieces);
    let progress = Progress::new(pieces, "pieces");
    let mut counted = 0;
    while counted < pieces {
        interrupt.check()?;
        let portion = PORTION.min(pieces - counted);
        for _ in 0..portion {
            statistics.push(dealer.deal());
        }
        counted += portion;
        progress.reach(counted);
    }
    statistics.summary().ok_or(Error::TooFewPieces { pieces, fewest: Statistics::FEWEST })
}
