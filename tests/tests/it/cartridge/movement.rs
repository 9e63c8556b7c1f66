//! The piece falls, shifts and turns.

use nes::Buttons;

use super::cabinet::{Cabinet, I_UPRIGHT, O, T_DOWN, play_state, ram};

/// The first of `limit` frames, counted from `first`, after which `address` differs, and the next ones, up to `most`.
fn changes(cabinet: &mut Cabinet, address: usize, held: Buttons, first: usize, most: usize) -> Vec<usize> {
    let mut value = cabinet.at(address);
    let mut frames = Vec::new();
    for frame in first..first + 400 {
        cabinet.hold(held);
        if cabinet.at(address) != value {
            value = cabinet.at(address);
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
        let mut cabinet = Cabinet::start(level);
        assert_eq!(changes(&mut cabinet, ram::PIECE_Y, Buttons::empty(), 1, 1), [97], "level {level}");
        assert_eq!(cabinet.at(ram::LEVEL), level);
    }
}

#[test]
fn a_tap_of_down_in_frame_1_ends_the_first_hang() {
    for (level, fall) in [(0, 48), (18, 3), (29, 1)] {
        let mut cabinet = Cabinet::start(level);
        cabinet.hold(Buttons::DOWN);
        let frame = if cabinet.at(ram::PIECE_Y) == 1 {
            1
        } else {
            changes(&mut cabinet, ram::PIECE_Y, Buttons::empty(), 2, 1)[0]
        };
        assert_eq!(frame, fall, "level {level}");
    }
}

#[test]
fn a_held_direction_shifts_at_0_16_22_28() {
    for direction in [Buttons::LEFT, Buttons::RIGHT] {
        let mut cabinet = Cabinet::start(0);
        cabinet.set_piece(O, 5, 0); // four columns from the spawn to either wall
        assert_eq!(changes(&mut cabinet, ram::PIECE_X, direction, 0, 4), [0, 16, 22, 28], "{direction:?}");
    }
}

#[test]
fn a_charged_shift_moves_the_next_piece_at_1_7_13() {
    for (direction, wall) in [(Buttons::LEFT, 1), (Buttons::RIGHT, 9)] {
        let mut cabinet = Cabinet::in_play();
        cabinet.set_piece(O, wall, 17);
        cabinet.poke(ram::NEXT_PIECE, O);
        let mut active = true;
        // To the frame in which the next piece comes in.
        for _ in 0..300 {
            cabinet.hold(direction);
            let spawned = !active && cabinet.state() == play_state::ACTIVE;
            active = cabinet.state() == play_state::ACTIVE;
            if spawned {
                break;
            }
        }
        assert_eq!((cabinet.at(ram::PIECE_X), cabinet.at(ram::PIECE_Y)), (5, 0));
        assert_eq!(changes(&mut cabinet, ram::PIECE_X, direction, 1, 4), [1, 7, 13, 19], "{direction:?}");
    }
}

#[test]
fn a_blocked_shift_charges_at_once() {
    let mut cabinet = Cabinet::in_play();
    cabinet.set_piece(O, 1, 0);
    cabinet.hold(Buttons::LEFT);
    assert_eq!((cabinet.at(ram::PIECE_X), cabinet.at(ram::DAS)), (1, 16));
}

#[test]
fn right_wins_when_both_are_held() {
    let mut cabinet = Cabinet::in_play();
    cabinet.hold(Buttons::LEFT | Buttons::RIGHT);
    assert_eq!(cabinet.at(ram::PIECE_X), 6);
}

#[test]
fn down_stops_all_shifting_and_freezes_the_charge() {
    let mut cabinet = Cabinet::in_play();
    (0..6).for_each(|_| cabinet.hold(Buttons::LEFT));
    let before = (cabinet.at(ram::PIECE_X), cabinet.at(ram::DAS));
    (0..30).for_each(|_| cabinet.hold(Buttons::LEFT | Buttons::DOWN));
    assert_eq!(before, (4, 5));
    assert_eq!((cabinet.at(ram::PIECE_X), cabinet.at(ram::DAS)), before);
}

#[test]
fn held_down_drops_at_2_4_6_and_counts_the_rows() {
    let mut cabinet = Cabinet::in_play();
    assert_eq!(changes(&mut cabinet, ram::PIECE_Y, Buttons::DOWN, 0, 6), [2, 4, 6, 8, 10, 12]);
    assert_eq!(cabinet.at(ram::SOFT_DROP_ROWS), 6);
    cabinet.hold(Buttons::DOWN | Buttons::LEFT);
    assert_eq!(cabinet.at(ram::SOFT_DROP_ROWS), 0, "any other direction loses the count");
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
        let mut cabinet = Cabinet::in_play();
        cabinet.poke(ram::LEVEL, level);
        cabinet.poke(ram::PIECE_Y, 0);
        cabinet.poke(ram::FALL_TIMER, 0);
        let drops = changes(&mut cabinet, ram::PIECE_Y, Buttons::empty(), 1, 3);
        assert_eq!(drops, [frames, 2 * frames, 3 * frames], "level {level}");
    }
}

