//! What the outputs of a net mean, and what points of one speed count for at another: a part of the
//! net's file.

use serde::{Deserialize, Serialize};

use crate::experience::is_none;
use crate::format::Speed;

/// What the outputs of a net mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// Points that an output of 1 stands for, for each line to the end of the speed.
    pub per_line: f32,
    /// Points that it stands for besides: those that count of what comes after the speed.
    pub after: f32,
    /// Share of the points after the speed that counts while it is played, from 0 to 1.
    pub share_of_later: f32,
    /// Points of a game after the speed, of which the probability of reaching its end is a share:
    /// the stake of a decision at caution 1 is this, less the share that counts as points.
    pub worth_of_later: f32,
    /// Points added to a tetris, as a share of what it scores, from 0 to 10: the player is more
    /// aggressive than its points alone would make it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub bonus: f32,
}

/// The caution ([`crate::NetEvaluator::with_caution`]) with which the nets of the repository play
/// best. They were trained with 0.5.
pub const CAUTION: f32 = 0.3;

impl Outputs {
    /// Returns what the nets of the repository mean at a speed, which is usual for a new training.
    ///
    /// An output of 1 is somewhat more than any player has been seen to make. At the two slow
    /// speeds a million points come later, a tetris is 24,000, and hardly a game ends: what is
    /// unsure about the million would hide what the tetris is worth. So a tenth or a quarter of it
    /// counts. What comes after a speed is what the reports of `docs/points.md` came to, rounded.
    pub const fn usual(speed: Speed) -> Self {
        let (per_line, after, share_of_later, worth_of_later) = match speed {
            Speed::L18 => (6_500.0, 153_000.0, 0.1, 1_850_000.0),
            Speed::L19 => (7_500.0, 365_000.0, 0.25, 1_250_000.0),
            Speed::L29 => (9_000.0, 700_000.0, 1.0, 520_000.0),
            Speed::L39 => (8_500.0, 80_000.0, 1.0, 0.0),
        };
        Self { per_line, after, share_of_later, worth_of_later, bonus: 0.0 }
    }

    /// Returns the points that an output of 1 stands for, with so many lines to the end of the
    /// speed.
    #[inline]
    pub fn scale(&self, lines_to_go: u32) -> f32 {
        self.per_line * lines_to_go as f32 + self.after
    }

    /// Returns the points that certainty of reaching the end of the speed adds to a rating at
    /// caution 1.
    pub fn stake(&self) -> f32 {
        (1.0 - self.share_of_later) * self.worth_of_later
    }

    /// Returns what a clear of `rows` rows counts beyond the `points` that it scores: the bonus of
    /// a tetris, 0 for others.
    #[inline]
    pub fn bonus(&self, rows: u32, points: u32) -> f32 {
        if rows == 4 { self.bonus * points as f32 } else { 0.0 }
    }

    /// Returns the factor from an output's values to expected points, 1 / (1 + bonus). It assumes
    /// that all points come from tetrises, so the result is too low where other clears score.
    #[inline]
    pub fn unit(&self) -> f32 {
        1.0 / (1.0 + self.bonus)
    }

    /// Returns whether they are outputs that a net can have: finite, not negative, and a share of
    /// at most 1.
    pub fn is_valid(&self) -> bool {
        let Self { per_line, after, share_of_later, worth_of_later, bonus } = *self;
        let most = 0.0..=1e8;
        [per_line, after, worth_of_later].iter().all(|points| most.contains(points))
            && per_line + after > 0.0
            && (0.0..=1.0).contains(&share_of_later)
            && (0.0..=10.0).contains(&bonus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_every_speed_are_valid_and_others_are_not() {
        assert!(Speed::ALL.map(Outputs::usual).iter().all(Outputs::is_valid));
        let usual = Outputs::usual(Speed::L18);
        for wrong in [
            Outputs { per_line: f32::NAN, ..usual },
            Outputs { after: -1.0, ..usual },
            Outputs { per_line: 0.0, after: 0.0, ..usual },
            Outputs { share_of_later: 1.5, ..usual },
            Outputs { worth_of_later: f32::INFINITY, ..usual },
            Outputs { bonus: -0.1, ..usual },
            Outputs { bonus: f32::NAN, ..usual },
        ] {
            assert!(!wrong.is_valid(), "{wrong:?}");
        }
    }

    #[test]
    fn a_scale_is_points_a_line_and_the_stake_what_does_not_count_as_points() {
        let outputs =
            Outputs { per_line: 10.0, after: 5.0, share_of_later: 0.25, worth_of_later: 100.0, bonus: 0.5 };
        assert!((outputs.scale(3) - 35.0).abs() < 1e-6 && (outputs.stake() - 75.0).abs() < 1e-6);
        let bonuses = [0, 1, 2, 3, 4].map(|rows| outputs.bonus(rows, 1_200) as u32);
        assert_eq!(bonuses, [0, 0, 0, 0, 600]);
    }
}
