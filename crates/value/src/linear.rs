//! A weighted sum of a board's measures: the player to begin with.

use crate::decide::{Child, Evaluator, Worth};
use crate::format::{Format, Speed};
use crate::measures::{BURNT, FIT, Limits, MEASURES, OF_THE_LOCK, Weights, limits, measure};
use crate::weights::WeightsFile;
use tetris::Playfield;

/// El-Tetris (Islam El-Ashi, imake.ninja, 2011).
pub const EL_TETRIS: Weights = {
    let mut weights = [0.0; MEASURES];
    weights[0] = -4.500_159;
    weights[1] = 3.418_126_8;
    weights[2] = -3.217_888_3;
    weights[3] = -9.348_695;
    weights[4] = -7.899_265_4;
    weights[5] = -3.385_597_2;
    weights
};

/// Rates boards by weights, one set a speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// By speed, the slowest first. A positive weight is a reward.
    weights: [Weights; 4],
    limits: [Limits; 4],
}

impl Linear {
    /// The same weights at every speed of the headline format.
    pub fn new(weights: Weights) -> Self {
        Self::by_speed(&Format::HEADLINE, [weights; 4])
    }

    /// The built-in weights.
    pub fn built_in(format: &Format) -> Self {
        Self::by_speed(format, WeightsFile::built_in().weights)
    }

    /// Weights by speed, the slowest first.
    pub fn by_speed(format: &Format, weights: [Weights; 4]) -> Self {
        Self { weights, limits: Speed::ALL.map(|speed| limits(format, speed)) }
    }

    /// The same, with so much more for each row of a clear that is no tetris: a player that
    /// rather clears what it can than waits.
    #[must_use]
    pub fn clearing(mut self, each_row: f32) -> Self {
        for weights in &mut self.weights {
            weights[BURNT] += each_row;
        }
        self
    }

    /// What the lock itself is worth, and what the board after it is worth by the piece that
    /// appears next.
    #[inline]
    pub(crate) fn parts(&self, child: &Child) -> (f32, Worth) {
        let slot = Speed::of_lines(child.lines) as usize;
        let weights = &self.weights[slot];
        let (measured, fits) = measure(child, &self.limits[slot]);
        let mut products = [0.0; MEASURES];
        for ((product, number), weight) in products.iter_mut().zip(&measured).zip(weights) {
            *product = number * weight;
        }
        let mut of_lock = 0.0;
        for at in OF_THE_LOCK {
            of_lock += products[at];
            products[at] = 0.0;
        }
        let mut sum = 0.0;
        for product in products {
            sum += product;
        }
        let of_board = std::array::from_fn(|next| sum + weights[FIT] * f32::from(fits >> next & 1));
        (of_lock, of_board)
    }
}

impl Evaluator for Linear {
    fn begin(&mut self, _: &Playfield, _: u32) {}

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        let (of_lock, of_board) = self.parts(child);
        of_board.map(|worth| of_lock + worth)
    }
}
