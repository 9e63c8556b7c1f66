//! What kind of mistake a placement is.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter};
use tetris::{HEIGHT, Piece, Playfield, WIDTH};
use value::Child;

use crate::board::{is_tuck, rows_ready};

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
    pub fn of(before: &Playfield, piece: Piece, chosen: &Child, best: &Child) -> Self {
        let (made, better) = (chosen.board.holes(), best.board.holes());
        let well = |child: &Child| {
            let in_well = child.place.cells().iter().any(|&(x, _)| x == WIDTH as i32 - 1);
            in_well && child.cleared < 4 && before.heights()[WIDTH - 1] < 17
        };
        let lowest = chosen.place.cells().iter().map(|&(_, y)| y).max().unwrap_or(0);
        let left_below = chosen.cleared == 4 && best.cleared != 4 && lowest < HEIGHT as i32 - 1;
        let is_ready = rows_ready(before) >= 3;
        if left_below || is_ready && piece != Piece::I && well(chosen) && !well(best) {
            Self::DirtyTetris
        } else if is_tuck(before, best.place) && !is_tuck(before, chosen.place) {
            Self::MissedTuck
        } else if (1..4).contains(&chosen.cleared) && !(1..4).contains(&best.cleared) {
            Self::Burn
        } else if made > better && made > before.holes() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::{Orientation, Placement, Playfield};

    fn child(board: &Playfield, id: u8, x: u8, y: u8) -> Child {
        let place = Placement { orientation: Orientation::from_id(id).unwrap(), x, y };
        let mut after = *board;
        let cleared = after.lock(place);
        Child { board: after, place, cleared, lines: cleared }
    }

    /// So many full rows on the floor that lack the right well, and some columns higher.
    fn stack(rows: u32, higher: &[usize]) -> Playfield {
        let mut board = Playfield::EMPTY;
        for x in 0..WIDTH - 1 {
            let height = rows + u32::from(higher.contains(&x));
            board.columns[x] = ((1 << height) - 1) << (HEIGHT as u32 - height);
        }
        board
    }

    #[test]
    fn mistakes_are_told_apart_by_what_was_made_and_what_is_better() {
        let flat = stack(4, &[]);
        // A J beside the wall stands on the floor of the well.
        let in_well = child(&flat, 7, 8, 15);
        let beside = child(&flat, 7, 1, 14);
        assert_eq!(Kind::of(&flat, Piece::J, &in_well, &beside), Kind::DirtyTetris);
        let low = stack(1, &[]);
        let burn = child(&low, 0x11, 9, 18);
        let lying = child(&low, 0x12, 2, 18);
        assert_eq!((burn.cleared, Kind::of(&low, Piece::I, &burn, &lying)), (1, Kind::Burn));
        assert_eq!(Kind::of(&low, Piece::I, &lying, &burn), Kind::DugTooLate);
        let step = stack(2, &[0]);
        let over_edge = child(&step, 0x12, 2, 16);
        let on_top = child(&step, 0x12, 3, 17);
        assert_eq!(Kind::of(&step, Piece::I, &over_edge, &on_top), Kind::Hole);
        let left = child(&low, 0x12, 3, 18);
        assert_eq!(Kind::of(&low, Piece::I, &lying, &left), Kind::Stacking);
    }
}
