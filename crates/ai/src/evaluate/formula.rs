//! An evaluation that a file says: any of the measures, each bent and weighted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::VariantNames;
use thiserror::Error;
use toml::{Spanned, Value};

use super::{Evaluator, Measure, Tally, Weights};
use tetris::Playfield;

/// A sum of terms. Lower is better.
///
/// As TOML it is a name and a weight a line, or a name and a table of `weight`, `offset`, `power`
/// and `scale`; an array of such tables measures the same thing several times.
///
/// ```
/// use ai::{Formula, Tally};
/// use tetris::Playfield;
///
/// let text = "tetrises = -100\npile_height = { offset = -2, power = 2, weight = 0.5 }\n";
/// let formula = Formula::parse(text)?;
/// assert_eq!(formula.rate(&Playfield::EMPTY, &Tally::default()), 2.0);
///
/// let error = Formula::parse("holes = 4\nhole = 4\n").unwrap_err();
/// assert!(error.to_string().starts_with("line 2: `hole`: expected one of lines, lock_height, "));
/// # Ok::<(), ai::FormulaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Formula {
    terms: Vec<Term>,
}

/// A measure, bent and weighted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What is measured.
    pub measure: Measure,
    /// What the bent measure is multiplied with. Positive for what is bad.
    pub weight: f64,
    /// Added to the measure before anything else: a measure that is best at 3 has the offset -3.
    pub offset: f64,
    /// The power to which the absolute value is raised; a power of 1 leaves the sign.
    pub power: f64,
    /// How large values are bent, after that.
    pub scale: Scale,
}

/// How large values are bent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Not at all.
    #[default]
    Linear,
    /// ln(1 + v); for negative values -ln(1 - v).
    Log,
    /// exp(v) - 1, for v up to 60.
    Exp,
}

/// Why a text is no formula. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct FormulaError {
    /// Where.
    pub line: usize,
    /// What was expected, and what was found.
    pub message: String,
}

impl Formula {
    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// Where the text is no TOML, names what is no measure, or says nothing at all; and where a
    /// number is out of bounds.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
        let table: BTreeMap<Spanned<String>, Spanned<Value>> =
            toml::from_str(text).map_err(|error| FormulaError {
                line: line(error.span().map_or(0, |span| span.start)),
                message: error.message().into(),
            })?;
        let mut terms = Vec::with_capacity(table.len());
        for (name, value) in &table {
            let wrong = |message: String| FormulaError {
                line: line(name.span().start),
                message: format!("`{}`: {message}", name.as_ref()),
            };
            let measure = name
                .as_ref()
                .parse()
                .map_err(|_| wrong(format!("expected one of {}", Measure::VARIANTS.join(", "))))?;
            match value.as_ref() {
                Value::Array(values) => {
                    for value in values {
                        terms.push(Term::read(measure, value).map_err(|error| wrong(error.to_string()))?);
                    }
                }
                value => terms.push(Term::read(measure, value).map_err(|error| wrong(error.to_string()))?),
            }
        }
        if terms.is_empty() {
            return Err(FormulaError {
                line: 1,
                message: "expected at least one measure and its weight".into(),
            });
        }
        terms.sort_by_key(|term| term.measure);
        Ok(Self { terms })
    }

    /// Its terms, in the order of the measures.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Rates a board after the placements of a tally. Lower is better.
    pub fn rate(&self, board: &Playfield, tally: &Tally) -> f64 {
        self.terms.iter().map(|term| term.weight * term.bent(term.measure.of(board, tally))).sum()
    }

    /// Its weights where it knows only the article's factors, as they are.
    fn weights(&self) -> Option<Weights> {
        let mut weights = [0.0; 6];
        for term in &self.terms {
            let plain = (term.offset, term.power, term.scale) == (0.0, 1.0, Scale::Linear);
            *weights.get_mut(term.measure as usize).filter(|_| plain)? += term.weight;
        }
        Some(weights.into())
    }
}

impl From<Formula> for Evaluator {
    /// A formula of the article's six factors alone becomes [`Evaluator::Weighted`], which is fast.
    fn from(formula: Formula) -> Self {
        match formula.weights() {
            Some(weights) => Self::Weighted(weights),
            None => Self::Formula(formula.into()),
        }
    }
}

/// Why a value of the file is no term.
#[derive(Debug, Error)]
enum TermError {
    #[error("scale: expected \"linear\", \"log\" or \"exp\", found {0}")]
    Scale(String),
    #[error("expected weight, offset, power or scale, found `{0}`")]
    Key(String),
    #[error("expected a weight in the table")]
    NoWeight,
    #[error("{key}: expected a number, found {found}")]
    NoNumber { key: String, found: String },
    #[error("{key}: expected a number from {from} to {to}, found {found}")]
    Range { key: String, from: f64, to: f64, found: f64 },
}

