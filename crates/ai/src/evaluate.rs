//! How good a board is, and what the pieces that led to it did.

mod article;
mod dellacherie;
mod el_tetris;
mod factors;
mod features;
mod formula;
mod lookahead;
mod measure;
mod stacking;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use article::Weights;
pub use factors::Factors;
pub(crate) use factors::{column_transitions, hole_tops, well_cells};
pub use formula::{Formula, FormulaError, Scale, Term};
pub use measure::Measure;

use tetris::{Cleared, Placement, Playfield};

/// What the pieces placed so far add to an evaluation: sums over the placements of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows removed.
    pub lines: u32,
    /// Rows between each piece's lowest cell and the floor row, at lock and before that lock's
    /// clears.
    pub lock_height: u32,
    /// Twice the height of each piece's middle above the floor row.
    pub doubled_middle: u32,
    /// Rows that each lock removed times the cells that the piece itself lost in them.
    pub eroded: u32,
    /// Locks that removed one, two, three and four rows.
    pub clears: [u8; 4],
}

impl Tally {
    /// The sums with one more placement.
    #[must_use]
    #[inline]
    pub fn with(self, placement: Placement, cleared: Cleared) -> Self {
        let rows = placement.cells().map(|(_, y)| y);
        let (mut top, mut bottom) = (rows[0], rows[0]);
        for row in rows {
            (top, bottom) = (top.min(row), bottom.max(row));
        }
        let mut clears = self.clears;
        if let Some(kind) = (cleared.lines as usize).checked_sub(1) {
            clears[kind & 3] += 1;
        }
        Self {
            clears,
            lines: self.lines + cleared.lines,
            lock_height: self.lock_height + (19 - bottom) as u32,
            doubled_middle: self.doubled_middle + (38 - bottom - top) as u32,
            eroded: self.eroded + cleared.lines * cleared.cells,
        }
    }
}

/// A way to rate boards. Lower is better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluator {
    /// The article's six factors and weights, equal to its program in every bit.
    #[default]
    Article,
    /// El-Tetris, by Islam El-Ashi (2011).
    ElTetris,
    /// Pierre Dellacherie's (2003), as Thiery and Scherrer state it.
    Dellacherie,
    /// Tetrises: nine columns packed, the tenth a well. [`crate::Searcher`] plays it with a look
    /// ahead, and leaves it where the board is high.
    Stacking,
    /// The article's six factors with weights of one's own, as fast as the article's.
    Weighted(Weights),
    /// Any of the measures, bent and weighted as a file says.
    Formula(Box<Formula>),
}

/// A name that is no evaluator's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("evaluator `{0}`: expected one of {names}", names = Evaluator::NAMED.map(|named| named.name()).join(", "))]
pub struct UnknownEvaluator(String);

impl Evaluator {
    /// Those that a name alone says.
    pub const NAMED: [Self; 4] = [Self::Article, Self::ElTetris, Self::Dellacherie, Self::Stacking];

    /// The name; that of [`Self::NAMED`] is parsed.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::ElTetris => "el-tetris",
            Self::Dellacherie => "dellacherie",
            Self::Stacking => "stacking",
            Self::Weighted(_) => "weighted",
            Self::Formula(_) => "formula",
        }
    }

    /// The weights of an evaluation that knows only the article's six factors.
    #[inline]
    pub(crate) const fn weights(&self) -> Option<Weights> {
        match self {
            Self::Article => Some(Weights::ARTICLE),
            Self::Weighted(weights) => Some(*weights),
            _ => None,
        }
    }

    /// Rates a board after the placements of a tally and their clears. Lower is better.
    #[inline]
    pub fn rate(&self, board: &Playfield, tally: &Tally) -> f64 {
        match self {
            Self::Article => Weights::ARTICLE.fitness(tally, &Factors::of(board)),
            Self::Weighted(weights) => weights.fitness(tally, &Factors::of(board)),
            Self::Formula(formula) => formula.rate(board, tally),
            Self::Stacking => stacking::rate(board, tally),
            Self::ElTetris => el_tetris::rate(board, tally),
            Self::Dellacherie => dellacherie::rate(board, tally),
        }
    }
}

impl fmt::Display for Evaluator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Evaluator {
    type Err = UnknownEvaluator;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluator> {
        Self::NAMED
            .into_iter()
            .find(|evaluator| evaluator.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownEvaluator(name.to_owned()))
    }
}
