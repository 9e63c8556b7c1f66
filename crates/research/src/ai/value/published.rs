//! Figures that BetaTetris v1.0.0 publishes, with their source.

use serde::{Deserialize, Serialize};

/// The published figures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Published {
    /// Repository on GitHub.
    pub(super) repository: String,
    /// Its commit.
    pub(super) commit: String,
    /// The file in it.
    pub(super) file: String,
    /// Games of each figure.
    pub(super) games: u32,
    /// One for each format.
    #[serde(rename = "format")]
    pub(super) formats: Vec<PublishedFormat>,
}

/// The figures of a format: those of the setting with the greatest mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedFormat {
    /// The format's name.
    pub(super) name: String,
    /// The setting.
    pub(super) setting: String,
    /// Mean score.
    pub(super) mean: f64,
    /// Standard deviation of a game.
    pub(super) sd: f64,
    /// Share of the games that reach 130, 230 and 330 lines.
    pub(super) reached: [f64; 3],
}

impl Published {
    /// The figures of the repository.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub(super) fn built_in() -> Self {
        toml::from_str(include_str!("../../../../value/published/betatetris.toml")).expect("tested")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ::value::{Format, Taps};

    use super::*;

    #[test]
    fn every_published_format_has_a_figure() {
        let published = Published::built_in();
        let names: BTreeSet<&str> = published.formats.iter().map(|format| &*format.name).collect();
        let taps = Taps::HERTZ.map(Taps::Hertz).into_iter().chain([Taps::Slow5]);
        let formats = taps.flat_map(|taps| {
            [0, 18, 21, 24, 30, 61].map(|delay| Format { taps, delay, ..Format::HEADLINE }.to_string())
        });
        let expected: Vec<String> = formats.collect();
        assert_eq!(names, expected.iter().map(|name| &**name).collect());
        assert_eq!(published.formats.len(), 42);
        let headline = published.formats.iter().find(|format| format.name == "bt-30hz-18f").unwrap();
        assert!((headline.mean - 2_462_239.2).abs() < 0.1 && headline.setting.contains("high aggression"));
    }
}
