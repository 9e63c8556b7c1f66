//! What the placements of a game come to.

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator;
use tetris::scoring;

use crate::{Class, Kind, Reviewed};

/// Placements that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What they have in common: a level, the letter of a piece, a class or a kind.
    pub name: String,
    /// How many they are.
    pub placements: u32,
    /// Points that they lost together.
    pub loss: f64,
    /// Points that one of them lost, in the mean.
    pub mean_loss: f64,
}

/// A game in figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Placements that were reviewed.
    pub placements: u32,
    /// Points lost.
    pub loss: f64,
    /// Points that a placement lost, in the mean.
    pub mean_loss: f64,
    /// Accuracy in per cent, to be compared between games: the mean over placements, each of which
    /// has 100 without a loss and 37 with the loss of a tetris of its level.
    pub accuracy: f64,
    /// Placements of each class, best first, with what they lost.
    pub classes: Vec<Group>,
    /// By level, the lowest first.
    pub levels: Vec<Group>,
    /// By piece, in the order T J Z O S L I.
    pub pieces: Vec<Group>,
    /// Inaccuracies and worse by what is wrong with them.
    pub kinds: Vec<Group>,
    /// Placements that the hands cannot reach, by which they were measured too slow.
    pub unreachable: u32,
}

impl Summary {
    /// The figures of some placements.
    pub fn of(reviews: &[Reviewed]) -> Self {
        let all = group("all", reviews.iter());
        let accuracy =
            reviews.iter().map(|review| review.accuracy).sum::<f64>() / reviews.len().max(1) as f64;
        let mut levels: Vec<u8> = reviews.iter().map(|review| review.level).collect();
        levels.sort_unstable();
        levels.dedup();
        let of = |name: String, is: &dyn Fn(&&Reviewed) -> bool| group(&name, reviews.iter().filter(is));
        Self {
            placements: all.placements,
            loss: all.loss,
            mean_loss: all.mean_loss,
            accuracy: 100.0 * accuracy,
            classes: Class::iter()
                .map(|class| of(class.to_string(), &|review| review.class == class))
                .collect(),
            levels: levels
                .iter()
                .map(|&level| of(level.to_string(), &|review| review.level == level))
                .collect(),
            pieces: "TJZOSLI"
                .chars()
                .map(|piece| of(piece.to_string(), &|review| review.piece == piece))
                .collect(),
            kinds: Kind::iter()
                .map(|kind| of(kind.to_string(), &|review| review.kind == Some(kind)))
                .collect(),
            unreachable: reviews.iter().filter(|review| !review.reachable).count() as u32,
        }
    }
}

fn group<'a>(name: &str, reviews: impl Iterator<Item = &'a Reviewed>) -> Group {
    let (mut placements, mut loss) = (0, 0.0);
    for review in reviews {
        placements += 1;
        loss += f64::from(review.loss);
    }
    Group { name: name.to_owned(), placements, loss, mean_loss: loss / f64::from(placements.max(1)) }
}

/// Returns the score before each placement, as the clears make it: what a cartridge shows may stop
/// at 999,999, or begin anew.
pub fn scores(reviews: &[Reviewed]) -> Vec<f64> {
    let mut score = reviews.first().and_then(|review| review.score).map_or(0.0, f64::from);
    let mut scores = Vec::with_capacity(reviews.len());
    for (number, review) in reviews.iter().enumerate() {
        scores.push(score);
        let level = reviews.get(number + 1).unwrap_or(review).level;
        score += f64::from(scoring::points(review.cleared, level.into()));
    }
    scores
}
