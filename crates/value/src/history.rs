//! Games as one line each, in the columns in which BetaTetris publishes its games.

use std::fmt::Write;

use crate::play::{Placed, PointsGame};

/// All placements of a game.
///
/// [`Self::line`] has the columns of BetaTetris in `python/evaluate.py --detailed-history`: seed;
/// points at 130, 230 and 330 lines; points; lines; placements. A placement is four characters:
/// turns by A from the spawn, row (`0` to `9`, then `a` to `j`) and column of the pivot, and rows
/// cleared. An eighth column has three characters a placement: turns and column of the premove, or
/// `--` where the place was decided at the spawn, and the letter of the next piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    placements: String,
    choices: String,
}

impl History {
    /// Adds a piece that was placed.
    pub fn add(&mut self, placed: &Placed) {
        let Placed { place, cleared, premove, next } = placed;
        let row = char::from_digit(place.y.into(), 36).unwrap_or('?');
        // Text takes whatever is written to it.
        let _ = write!(self.placements, "{}{row}{}{cleared}", place.orientation.turns(), place.x);
        let _ = match premove {
            Some(premove) => write!(self.choices, "{}{}", premove.orientation.turns(), premove.x),
            None => write!(self.choices, "--"),
        };
        self.choices.push(next.letter());
    }

    /// Returns the line of the game, without an end of line.
    pub fn line(&self, outcome: &PointsGame) -> String {
        let PointsGame { seed, at: [at_130, at_230, at_330], score, lines, .. } = outcome;
        let Self { placements, choices } = self;
        format!("{seed},{at_130},{at_230},{at_330},{score},{lines},{placements},{choices}")
    }
}