impl Term {
    fn read(measure: Measure, value: &Value) -> Result<Self, TermError> {
        let mut term = Self { measure, weight: 0.0, offset: 0.0, power: 1.0, scale: Scale::Linear };
        let Value::Table(table) = value else {
            term.weight = number("weight", value, -1e9..=1e9)?;
            return Ok(term);
        };
        for (key, value) in table {
            match key.as_str() {
                "weight" => term.weight = number(key, value, -1e9..=1e9)?,
                "offset" => term.offset = number(key, value, -1e6..=1e6)?,
                "power" => term.power = number(key, value, 0.0..=16.0)?,
                "scale" => {
                    term.scale = match value.as_str() {
                        Some("linear") => Scale::Linear,
                        Some("log") => Scale::Log,
                        Some("exp") => Scale::Exp,
                        _ => {
                            return Err(TermError::Scale(value.to_string()));
                        }
                    }
                }
                _ => return Err(TermError::Key(key.clone())),
            }
        }
        if table.contains_key("weight") { Ok(term) } else { Err(TermError::NoWeight) }
    }

    fn bent(&self, measured: f64) -> f64 {
        let value = measured + self.offset;
        let value =
            if (self.power - 1.0).abs() < f64::EPSILON { value } else { value.abs().powf(self.power) };
        match self.scale {
            Scale::Linear => value,
            Scale::Log => value.abs().ln_1p().copysign(value),
            Scale::Exp => value.min(60.0).exp_m1(),
        }
    }
}

fn number(key: &str, value: &Value, range: std::ops::RangeInclusive<f64>) -> Result<f64, TermError> {
    let found = match value {
        Value::Integer(whole) => *whole as f64,
        Value::Float(number) => *number,
        _ => return Err(TermError::NoNumber { key: key.to_owned(), found: value.to_string() }),
    };
    if range.contains(&found) {
        Ok(found)
    } else {
        Err(TermError::Range { key: key.to_owned(), from: *range.start(), to: *range.end(), found })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the same operations in the same order")]
mod tests {
    use super::*;

    #[test]
    fn the_articles_factors_alone_are_weights() {
        let text = "row_trans = 3\nlines = -1.5\n";
        let weights = Weights { lines: -1.5, row_trans: 3.0, ..[0.0; 6].into() };
        assert_eq!(Evaluator::from(Formula::parse(text).unwrap()), Evaluator::Weighted(weights));
        let bent = Formula::parse("lines = { weight = 1, power = 2 }").unwrap();
        assert!(matches!(Evaluator::from(bent), Evaluator::Formula(_)));
        let more = Formula::parse("lines = 1\nsingles = -1").unwrap();
        assert!(matches!(Evaluator::from(more), Evaluator::Formula(_)));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, line, message) in [
            ("lines = 1\n\nholes = \"many\"\n", 3, "`holes`: weight: expected a number, found \"many\""),
            ("holes = { weight = 1, offsett = 2 }", 1, "found `offsett`"),
            ("[holes]\noffset = 2\n", 1, "expected a weight in the table"),
            ("\nholes = { weight = 1, power = 40 }", 2, "power: expected a number from 0 to 16, found 40"),
            ("holes = nan", 1, "found NaN"),
            ("holes = [{ weight = 1 }, 2, \"x\"]", 1, "expected a number"),
            ("holes = { weight = 1, scale = \"sine\" }", 1, "expected \"linear\", \"log\" or \"exp\""),
            ("a\nb = ", 1, ""),
            ("lines = 1\nlines = 2\n", 2, "duplicate key"),
            ("", 1, "expected at least one measure"),
        ] {
            let error = Formula::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_measure_is_offset_then_raised_then_scaled_then_weighted() {
        let rated = |text: &str| Formula::parse(text).unwrap().rate(&Playfield::EMPTY, &Tally::default());
        assert_eq!(rated("pile_height = { weight = 2, offset = -3 }"), -6.0);
        assert_eq!(rated("pile_height = { weight = 2, offset = -3, power = 2 }"), 18.0);
        assert_eq!(rated("pile_height = { weight = 2, offset = -3, scale = \"log\" }"), -2.0 * 3f64.ln_1p());
        assert_eq!(rated("pile_height = { weight = 2, offset = 99, scale = \"exp\" }"), 2.0 * 60f64.exp_m1());
        assert_eq!(rated("pile_height = [{ weight = 2, offset = 1 }, { weight = 1, offset = 2 }]"), 4.0);
    }
}
