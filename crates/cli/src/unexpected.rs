//! Why a text of the command line or of a request is not understood.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use thiserror::Error;

/// A text that is not what it should be. Its message says where, what was expected, and what was
/// found, as far as that helps: clap names the option and repeats its value by itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Unexpected {
    place: Option<String>,
    expected: Cow<'static, str>,
    found: Option<String>,
}

impl Unexpected {
    /// Returns that `expected` was expected.
    pub fn new(expected: impl Into<Cow<'static, str>>) -> Self {
        Self { place: None, expected: expected.into(), found: None }
    }

    /// Returns the same with what was found instead.
    #[must_use]
    pub fn found(self, found: impl Display) -> Self {
        Self { found: Some(found.to_string()), ..self }
    }

    /// Returns the same with the part of the text that it is about.
    #[must_use]
    pub fn at(self, place: impl Display) -> Self {
        Self { place: Some(place.to_string()), ..self }
    }
}

impl Display for Unexpected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { place, expected, found } = self;
        if let Some(place) = place {
            write!(f, "{place}: ")?;
        }
        write!(f, "expected {expected}")?;
        found.as_ref().map_or(Ok(()), |found| write!(f, ", found {found}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_where_what_and_what_instead() {
        let expected = Unexpected::new("0 to 19");
        assert_eq!(expected.to_string(), "expected 0 to 19");
        assert_eq!(expected.found(20).at("row").to_string(), "row: expected 0 to 19, found 20");
    }
}
