//! What kind of mistake a placement is.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter};
use tetris::Piece;
use value::{Child, WIDTH};

use crate::board::{heights, holes, is_tuck, rows_ready};

/// What is wrong with a placement beside the best one: the first of these that fits.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// A tetris was ready, or would have been later, and it was taken with a row left below it, or
    /// the well was filled or covered.
    DirtyTetris,
    /// The better place is reached by a tuck or a spin.
    MissedTuck,
    /// Rows were cleared without a tetris, and better ones were not.
    Burn,
    /// A hole was made that the better place does not make.
    Hole,
    /// The better place clears rows or opens a hole.
    DugTooLate,
    /// The stack is worse.
    Stacking,
}

impl Kind {
    /// The kind of a mistake: the board before it, what was made of it, and what is better.
    pub fn of(before: &value::Board, piece: Piece, chosen: &Child, best: &Child) -> Self {
        let (made, better) = (holes(&chosen.board), holes(&best.board));
        let well = |child: &Child| {
            let in_well = child.place.cells().iter().any(|&(x, _)| x == WIDTH as i32 - 1);
            in_well && child.cleared < 4 && heights(before)[WIDTH - 1] < 17
        };
        let left_below = chosen.cleared == 4 && best.cleared != 4;
        let is_ready = rows_ready(before) >= 3;
        if left_below || is_ready && piece != Piece::I && well(chosen) && !well(best) {
            Self::DirtyTetris
        } else if is_tuck(before, best.place) && !is_tuck(before, chosen.place) {
            Self::MissedTuck
        } else if (1..4).contains(&chosen.cleared) && !(1..4).contains(&best.cleared) {
            Self::Burn
        } else if made > better && made > holes(before) {
            Self::Hole
        } else if better < made || (1..4).contains(&best.cleared) && chosen.cleared == 0 {
            Self::DugTooLate
        } else {
            Self::Stacking
        }
    }

    /// Its name in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::DirtyTetris => "dirty tetris or well",
            Self::MissedTuck => "missed tuck",
            Self::Burn => "burn",
            Self::Hole => "hole",
            Self::DugTooLate => "dug too late",
            Self::Stacking => "stacking",
        }
    }
}
