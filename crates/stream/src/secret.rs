//! What must not be seen.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// A password, a token, a secret address: it is shown by no log and no message.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// This text as a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, to be sent and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Is it this text? It takes as long whatever is wrong with it.
    pub(crate) fn is(&self, text: &str) -> bool {
        let different = self.0.bytes().zip(text.bytes()).fold(0, |different, (a, b)| different | (a ^ b));
        different == 0 && self.0.len() == text.len()
    }
}

/// Takes text alone. What else is there is not shown: it is the secret without its quotes.
impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Text)
    }
}

struct Text;

/// The message for a value of another type, which must not be in it.
const NO_TEXT: &str = "expected a text: put quotes around it";

impl Visitor<'_> for Text {
    type Value = Secret;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text in quotes")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Secret, E> {
        Ok(Secret::new(text.to_owned()))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Secret, E> {
        Err(E::custom(NO_TEXT))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Secret, E> {
        Err(E::custom(NO_TEXT))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Secret, E> {
        Err(E::custom(NO_TEXT))
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<Secret, E> {
        Err(E::custom(NO_TEXT))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Secret, E> {
        Err(E::custom(NO_TEXT))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown_and_known_only_whole() {
        let secret = Secret::new("abcdef".into());
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(…) Some(Secret(…))");
        assert!(secret.is("abcdef") && !secret.is("abcde") && !secret.is("abcdefg") && !secret.is("abcdeF"));
    }
}
