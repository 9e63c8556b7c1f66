//! The charge of the auto shift over a game: where it was kept, lost and won back, and why.

use serde::Serialize;
use tetris::Piece;

use crate::log::{Charge, Log, Played};

/// The counter from which on a piece is charged: it shifts within six frames.
pub const CHARGED: u8 = 10;

/// What became of the charge from each spawn to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Charges {
    /// Charged at both spawns.
    pub kept: u32,
    /// Charged at the first only.
    pub lost: u32,
    /// Charged at the second only.
    pub regained: u32,
    /// Charged at neither.
    pub missing: u32,
    /// What emptied the counter of those that lost it: taps, and whatever else.
    pub lost_by_taps: u32,
    /// Shifts against a wall or the stack, which fill the counter.
    pub filled_at_walls: u32,
    /// Times that Down stopped the counter while a direction was held.
    pub stopped_by_down: u32,
    /// Mean frames from a spawn to the first shift.
    pub first_shift: Option<f64>,
    /// Mean counter at the spawn of T J Z O S L I.
    pub by_piece: [Option<f64>; 7],
}

impl Charges {
    /// The charge of a game.
    pub fn of(log: &Log) -> Self {
        let mut charges = Self::default();
        for pair in log.pieces.windows(2) {
            let count = match (pair[0].das >= CHARGED, pair[1].das >= CHARGED) {
                (true, true) => &mut charges.kept,
                (true, false) => &mut charges.lost,
                (false, true) => &mut charges.regained,
                (false, false) => &mut charges.missing,
            };
            *count += 1;
            let lost = pair[0].das >= CHARGED && pair[1].das < CHARGED;
            charges.lost_by_taps += u32::from(lost && last_blow(&pair[0]) == Some(Charge::Tap));
        }
        let changes = || log.pieces.iter().flat_map(|played| &played.changes);
        charges.filled_at_walls = changes().filter(|change| change.why == Charge::Wall).count() as u32;
        charges.stopped_by_down = changes().filter(|change| change.why == Charge::Down).count() as u32;
        let first = log.pieces.iter().filter_map(|played| played.shifts.first()).map(|shift| shift.frame);
        charges.first_shift = mean(first.map(f64::from));
        charges.by_piece = Piece::ALL.map(|piece| {
            let of_piece = log.pieces.iter().filter(|played| played.piece == piece);
            mean(of_piece.map(|played| f64::from(played.das)))
        });
        charges
    }
}

/// What emptied the counter last, if nothing filled it since.
fn last_blow(played: &Played) -> Option<Charge> {
    played.changes.iter().rev().map(|change| change.why).find(|why| *why != Charge::Down)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Charge {
    /// What it did to the counter, in a few words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Tap => "emptied by a tap",
            Self::Wall => "filled at a wall",
            Self::Shifted => "shifted, goes on from 10",
            Self::Down => "stopped by Down",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Change, Shift};

    fn played(das: u8, changes: &[Charge]) -> Played {
        Played {
            level: 18,
            das,
            shifts: vec![Shift { frame: 4, side: 1, auto: true }],
            changes: changes.iter().map(|&why| Change { frame: 5, das: 0, why }).collect(),
            ..Played::first(Piece::Z)
        }
    }

    #[test]
    fn the_charge_is_followed_from_spawn_to_spawn() {
        let pieces = vec![
            played(16, &[Charge::Shifted]),
            played(12, &[Charge::Wall, Charge::Tap, Charge::Down]),
            played(3, &[Charge::Tap]),
            played(9, &[Charge::Wall]),
            played(16, &[Charge::Down]),
            played(2, &[]),
        ];
        let charges = Charges::of(&Log { pieces, ..Log::default() });
        assert_eq!((charges.kept, charges.lost, charges.regained, charges.missing), (1, 2, 1, 1));
        assert_eq!((charges.lost_by_taps, charges.filled_at_walls, charges.stopped_by_down), (1, 2, 2));
        assert_eq!(charges.first_shift, Some(4.0));
        assert_eq!((charges.by_piece[2], charges.by_piece[0]), (Some(58.0 / 6.0), None));
    }
}
