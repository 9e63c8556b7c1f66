//! How fast a player taps and reacts.

use notation::{Shift, Turn};
use serde::{Deserialize, Serialize};
use value::{Format, Taps};

/// Frames a second of an NTSC console.
const RATE: f64 = 60.0988;
/// Bursts that a measure needs.
const ENOUGH: usize = 20;
/// Columns that a burst of taps needs to count.
const COLUMNS: u32 = 3;

/// Hands, as placements are rated for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hands {
    /// Taps a second.
    pub hertz: f64,
    /// Frames from which on the next piece is known and the piece may be tapped anew.
    pub reaction: u32,
}

impl Default for Hands {
    /// 12 taps a second and a reaction of 18 frames.
    fn default() -> Self {
        Self { hertz: 12.0, reaction: 18 }
    }
}

impl Hands {
    /// The hands of a game, as far as its shifts tell: the speed of the faster bursts of taps, and
    /// the usual reaction. `None` where there are too few bursts.
    ///
    /// A burst is three columns and more to one side. Its speed is that of its shifts after the
    /// first; the upper quartile of them counts, because a player need not hurry for every piece.
    pub fn measured(turns: &[Turn]) -> Option<Self> {
        let mut speeds: Vec<f64> = turns.iter().filter_map(|turn| speed(&turn.shifts)).collect();
        if speeds.len() < ENOUGH {
            return None;
        }
        speeds.sort_by(f64::total_cmp);
        let hertz = speeds[speeds.len() * 3 / 4].clamp(5.0, 30.0);
        Some(Self { hertz: (hertz * 10.0).round() / 10.0, ..Self::default() })
    }

    /// The hands for which a game is reviewed: those that it tells of, with the reaction of
    /// `chosen`; else `chosen`. Returns whether they were measured, too.
    pub fn of_game(turns: &[Turn], chosen: Self) -> (Self, bool) {
        let measured = Self::measured(turns).map(|hands| Self { reaction: chosen.reaction, ..hands });
        (measured.unwrap_or(chosen), measured.is_some())
    }

    /// The terms by which the player for points plays with such hands, on a cartridge.
    pub fn format(&self) -> Format {
        Format {
            taps: Taps::of_hands(self.hertz),
            delay: self.reaction.min(61),
            double_at_39: false,
            ..Format::HEADLINE
        }
    }
}

/// Taps a second of a piece that went three columns and more to one side, and nowhere else.
fn speed(shifts: &[Shift]) -> Option<f64> {
    let (first, last) = (shifts.first()?, shifts.last()?);
    let side = first.columns.signum();
    if shifts.iter().any(|shift| shift.columns.signum() != side) {
        return None;
    }
    let columns = |shift: &Shift| u32::from(shift.columns.unsigned_abs());
    let all: u32 = shifts.iter().map(columns).sum();
    let after = all - columns(first);
    if all < COLUMNS || after == 0 {
        return None;
    }
    // Between two frames of a recording there may be two shifts: no taps are faster than 30.
    let seconds = f64::from(last.ms - first.ms) / 1_000.0;
    (seconds > 0.0).then(|| f64::from(after) / seconds).filter(|&hertz| hertz <= RATE / 2.0 + 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(every: u32, count: usize) -> Vec<Turn> {
        let turn = |number: usize| Turn {
            number: number as u32,
            board: tetris::Playfield::EMPTY,
            piece: tetris::Piece::O,
            next: None,
            level: 18,
            lines: 0,
            score: None,
            place: tetris::Placement {
                orientation: tetris::Orientation::spawn(tetris::Piece::O),
                x: 1,
                y: 18,
            },
            cleared: 0,
            ms: [0, 500],
            shifts: (0..4).map(|tap| Shift { ms: 100 + tap * every, columns: -1 }).collect(),
        };
        (0..count).map(turn).collect()
    }

    #[test]
    fn taps_are_measured_where_there_are_enough_of_them() {
        assert_eq!(Hands::measured(&turns(83, 19)), None);
        let hands = Hands::measured(&turns(83, 20)).unwrap();
        assert!((hands.hertz - 12.0).abs() < 0.1, "{hands:?}");
        assert_eq!(hands.format().to_string(), "bt-12hz-18f-cartridge");
        let mut back = turns(83, 40);
        for turn in &mut back {
            turn.shifts[3].columns = 1;
        }
        assert_eq!(Hands::measured(&back), None, "there and back is no burst");
    }
}
