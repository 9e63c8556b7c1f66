//! Each randomizer's chain, as if its generator were perfect.

use tetris::Piece;

use crate::nes::{Picker, SPAWN_ORIENTATIONS, biased_pick};
use crate::{Chain, Kind, arika};

const SEVENTH: f64 = 1.0 / 7.0;

impl Kind {
    /// What follows from the rule alone. `None` for TGM3, whose states are too many.
    pub fn chain(self) -> Option<Chain> {
        Some(match self {
            Self::Nes | Self::Sps => nes(),
            Self::Sega => {
                Chain::explore((), |(), piece| (if piece == Piece::I { 10.0 } else { 9.0 } / 64.0, ()))
            }
            Self::Uniform | Self::TetrioMayhem => Chain::explore((), |(), _| (SEVENTH, ())),
            Self::Tetrio7Bag => bag(1, Vec::new()),
            Self::Tetrio14Bag => bag(2, Vec::new()),
            Self::TgmAce => bag(1, vec![Piece::S, Piece::Z, Piece::O]),
            Self::TetrioClassic => classic(),
            Self::TetrioPairs => pairs(),
            Self::Tgm1 => history(4, [Piece::Z; 4]),
            Self::Tgm2 => history(6, [Piece::Z, Piece::S, Piece::S, Piece::Z]),
            Self::Tgm3 => return None,
        })
    }

    /// The chain of [`Tempo::Independent`](crate::Tempo::Independent).
    pub fn independent_rolls() -> Chain {
        independent()
    }

    /// The longest drought that the rule allows between two pieces of a kind, where there is one
    /// that is proven.
    pub const fn longest_drought(self) -> Option<u32> {
        match self {
            Self::Tetrio7Bag | Self::TgmAce => Some(12),
            Self::Tetrio14Bag => Some(24),
            _ => None,
        }
    }
}

/// The picker, asked at moments that tell nothing about the register: of its bits 8 to 11 the first
/// try reads the lower three, the second, a step later, the upper three. The state is the spawn
/// count modulo 8 and the prior orientation.
fn nes() -> Chain {
    Chain::explore((0, 0), |&(spawn_count, spawn_orientation), piece| {
        let mut next = (0, 0);
        let picks = (0..16).filter(|&bits| {
            let mut picker = Picker { lfsr: 0, spawn_count, spawn_orientation };
            let picked = picker.pick_of(bits, bits >> 1).0 == piece;
            if picked {
                next = (picker.spawn_count & 7, picker.spawn_orientation);
            }
            picked
        });
        (picks.count() as f64 / 16.0, next)
    })
}

/// The picker with independent rolls, as the article has it. The state is the prior orientation.
fn independent() -> Chain {
    Chain::explore(0, |&prior, piece| {
        let orientation = SPAWN_ORIENTATIONS[piece as usize];
        let again = if prior == 0 { 1.0 } else { 2.0 } / 8.0;
        let biased = (0..8).filter(|&bits| biased_pick(bits, prior) == piece).count() as f64 / 8.0;
        let first_try = if orientation == prior { 0.0 } else { 1.0 / 8.0 };
        (first_try + again * biased, orientation)
    })
}

/// An eight-sided die, and where it shows the last piece or its eighth side, a seven-sided one.
fn classic() -> Chain {
    Chain::explore(None, |&last, piece| {
        let again = if last.is_none() { 1.0 } else { 2.0 } / 8.0;
        let first_try = if last == Some(piece) { 0.0 } else { 1.0 / 8.0 };
        (first_try + again * SEVENTH, Some(piece))
    })
}

/// Bags with so many of each; no game begins with the excluded. The state is what is left, and
/// whether a game begins.
fn bag(each: u8, excluded: Vec<Piece>) -> Chain {
    let full = [each; 7];
    Chain::explore((full, true), move |&(mut left, begins), piece| {
        let excluded = |piece| begins && excluded.contains(&piece);
        let total: u8 =
            Piece::ALL.iter().filter(|&&piece| !excluded(piece)).map(|&piece| left[piece as usize]).sum();
        let count = if excluded(piece) { 0 } else { left[piece as usize] };
        if count == 0 {
            return (0.0, (left, false));
        }
        left[piece as usize] -= 1;
        let next = if left == [0; 7] { full } else { left };
        (f64::from(count) / f64::from(total), (next, false))
    })
}

/// Sixes of three and three. The state is each piece's number left, and a second piece that nobody
/// has seen yet.
fn pairs() -> Chain {
    Chain::explore((None::<(Piece, u8)>, None::<(Piece, u8)>), |&(one, other), piece| {
        let next = |one: Option<(Piece, u8)>, other| match (one, other) {
            (Some((_, 0)), Some((_, 0))) => (None, None),
            state => state,
        };
        match (one, other) {
            (None, _) => (SEVENTH, (Some((piece, 2)), None)),
            (Some((first, left)), None) => {
                let all = f64::from(left + 3);
                if piece == first {
                    (f64::from(left) / all, (Some((first, left.saturating_sub(1))), None))
                } else {
                    (3.0 / all / 6.0, (Some((first, left)), Some((piece, 2))))
                }
            }
            (Some((first, left)), Some((second, rest))) => {
                let all = f64::from(left + rest);
                if piece == first && left > 0 {
                    (f64::from(left) / all, next(Some((first, left - 1)), other))
                } else if piece == second && rest > 0 {
                    (f64::from(rest) / all, next(one, Some((second, rest - 1))))
                } else {
                    (0.0, (None, None))
                }
            }
        }
    })
}

/// So many tries to avoid the last four pieces. The state is those, the oldest first, and whether a
/// game begins.
fn history(tries: i32, start: [Piece; 4]) -> Chain {
    Chain::explore((start, true), move |&(history, begins), piece| {
        let [_, second, third, fourth] = history;
        let next = ([second, third, fourth, piece], false);
        if begins {
            return (if arika::overhangs(piece) { 0.0 } else { 1.0 / 4.0 }, next);
        }
        let different = Piece::ALL.iter().filter(|piece| history.contains(piece)).count();
        let fails = different as f64 / 7.0;
        let probability = if history.contains(&piece) {
            fails.powi(tries - 1) / 7.0
        } else {
            (0..tries).map(|failed| fails.powi(failed)).sum::<f64>() / 7.0
        };
        (probability, next)
    })
}
