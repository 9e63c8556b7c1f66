//! A game brought to where a curiosity can be seen.

use nes::{Buttons, Config, Console};
use tetris::ram;

use super::game::Known;

/// Frames after which the title is shown though nobody pressed anything: twice 255 of the legal screen, and its drawing.
const TITLE: u32 = 600;
/// Frames within which a game begins if Start is pressed again and again.
const LONGEST_WAY: u32 = 2_000;
/// Frames from one press to the next.
const PRESSES: u32 = 8;
/// The game's drawing of the playfield, as its render mode.
const RENDER_PLAY: u8 = 3;
/// A piece in play, as the player's state.
const ACTIVE: u8 = 1;

/// At the title.
pub(crate) fn title(game: &Known, config: Config) -> Console {
    let mut console = Console::new(game.cartridge.clone(), config);
    for _ in 0..TITLE {
        frame(&mut console, Buttons::empty());
    }
    console.clear_samples();
    console
}

/// In an A-type game of level 0, its first piece in play. `None` if none begins.
pub(crate) fn in_play(game: &Known, config: Config) -> Option<Console> {
    let mut console = Console::new(game.cartridge.clone(), config);
    for number in 0..LONGEST_WAY {
        if byte(&console, ram::RENDER_MODE) == RENDER_PLAY && byte(&console, ram::PLAY_STATE) == ACTIVE {
            return Some(console);
        }
        frame(&mut console, if number % PRESSES == 0 { Buttons::START } else { Buttons::empty() });
    }
    None
}

/// The first byte of a place in RAM.
pub(crate) fn byte(console: &Console, place: ram::Place) -> u8 {
    console.ram()[place.at()]
}

/// Writes to a place in RAM.
pub(crate) fn poke(console: &mut Console, place: ram::Place, bytes: &[u8]) {
    console.ram_mut()[place.range()][..bytes.len()].copy_from_slice(bytes);
}

/// A frame with `buttons` held.
pub(crate) fn frame(console: &mut Console, buttons: Buttons) {
    let _ = console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
}
