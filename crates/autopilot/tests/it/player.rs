//! The player on the built-in cartridge.

use std::collections::HashSet;

use ai::{Evaluator, Filter};
use autopilot::{Autopilot, Guard, Mode, Settings};
use nes::{Buttons, Cartridge, Config, Console};
use tetris::events::GameType;
use tetris::ram::{self, play_state, render_mode};
use tetris::{Feature, Profile, View};

use crate::second_cartridge::{self, SLOW};

use nes_testing::MAXOUT as IMAGE;

fn console() -> Console {
    Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config { video: false, ..Config::default() })
}

fn profile() -> Profile {
    Profile::of_image(IMAGE).unwrap()
}

fn player(settings: Settings) -> Autopilot {
    Autopilot::new(profile(), settings)
}

fn frame(console: &mut Console, player: &mut Autopilot) {
    let buttons = player.prepare(console);
    assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
}

/// Plays until something is seen. Out: frames.
fn play(console: &mut Console, player: &mut Autopilot, most: u64, seen: impl Fn(View) -> bool) -> u64 {
    let begun = console.frame_number();
    while !seen(View::new(console.ram())) {
        let frames = console.frame_number() - begun;
        assert!(frames < most, "not seen in {most} frames; {:?}", View::new(console.ram()).lines());
        frame(console, player);
    }
    console.frame_number() - begun
}

fn in_play(view: View) -> bool {
    view.in_game() && view.in_play()
}

#[test]
fn buttons_alone_clear_forty_lines_from_level_29_and_no_piece_is_ever_elsewhere() {
    let (mut console, mut player) =
        (console(), player(Settings { level: 29, wait: 3, ..Settings::default() }));
    play(&mut console, &mut player, 10_000, |view| view.lines() >= 40);
    let view = View::new(console.ram());
    assert_eq!((view.level(), player.mispredictions()), (29, 0));
    assert_eq!(u64::from(view.piece_counts().iter().sum::<u32>()), player.decisions());
}

#[test]
fn a_piece_that_somebody_else_moved_is_planned_anew_and_the_game_goes_on() {
    let (mut console, mut player) = (console(), player(Settings { level: 9, ..Settings::default() }));
    play(&mut console, &mut player, 2_000, in_play);
    for number in 0..4_000 {
        if number % 291 == 290 && View::new(console.ram()).play_state() == 1 {
            let x = View::new(console.ram()).column();
            console.ram_mut()[ram::PIECE_X.at()] = if x > 4 { x - 1 } else { x + 1 };
        }
        frame(&mut console, &mut player);
    }
    let view = View::new(console.ram());
    assert!(player.mispredictions() > 5 && view.lines() > 10, "{} {}", player.mispredictions(), view.lines());
    assert_ne!(view.play_state(), play_state::CURTAIN);
}

#[test]
fn the_buttons_of_a_game_repeat_it_without_the_player() {
    let (mut console, mut player) = (console(), player(Settings { level: 18, ..Settings::default() }));
    let mut second = console.clone();
    while View::new(console.ram()).lines() < 5 {
        let buttons = player.prepare(&mut console);
        for console in [&mut console, &mut second] {
            assert!(console.run_frame(&mut [buttons, Buttons::empty()], &mut ()).is_continue());
        }
    }
    assert!(console == second);
}

#[test]
fn a_clone_plays_the_same_game() {
    let (mut console, mut player) = (console(), player(Settings::default()));
    play(&mut console, &mut player, 2_000, in_play);
    let (mut other, mut clone) = (console.clone(), player.clone());
    for _ in 0..600 {
        frame(&mut console, &mut player);
        frame(&mut other, &mut clone);
    }
    assert!(console == other);
}

#[test]
fn the_menus_lead_to_every_level_and_height() {
    for (level, height) in [(0, 0), (4, 5), (7, 2), (9, 3), (10, 1), (16, 4), (19, 5), (29, 0), (255, 0)] {
        let settings = Settings { level, height, game_type: GameType::B, ..Settings::default() };
        let mut console = console();
        play(&mut console, &mut player(settings), 2_000, in_play);
        let view = View::new(console.ram());
        let found = (view.level(), view.byte(ram::START_HEIGHT), view.byte(ram::GAME_TYPE), view.lines());
        assert_eq!(found, (level, height, 1, 25));
    }
    let mut console = console();
    play(&mut console, &mut player(Settings { level: 13, ..Settings::default() }), 2_000, in_play);
    let view = View::new(console.ram());
    assert_eq!((view.level(), view.byte(ram::GAME_TYPE)), (13, 0));
}