#[test]
fn a_turns_clockwise_b_the_other_way_and_a_wins() {
    for (buttons, orientation) in [(Buttons::A, 3), (Buttons::B, 1), (Buttons::A | Buttons::B, 3)] {
        let mut cabinet = Cabinet::in_play();
        cabinet.poke(ram::ORIENTATION, T_DOWN);
        cabinet.hold(buttons);
        assert_eq!(cabinet.at(ram::ORIENTATION), orientation, "{buttons:?}");
        cabinet.hold(buttons);
        assert_eq!(cabinet.at(ram::ORIENTATION), orientation, "a held button turns once");
    }
}

#[test]
fn a_wall_kicks_nobody() {
    let mut cabinet = Cabinet::in_play();
    cabinet.set_piece(I_UPRIGHT, 0, 8);
    cabinet.poke(ram::FALL_TIMER, 0);
    cabinet.hold(Buttons::A);
    assert_eq!((cabinet.at(ram::ORIENTATION), cabinet.at(ram::PIECE_X)), (I_UPRIGHT, 0));
}

#[test]
fn left_right_and_down_together_halve_the_speed() {
    let mut cabinet = Cabinet::in_play();
    cabinet.wait(1);
    let begin = cabinet.at(ram::FALL_TIMER);
    let timer: Vec<u8> = (0..8)
        .map(|_| {
            cabinet.hold(Buttons::LEFT | Buttons::RIGHT | Buttons::DOWN);
            cabinet.at(ram::FALL_TIMER) - begin
        })
        .collect();
    assert_eq!(timer, [1, 1, 2, 2, 3, 3, 4, 4]);
}

#[test]
fn pause_stops_the_play_but_neither_frame_counter_nor_lfsr() {
    const PLAY_IS_SHOWN: u8 = 3;
    let mut cabinet = Cabinet::in_play();
    cabinet.hold(Buttons::START);
    let paused = (cabinet.at(ram::FALL_TIMER), cabinet.at(ram::PIECE_Y));
    let (frame, lfsr) = (cabinet.at(ram::FRAME_COUNTER), cabinet.lfsr());
    cabinet.wait(20);
    assert_eq!((cabinet.at(ram::FALL_TIMER), cabinet.at(ram::PIECE_Y)), paused);
    assert_eq!(cabinet.at(ram::FRAME_COUNTER), frame.wrapping_add(20));
    assert_eq!(cabinet.lfsr(), (0..20).fold(lfsr, |lfsr, _| super::random::step(lfsr)));
    cabinet.hold(Buttons::START | Buttons::A);
    cabinet.wait(3);
    assert_ne!(cabinet.at(ram::RENDER_MODE), PLAY_IS_SHOWN, "Start with another button does not resume");
    cabinet.hold(Buttons::START);
    cabinet.wait(6);
    assert_eq!(cabinet.at(ram::RENDER_MODE), PLAY_IS_SHOWN);
    assert!(cabinet.at(ram::FALL_TIMER) > paused.0);
}
