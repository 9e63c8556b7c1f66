//! Weights of the linear player as a file: JSON, by speed and by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::format::Format;
use crate::measures::{MEASURES, NAMES, Weights};

const VERSION: u32 = 1;
/// The speeds' names, the slowest first: the levels with which they begin.
const SPEEDS: [&str; 4] = ["18", "19", "29", "39"];

/// Weights by speed, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// The format in which they were found.
    pub format: Format,
    /// How they were found.
    pub provenance: String,
    /// By speed, the slowest first.
    pub weights: [Weights; 4],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    maxout_value_weights: u32,
    format: String,
    provenance: String,
    weights: BTreeMap<String, BTreeMap<String, f32>>,
}

/// A text that is no file of weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// No JSON, or other fields.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Another version.
    #[error("version {0}, expected {VERSION}")]
    Version(u32),
    /// Speeds or names that are not ours.
    #[error("{place}: expected {expected}, found {found}")]
    Names {
        /// Where.
        place: String,
        /// Names.
        expected: String,
        /// Names.
        found: String,
    },
    /// A format that is none.
    #[error(transparent)]
    Format(#[from] crate::UnknownFormat),
    /// Too large, or no number.
    #[error("{place}: {value}, expected a number from -1,000,000 to 1,000,000")]
    Value {
        /// Where.
        place: String,
        /// What was found.
        value: f32,
    },
}

fn check_names<T>(place: &str, expected: &[&str], found: &BTreeMap<String, T>) -> Result<(), WeightsError> {
    if found.len() == expected.len() && expected.iter().all(|name| found.contains_key(*name)) {
        return Ok(());
    }
    let found: Vec<&str> = found.keys().map(String::as_str).collect();
    Err(WeightsError::Names {
        place: place.to_owned(),
        expected: expected.join(", "),
        found: found.join(", "),
    })
}

impl WeightsFile {
    /// The best that are known: those that the player has where nobody says.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn built_in() -> Self {
        Self::parse(include_str!("../weights/linear.json")).expect("tested")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`WeightsError`] says what was expected.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let file: File = serde_json::from_str(text)?;
        if file.maxout_value_weights != VERSION {
            return Err(WeightsError::Version(file.maxout_value_weights));
        }
        check_names("weights", &SPEEDS, &file.weights)?;
        let mut weights = [[0.0; MEASURES]; 4];
        for (speed, weights) in SPEEDS.iter().zip(&mut weights) {
            let named = &file.weights[*speed];
            check_names(speed, &NAMES, named)?;
            for (name, weight) in NAMES.iter().zip(weights) {
                *weight = named[*name];
                if !(-1e6..=1e6).contains(weight) {
                    return Err(WeightsError::Value { place: format!("{speed}: {name}"), value: *weight });
                }
            }
        }
        Ok(Self { format: file.format.parse()?, provenance: file.provenance, weights })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Weights that are no numbers.
    pub fn text(&self) -> Result<String, WeightsError> {
        let named = |weights: &Weights| {
            NAMES.iter().zip(weights).map(|(name, weight)| ((*name).to_owned(), *weight)).collect()
        };
        let file = File {
            maxout_value_weights: VERSION,
            format: self.format.to_string(),
            provenance: self.provenance.clone(),
            weights: SPEEDS
                .iter()
                .zip(&self.weights)
                .map(|(name, weights)| ((*name).to_owned(), named(weights)))
                .collect(),
        };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_are_read_and_written_alike() {
        let file = WeightsFile::built_in();
        assert_eq!(WeightsFile::parse(&file.text().unwrap()).unwrap(), file);
    }

    #[test]
    fn what_is_no_file_of_weights_is_refused_with_a_reason() {
        let text = WeightsFile::built_in().text().unwrap();
        for (from, to, reason) in [
            ("\"maxout_value_weights\": 1", "\"maxout_value_weights\": 7", "version 7"),
            ("\"landing_height\"", "\"landing\"", "landing_height"),
            ("\"39\"", "\"40\"", "39"),
            ("bt-30hz", "bt-31hz", "31hz"),
            ("\"provenance\"", "\"from\"", "from"),
        ] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from}");
            let message = WeightsFile::parse(&broken).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
