//! The console's picture in colours.

use crate::frames::Frames;
use crate::game::Game;
use crate::picture::Colours;

/// Writes 240 rows of 256 pixels of three bytes.
pub(crate) fn write(game: &Game, colours: &Colours, bytes: &mut [u8]) {
    if let Game::Frames(Frames::Cartridge(played)) = game {
        colours.write_rgb(played.emulator.state().picture(), bytes);
    }
}
