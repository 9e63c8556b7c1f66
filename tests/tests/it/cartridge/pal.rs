//! The PAL build on a PAL console: what falls and shifts by other numbers, and what does not.

use nes::{Buttons, Cartridge, Config, Console, Region};

use super::movement::changes;
use nes_testing::Game;
use nes_testing::game::O;
use tetris::ram::{self, game_mode, mode_state};

const IMAGE: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");

/// A game at level 0, its first frame of play about to run.
fn start() -> Game {
    let cartridge = Cartridge::from_bytes(IMAGE).expect("the image is a cartridge");
    let mut game = Game { console: Console::new(cartridge, Config::default()) };
    for frame in 0..3_000 {
        let before = game.clone();
        game.hold(if frame % 6 == 0 { Buttons::START } else { Buttons::empty() });
        let place = [game.at(ram::GAME_MODE.at()), game.at(ram::MODE_STATE.at())];
        if place == [game_mode::PLAY, mode_state::COUNTERS] {
            return before;
        }
    }
    panic!("Start every six frames did not begin a game");
}

/// The same after 100 frames: the first piece has begun to fall.
fn in_play() -> Game {
    let mut game = start();
    game.wait(100);
    game
}

#[test]
fn it_runs_on_a_pal_console() {
    let mut game = in_play();
    assert_eq!(game.console.region(), Region::Pal);
    let before = game.console.cycle();
    game.wait(100);
    let cycles = game.console.cycle() - before;
    assert!(cycles.abs_diff(3_324_750) < 20, "{cycles} cycles in 100 frames of 33,247.5");
}

#[test]
fn gravity_of_every_level() {
    const FRAMES_A_ROW: [usize; 19] = [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2];
    let play = in_play();
    for level in 0..=32 {
        let frames = FRAMES_A_ROW.get(usize::from(level)).copied().unwrap_or(1);
        let mut game = play.clone();
        game.poke(ram::LEVEL.at(), level);
        game.poke(ram::PIECE_Y.at(), 0);
        game.poke(ram::FALL_TIMER.at(), 0);
        let drops = changes(&mut game, ram::PIECE_Y.at(), Buttons::empty(), 1, 3);
        assert_eq!(drops, [frames, 2 * frames, 3 * frames], "level {level}");
    }
}

#[test]
fn a_held_direction_shifts_at_0_12_16_20() {
    for direction in [Buttons::LEFT, Buttons::RIGHT] {
        let mut game = start();
        game.set_piece(O, 5, 0);
        assert_eq!(changes(&mut game, ram::PIECE_X.at(), direction, 0, 4), [0, 12, 16, 20], "{direction:?}");
    }
}

#[test]
fn a_blocked_shift_charges_at_once() {
    let mut game = in_play();
    game.set_piece(O, 1, 0);
    game.hold(Buttons::LEFT);
    assert_eq!((game.at(ram::PIECE_X.at()), game.at(ram::DAS.at())), (1, 12));
}

#[test]
fn the_hang_of_the_first_piece_and_soft_drop_count_frames_as_on_ntsc() {
    let mut game = start();
    assert_eq!(changes(&mut game, ram::PIECE_Y.at(), Buttons::empty(), 1, 1), [97]);
    assert_eq!(changes(&mut in_play(), ram::PIECE_Y.at(), Buttons::DOWN, 0, 4), [2, 4, 6, 8]);
}
