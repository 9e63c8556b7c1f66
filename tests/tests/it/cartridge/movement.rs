//! The piece falls, shifts and turns.

use nes::Buttons;

use nes_testing::Game;
use nes_testing::game::{I_UPRIGHT, O, T_DOWN};
use tetris::ram::{self, play_state};

/// The first of `limit` frames, counted from `first`, after which `address` differs, and the next
/// ones, up to `most`.
pub(super) fn changes(
    game: &mut Game,
    address: usize,
    held: Buttons,
    first: usize,
    most: usize,
) -> Vec<usize> {
    let mut value = game.at(address);
    let mut frames = Vec::new();
    for frame in first..first + 400 {
        game.hold(held);
        if game.at(address) != value {
            value = game.at(address);
            frames.push(frame);
        }
        if frames.len() == most {
            break;
        }
    }
    frames
}

#[test]
fn the_first_piece_falls_in_frame_97_at_any_level() {
    for level in [0, 8, 9, 18, 19, 29] {
        let mut game = Game::start(level);
        assert_eq!(changes(&mut game, ram::PIECE_Y.at(), Buttons::empty(), 1, 1), [97], "level {level}");
        assert_eq!(game.at(ram::LEVEL.at()), level);
    }
}

#[test]
fn a_tap_of_down_in_frame_1_ends_the_first_hang() {
    for (level, fall) in [(0, 48), (18, 3), (29, 1)] {
        let mut game = Game::start(level);
        game.hold(Buttons::DOWN);
        let frame = if game.at(ram::PIECE_Y.at()) == 1 {
            1
        } else {
            changes(&mut game, ram::PIECE_Y.at(), Buttons::empty(), 2, 1)[0]
        };
        assert_eq!(frame, fall, "level {level}");
    }
}

#[test]
fn a_held_direction_shifts_at_0_16_22_28() {
    for direction in [Buttons::LEFT, Buttons::RIGHT] {
        let mut game = Game::start(0);
        game.set_piece(O, 5, 0); // four columns from the spawn to either wall
        assert_eq!(changes(&mut game, ram::PIECE_X.at(), direction, 0, 4), [0, 16, 22, 28], "{direction:?}");
    }
}

#[test]
fn a_charged_shift_moves_the_next_piece_at_1_7_13() {
    for (direction, wall) in [(Buttons::LEFT, 1), (Buttons::RIGHT, 9)] {
        let mut game = Game::in_play();
        game.set_piece(O, wall, 17);
        game.poke(ram::NEXT_PIECE.at(), O);
        let mut active = true;
        // To the frame in which the next piece comes in.
        for _ in 0..300 {
            game.hold(direction);
            let spawned = !active && game.state() == play_state::ACTIVE;
            active = game.state() == play_state::ACTIVE;
            if spawned {
                break;
            }
        }
        assert_eq!((game.at(ram::PIECE_X.at()), game.at(ram::PIECE_Y.at())), (5, 0));
        assert_eq!(changes(&mut game, ram::PIECE_X.at(), direction, 1, 4), [1, 7, 13, 19], "{direction:?}");
    }
}

#[test]
fn a_blocked_shift_charges_at_once() {
    let mut game = Game::in_play();
    game.set_piece(O, 1, 0);
    game.hold(Buttons::LEFT);
    assert_eq!((game.at(ram::PIECE_X.at()), game.at(ram::DAS.at())), (1, 16));
}

#[test]
fn right_wins_when_both_are_held() {
    let mut game = Game::in_play();
    game.hold(Buttons::LEFT | Buttons::RIGHT);
    assert_eq!(game.at(ram::PIECE_X.at()), 6);
}

#[test]
fn down_stops_all_shifting_and_freezes_the_charge() {
    let mut game = Game::in_play();
    (0..6).for_each(|_| game.hold(Buttons::LEFT));
    let before = (game.at(ram::PIECE_X.at()), game.at(ram::DAS.at()));
    (0..30).for_each(|_| game.hold(Buttons::LEFT | Buttons::DOWN));
    assert_eq!(before, (4, 5));
    assert_eq!((game.at(ram::PIECE_X.at()), game.at(ram::DAS.at())), before);
}

