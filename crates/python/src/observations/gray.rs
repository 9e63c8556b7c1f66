//! The console's last pictures in grey, the oldest first.

use crate::frames::Frames;
use crate::game::Game;
use crate::picture::Colours;
use crate::settings::GRAY;

/// Bytes of a picture.
const ONE: usize = GRAY * GRAY;

/// Moves the pictures of `bytes` up by one and writes the newest; the first of an episode stands
/// for all.
pub(crate) fn write(game: &Game, colours: &Colours, bytes: &mut [u8], first: bool) {
    let Game::Frames(Frames::Cartridge(played)) = game else { return };
    let last = bytes.len() - ONE;
    if !first {
        bytes.copy_within(ONE.., 0);
    }
    colours.write_gray(played.emulator.state().picture(), &mut bytes[last..]);
    if first {
        let (earlier, now) = bytes.split_at_mut(last);
        earlier.chunks_exact_mut(ONE).for_each(|frame| frame.copy_from_slice(now));
    }
}
