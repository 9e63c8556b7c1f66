//! The random numbers and the pieces picked by them.

use nes::Buttons;

use nes_testing::Game;
use nes_testing::game::ALL_ROWS_SHOWN;
use tetris::ram::{self, play_state};

const SEED: u16 = 0x8988;
const PERIOD: usize = 32_767;
/// Spawn orientations of T J Z O S L I.
const SPAWN: [u8; 7] = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12];

/// The LFSR's next state.
pub(crate) fn step(lfsr: u16) -> u16 {
    (lfsr >> 9 ^ lfsr >> 1) << 15 | lfsr >> 1
}

/// The piece picked after `last` as `count` says how many there have been, and the LFSR after that.
fn pick(lfsr: u16, count: u8, last: u8) -> (u8, u16) {
    let throw = usize::from((lfsr.to_be_bytes()[0].wrapping_add(count)) & 7);
    match SPAWN.get(throw) {
        Some(&piece) if piece != last => (piece, lfsr),
        _ => {
            let lfsr = step(lfsr);
            let throw = (lfsr.to_be_bytes()[0] & 7) + last;
            (SPAWN[usize::from(throw % 7)], lfsr)
        }
    }
}

/// States that cover the LFSR's cycle evenly.
fn states(count: usize) -> impl Iterator<Item = u16> {
    let stride = PERIOD / count;
    let cycle = std::iter::successors(Some(SEED), |&lfsr| Some(step(lfsr)));
    cycle.step_by(stride).take(count)
}

#[test]
fn reset_seeds_the_lfsr_with_8988() {
    let mut game = Game::power_on();
    game.wait_until(20, |game| game.lfsr() != 0 && game.lfsr() != SEED);
    assert_eq!(game.lfsr(), step(SEED));
    // The blank screen is drawn with the interrupt off.
    game.wait(10);
    assert_each_frame_steps_the_lfsr(&mut game, 500);
}

#[test]
fn each_frame_of_play_and_of_pause_steps_the_lfsr_once() {
    let mut game = Game::in_play();
    assert_each_frame_steps_the_lfsr(&mut game, 500);
    game.hold(Buttons::START);
    assert_each_frame_steps_the_lfsr(&mut game, 3_000);
}

fn assert_each_frame_steps_the_lfsr(game: &mut Game, frames: usize) {
    for frame in 1..=frames {
        let before = game.lfsr();
        game.wait(1);
        assert_eq!(game.lfsr(), step(before), "frame {frame}");
    }
}

#[test]
fn the_lfsr_has_a_period_of_32767_from_8988() {
    const STEP: u16 = 0xAB47;
    let mut game = Game::power_on();
    game.seed(SEED);
    let mut model = SEED;
    for period in 1..=PERIOD {
        game.call(STEP, ram::LFSR.at() as u8, 2);
        model = step(model);
        assert_eq!(game.lfsr(), model, "after {period} steps");
        assert_eq!(model == SEED, period == PERIOD, "after {period} steps");
    }
}

#[test]
fn the_picker_rerolls_with_the_last_orientation_as_its_bias() {
    const PICKER: u16 = 0x9907;
    let mut game = Game::power_on();
    for (index, lfsr) in states(2_000).enumerate() {
        for last in SPAWN {
            let count = (index % 256) as u8;
            game.seed(lfsr);
            game.poke(ram::LAST_PIECE.at(), last);
            game.poke(ram::SPAWN_COUNT.at(), count.wrapping_sub(1));
            let piece = game.call(PICKER, 0, 0);
            let now = (piece, game.lfsr());
            assert_eq!(now, pick(lfsr, count, last), "LFSR {lfsr:04X}, count {count}, last {last:02X}");
            assert_eq!((game.at(ram::LAST_PIECE.at()), game.at(ram::SPAWN_COUNT.at())), (piece, count));
        }
    }
}

#[test]
fn a_spawn_picks_the_piece_to_come() {
    let play = Game::in_play();
    for (index, lfsr) in states(420).enumerate() {
        let (last, count) = (SPAWN[index % 7], (index % 256) as u8);
        let mut game = play.clone();
        game.seed(lfsr);
        game.poke(ram::LAST_PIECE.at(), last);
        game.poke(ram::NEXT_PIECE.at(), last);
        game.poke(ram::SPAWN_COUNT.at(), count.wrapping_sub(1));
        game.poke(ram::VRAM_ROW.at(), ALL_ROWS_SHOWN);
        game.poke(ram::PLAY_STATE.at(), play_state::SPAWN);
        game.wait(1);
        // The frame's own step comes first.
        let (piece, lfsr) = pick(step(lfsr), count, last);
        assert_eq!((game.at(ram::NEXT_PIECE.at()), game.lfsr()), (piece, lfsr));
        assert_eq!((game.at(ram::ORIENTATION.at()), game.at(ram::SPAWN_COUNT.at())), (last, count));
    }
}
