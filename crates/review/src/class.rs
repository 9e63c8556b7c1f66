//! How good a placement is, in a word.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter};
use tetris::scoring;

/// How good a placement is, by its loss beside the best one.
///
/// The measure is what a tetris makes at its level, 1,200 points times the level plus one: what
/// 5,000 points are depends on whether they are a quarter of a tetris or a tenth. Odds count as
/// well: a placement that takes odds of reaching the next faster speed is no better than those
/// allow.
///
/// | class | loss, in tetrises of its level | odds lost |
/// |---|---|---|
/// | best | below 0.02 | |
/// | excellent | below 0.1 | |
/// | good | below 0.25 | |
/// | inaccuracy | below 0.6 | 1 % and more |
/// | mistake | below 1.5 | 3 % and more |
/// | blunder | 1.5 and more | 10 % and more |
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumIter,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Class {
    /// Nothing is better, or hardly anything.
    Best,
    /// As good as makes no difference.
    Excellent,
    /// A little was lost.
    Good,
    /// Something was lost.
    Inaccuracy,
    /// About a tetris was lost, or odds that count.
    Mistake,
    /// More than a tetris was lost, or much of the odds.
    Blunder,
}

/// Points of a tetris at a level.
pub fn tetris_points(level: u8) -> f32 {
    scoring::points(4, level.into()) as f32
}

impl Class {
    /// The class of a loss at a level, in points, and of the odds that it takes, 0 to 1.
    pub fn of(loss: f32, odds: f32, level: u8) -> Self {
        let tetrises = loss / tetris_points(level);
        let by_points = match tetrises {
            loss if loss < 0.02 => Self::Best,
            loss if loss < 0.1 => Self::Excellent,
            loss if loss < 0.25 => Self::Good,
            loss if loss < 0.6 => Self::Inaccuracy,
            loss if loss < 1.5 => Self::Mistake,
            _ => Self::Blunder,
        };
        // What is no loss at all took no odds, whatever their estimates say of both boards.
        let by_odds = match odds {
            _ if loss <= 0.0 => Self::Best,
            odds if odds >= 0.1 => Self::Blunder,
            odds if odds >= 0.03 => Self::Mistake,
            odds if odds >= 0.01 => Self::Inaccuracy,
            _ => Self::Best,
        };
        by_points.max(by_odds)
    }

    /// Returns whether it is worth looking at: an inaccuracy or worse.
    pub fn is_worth_a_look(self) -> bool {
        self >= Self::Inaccuracy
    }
}

/// How accurate a placement is, 0 to 1: 1 without a loss, a half at a loss of 0.7 tetrises.
pub(crate) fn accuracy(loss: f32, level: u8) -> f64 {
    f64::from((-loss.max(0.0) / tetris_points(level)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_loss_is_less_at_a_higher_level() {
        assert_eq!(Class::of(0.0, 0.5, 18), Class::Best);
        assert_eq!([18, 29].map(|level| Class::of(2_400.0, 0.0, level)), [Class::Good, Class::Excellent]);
        assert_eq!(Class::of(22_800.0, 0.0, 18), Class::Mistake);
        assert_eq!(Class::of(36_000.0, 0.0, 18), Class::Blunder);
        assert!(Class::Inaccuracy.is_worth_a_look() && !Class::Good.is_worth_a_look());
    }

    #[test]
    fn odds_that_are_lost_make_a_placement_worse() {
        let classes = [0.005, 0.02, 0.05, 0.2].map(|odds| Class::of(100.0, odds, 18));
        assert_eq!(classes, [Class::Best, Class::Inaccuracy, Class::Mistake, Class::Blunder]);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!((accuracy(0.0, 18) - 1.0).abs() < 1e-9 && accuracy(22_800.0, 18) < 0.4);
    }
}
