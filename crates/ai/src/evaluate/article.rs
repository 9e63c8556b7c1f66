//! The article's evaluation function (meatfighter.com/nintendotetrisai, "Evaluation Function").

use serde::{Deserialize, Serialize};

use super::{Factors, Tally};

/// Weights of the article's six factors. A positive weight is a cost.
///
/// Written and read (serde) by name, all six of them; another name is refused.
///
/// ```
/// use ai::Weights;
///
/// let weights = Weights { lines: -20.0, ..Weights::ARTICLE };
/// let text = serde_json::to_string(&weights).unwrap();
/// assert!(text.starts_with(r#"{"lines":-20.0,"lock_height":12.885008263218383,"#));
/// assert_eq!(serde_json::from_str::<Weights>(&text).unwrap(), weights);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Of rows removed by all the pieces.
    pub lines: f64,
    /// Of rows between each piece's lowest cell and the floor row.
    pub lock_height: f64,
    /// Of [`Factors::wells`].
    pub wells: f64,
    /// Of [`Factors::holes`].
    pub holes: f64,
    /// Of [`Factors::col_trans`].
    pub col_trans: f64,
    /// Of [`Factors::row_trans`].
    pub row_trans: f64,
}

impl Weights {
    /// The article's own, found by particle swarms. Lines are a cost.
    pub const ARTICLE: Self = Self {
        lines: 1.0,
        lock_height: 12.885008263218383,
        wells: 15.842707182438396,
        holes: 26.89449650779595,
        col_trans: 27.616914062397015,
        row_trans: 30.18511071927904,
    };

    /// The weighted sum, from left to right in doubles without a fused multiply-add: with the
    /// article's weights equal to its Java program in every bit.
    #[inline(always)]
    pub fn fitness(&self, tally: &Tally, factors: &Factors) -> f64 {
        self.sum([
            tally.lines,
            tally.lock_height,
            factors.wells,
            factors.holes,
            factors.col_trans,
            factors.row_trans,
        ])
    }

    /// The sum for six counts in the order of the fields.
    #[inline(always)]
    pub(crate) fn sum(&self, counts: [u32; 6]) -> f64 {
        // Signed, because every vector unit converts those.
        let [lines, height, wells, holes, columns, rows] = counts.map(|count| f64::from(count as i32));
        self.lines * lines
            + self.lock_height * height
            + self.wells * wells
            + self.holes * holes
            + self.col_trans * columns
            + self.row_trans * rows
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::ARTICLE
    }
}

/// The six numbers in the order of the fields: what an optimiser moves.
impl From<[f64; 6]> for Weights {
    fn from([lines, lock_height, wells, holes, col_trans, row_trans]: [f64; 6]) -> Self {
        Self { lines, lock_height, wells, holes, col_trans, row_trans }
    }
}

impl From<Weights> for [f64; 6] {
    fn from(weights: Weights) -> Self {
        let Weights { lines, lock_height, wells, holes, col_trans, row_trans } = weights;
        [lines, lock_height, wells, holes, col_trans, row_trans]
    }
}
