//! A review that is kept beside its game, as JSON: read again for the same game, hands and nets.

use std::ffi::{OsStr, OsString};

use serde::{Deserialize, Serialize};
use value::fnv;

use crate::{Hands, Reviewed};

/// Changes whenever reviews come out otherwise.
const VERSION: u32 = 2;

/// What a review was made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    version: u32,
    /// Hash of the game's file.
    game: String,
    hands: Hands,
    nets: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct File<K, R> {
    key: K,
    reviews: R,
}

impl Key {
    /// The key of a review of a game's file, for these hands, by nets of these hashes.
    pub fn of(game: &[u8], hands: Hands, nets: &[String]) -> Self {
        Self { version: VERSION, game: format!("{:016x}", fnv(game)), hands, nets: nets.to_vec() }
    }

    /// Returns the name of the file that is kept beside the game's: `GAME.review.json`.
    pub fn file_name(game: &OsStr) -> OsString {
        let mut name = game.to_owned();
        name.push(".review.json");
        name
    }

    /// Returns a review as it is kept.
    ///
    /// # Errors
    /// When a number of it is none that JSON has.
    pub fn written(&self, reviews: &[Reviewed]) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&File { key: self, reviews })
    }

    /// Returns the review of a file, if it was made of the same.
    pub fn read(&self, file: &[u8]) -> Option<Vec<Reviewed>> {
        let file: File<Self, Vec<Reviewed>> = serde_json::from_slice(file).ok()?;
        (file.key == *self).then_some(file.reviews)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_read_again_for_the_same_game_hands_and_nets_only() {
        let (hands, nets) = (Hands::default(), ["a".to_owned()]);
        let key = Key::of(b"game", hands, &nets);
        let written = key.written(&[]).unwrap();
        assert_eq!(key.read(&written), Some(vec![]));
        let others = [
            Key::of(b"other", hands, &nets),
            Key::of(b"game", Hands { reaction: 7, ..hands }, &nets),
            Key::of(b"game", hands, &[]),
        ];
        for other in others {
            assert_eq!(other.read(&written), None, "{other:?}");
        }
        assert_eq!(key.read(b"{}"), None);
        assert_eq!(Key::file_name(OsStr::new("a.ngf.gz")), "a.ngf.gz.review.json");
    }
}
