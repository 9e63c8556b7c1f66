//! The 2 KiB of RAM.

use crate::frames::Frames;
use crate::game::Game;

/// Writes the RAM of a game with frames: of a console as it is, of the model as far as it knows it.
pub(crate) fn write(game: &mut Game, bytes: &mut [u8]) {
    match game {
        Game::Frames(Frames::Cartridge(played)) => bytes.copy_from_slice(played.emulator.state().ram()),
        Game::Frames(model) => bytes.copy_from_slice(model.ram()),
        _ => {}
    }
}
