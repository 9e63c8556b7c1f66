//! Why a feature of the game is off on a cartridge.

use std::fmt;

use super::{Feature, Release};

/// The most names of what is missing that a message lists.
const LISTED: usize = 4;

/// What a feature lacks on a cartridge. Displays as one line that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    feature: Feature,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    /// Nothing is known of the cartridge.
    Unrecognised,
    /// A release that is known, and not by where it keeps things.
    Unmapped(Release),
    /// A profile without these places or hooks.
    Missing { name: String, missing: Vec<&'static str> },
}

/// What to do about it.
const REMEDY: &str = "see `maxout inspect`, or give a --profile that says where it keeps things";

impl Unsupported {
    pub(super) fn unrecognised(feature: Feature) -> Self {
        Self { feature, why: Why::Unrecognised }
    }

    pub(super) fn unmapped(feature: Feature, release: Release) -> Self {
        Self { feature, why: Why::Unmapped(release) }
    }

    pub(super) fn missing(feature: Feature, name: String, missing: Vec<&'static str>) -> Self {
        Self { feature, why: Why::Missing { name, missing } }
    }

    /// The feature that is off.
    pub fn feature(&self) -> Feature {
        self.feature
    }

    /// Whether the cartridge is one of which nothing is known at all.
    pub fn is_unrecognised(&self) -> bool {
        self.why == Why::Unrecognised
    }

    /// The message with another subject than the feature's own: a key, or a command.
    pub fn about(&self, subject: &str) -> String {
        match &self.why {
            Why::Unrecognised => {
                format!("{subject} only works with Tetris; this ROM isn't recognised: {REMEDY}")
            }
            Why::Unmapped(release) => {
                format!("{subject} does not work on {}: {}", release.name(), release.limits())
            }
            Why::Missing { name, missing } => {
                let missing = listed(missing);
                format!("{subject} does not work on {name}: its memory map lacks {missing}: {REMEDY}")
            }
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.about(self.feature.subject()))
    }
}

impl std::error::Error for Unsupported {}

/// `a, b and c`, or the first of them and how many more.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        _ if names.len() > LISTED => {
            format!("{} and {} more", names[..LISTED - 1].join(", "), names.len() + 1 - LISTED)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_a_sentence_has_them() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f"]), "a, b, c and 3 more");
    }

    #[test]
    fn a_message_is_one_line_with_the_subject_that_is_asked_for() {
        let unsupported = Unsupported::unrecognised(Feature::Computer);
        assert!(unsupported.about("C").starts_with("C only works with Tetris; this ROM isn't recognised: "));
        assert!(unsupported.to_string().starts_with("the computer player only works with Tetris"));
        let unsupported = Unsupported::unmapped(Feature::Pieces, Release::Tengen);
        assert_eq!(unsupported.to_string().lines().count(), 1);
        assert!(!unsupported.is_unrecognised() && unsupported.to_string().contains("Tengen"));
    }
}
