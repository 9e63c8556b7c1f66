//! The model of the rules, with a board and a piece of one's own.

use tetris::ram::play_state::ACTIVE;
use tetris::rules::Game;
use tetris::{Orientation, Piece, Rom, buttons, ram};

use crate::game::{BLOCK, EMPTY};

/// Returns a game of the built-in cartridge at level 0 with some piece in the air.
///
/// # Panics
/// If Start does not lead there.
pub fn in_play() -> Game<'static> {
    let mut game = Game::power_on(&Rom::MAXOUT);
    // Start until the game plays, and no longer: another one would pause it.
    let mut frame = 0;
    while !game.in_play() {
        game.step(if frame % 6 == 0 { buttons::START } else { 0 });
        frame += 1;
        assert!(frame < 6_000, "no game after {frame} frames");
    }
    for _ in 0..8 {
        game.step(0);
    }
    assert!(game.in_play());
    game
}

/// Gives a game in play another board, by rows whose lowest bit is the leftmost cell, and a piece
/// that has just appeared.
pub fn set(game: &mut Game, rows: &[u16; 20], piece: Piece, level: u8) {
    let mut memory = *game.memory().ram();
    for (y, row) in rows.iter().enumerate() {
        for x in 0..10 {
            memory[ram::PLAYFIELD.at() + 10 * y + x] = if row >> x & 1 == 1 { BLOCK } else { EMPTY };
        }
    }
    for (place, value) in [
        (ram::PIECE_X, 5),
        (ram::PIECE_Y, 0),
        (ram::ORIENTATION, Orientation::spawn(piece).id()),
        (ram::LEVEL, level),
        (ram::FALL_TIMER, 0),
        (ram::PLAY_STATE, ACTIVE),
        (ram::DOWN_REPEAT, 0),
        (ram::PAD_HELD, 0),
    ] {
        memory[place.at()] = value;
    }
    game.set_memory(&memory);
}
