//! Finesse: shifts and turns that a placement did not need.

use serde::Serialize;
use tetris::{Placement, Playfield};

use crate::log::{Log, Played};
use crate::needed::{needed_tenths, presses_of};

/// The slowest fall: whatever a straight way leads to is reached.
const SLOW: u8 = 48;

/// Shifts and turns beyond the straight way, over a game. Tucks and spins, to which no straight way
/// leads, are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finesse {
    /// Placements that were looked at.
    pub placements: u32,
    /// Those without a shift or a turn too many.
    pub clean: u32,
    /// Shifts too many.
    pub shifts: u32,
    /// Turns too many.
    pub turns: u32,
}

impl Finesse {
    /// The finesse of a game.
    pub fn of(log: &Log) -> Self {
        let mut finesse = Self::default();
        log.pieces.iter().filter_map(too_many).for_each(|played| finesse.add(played));
        finesse
    }

    /// Adds a placement with so many shifts and turns too many.
    pub(crate) fn add(&mut self, [shifts, turns]: [u32; 2]) {
        self.placements += 1;
        self.clean += u32::from(shifts + turns == 0);
        self.shifts += shifts;
        self.turns += turns;
    }

    /// Placements without a shift or a turn too many, in per cent.
    pub fn rate(&self) -> Option<f64> {
        (self.placements > 0).then(|| 100.0 * f64::from(self.clean) / f64::from(self.placements))
    }
}

/// Shifts and turns too many of a placement; `None` where it did not lock, or no straight way leads
/// there.
pub(crate) fn too_many(played: &Played) -> Option<[u32; 2]> {
    let place = Placement::try_from(played.place?).ok()?;
    let (turns, shifts) = presses_of(played.piece, place)?;
    let board = Playfield::from_rows(&played.rows);
    needed_tenths(&board, played.piece, SLOW, place, 0, played.region)?;
    let made = [played.shifts.len(), played.turns.len()].map(|count| count as u32);
    let needed = [shifts, turns].map(|count| u32::from(count.unsigned_abs()));
    Some([made[0].saturating_sub(needed[0]), made[1].saturating_sub(needed[1])])
}

#[cfg(test)]
mod tests {
    use tetris::Piece;

    use super::*;
    use crate::log::Shift;

    #[test]
    fn what_goes_there_and_back_is_too_many_and_a_tuck_is_left_out() {
        let played = |place, sides: &[i8], turns: u16| Played {
            place: Some(place),
            turns: (0..turns).collect(),
            shifts: sides.iter().map(|&side| Shift { frame: 3, side, auto: false }).collect(),
            ..Played::first(Piece::T)
        };
        // A T points down where it comes in (2) and up after two turns (0).
        let pieces = vec![
            played([7, 18, 2], &[1, 1], 0),
            played([7, 18, 2], &[1, 1, 1, -1], 4),
            played([5, 19, 0], &[], 2),
            played([5, 9, 0], &[], 2),
        ];
        let finesse = Finesse::of(&Log { pieces, ..Log::default() });
        assert_eq!(finesse, Finesse { placements: 3, clean: 2, shifts: 2, turns: 4 });
        assert!(finesse.rate().is_some_and(|rate| (rate - 66.67).abs() < 0.01));
    }
}
