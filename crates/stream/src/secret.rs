//! What must not be seen.

use std::fmt;

use serde::Deserialize;

/// A password, a token, a secret address: it is shown by no log and no message.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
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
