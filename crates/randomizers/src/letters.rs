//! Pieces in saved states: a string of letters.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};
use tetris::Piece;

/// Writes the pieces as a string.
pub(crate) fn serialize<S: Serializer, const N: usize>(
    pieces: &[Piece; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Letters(pieces))
}

/// Reads a string of exactly `N` letters of pieces.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<[Piece; N], D::Error> {
    deserializer.deserialize_str(Expected::<N>)
}

/// One piece as one letter.
pub(crate) mod one {
    use serde::{Deserializer, Serializer};
    use tetris::Piece;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
    pub(crate) fn serialize<S: Serializer>(piece: &Piece, serializer: S) -> Result<S::Ok, S::Error> {
        super::serialize(&[*piece], serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
        super::deserialize(deserializer).map(|[piece]| piece)
    }
}

struct Letters<'a>(&'a [Piece]);

impl fmt::Display for Letters<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| write!(formatter, "{piece}"))
    }
}

struct Expected<const N: usize>;

impl<const N: usize> Visitor<'_> for Expected<N> {
    type Value = [Piece; N];

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "a string of {N} letters of TJZOSLI")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let mut pieces = [Piece::T; N];
        let mut letters = text.chars();
        for slot in &mut pieces {
            let piece = letters.next().and_then(Piece::from_letter);
            *slot = piece.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))?;
        }
        if letters.next().is_some() {
            return Err(E::invalid_value(serde::de::Unexpected::Str(text), &self));
        }
        Ok(pieces)
    }
}