#[test]
fn another_wait_is_another_game_at_every_level_of_the_menu_on_both_cartridges() {
    for image in [IMAGE, SLOW] {
        let begun = |level, wait| {
            let mut console = second_cartridge::console(image);
            let settings = Settings { level, wait, ..Settings::default() };
            play(&mut console, &mut second_cartridge::player(image, settings), 2_000, in_play);
            let view = View::new(console.ram());
            (view.piece(), view.next(), view.lfsr())
        };
        for level in [0, 5, 10, 18] {
            let games: HashSet<_> = (0..8).map(|wait| begun(level, wait)).collect();
            assert_eq!(games.len(), 8, "level {level}");
        }
        assert_eq!(begun(0, 7), begun(0, 7));
    }
}

#[test]
fn the_legal_screen_is_skipped_by_its_counters_where_writes_are_allowed() {
    let frames = |mode| {
        let settings = Settings { mode, ..Settings::default() };
        play(&mut console(), &mut player(settings), 2_000, in_play)
    };
    let gamepad = frames(Mode::Gamepad);
    let teleport = frames(Mode::Teleport);
    assert!(teleport + 250 < gamepad, "{teleport} {gamepad}");
}

#[test]
fn a_teleported_piece_locks_in_the_frame_after_it_appeared() {
    let settings = Settings { mode: Mode::Teleport, ..Settings::default() };
    let (mut console, mut player) = (console(), player(settings));
    play(&mut console, &mut player, 2_000, in_play);
    for _ in 0..1_000 {
        let before = View::new(console.ram()).play_state();
        frame(&mut console, &mut player);
        assert!(before != 1 || View::new(console.ram()).play_state() == 2);
    }
    assert!(View::new(console.ram()).lines() > 10);
}

#[test]
fn a_piece_on_its_path_moves_one_step_a_frame_at_level_29_too() {
    let settings = Settings { mode: Mode::Path, level: 29, ..Settings::default() };
    let (mut console, mut player) = (console(), player(settings));
    play(&mut console, &mut player, 2_000, in_play);
    for _ in 0..1_000 {
        let before = *console.ram();
        frame(&mut console, &mut player);
        let (before, after) = (View::new(&before), View::new(console.ram()));
        if before.play_state() == 1 && after.play_state() == 1 {
            let steps = before.column().abs_diff(after.column())
                + before.row().abs_diff(after.row())
                + u8::from(before.orientation() != after.orientation());
            assert!(steps <= 1, "{steps} steps in a frame");
        }
    }
    assert!(View::new(console.ram()).lines() > 5);
}

#[test]
fn a_won_game_shows_its_ending_and_another_one_begins() {
    let settings =
        Settings { mode: Mode::Teleport, game_type: GameType::B, level: 9, height: 3, ..Settings::default() };
    let (mut console, mut player) = (console(), player(settings));
    play(&mut console, &mut player, 10_000, |view| view.byte(ram::RENDER_MODE) == render_mode::ENDING);
    play(&mut console, &mut player, 10_000, |view| in_play(view) && view.lines() == 25);
    assert_eq!(View::new(console.ram()).byte(ram::START_HEIGHT), 3);
}

#[test]
fn the_guard_leaves_a_clear_the_points_of_level_29_and_touches_nothing_below_on_both_cartridges() {
    for image in [IMAGE, SLOW] {
        let points = |level: u8, guarded: bool| {
            let settings = Settings { mode: Mode::Teleport, level, ..Settings::default() };
            let mut console = second_cartridge::console(image);
            let mut player = second_cartridge::player(image, settings);
            let mut guard = Guard::new(&second_cartridge::profile(image, Feature::Guard));
            while View::new(console.ram()).lines() < 1
                || View::new(console.ram()).byte(ram::LINES_COMPLETED) > 0
            {
                let mut pads = [player.prepare(&mut console), Buttons::empty()];
                let mut attached = guarded.then_some(&mut guard);
                assert!(console.run_frame(&mut pads, &mut attached).is_continue());
            }
            let view = View::new(console.ram());
            (view.score(), view.lines())
        };
        assert_eq!(points(29, true), points(29, false));
        let (free, lines) = points(99, false);
        assert_eq!(points(99, true), (free * 30 / 100, lines));
    }
}

#[test]
fn another_evaluation_and_a_filter_play_as_well() {
    for evaluator in Evaluator::NAMED {
        let settings =
            Settings { evaluator, filter: Filter::Well, mode: Mode::Teleport, ..Settings::default() };
        let (mut console, mut player) = (console(), player(settings));
        play(&mut console, &mut player, 20_000, |view| view.lines() >= 30);
    }
}
