//! A review that is kept beside its game.

use std::path::{Path, PathBuf};

use ::review::{Key, Reviewed};
use draft::Draft;

use cli::image_file;

fn beside(game: &Path) -> PathBuf {
    game.with_file_name(Key::file_name(game.file_name().unwrap_or_default()))
}

/// The review of a game, if there is one that was made of the same.
pub(super) fn read(game: &Path, key: &Key) -> Option<Vec<Reviewed>> {
    key.read(&image_file::read(&beside(game)).ok()?)
}

/// Keeps a review. Where nothing can be written it is made anew the next time.
pub(super) fn write(game: &Path, key: &Key, reviews: &[Reviewed]) {
    let path = beside(game);
    let Ok(bytes) = key.written(reviews) else { return };
    if let Err(error) = Draft::write_file(&path, &bytes) {
        tty::tell!("warning: the review is not kept: {}: {}", path.display(), error.source);
    }
}