#[test]
fn held_down_drops_at_2_4_6_and_counts_the_rows() {
    let mut game = Game::in_play();
    assert_eq!(changes(&mut game, ram::PIECE_Y.at(), Buttons::DOWN, 0, 6), [2, 4, 6, 8, 10, 12]);
    assert_eq!(game.at(ram::SOFT_DROP_ROWS.at()), 6);
    game.hold(Buttons::DOWN | Buttons::LEFT);
    assert_eq!(game.at(ram::SOFT_DROP_ROWS.at()), 0, "any other direction loses the count");
}

#[test]
fn gravity_of_every_level() {
    const FRAMES_A_ROW: [usize; 20] = [48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2];
    for level in 0..=32 {
        let frames = match level {
            0..20 => FRAMES_A_ROW[usize::from(level)],
            20..29 => 2,
            29.. => 1,
        };
        let mut game = Game::in_play();
        game.poke(ram::LEVEL.at(), level);
        game.poke(ram::PIECE_Y.at(), 0);
        game.poke(ram::FALL_TIMER.at(), 0);
        let drops = changes(&mut game, ram::PIECE_Y.at(), Buttons::empty(), 1, 3);
        assert_eq!(drops, [frames, 2 * frames, 3 * frames], "level {level}");
    }
}

#[test]
fn a_turns_clockwise_b_the_other_way_and_a_wins() {
    for (buttons, orientation) in [(Buttons::A, 3), (Buttons::B, 1), (Buttons::A | Buttons::B, 3)] {
        let mut game = Game::in_play();
        game.poke(ram::ORIENTATION.at(), T_DOWN);
        game.hold(buttons);
        assert_eq!(game.at(ram::ORIENTATION.at()), orientation, "{buttons:?}");
        game.hold(buttons);
        assert_eq!(game.at(ram::ORIENTATION.at()), orientation, "a held button turns once");
    }
}

#[test]
fn a_wall_kicks_nobody() {
    let mut game = Game::in_play();
    game.set_piece(I_UPRIGHT, 0, 8);
    game.poke(ram::FALL_TIMER.at(), 0);
    game.hold(Buttons::A);
    assert_eq!((game.at(ram::ORIENTATION.at()), game.at(ram::PIECE_X.at())), (I_UPRIGHT, 0));
}

#[test]
fn left_right_and_down_together_halve_the_speed() {
    let mut game = Game::in_play();
    game.wait(1);
    let begin = game.at(ram::FALL_TIMER.at());
    let timer: Vec<u8> = (0..8)
        .map(|_| {
            game.hold(Buttons::LEFT | Buttons::RIGHT | Buttons::DOWN);
            game.at(ram::FALL_TIMER.at()) - begin
        })
        .collect();
    assert_eq!(timer, [1, 1, 2, 2, 3, 3, 4, 4]);
}

#[test]
fn pause_stops_the_play_but_neither_frame_counter_nor_lfsr() {
    const PLAY_IS_SHOWN: u8 = 3;
    let mut game = Game::in_play();
    game.hold(Buttons::START);
    let paused = (game.at(ram::FALL_TIMER.at()), game.at(ram::PIECE_Y.at()));
    let (frame, lfsr) = (game.at(ram::FRAME_COUNTER.at()), game.lfsr());
    game.wait(20);
    assert_eq!((game.at(ram::FALL_TIMER.at()), game.at(ram::PIECE_Y.at())), paused);
    assert_eq!(game.at(ram::FRAME_COUNTER.at()), frame.wrapping_add(20));
    assert_eq!(game.lfsr(), (0..20).fold(lfsr, |lfsr, _| super::random::step(lfsr)));
    game.hold(Buttons::START | Buttons::A);
    game.wait(3);
    assert_ne!(game.at(ram::RENDER_MODE.at()), PLAY_IS_SHOWN, "Start with another button does not resume");
    game.hold(Buttons::START);
    game.wait(6);
    assert_eq!(game.at(ram::RENDER_MODE.at()), PLAY_IS_SHOWN);
    assert!(game.at(ram::FALL_TIMER.at()) > paused.0);
}
