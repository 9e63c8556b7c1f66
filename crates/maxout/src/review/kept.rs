//! A review that is kept beside its game.

use std::path::{Path, PathBuf};

use ::review::{Hands, Reviewed};
use ::value::fnv;
use draft::Draft;
use serde::{Deserialize, Serialize};

use crate::image_file;

/// Changes whenever reviews come out otherwise.
const VERSION: u32 = 1;

/// What a review was made of: it is read again for the same only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Key {
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
    pub(super) fn of(game: &[u8], hands: Hands, nets: &[String]) -> Self {
        Self { version: VERSION, game: format!("{:016x}", fnv(game)), hands, nets: nets.to_vec() }
    }
}

fn beside(game: &Path) -> PathBuf {
    let mut name = game.file_name().unwrap_or_default().to_owned();
    name.push(".review.json");
    game.with_file_name(name)
}

/// The review of a game, if there is one that was made of the same.
pub(super) fn read(game: &Path, key: &Key) -> Option<Vec<Reviewed>> {
    let bytes = image_file::read(&beside(game)).ok()?;
    let file: File<Key, Vec<Reviewed>> = serde_json::from_slice(&bytes).ok()?;
    (file.key == *key).then_some(file.reviews)
}

/// Keeps a review. Where nothing can be written it is made anew the next time.
pub(super) fn write(game: &Path, key: &Key, reviews: &[Reviewed]) {
    let path = beside(game);
    let Ok(bytes) = serde_json::to_vec(&File { key, reviews }) else { return };
    if let Err(error) = Draft::write_file(&path, &bytes) {
        tty::tell!("warning: the review is not kept: {}: {}", path.display(), error.source);
    }
}
